//! Lines of progress on standard error where no bars are drawn.

use crate::cli::{self, CommandError, StyledText};
use indicatif::ProgressDrawTarget;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The environment variable with the seconds between two lines.
const VARIABLE: &str = "SAKMAK_PROGRESS";

/// The default time between two lines.
const DEFAULT: Duration = Duration::from_secs(30);

/// The time between two lines; zero for no lines.
static INTERVAL: OnceLock<Duration> = OnceLock::new();

/// Reads the environment variable.
///
/// # Errors
///
/// If the variable is not a number of seconds.
pub fn configure() -> Result<(), CommandError> {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else {
        return Ok(());
    };
    let seconds = value.to_str().and_then(|value| value.parse().ok());
    let interval = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let interval = interval.ok_or_else(|| CommandError::bad_input(format!(
            "{VARIABLE}: '{}' is not a number of seconds, such as 30, or 0 for no lines of progress",
            value.display()
        )))?;
    // The variable is read once.
    let _ = INTERVAL.set(interval);
    Ok(())
}

/// Returns whether standard error is a terminal on which bars are drawn. A terminal of the type
/// `dumb` does not count, because it cannot move its cursor.
pub fn draws_bars() -> bool {
    !ProgressDrawTarget::stderr().is_hidden()
}

/// Lines with at least an interval of time before each.
#[derive(Debug)]
pub struct PlainLines {
    start: Instant,
    interval: Duration,
    /// Nanoseconds from the start to the next line.
    due: AtomicU64,
}

impl PlainLines {
    /// Lines for work that starts now; none where bars are drawn.
    pub fn begin() -> PlainLines {
        let interval = match draws_bars() {
            true => Duration::ZERO,
            false => INTERVAL.get().copied().unwrap_or(DEFAULT),
        };
        PlainLines { start: Instant::now(), interval, due: AtomicU64::new(nanoseconds(interval)) }
    }

    /// Prints a line if one is due; may be called from many threads.
    pub fn offer(&self, line: impl FnOnce() -> String) {
        if self.interval.is_zero() {
            return;
        }
        let elapsed = self.start.elapsed();
        let due = self.due.load(Ordering::Relaxed);
        if nanoseconds(elapsed) < due {
            return;
        }
        // Only one of the threads that find a line due prints the line.
        let next = nanoseconds(elapsed.saturating_add(self.interval));
        if self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            cli::eprint(&StyledText::from(&*(line() + "\n")));
        }
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
