//! The letters of pieces in moves.

use crate::board::square::Square;
use crate::position::Position;
use crate::rules::piece::PieceKind;

/// The letters of the pieces of one position in its moves.
pub trait SanLetters {
    /// The letter of the piece on a square; `None` for a pawn, which has none.
    fn letter(&self, square: Square) -> Option<char>;

    /// Whether a capital letter may denote the piece on a square.
    fn fit(&self, letter: char, square: Square) -> Fit;

    /// The letter after the `=` of a promotion to this kind, or `None` if nothing is written.
    fn promotion(&self, kind: PieceKind) -> Option<char>;
}

/// Fit of a letter to a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fit {
    /// The letter does not denote the piece.
    No,
    /// The letter denotes the piece only if no better fit may make the move.
    IfNoOther,
    /// The letter denotes the piece.
    Yes,
}

/// The letters of the kinds of pieces, as in FEN.
#[derive(Clone, Copy, Debug)]
pub struct KindLetters<'a>(pub &'a Position);

impl SanLetters for KindLetters<'_> {
    fn letter(&self, square: Square) -> Option<char> {
        let kind = self.0.at(square)?.kind;
        (kind != PieceKind::Pawn).then(|| self.0.variant().letters[kind.index()])
    }

    fn fit(&self, letter: char, square: Square) -> Fit {
        let kind = self.0.at(square).map(|piece| piece.kind);
        let denoted = self.0.variant().kind_in_moves(letter);
        if kind.is_some() && kind == denoted { Fit::Yes } else { Fit::No }
    }

    fn promotion(&self, kind: PieceKind) -> Option<char> {
        Some(self.0.variant().letters[kind.index()])
    }
}
