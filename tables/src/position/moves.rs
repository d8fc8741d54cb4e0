//! A move, and a list of moves without heap memory.

use crate::board::square::{Square, SquareError};
use crate::excerpt::Excerpt;
use crate::rules::piece::PieceKind;
use crate::variant::Variant;
use std::fmt;
use std::ops::Deref;

/// A move from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Move {
    /// The square the piece leaves.
    pub from: Square,
    /// The square the piece moves to.
    pub to: Square,
    /// The kind that a pawn becomes, if the move promotes it.
    pub promotion: Option<PieceKind>,
}

impl Move {
    /// A move without promotion.
    pub const fn new(from: Square, to: Square) -> Move {
        Move { from, to, promotion: None }
    }

    /// UCI with the letters of a variant: `g5f4`, with the new piece's small letter for a
    /// promotion, `g5g6m`.
    pub fn uci(self, variant: &Variant) -> String {
        let mut text = format!("{}{}", self.from, self.to);
        let letter = self.promotion.map(|kind| variant.letters[kind.index()]);
        text.extend(letter.map(|letter| letter.to_ascii_lowercase()));
        text
    }

    /// Parses UCI with the letters of a variant. The letter of a promotion may be a capital.
    ///
    /// # Errors
    ///
    /// If the text is not two squares and perhaps a letter of a piece.
    pub fn from_uci(variant: &Variant, text: &str) -> Result<Move, MoveError> {
        let form = || MoveError::Form(Excerpt::of(text));
        let (from, rest) = text.split_at_checked(2).ok_or_else(form)?;
        let (to, letter) = rest.split_at_checked(2).ok_or_else(form)?;
        let square = |square: &str| {
            let error = |source| MoveError::Square { text: Excerpt::of(text), source };
            square.parse::<Square>().map_err(error)
        };
        let mut letters = letter.chars();
        let promotion = match (letters.next(), letters.next()) {
            (None, _) => None,
            (Some(letter), None) => {
                let kind = variant.kind(letter);
                Some(kind.ok_or_else(|| MoveError::Promotion(Excerpt::of(text)))?)
            }
            _ => return Err(form()),
        };
        Ok(Move { from: square(from)?, to: square(to)?, promotion })
    }
}

/// The text is not a move.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not two squares and at most one letter.
    #[error("'{0}' is not a move: expected two squares and perhaps a promotion, as in g5g6m")]
    Form(Excerpt),
    /// A bad square.
    #[error("'{text}' is not a move: {source}")]
    Square {
        /// The text read.
        text: Excerpt,
        /// The error in the square.
        source: SquareError,
    },
    /// A letter that is not a piece.
    #[error("'{0}' is not a move: its last letter is not a piece")]
    Promotion(Excerpt),
}

crate::readable_error!(MoveError);

/// The capacity of a list. A king and fifteen queens with 27 moves each have fewer moves.
pub const MAX_MOVES: usize = 416;

/// The moves of a position. The order is not specified, but is the same in every call.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// No moves.
    pub(crate) fn new() -> MoveList {
        // All bytes are zero, which is the fastest to fill; this runs for every position.
        let a1 = Square::wrapping(0);
        let filler = Move { from: a1, to: a1, promotion: Some(PieceKind::King) };
        MoveList { moves: [filler; MAX_MOVES], len: 0 }
    }

    /// Adds a move. No position has enough moves to fill the list.
    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::{self, MAKRUK};

    #[test]
    fn moves_come_back_from_their_text_with_the_letters_of_their_game() {
        for variant in variants::all() {
            let read = |text: &str| Move::from_uci(variant, text).unwrap();
            let met = variant.letters[PieceKind::Met.index()];
            for text in ["a1a2", "h8a1", &format!("g5g6{}", met.to_ascii_lowercase())] {
                assert_eq!(read(text).uci(variant), text);
            }
            assert_eq!(read(&format!("g5g6{met}")).promotion, Some(PieceKind::Met));
        }
        let read = |text| Move::from_uci(&MAKRUK, text);
        for text in ["g5g6q", "g5g6Q", "g5g6M"] {
            assert_eq!(read(text).unwrap().uci(&MAKRUK), "g5g6m");
        }
    }

    #[test]
    fn bad_moves_are_refused() {
        for text in ["", "a1", "a1a9", "a1a2x", "a1a2X", "a1a2mm", "A1a2", "i1a1", "e\u{e9}\u{e9}"]
        {
            let error = Move::from_uci(&MAKRUK, text).unwrap_err().to_string();
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
