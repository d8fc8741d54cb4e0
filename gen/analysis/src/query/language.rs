//! The words that a family of variants adds to the grammar of conditions.

use crate::query::expression::{Expression, SharedCondition};
use crate::query::parse_error::ParseError;
use crate::query::region::{Board, Squares};
use crate::query::words::Words;
use sakmak_tables::rules::piece::Side;

/// The words that a family of variants adds to the grammar.
pub trait Language: Sized {
    /// A simple condition.
    type Condition: Copy;
    /// A kind of man of one side.
    type Piece: Copy;

    /// The words of conditions, as errors list them.
    const CONDITIONS: &str;
    /// Examples of a piece.
    const PIECES: &str;
    /// Words of other query languages with synonyms in this one, added to the common synonyms.
    const SYNONYMS: &[(&str, &str)] = &[];

    /// The board.
    fn board(&self) -> Board;

    /// The material, for errors.
    fn material(&self) -> String;

    /// A condition of every language.
    ///
    /// # Errors
    ///
    /// The reason why this language lacks it.
    fn shared(&self, condition: SharedCondition) -> Result<Self::Condition, &'static str>;

    /// Parses a condition of this language only, which begins with this word. Returns `None` for
    /// another word.
    fn own(
        &self,
        words: &mut Words<'_>,
        word: &str,
    ) -> Option<Result<Expression<Self::Condition>, ParseError>>;

    /// The piece of a capital letter of a side, and whether the material has it. Returns `None` if
    /// no piece has the letter.
    fn piece(&self, side: Side, letter: char) -> Option<(Self::Piece, bool)>;

    /// The condition that a piece is on one of these squares.
    fn on(&self, piece: Self::Piece, squares: Squares) -> Self::Condition;

    /// Parses a piece.
    fn named_piece(&self, words: &mut Words<'_>) -> Result<Self::Piece, ParseError> {
        self.piece_or(words, &format!("a piece such as {}", Self::PIECES))
    }

    /// Parses a piece. The error says that `expected` was expected.
    fn piece_or(&self, words: &mut Words<'_>, expected: &str) -> Result<Self::Piece, ParseError> {
        let found = side_and_letter(words.word()).and_then(|(side, letter)| {
            self.piece(side, letter).map(|(piece, is_there)| (piece, is_there, side, letter))
        });
        let (piece, is_there, side, letter) = found.ok_or_else(|| words.unexpected(expected))?;
        if !is_there {
            let (side, material) = (side.name(), self.material());
            return Err(ParseError::NoSuchPiece { column: words.column(), side, letter, material });
        }
        words.advance();
        Ok(piece)
    }
}

/// The side and the capital letter of a word such as `S`, `s`, `white.S` or `black.s`.
fn side_and_letter(word: &str) -> Option<(Side, char)> {
    let (side, letter) = match word.split_once('.') {
        Some((side, letter)) => {
            (Some(Side::BOTH.into_iter().find(|known| known.name() == side)?), letter)
        }
        None => (None, word),
    };
    let mut letters = letter.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    let by_case = if letter.is_ascii_uppercase() { Side::White } else { Side::Black };
    Some((side.unwrap_or(by_case), letter.to_ascii_uppercase()))
}
