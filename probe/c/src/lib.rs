//! Sakmak for programs in C. What each function does is told in `include/sakmak.h`.
//!
//! Modules come in the order in which they build on one another.

mod failure;

mod position;

mod reply;

mod pointer;

mod many;

mod border;
