//! Answers from Sakmak table files: what an engine links.
//!
//! This crate makes no tables and starts no thread; all of it may be used from many.
//! Modules come in the order in which they build on one another.

pub mod bytes;

pub mod map;

mod decoder;

pub mod table_file;

pub mod packed_file;

mod verdict_part;

pub mod verdict_file;

pub mod cache;

mod shelves;

mod error;
pub use error::ProbeError;

mod held;

mod look_ahead;

mod verdict_shelf;

pub mod tablebase;

pub mod verdict;

pub mod count;

pub mod rated_move;

pub mod line;

pub mod answer;
