//! What solving a material took.

use std::time::Duration;

/// Where the time of a solver went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Reading the conversions out of the smaller tables.
    pub conversions: Duration,
    /// Finding the layers and logging what they find.
    pub layers: Duration,
    /// Gathering the codes, where they are gathered at once.
    pub gathering: Duration,
    /// Bytes of planes that were read or written while the layers were found; most of them
    /// come from caches.
    pub moved: u64,
}
