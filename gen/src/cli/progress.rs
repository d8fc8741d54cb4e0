//! Progress on standard error: bars on a terminal, else plain lines.

use crate::cli::meter::Meter;
use crate::cli::plain_lines::PlainLines;
use crate::cli::{self, CommandError, StyledText, Tone};
use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::sync::Arc;

/// Work of known length, with its rate and the time left; UNITS is replaced by its units.
const RATED: &str = "{prefix:>12} [{bar:30}] {percent:>3} %  {rate} UNITS/s  {eta} left {msg}";
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

/// Several bars, one below the other, and the plain lines in their place.
pub struct Bars {
    bars: MultiProgress,
    lines: Arc<PlainLines>,
}

impl Bars {
    /// No bars.
    pub fn new() -> Bars {
        Bars { bars: MultiProgress::new(), lines: Arc::new(PlainLines::begin()) }
    }

    /// A meter of `len` slots.
    pub fn slots(&self, name: &str, len: u64) -> Meter {
        self.meter(name, len, "slots")
    }

    /// A meter of `len` units.
    pub fn meter(&self, name: &str, len: u64, unit: &'static str) -> Meter {
        let bar = styled(ProgressBar::new(len), &RATED.replace("UNITS", unit));
        let bar = self.bars.add(bar.with_prefix(name.to_string()));
        Meter::new(bar, name, unit, &self.lines)
    }

    /// The plain lines.
    pub fn lines(&self) -> &PlainLines {
        &self.lines
    }

    /// A bar of tables or of one table.
    pub fn table(&self, name: &str) -> TableBar {
        TableBar(
            self.bars
                .add(styled(ProgressBar::new_spinner(), SPINNER).with_prefix(name.to_string())),
        )
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

/// A spinner that becomes a bar once the length of the work is known.
pub struct TableBar(ProgressBar);

impl TableBar {
    /// Sets the message.
    pub fn set_message(&self, message: &str) {
        self.0.set_message(message.to_string());
        self.0.tick();
    }

    /// Shows `done` of `all`.
    pub fn show(&self, done: u64, all: u64, message: &str) {
        self.0.set_style(style(WORK));
        self.0.set_length(all);
        self.0.set_position(done);
        self.set_message(message);
    }

    /// Adds finished units.
    pub fn advance(&self, more: u64) {
        self.0.inc(more);
    }

    /// The name and the message, with the share if the length is known.
    pub fn text(&self) -> String {
        let (name, message) = (self.0.prefix(), self.0.message());
        let done = 100 * u128::from(self.0.position());
        match self.0.length().and_then(|all| done.checked_div(all.into())) {
            Some(share) => format!("{name}: {share} %, {message}"),
            None => format!("{name}: {message}"),
        }
    }

    /// Removes the bar.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}
