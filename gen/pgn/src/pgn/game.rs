//! A game as written in a file.

use crate::pgn::lexer::PgnError;
use crate::pgn::token::{GameResult, PgnToken, Tag};
use std::ops::Range;

/// A game as written in a file, up to its end or to its first error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    /// The line where it begins, from 1.
    pub line: usize,
    /// The bytes of the game in the text.
    pub text: Range<usize>,
    /// The tags, in order.
    pub tags: Vec<Tag>,
    /// The offset in the text where the moves begin, with notes and numbers before the first move.
    /// `None` if the game has only tags.
    pub movetext: Option<usize>,
    /// Marks, comments and variations before the first move.
    pub before: Vec<Note>,
    /// The moves of the main line.
    pub moves: Vec<WrittenMove>,
    /// The result after the moves, or `None`.
    pub result: Option<GameResult>,
    /// The bytes of the result in the text, or `None`.
    pub result_text: Option<Range<usize>>,
    /// The error that ended the game, or `None`.
    pub broken: Option<PgnError>,
}

/// A mark, a comment, or a token of a variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The token.
    pub token: PgnToken,
    /// The bytes of the text.
    pub text: Range<usize>,
}

/// A move as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenMove {
    /// The move without its number.
    pub text: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// The offset in the text where the move begins.
    pub at: usize,
    /// Whether a number precedes it.
    pub numbered: bool,
    /// Marks, comments and whole variations after the move.
    pub after: Vec<Note>,
}

impl PgnGame {
    /// An empty game that begins on a line.
    pub fn new(line: usize) -> PgnGame {
        PgnGame {
            line,
            text: 0..0,
            tags: Vec::new(),
            movetext: None,
            before: Vec::new(),
            moves: Vec::new(),
            result: None,
            result_text: None,
            broken: None,
        }
    }

    /// Adds a note to the last move, or before the first.
    pub(super) fn push_note(&mut self, note: Note) {
        self.moves.last_mut().map_or(&mut self.before, |mv| &mut mv.after).push(note);
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

    /// The result after the moves, or else the result in the tags.
    pub fn result(&self) -> GameResult {
        self.result.or_else(|| self.result_of_tag()).unwrap_or(GameResult::Unknown)
    }

    /// The result in the tags; `None` if the tag is missing or cannot be read.
    pub fn result_of_tag(&self) -> Option<GameResult> {
        self.tag("Result").and_then(|tag| GameResult::parse(tag.value.trim()))
    }
}

impl WrittenMove {
    /// The offset in the text after the move.
    pub fn end(&self) -> usize {
        self.at + self.text.len()
    }

    /// The offset in the text after the move and the marks that directly follow it. Marks at or
    /// after the offset `before` are not included.
    pub fn end_of_marks(&self, before: Option<usize>) -> usize {
        let is_mark = |note: &&Note| {
            let is_before = before.is_none_or(|before| note.text.start < before);
            matches!(note.token, PgnToken::Nag(_) | PgnToken::Mark) && is_before
        };
        self.after.iter().take_while(is_mark).last().map_or(self.end(), |note| note.text.end)
    }
}
