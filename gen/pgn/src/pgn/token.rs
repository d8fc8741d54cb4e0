//! The tokens of a PGN file.

use crate::pgn::encoding::shown;
use std::fmt;
use std::ops::Range;

/// A token of a PGN file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnToken {
    /// A tag pair.
    Tag(Tag),
    /// A move number with its dots.
    Number(String),
    /// A word that should be a move.
    Move(String),
    /// A mark with a glyph number: `$4`, `??`, `+-`.
    Nag(u8),
    /// A mark without a glyph number: `ch`, `e.p.`, an arrow.
    Mark,
    /// A comment of either kind, joined to one line.
    Comment(String),
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The result.
    Result(GameResult),
}

/// A tag: a name and a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The name, such as `White`.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
    /// The bytes of the tag in the text.
    pub text: Range<usize>,
    /// The bytes of the value in the text, without quotes.
    pub written: Range<usize>,
    /// The line of the file, from 1.
    pub line: usize,
}

/// The maximum number of bytes of a result.
const LONGEST_RESULT: usize = 24;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// White won.
    White,
    /// Black won.
    Black,
    /// A draw.
    Draw,
    /// Unfinished or unknown.
    Unknown,
}

impl GameResult {
    /// Parses a text such as `1-0`. `None` for other text. Halves may be written as `1/2`, `0.5`,
    /// `0,5` or `\u{bd}`, and any dash or colon may separate the two sides.
    pub fn parse(text: &str) -> Option<GameResult> {
        if text.len() > LONGEST_RESULT {
            return None;
        }
        let mut plain = String::new();
        for letter in shown(text).chars() {
            match letter {
                ' ' => {}
                '\u{bd}' => plain += "1/2",
                ':' | '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
                ',' => plain.push('.'),
                '\u{2044}' | '\u{2215}' => plain.push('/'),
                other => plain.push(other),
            }
        }
        Some(match &*plain {
            "1-0" | "1.0-0.0" => GameResult::White,
            "0-1" | "0.0-1.0" => GameResult::Black,
            "1/2-1/2" | "1/2" | "0.5-0.5" | ".5-.5" => GameResult::Draw,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::White => "1-0",
            GameResult::Black => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        })
    }
}
