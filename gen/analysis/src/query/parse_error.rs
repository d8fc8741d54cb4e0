//! Texts that are not conditions.

use sakmak_tables::excerpt::Excerpt;

/// The deepest nesting of parentheses and negations.
pub const DEEPEST: usize = 100;

/// A text that is not a condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// An unexpected word.
    #[error("column {column}: unexpected '{found}', expected {expected}")]
    Unexpected {
        /// The column of the first letter of the word, counted from 1.
        column: usize,
        /// The word.
        found: Excerpt,
        /// The words that would have been right.
        expected: String,
    },
    /// A word of another query language.
    #[error("column {column}: '{found}' is written '{meant}'")]
    Synonym {
        /// The column of the first letter of the word, counted from 1.
        column: usize,
        /// The word.
        found: Excerpt,
        /// The word here.
        meant: &'static str,
    },
    /// The text ends too early.
    #[error("column {column}: unexpected end of condition, expected {expected}")]
    Ends {
        /// The column after the last letter, counted from 1.
        column: usize,
        /// The words that would have been right.
        expected: String,
    },
    /// A piece that the material lacks.
    #[error("column {column}: {material} has no {side} {letter}")]
    NoSuchPiece {
        /// The column of the first letter of the word, counted from 1.
        column: usize,
        /// The side of the piece.
        side: &'static str,
        /// The letter of the piece.
        letter: char,
        /// The material.
        material: String,
    },
    /// A condition that the variant lacks.
    #[error("column {column}: '{found}' is not a condition of this variant: {why}")]
    NotHere {
        /// The column of the first letter of the word, counted from 1.
        column: usize,
        /// The word.
        found: Excerpt,
        /// The reason why the variant lacks the condition.
        why: &'static str,
    },
    /// The nesting is too deep.
    #[error("column {column}: too many nested parentheses or 'not': at most {DEEPEST} are read")]
    Deep {
        /// The column of the first excessive word, counted from 1.
        column: usize,
    },
}
