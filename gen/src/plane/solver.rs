//! How to solve: the choices that change no value.

use super::width::Width;
use sakmak_tables::distance::Moves;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Solver {
    /// The registers the kernels use.
    pub width: Width,
    /// The longest distance recorded in a byte; longer ones are kept beside.
    pub byte_holds: Moves,
}

impl Default for Solver {
    /// The widest registers, and bytes as full as can be.
    fn default() -> Solver {
        Solver { width: Width::widest(), byte_holds: Moves(u32::MAX) }
    }
}
