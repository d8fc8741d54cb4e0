//! Progress of work of known length: a bar on a terminal, else a plain line now and then.

use crate::cli::duration::duration;
use crate::cli::plain_lines::PlainLines;
use indicatif::{HumanCount, ProgressBar};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The progress of work of known length.
pub struct Meter {
    bar: ProgressBar,
    name: String,
    unit: &'static str,
    start: Instant,
    lines: Arc<PlainLines>,
}

impl Meter {
    /// Starts work of the length of the bar, in these units.
    pub fn new(bar: ProgressBar, name: &str, unit: &'static str, lines: &Arc<PlainLines>) -> Meter {
        let lines = Arc::clone(lines);
        Meter { bar, name: name.to_string(), unit, start: Instant::now(), lines }
    }

    /// Adds finished units; may be called from many threads.
    pub fn advance(&self, done: u64) {
        self.bar.inc(done);
        self.lines.offer(|| self.line(self.start.elapsed()));
    }

    /// Takes units off the length that need not be done.
    pub fn leave_out(&self, units: u64) {
        self.bar.dec_length(units);
    }

    /// Shows what is being done.
    pub fn set_message(&self, message: &str) {
        self.bar.set_message(message.to_string());
    }

    /// The line after this time.
    fn line(&self, elapsed: Duration) -> String {
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0).max(1));
        let rate = done as f64 / elapsed.as_secs_f64().max(f64::EPSILON);
        let Meter { name, unit, .. } = self;
        let message = match self.bar.message() {
            message if message.is_empty() => message,
            message => format!(" ({message})"),
        };
        let percent = (100 * u128::from(done) / u128::from(all)).min(100);
        // The first units say little about the rest: some work begins with reading.
        let left = match percent {
            0 => String::new(),
            _ => format!(", {} left", duration(all.saturating_sub(done) as f64 / rate)),
        };
        let rate = HumanCount(rate as u64);
        format!("{name}: {percent} %{message}, {rate} {unit}/s{left}")
    }

    /// Removes the bar.
    pub fn finish(&self) {
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
        let meter = Meter::new(bar, "KRvKN", "slots", &Arc::new(PlainLines::begin()));
        meter.advance(1);
        let line = meter.line(Duration::from_secs(1));
        assert_eq!(line, "KRvKN: 0 %, 1 slots/s");
        meter.advance(999_999);
        let line = meter.line(Duration::from_secs(20));
        assert_eq!(line, "KRvKN: 25 %, 50,000 slots/s, 60 s left");
        meter.set_message("of two");
        let line = meter.line(Duration::from_secs(20));
        assert_eq!(line, "KRvKN: 25 % (of two), 50,000 slots/s, 60 s left");
    }
}
