//! How to solve: the choices that change no value.

use crate::solver::width::Width;
use std::path::Path;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Solver<'a> {
    /// The registers the kernels use.
    pub width: Width,
    /// Where layers go that are not to be kept in memory.
    pub spill: Option<&'a Path>,
}

impl Default for Solver<'_> {
    /// The widest registers, all in memory.
    fn default() -> Self {
        Solver { width: Width::widest(), spill: None }
    }
}
