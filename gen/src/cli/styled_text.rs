//! Text with styles. Only the styles of this file reach a terminal as control codes; control
//! characters in the text are escaped.

use anstyle::{AnsiColor, Style};
use std::fmt::{self, Write};
use std::ops::{AddAssign, Range};

/// The meaning of a part of a text, which chooses its style.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// A win, or a move that is the only good one.
    Good,
    /// A win too late, a slow move, a warning.
    Doubtful,
    /// A loss, a mistake, an error.
    Bad,
    /// A move that keeps the result.
    Strong,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Doubtful => AnsiColor::Yellow.on_default(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
            Tone::Strong => Style::new().bold(),
        }
    }
}

/// A text whose parts may have a tone.
#[derive(Default, Debug)]
pub struct StyledText {
    text: String,
    /// The parts with a tone, in bytes, in ascending order.
    parts: Vec<(Range<usize>, Tone)>,
}

impl StyledText {
    /// Returns an empty text.
    pub fn new() -> StyledText {
        StyledText::default()
    }

    /// Returns whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds a part with a tone, or without one.
    pub fn push(&mut self, tone: impl Into<Option<Tone>>, part: &str) {
        let start = self.text.len();
        self.text += part;
        self.parts.extend(tone.into().map(|tone| (start..self.text.len(), tone)));
    }

    /// Adds another text.
    pub fn append(&mut self, other: &StyledText) {
        other.each(|tone, part| self.push(tone, part));
    }

    /// Returns the text with each part changed by a function.
    pub fn map(&self, change: impl Fn(&str) -> String) -> StyledText {
        let mut changed = StyledText::new();
        self.each(|tone, part| changed.push(tone, &change(part)));
        changed
    }

    /// Returns the text for a terminal, with control codes of styles. Control characters in the
    /// text are escaped, except line breaks and tabs.
    pub fn to_terminal(&self) -> String {
        let mut shown = String::with_capacity(self.text.len());
        self.each(|tone, part| {
            let style = tone.map_or(Style::new(), Tone::style);
            for line in part.split_inclusive('\n') {
                // A style ends with its line, as pagers expect.
                let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
                let line = escaped_except(line, &['\t']);
                // Writing to a string does not fail.
                let _ = write!(shown, "{style}{line}{style:#}{end}");
            }
        });
        shown
    }

    /// Calls a function for each part in order, with its tone.
    fn each<'a>(&'a self, mut with: impl FnMut(Option<Tone>, &'a str)) {
        let mut end = 0;
        let rest = self.text.len()..self.text.len();
        let parts = self.parts.iter().map(|(part, tone)| (part.clone(), Some(*tone)));
        for (part, tone) in parts.chain([(rest, None)]) {
            for (tone, range) in [(None, end..part.start), (tone, part.clone())] {
                if let Some(text) = self.text.get(range).filter(|text| !text.is_empty()) {
                    with(tone, text);
                }
            }
            end = part.end;
        }
    }
}

impl From<&str> for StyledText {
    fn from(text: &str) -> StyledText {
        StyledText { text: text.to_string(), parts: Vec::new() }
    }
}

impl AddAssign<&str> for StyledText {
    fn add_assign(&mut self, text: &str) {
        self.text += text;
    }
}

impl Write for StyledText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.write_str(text)
    }
}

/// Escapes control characters, so that text from a file cannot control a terminal.
pub fn escaped(text: &str) -> String {
    escaped_except(text, &[])
}

/// Escapes the control characters of a text, except some.
fn escaped_except(text: &str, kept: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_control() && !kept.contains(&letter) {
            true => escaped.extend(letter.escape_default()),
            false => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_the_only_control_codes() {
        let mut text = StyledText::from("a\u{1b}[31m\t");
        text.push(Tone::Bad, "b\u{9b}31m\n  d");
        text.push(None, "c\r\n");
        let mut whole = StyledText::new();
        whole.append(&text);
        whole.push(Tone::Good, "");
        let shown = whole.to_terminal();
        let red = Tone::Bad.style();
        assert_eq!(
            shown,
            format!("a\\u{{1b}}[31m\t{red}b\\u{{9b}}31m{red:#}\n{red}  d{red:#}c\\r\n")
        );
    }

    #[test]
    fn a_change_keeps_the_tones() {
        let mut text = StyledText::from("one ");
        text.push(Tone::Good, "two");
        text += " three";
        let changed = text.map(|part| part.replace('o', "oo"));
        assert_eq!(changed.text, "oone twoo three");
        assert_eq!(changed.parts, [(5..9, Tone::Good)]);
    }
}
