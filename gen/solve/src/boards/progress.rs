//! Progress of solving a material.

/// A part of the work on a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// This many more slots have their first states.
    Slots(u64),
    /// Some more slots were searched for positions decided in this number of plies.
    Plies(u16),
}
