//! Progress of solving a material.

/// A part of the work on a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// This many more slots have been looked at for the first time.
    Slots(u64),
    /// Positions that are decided in this number of plies have been looked for in some more slots.
    Plies(u16),
}
