//! Text broken into lines.

use std::fmt::Write;

/// Maximum characters in a line.
pub const COLUMNS: usize = 80;

/// Breaks words into lines. The first line begins with `lead`, the others are indented.
pub fn paragraph(lead: &str, indent: usize, words: &str) -> String {
    let mut text = lead.to_string();
    let mut column = lead.trim_start_matches('\n').chars().count();
    let mut first = true;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        if !first && column + 1 + length > COLUMNS {
            let _ = write!(text, "\n{}", " ".repeat(indent));
            column = indent;
        } else if !first {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
        first = false;
    }
    text + "\n"
}
