//! The clock that measures where the time of solving goes.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Returns the time since the first call.
pub fn elapsed() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
