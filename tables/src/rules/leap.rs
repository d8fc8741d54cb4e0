//! First-move leaps: rights that some pieces have until they move, like castling in chess.
//!
//! The leaps are data of the variant; this file holds the mechanism. A right is lost for good
//! when its piece leaves its home square or is captured there. A leap with
//! [`lost_to`](Leap::lost_to) is also lost when an enemy piece of that kind lands in line.

use crate::board::square::{Square, Step};
use crate::rules::piece::{Piece, PieceKind, Side};
use std::fmt;

/// One first-move leap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leap {
    /// The piece that leaps.
    pub piece: Piece,
    /// Square of the piece at the start of a game.
    pub home: Square,
    /// The steps to its target squares, as White sees them. A target must be empty; the
    /// squares between need not be.
    pub steps: &'static [Step],
    /// Whether the piece may leap while its king is in check.
    pub in_check: bool,
    /// The kind of enemy piece that ends the right by landing on a square from which it
    /// would attack the home square on an empty board.
    pub lost_to: Option<PieceKind>,
}

impl Leap {
    /// The right's letter in FEN: its home file, a capital for White.
    pub fn letter(&self) -> char {
        let letter = (b'a' + self.home.file() as u8) as char;
        if self.piece.side == Side::White { letter.to_ascii_uppercase() } else { letter }
    }

    /// The target squares, occupied or not.
    pub fn targets(&self) -> impl Iterator<Item = Square> + '_ {
        let seen = |step: &Step| match self.piece.side {
            Side::White => *step,
            Side::Black => step.flipped(),
        };
        self.steps.iter().filter_map(move |step| self.home.step(seen(step)))
    }
}

/// The remaining leap rights: one bit per leap, in the order of the variant's list.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct LeapRights(u8);

impl LeapRights {
    /// No rights.
    pub const NONE: LeapRights = LeapRights(0);

    /// Whether no right is left.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the leap at this index of the variant's list is left.
    pub const fn has(self, index: usize) -> bool {
        index < u8::BITS as usize && self.0 >> index & 1 != 0
    }

    /// Adds the right at this index. An index above 7 is ignored.
    #[must_use]
    pub const fn with(self, index: usize) -> LeapRights {
        if index < u8::BITS as usize { LeapRights(self.0 | 1 << index) } else { self }
    }

    /// Removes the right at this index.
    #[must_use]
    pub const fn without(self, index: usize) -> LeapRights {
        if index < u8::BITS as usize { LeapRights(self.0 & !(1 << index)) } else { self }
    }

    /// The leaps of `list` that are left, with their indices.
    pub fn of(self, list: &'static [Leap]) -> impl Iterator<Item = (usize, &'static Leap)> {
        list.iter().enumerate().filter(move |(index, _)| self.has(*index))
    }
}

impl fmt::Debug for LeapRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LeapRights({:b})", self.0)
    }
}
