//! Making tables: the writer of table files.
//!
//! Modules come in the order in which they build on one another.

pub mod fill;

pub mod write;

pub mod load;
