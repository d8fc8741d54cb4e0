//! Copies a text and puts words between its parts.

use std::ops::Range;

/// Maximum characters of a line with words of this program, unless a word is longer.
const COLUMNS: usize = 79;

/// Returns whether words end at a character.
fn parts_words(letter: char) -> bool {
    letter.is_whitespace() || "{}()[];".contains(letter)
}

/// A copy of a text in the making, with words put between its parts.
pub struct Splice<'a> {
    text: &'a str,
    /// The end of the copied text.
    at: usize,
    copy: String,
}

impl<'a> Splice<'a> {
    /// Returns an empty copy of a text.
    pub fn new(text: &'a str) -> Splice<'a> {
        Splice { text, at: 0, copy: String::new() }
    }

    /// Returns the whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the part of the text that is not copied yet.
    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Copies the text up to an offset, at most to its end.
    pub fn copy_to(&mut self, end: usize) {
        let before = self.at;
        self.skip_to(end);
        self.copy += self.text.get(before..self.at).unwrap_or_default();
    }

    /// Leaves the text up to an offset out, at most to its end.
    pub fn skip_to(&mut self, end: usize) {
        self.at = self.at.max(end.min(self.text.len()));
    }

    /// Leaves a part of the text out. A blank replaces the part if two words would join, or if the
    /// line would become an escaped line.
    pub fn remove(&mut self, part: Range<usize>) {
        self.copy_to(part.start);
        self.skip_to(part.end);
        let before = self.copy.chars().next_back();
        let after = self.rest().chars().next();
        let is_apart = match (before, after) {
            (None | Some('\n'), Some('%')) => false,
            (Some(before), Some(after)) => {
                parts_words(before) || parts_words(after) || after == '$'
            }
            _ => true,
        };
        if !is_apart {
            self.copy.push(' ');
        }
    }

    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.copy += text;
    }

    /// Adds words, each after a blank or on a new line.
    pub fn words(&mut self, words: &str) {
        for word in words.split_whitespace() {
            // A line that begins with a percent sign is an escaped line.
            let fits = self.column() + 1 + word.chars().count() <= COLUMNS || word.starts_with('%');
            if self.copy.chars().next_back().is_some_and(|last| !last.is_whitespace()) {
                self.copy.push(if fits { ' ' } else { '\n' });
            }
            self.copy += word;
        }
    }

    /// Breaks the line in place of the blanks here, if the text up to the end of a line or up to an
    /// offset does not fit into the line together with this many more characters. A word that
    /// follows without a blank gets a blank, so that the word stays apart when the words before it
    /// are removed.
    pub fn break_line(&mut self, end: usize, more: usize, line: &str) {
        let rest = self.rest();
        let next = rest.trim_start_matches([' ', '\t']);
        let blanks = rest.len() - next.len();
        let is_joined = next.starts_with(parts_words) || next.starts_with('$');
        if next.is_empty() || next.starts_with(['\r', '\n', '%']) || blanks == 0 && is_joined {
            return;
        }
        let part = self.text.get(self.at + blanks..end).unwrap_or(next);
        let part = part.lines().next().unwrap_or_default();
        if self.column() + 1 + part.chars().count() + more > COLUMNS {
            self.copy += line;
            self.at += blanks;
        } else if blanks == 0 {
            self.copy.push(' ');
        }
    }

    /// Returns the copy, with the rest of the text.
    pub fn finish(mut self) -> String {
        self.copy_to(self.text.len());
        self.copy
    }

    /// Returns the characters in the last line.
    fn column(&self) -> usize {
        let line = self.copy.rfind('\n').map_or(0, |end| end + 1);
        self.copy[line..].chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_joins_no_words() {
        for (text, left) in [
            ("e4 {x} e5", "e4 e5"),
            ("e4 {x}e5", "e4 e5"),
            ("e4 {x}", "e4"),
            ("e4 {x})", "e4)"),
            ("e4 {x}$1", "e4$1"),
            ("e4 {x}%a", "e4 %a"),
        ] {
            let mut splice = Splice::new(text);
            splice.remove(2..6);
            assert_eq!(splice.finish(), left);
        }
        let mut splice = Splice::new("e4\n{x}%a");
        splice.remove(3..6);
        assert_eq!(splice.finish(), "e4\n %a");
    }

    #[test]
    fn lines_are_broken_between_words() {
        let text = format!("e4 {}", "x".repeat(60));
        let mut splice = Splice::new(&text);
        splice.copy_to(2);
        splice.words(&"word ".repeat(20));
        splice.break_line(text.len(), 0, "\n");
        let copy = splice.finish();
        assert!(copy.lines().all(|line| line.chars().count() <= COLUMNS), "{copy}");
        assert_eq!(copy.split_whitespace().count(), 22);
    }
}
