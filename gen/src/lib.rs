//! Makes tables: the solvers, the writer, the verifier and the statistics.

pub mod walk;

pub mod place;

pub mod plane;

pub mod reference;

pub mod compare;

pub mod verify;

pub mod statistics;

pub mod fill;

pub mod write;

pub mod load;
