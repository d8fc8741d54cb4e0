//! How to solve: the choices that change no value.

use super::width::Width;
use std::path::Path;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Solver<'a> {
    /// The registers the kernels use.
    pub width: Width,
    /// How many different values are kept in bytes, 256 at most; more need words.
    pub byte_values: u32,
    /// Where layers go that are not to be kept in memory.
    pub spill: Option<&'a Path>,
}

impl Default for Solver<'_> {
    /// The widest registers, bytes as full as can be, all in memory.
    fn default() -> Self {
        Solver { width: Width::widest(), byte_values: 1 << u8::BITS, spill: None }
    }
}
