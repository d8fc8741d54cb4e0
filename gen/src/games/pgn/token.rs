//! The tokens of a PGN file.

use std::fmt;

/// A token of a PGN file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnToken {
    /// A tag pair.
    Tag(Tag),
    /// A move number with its dots.
    Number(String),
    /// A word in the place of a move.
    Move(String),
    /// A numeric mark, `$4` or `??`.
    Nag(u8),
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
    /// The line of the file, from 1.
    pub line: usize,
}

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
    /// The result of a text such as `1-0`, or `None`.
    pub fn parse(text: &str) -> Option<GameResult> {
        Some(match text {
            "1-0" => GameResult::White,
            "0-1" => GameResult::Black,
            "1/2-1/2" | "1/2" => GameResult::Draw,
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
