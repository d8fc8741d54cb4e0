//! Progress bars on standard error, shown on a terminal only.

use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, Write as _};

/// A bar of something counted.
const BAR: &str = "{prefix:>12} [{bar:30}] {pos}/{len} {msg}";
/// A bar of slots, with their rate and the time left.
const SLOTS: &str = "{prefix:>12} [{bar:30}] {percent:>3} %  {rate} slots/s  {eta} left {msg}";
/// Work of unknown length.
const SPINNER: &str = "{prefix:>12} {spinner} {elapsed} {msg}";

fn styled(bar: ProgressBar, style: &str) -> ProgressBar {
    // The templates are constants; a wrong one leaves the default style.
    let style =
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
    let rate = |state: &ProgressState, text: &mut dyn Write| {
        // A bar that cannot be drawn is no failure.
        let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
    };
    bar.with_style(style.with_key("rate", rate).progress_chars("=> "))
}

/// Several bars, one below the other.
pub struct Bars(MultiProgress);

impl Bars {
    /// No bar yet.
    pub fn new() -> Bars {
        Bars(MultiProgress::new())
    }

    /// A bar of `len` things.
    pub fn counted(&self, name: &str, len: u64) -> ProgressBar {
        self.0.add(styled(ProgressBar::new(len), BAR).with_prefix(name.to_string()))
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

    /// A spinner.
    pub fn spinner(&self, name: &str) -> ProgressBar {
        self.0.add(styled(ProgressBar::new_spinner(), SPINNER).with_prefix(name.to_string()))
    }

    /// Prints while the bars step aside.
    pub fn print(&self, text: &str) -> Result<(), super::Failure> {
        self.0.suspend(|| super::print(text))
    }

    /// Says on standard error, in a line of its own, what does not end the work.
    pub fn warn(&self, message: &str) {
        // Nobody can be told when standard error is closed.
        let _ = self.0.suspend(|| writeln!(io::stderr(), "sakmak: {message}"));
    }
}
