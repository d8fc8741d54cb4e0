//! Times of the parts of solving.

use std::time::Duration;

/// A function that returns the time since a fixed moment. A solver has no clock of its own, since
/// not every platform has one.
pub type Clock = fn() -> Duration;

/// Times of a solver, by part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolveTimes {
    /// Reading the conversions out of the subtables.
    pub conversions: Duration,
    /// Finding the layers and logging them.
    pub layers: Duration,
    /// Gathering the codes; zero if they are gathered when written.
    pub gathering: Duration,
    /// Bytes of planes read or written while the layers were found; most come from caches.
    pub moved: u64,
}
