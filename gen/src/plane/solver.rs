//! How to solve: the choices that change no value.

use super::width::Width;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    /// The registers the kernels use.
    pub width: Width,
    /// How many different values are kept in bytes, 256 at most; more need words.
    pub byte_values: u32,
}

impl Default for Solver {
    /// The widest registers, and bytes as full as can be.
    fn default() -> Solver {
        Solver { width: Width::widest(), byte_values: 1 << u8::BITS }
    }
}
