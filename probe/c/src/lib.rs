//! Sakmak for C: the functions and types of `include/sakmak.h`, which documents them.
//!
//! Modules are in the order in which they build on one another.

mod error;

mod position;

mod reply;

mod pointer;

mod batch;

mod border;
