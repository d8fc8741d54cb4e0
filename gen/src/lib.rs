//! Makes tables: the solvers, the writer, the verifier and the statistics.

pub mod plane;

pub mod fill;

pub mod write;

pub mod load;
