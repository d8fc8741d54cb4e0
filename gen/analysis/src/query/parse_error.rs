//! Texts that are not conditions.

use sakmak_tables::excerpt::Excerpt;

/// The deepest nesting of parentheses and negations.
pub const DEEPEST: usize = 100;

/// A text that is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// An unexpected word.
    #[error("column {column}: unexpected '{found}': {expected} expected")]
    Unexpected {
        /// The column of its first letter, counted from 1.
        column: usize,
        /// The word.
        found: Excerpt,
        /// The expectation, with `is` or `are`.
        expected: String,
    },
    /// A word of another language.
    #[error("column {column}: '{found}' is written '{meant}'")]
    Meant {
        /// The column of its first letter, counted from 1.
        column: usize,
        /// The word.
        found: Excerpt,
        /// The equivalent here.
        meant: &'static str,
    },
    /// The text ends too soon.
    #[error("column {column}: the condition ends here: {expected} expected")]
    Ends {
        /// One past the last letter, counted from 1.
        column: usize,
        /// The expectation, with `is` or `are`.
        expected: String,
    },
    /// A piece that the material does not have.
    #[error("column {column}: {material} has no {side} {letter}")]
    NoSuchPiece {
        /// The column of its first letter, counted from 1.
        column: usize,
        /// The side of the piece.
        side: &'static str,
        /// The letter of the piece.
        letter: char,
        /// The material.
        material: String,
    },
    /// A condition that the game does not have.
    #[error("column {column}: '{found}' is no condition here: {why}")]
    NotHere {
        /// The column of its first letter, counted from 1.
        column: usize,
        /// The word.
        found: Excerpt,
        /// Why it makes no sense in the game.
        why: &'static str,
    },
    /// The nesting is too deep.
    #[error("column {column}: more than {DEEPEST} nested parentheses or 'not'")]
    Deep {
        /// The column where one too many begins, counted from 1.
        column: usize,
    },
}
