//! The time of each part of solving.

use std::time::Duration;

/// The time since a fixed moment. A solver has no clock of its own, since not every platform has
/// one.
pub type Clock = fn() -> Duration;

/// The time that a solver took, by part.
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
