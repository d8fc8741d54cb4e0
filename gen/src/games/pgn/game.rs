//! A game as it stands in a file.

use crate::games::pgn::lexer::PgnError;
use crate::games::pgn::token::{GameResult, Tag, PgnToken};
use std::ops::Range;

/// A game as it stands in a file, or as much of it as could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// The line it begins on, the first being 1.
    pub line: usize,
    /// The bytes of the text that are its own.
    pub text: Range<usize>,
    /// What is known of it, in order.
    pub tags: Vec<Tag>,
    /// What stands before the first move: marks, comments, variations.
    pub before: Vec<PgnToken>,
    /// The moves of the game itself.
    pub moves: Vec<WrittenMove>,
    /// The result behind the moves.
    pub result: Option<GameResult>,
    /// Why the rest could not be read.
    pub broken: Option<PgnError>,
    /// The bytes of the text that could not be read, in order.
    pub unread: Vec<Range<usize>>,
}

/// A move as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenMove {
    /// The move without its number.
    pub text: String,
    /// The line it stands on.
    pub line: usize,
    /// The byte of the text at which it begins.
    pub at: usize,
    /// What stands behind it: marks, comments, variations with all that is in them.
    pub after: Vec<PgnToken>,
}

impl PgnGame {
    /// A game of which nothing is known yet.
    pub fn new(line: usize) -> PgnGame {
        PgnGame {
            line,
            text: 0..0,
            tags: Vec::new(),
            before: Vec::new(),
            moves: Vec::new(),
            result: None,
            broken: None,
            unread: Vec::new(),
        }
    }

    /// Leaves the last variations unread, which are not closed; the first of them begins
    /// where this text does.
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

    /// The first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// The value of a tag, if it says anything.
    pub fn known(&self, name: &str) -> Option<&str> {
        let value = self.tag(name)?.value.trim();
        (!value.is_empty() && value.chars().any(|letter| letter != '?' && letter != '.'))
            .then_some(value)
    }

    /// The result behind the moves, or the one in the tags.
    pub fn result(&self) -> GameResult {
        let tag = || self.tag("Result").and_then(|tag| GameResult::parse(tag.value.trim()));
        self.result.or_else(tag).unwrap_or(GameResult::Unknown)
    }
}
