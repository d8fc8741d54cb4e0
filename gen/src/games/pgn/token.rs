//! The pieces a file of games is made of.

use std::fmt;

/// A piece of a file of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnToken {
    /// What is known of a game.
    Tag(Tag),
    /// A move's number, points and all.
    Number(String),
    /// A move, or what stands where one should.
    Move(String),
    /// A numeric mark, `$4` or `??`.
    Nag(u8),
    /// A comment of either kind, on one line.
    Comment(String),
    /// A variation begins.
    Open,
    /// A variation ends.
    Close,
    /// How the game ended.
    Result(GameResult),
}

/// A name and a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// Such as `White`.
    pub name: String,
    /// The value, without quotes and escapes.
    pub value: String,
    /// The line it stands on, the first being 1.
    pub line: usize,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// White has won.
    White,
    /// Black has won.
    Black,
    /// Neither.
    Draw,
    /// It is not over, or nobody knows.
    Unknown,
}

impl GameResult {
    /// The result this text stands for.
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
