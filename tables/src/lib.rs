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

pub mod rays;

pub mod reach;

pub mod strikers;

pub mod leaps;

pub mod distance;

pub mod material;

pub mod tally;

pub mod counting;

pub mod variant;
pub mod variants;

pub mod moves;

pub mod position;

mod movegen;

pub mod san;

pub mod fen;

pub mod perft;

pub mod kings;

pub mod index;

pub mod locate;

pub mod numbered;

pub mod values;

pub mod table;

pub mod codec;

pub mod panel;

pub mod pictures;

pub mod format;
