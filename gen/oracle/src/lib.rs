//! Oracles: solvers that are definitions, to test the fast ones against.
//!
//! They share nothing with the plane solver but the rules: no index, no symmetry, no planes.
//! Tests and one bench use them; no program does.

pub mod reference;

pub mod counted_reference;

pub mod compare;
