//! Where the time of solving goes.

use std::time::Duration;

/// The time since some moment, the same one at each call. A solver has no clock of its own: not
/// every machine has one.
pub type Clock = fn() -> Duration;

/// Where the time of a solver went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Reading the conversions out of the smaller tables.
    pub conversions: Duration,
    /// Finding the layers and logging them.
    pub layers: Duration,
    /// Gathering the codes; zero if they are gathered when written.
    pub gathering: Duration,
    /// Bytes of planes read or written while the layers were found; most come from caches.
    pub moved: u64,
}
