//! Oracles: solvers by definition that test the fast solvers.
//!
//! They share only the rules with the plane solver: no index, no symmetry, no planes. Tests and one
//! bench use them; no program does.

pub mod reference;

pub mod counted_reference;

pub mod compare;
