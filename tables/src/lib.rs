//! The vocabulary of Sakmak: what a position, a material, a rule, a number and a table
//! file are.
//!
//! This crate starts no thread, prints nothing and knows no directory. Modules come in
//! the order in which they build on one another.

pub mod square;

pub mod set;

pub mod turn;

pub mod man;

pub mod rules;

pub mod reach;

pub mod variant;
pub mod variants;

pub mod distance;

pub mod material;

pub mod kings;

pub mod index;

pub mod values;

pub mod table;

pub mod format;
