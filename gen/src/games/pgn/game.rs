//! A game as it is written in a file.

use crate::games::pgn::lexer::PgnError;
use crate::games::pgn::token::{GameResult, PgnToken, Tag};
use std::ops::Range;

/// A game as it is written in a file, up to its end or to its first error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// The line where it begins, from 1.
    pub line: usize,
    /// The bytes of the game in the text.
    pub text: Range<usize>,
    /// The bytes of the escaped lines, which begin with `%`, in the game.
    pub escaped: Vec<Range<usize>>,
    /// The tags, in order.
    pub tags: Vec<Tag>,
    /// Marks, comments and variations before the first move.
    pub before: Vec<PgnToken>,
    /// The moves of the main line.
    pub moves: Vec<WrittenMove>,
    /// The result after the moves, or `None`.
    pub result: Option<GameResult>,
    /// The error that ended the game, or `None`.
    pub broken: Option<PgnError>,
    /// The bytes of the text that could not be parsed, in order.
    pub unread: Vec<Range<usize>>,
}

/// A move as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenMove {
    /// The move without its number.
    pub text: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// The byte of the text where it begins.
    pub at: usize,
    /// Marks, comments and whole variations after the move.
    pub after: Vec<PgnToken>,
}

impl PgnGame {
    /// An empty game that begins on a line.
    pub fn new(line: usize) -> PgnGame {
        PgnGame {
            line,
            text: 0..0,
            escaped: Vec::new(),
            tags: Vec::new(),
            before: Vec::new(),
            moves: Vec::new(),
            result: None,
            broken: None,
            unread: Vec::new(),
        }
    }

    /// Removes the last `open` variations, which are not closed, and marks their text unread.
    pub(super) fn leave_unread(&mut self, open: usize, text: Range<usize>) {
        let notes = self.moves.last_mut().map_or(&mut self.before, |mv| &mut mv.after);
        let mut closed = 0;
        let mut left = open;
        let begins = |note: &PgnToken| {
            match note {
                PgnToken::Close => closed += 1,
                PgnToken::Open if closed > 0 => closed -= 1,
                PgnToken::Open => left = left.saturating_sub(1),
                _ => {}
            }
            left == 0
        };
        notes.truncate(notes.iter().rposition(begins).unwrap_or(notes.len()));
        self.unread.retain(|unread| unread.end <= text.start);
        self.unread.push(text);
    }

    /// The first tag of this name, or `None`.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The value of a tag, or `None` if it is missing, empty or a placeholder such as `????.??`.
    pub fn known(&self, name: &str) -> Option<&str> {
        let value = self.tag(name)?.value.trim();
        (!value.is_empty() && value.chars().any(|letter| letter != '?' && letter != '.'))
            .then_some(value)
    }

    /// The result after the moves, or else the one in the tags.
    pub fn result(&self) -> GameResult {
        let tag = || self.tag("Result").and_then(|tag| GameResult::parse(tag.value.trim()));
        self.result.or_else(tag).unwrap_or(GameResult::Unknown)
    }
}
