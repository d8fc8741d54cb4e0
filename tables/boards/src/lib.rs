//! Janggi, Rek and Min Rek Chanh: rules, numbering of positions and notation, and the traits of a
//! board game.
//!
//! The positions of a game fall into *materials*: a move keeps the material of its position, or
//! leads to a smaller material. The crate `sakmak-tables` has chess-like variants on 64 squares,
//! whose rules are data. Here a game is code: [`BoardGame`](game::BoardGame) has its rules,
//! [`Notation`](notation::Notation) its texts, and [`SolvableGame`](solvable::SolvableGame) the
//! optional parts that speed up its solver. Modules come in the order in which they build on one
//! another:
//!
//! ```text
//! value, planes, codes, sets -> game -> solvable, notation -> drawing -> janggi, rek, min_rek -> list
//! ```
//!
//! This crate uses no file and starts no thread.

pub mod value;

pub mod planes;

pub mod codes;

pub mod sets;

pub mod game;

pub mod solvable;

pub mod notation;

pub mod drawing;

pub mod janggi;

pub mod rek;

pub mod min_rek;

pub mod list;
