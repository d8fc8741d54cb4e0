//! Clocks for the times of solving.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Returns the time since the first call.
pub fn elapsed() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Returns the processor time that all threads of this process have used, if the system counts it.
pub fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    return rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok();
    #[cfg(not(unix))]
    None
}
