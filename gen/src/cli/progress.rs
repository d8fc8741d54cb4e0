//! Progress bars on standard error, shown on a terminal only.

use crate::cli::{self, CommandError, StyledText, Tone};
use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;

/// A bar of slots, with their rate and the time left.
const SLOTS: &str = "{prefix:>12} [{bar:30}] {percent:>3} %  {rate} slots/s  {eta} left {msg}";
/// Work of unknown length.
const SPINNER: &str = "{prefix:>12} {spinner} {elapsed} {msg}";
/// Work whose length is known.
const WORK: &str = "{prefix:>12} [{bar:30}] {elapsed} {msg}";

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.with_style(style(template))
}

fn style(template: &str) -> ProgressStyle {
    // The templates are constants; a wrong one leaves the default style.
    let style =
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, text: &mut dyn Write| {
        // A bar that cannot be drawn is no failure.
        let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
    };
    style.with_key("rate", rate).progress_chars("=> ")
}

/// Several bars, one below the other.
pub struct Bars(MultiProgress);

impl Bars {
    /// No bars.
    pub fn new() -> Bars {
        Bars(MultiProgress::new())
    }

    /// A bar of `len` slots.
    pub fn slots(&self, name: &str, len: u64) -> ProgressBar {
        self.0.add(styled(ProgressBar::new(len), SLOTS).with_prefix(name.to_string()))
    }

    /// A bar of `len` positions.
    pub fn positions(&self, name: &str, len: u64) -> ProgressBar {
        let style = SLOTS.replace("slots", "positions");
        self.0.add(styled(ProgressBar::new(len), &style).with_prefix(name.to_string()))
    }

    /// A bar of `len` materials.
    pub fn materials(&self, name: &str, len: u64) -> ProgressBar {
        self.0.add(styled(ProgressBar::new(len), WORK).with_prefix(name.to_string()))
    }

    /// A bar of tables or of one table.
    pub fn table(&self, name: &str) -> TableBar {
        TableBar(
            self.0.add(styled(ProgressBar::new_spinner(), SPINNER).with_prefix(name.to_string())),
        )
    }

    /// Prints to standard output above the bars.
    pub fn print(&self, text: &str) -> Result<(), CommandError> {
        self.0.suspend(|| cli::print(text))
    }

    /// Prints to standard error above the bars.
    pub fn tell(&self, text: &str) {
        self.0.suspend(|| cli::tell(&StyledText::from(text)));
    }

    /// Runs a closure, which may print, while the bars are hidden.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.0.suspend(work)
    }

    /// Prints a warning to standard error.
    pub fn warn(&self, message: &str) {
        self.0.suspend(|| cli::tell(&cli::message(Tone::Doubtful, message)));
    }
}

/// A spinner that becomes a bar once the length of the work is known.
pub struct TableBar(ProgressBar);

impl TableBar {
    /// Starts work of this name and of unknown length.
    pub fn begin(&self, name: &str) {
        if self.0.prefix() != name {
            self.0.reset();
            self.0.set_style(style(SPINNER));
            self.0.set_prefix(name.to_string());
            self.0.set_message("");
        }
    }

    /// Sets the message.
    pub fn say(&self, message: &str) {
        self.0.set_message(message.to_string());
        self.0.tick();
    }

    /// Shows `done` of `all`.
    pub fn show(&self, done: u64, all: u64, message: &str) {
        self.0.set_style(style(WORK));
        self.0.set_length(all);
        self.0.set_position(done);
        self.say(message);
    }

    /// Adds finished units.
    pub fn advance(&self, more: u64) {
        self.0.inc(more);
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}

/// The text of a rate in slots per second and of a time left in seconds.
pub fn rate_and_left(rate: f64, left: f64) -> String {
    format!("{} slots/s, {} left", HumanCount(rate as u64), duration(left))
}

/// The text of a duration in seconds.
pub fn duration(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 60.0 * MINUTE;
    match seconds {
        ..9.95 => format!("{seconds:.1} s"),
        ..100.0 => format!("{seconds:.0} s"),
        ..HOUR => format!("{:.0} min", seconds / MINUTE),
        _ => format!("{:.1} h", seconds / HOUR),
    }
}
