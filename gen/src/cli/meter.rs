//! Progress of long work: a bar on a terminal, else a plain line every 30 seconds.

use crate::cli::progress::duration;
use indicatif::{HumanCount, ProgressBar};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Seconds between two plain lines.
const EVERY: u64 = 30;

/// The progress of work of known length.
pub struct Meter {
    bar: ProgressBar,
    name: String,
    unit: &'static str,
    start: Instant,
    /// Seconds from the start to the next plain line.
    due: AtomicU64,
    plain: bool,
}

impl Meter {
    /// Starts work of the length of the bar, in these units.
    pub fn new(bar: ProgressBar, name: &str, unit: &'static str) -> Meter {
        let plain = !std::io::stderr().is_terminal();
        let due = AtomicU64::new(EVERY);
        Meter { bar, name: name.to_string(), unit, start: Instant::now(), due, plain }
    }

    /// Adds finished units; may be called from many threads.
    pub fn advance(&self, done: u64) {
        self.bar.inc(done);
        let elapsed = self.start.elapsed();
        let due = self.due.load(Ordering::Relaxed);
        if !self.plain || elapsed.as_secs() < due {
            return;
        }
        // Of the threads that find a line due, one prints it.
        let next = elapsed.as_secs() + EVERY;
        if self.due.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            // A closed standard error is not a failure.
            let _ = writeln!(std::io::stderr(), "{}", self.line(elapsed));
        }
    }

    /// The line after this time.
    fn line(&self, elapsed: Duration) -> String {
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0).max(1));
        let rate = done as f64 / elapsed.as_secs_f64().max(f64::EPSILON);
        let left = duration(all.saturating_sub(done) as f64 / rate.max(1.0));
        let Meter { name, unit, .. } = self;
        let (percent, rate) = (100 * done / all, HumanCount(rate as u64));
        format!("{name}: {percent} %, {rate} {unit}/s, {left} left")
    }

    /// Removes the bar.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_has_share_rate_and_time_left() {
        let bar = ProgressBar::hidden();
        bar.set_length(4_000_000);
        let meter = Meter::new(bar, "KRvKN", "slots");
        meter.advance(1_000_000);
        let line = meter.line(Duration::from_secs(20));
        assert_eq!(line, "KRvKN: 25 %, 50,000 slots/s, 60 s left");
    }
}
