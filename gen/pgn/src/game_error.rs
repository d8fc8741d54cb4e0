//! Errors in games.

use crate::pgn::PgnError;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::position::san::SanError;
use sakmak_tables::variants;

/// A game that cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// The text cannot be parsed.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The game begins with the start position of another variant.
    #[error("line {line}: the FEN is the start position of {other} and not of {variant}")]
    StartOf {
        /// The line of the FEN.
        line: usize,
        /// The variant requested.
        variant: &'static str,
        /// The variant whose start position it is.
        other: &'static str,
    },
    /// The tag names no variant that can be read.
    #[error("line {line}: games of '{name}' are not read: expected {}", known())]
    Variant {
        /// The line of the tag.
        line: usize,
        /// The value of the tag.
        name: Excerpt,
    },
    /// The start position is not a FEN.
    #[error("line {line}: {source}")]
    Fen {
        /// The line of the FEN.
        line: usize,
        /// The reason.
        source: FenError,
    },
    /// A move that is not legal.
    #[error("line {line}, move {number}: {source}{}", likeness(.looks_like))]
    Move {
        /// The line of the move.
        line: usize,
        /// The number of the move, with three dots for Black.
        number: String,
        /// The reason.
        source: SanError,
        /// The other variants in which the game is legal to its end.
        looks_like: Vec<&'static str>,
    },
}

/// The end of a message: the variants that a game looks like, if any.
fn likeness(variants: &[&str]) -> String {
    match variants.is_empty() {
        true => String::new(),
        false => format!("; the game looks like {}", variants.join(" or ")),
    }
}

/// The names of the variants, for messages.
fn known() -> String {
    variants::all().map(|variant| variant.name).collect::<Vec<_>>().join(" or ")
}

impl GameError {
    /// The line of the error, from 1.
    pub fn line(&self) -> usize {
        match self {
            GameError::Pgn(error) => error.line(),
            GameError::StartOf { line, .. }
            | GameError::Variant { line, .. }
            | GameError::Fen { line, .. }
            | GameError::Move { line, .. } => *line,
        }
    }
}
