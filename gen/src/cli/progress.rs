//! Progress on standard error: bars on a terminal, otherwise plain lines.

use crate::cli::duration::duration;
use crate::cli::plain_lines::PlainLines;
use crate::cli::{self, CommandError, StyledText, Tone};
use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// Bar of work of known length, with its rate and the time left; UNITS is replaced by its unit.
const RATED: &str = "{prefix:>12} [{bar:30}] {percent:>3} %  {rate} UNITS/s  {eta} left {msg}";
/// Bar of work of unknown length.
const SPINNER: &str = "{prefix:>12} {spinner} {elapsed} {msg}";

fn style(template: &str) -> ProgressStyle {
    // The templates are constants; an invalid template leaves the default style.
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, text: &mut dyn Write| {
        // A bar that cannot be drawn is not a failure.
        let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
    };
    style.with_key("rate", rate).progress_chars("=> ")
}

/// Several bars, one below the other, and the plain lines that replace them.
pub struct Bars {
    bars: MultiProgress,
    lines: Arc<PlainLines>,
}

impl Bars {
    /// Returns an empty list of bars.
    pub fn new() -> Bars {
        Bars { bars: MultiProgress::new(), lines: Arc::new(PlainLines::begin()) }
    }

    /// Adds a meter of `len` slots.
    pub fn slots(&self, name: &str, len: u64) -> Meter {
        self.meter(name, len, "slots")
    }

    /// Adds a meter of `len` units.
    pub fn meter(&self, name: &str, len: u64, unit: &'static str) -> Meter {
        let meter = self.spinner(name, unit);
        meter.begin(len, "");
        meter
    }

    /// Adds a meter of work whose length is not known yet.
    pub fn spinner(&self, name: &str, unit: &'static str) -> Meter {
        let bar = ProgressBar::new_spinner().with_style(style(SPINNER));
        let bar = self.bars.add(bar.with_prefix(name.to_string()));
        Meter { bar, unit, lines: Arc::clone(&self.lines) }
    }

    /// Returns the plain lines.
    pub fn lines(&self) -> &PlainLines {
        &self.lines
    }

    /// Prints to standard output above the bars.
    pub fn print(&self, text: &str) -> Result<(), CommandError> {
        self.bars.suspend(|| cli::print(text))
    }

    /// Prints to standard error above the bars.
    pub fn eprint(&self, text: &str) {
        self.bars.suspend(|| cli::eprint(&StyledText::from(text)));
    }

    /// Runs a closure, which may print, while the bars are hidden.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bars.suspend(work)
    }

    /// Prints a warning to standard error.
    pub fn warn(&self, message: &str) {
        self.bars.suspend(|| cli::eprint(&cli::message(Tone::Doubtful, message)));
    }
}

/// Progress of one piece of work: a spinner, or a bar once the length of the work is known.
pub struct Meter {
    bar: ProgressBar,
    unit: &'static str,
    lines: Arc<PlainLines>,
}

impl Meter {
    /// Starts work of known length.
    pub fn begin(&self, len: u64, message: &str) {
        self.bar.set_style(style(&RATED.replace("UNITS", self.unit)));
        self.bar.set_length(len);
        self.bar.reset();
        self.set_message(message);
    }

    /// Starts work of unknown length.
    pub fn begin_unknown(&self) {
        self.bar.set_style(style(SPINNER));
        self.bar.unset_length();
    }

    /// Adds finished units, and prints a plain line if one is due; may be called from many threads.
    pub fn advance(&self, units: u64) {
        self.add(units);
        self.lines.offer(|| self.line());
    }

    /// Adds finished units.
    pub fn add(&self, units: u64) {
        self.bar.inc(units);
    }

    /// Shortens the work by units that are skipped.
    pub fn leave_out(&self, units: u64) {
        self.bar.dec_length(units);
    }

    /// Shows a message beside the bar.
    pub fn set_message(&self, message: &str) {
        self.bar.set_message(message.to_string());
        self.bar.tick();
    }

    /// Returns the plain line: name, fraction, message, rate and time left.
    pub fn line(&self) -> String {
        self.line_after(self.bar.elapsed())
    }

    fn line_after(&self, elapsed: Duration) -> String {
        let (name, message) = (self.bar.prefix(), self.bar.message());
        let Some(all) = self.bar.length() else { return format!("{name}: {message}") };
        let done = self.bar.position();
        let rate = done as f64 / elapsed.as_secs_f64().max(f64::EPSILON);
        let message = if message.is_empty() { message } else { format!(" ({message})") };
        let percent = (100 * u128::from(done) / u128::from(all.max(1))).min(100);
        // The first units say little about the rest: some work starts with reading.
        let left = match percent {
            0 => String::new(),
            _ => format!(", {} left", duration(all.saturating_sub(done) as f64 / rate)),
        };
        format!("{name}: {percent} %{message}, {} {}/s{left}", HumanCount(rate as u64), self.unit)
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
        let meter = Bars::new().slots("KRvKN", 4_000_000);
        let line = |seconds| meter.line_after(Duration::from_secs(seconds));
        meter.advance(1);
        assert_eq!(line(1), "KRvKN: 0 %, 1 slots/s");
        meter.advance(999_999);
        assert_eq!(line(20), "KRvKN: 25 %, 50,000 slots/s, 60 s left");
        meter.set_message("of two");
        assert_eq!(line(20), "KRvKN: 25 % (of two), 50,000 slots/s, 60 s left");
    }
}
