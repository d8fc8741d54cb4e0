//! Sets of squares, one bit per square.

use crate::board::square::{SIDE_LENGTH, SQUARES, Square, Step};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

/// A set of squares; bit `i` is the square with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// The whole board.
    pub const ALL: Bitboard = Bitboard(u64::MAX);

    /// The squares of one zero-based rank.
    pub const fn rank(rank: usize) -> Bitboard {
        Bitboard(((1 << SIDE_LENGTH) - 1) << (rank * SIDE_LENGTH))
    }

    /// The set of one square.
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// The squares from which `step` stays on the board.
    pub const fn with_room_for(step: Step) -> Bitboard {
        let mut set = 0;
        let mut index = 0;
        while index < SQUARES {
            if Square::wrapping(index).step(step).is_some() {
                set |= 1 << index;
            }
            index += 1;
        }
        Bitboard(set)
    }

    /// Whether the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The number of squares in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The set with the ranks reversed.
    #[must_use]
    pub const fn flipped(self) -> Bitboard {
        // A rank is a byte.
        Bitboard(self.0.swap_bytes())
    }

    /// Whether no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The square with the lowest index. Returns `None` if the set is empty.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(self.0.trailing_zeros() as usize)) }
    }

    /// Adds a square.
    pub fn insert(&mut self, square: Square) {
        self.0 |= Bitboard::of(square).0;
    }

    /// Removes a square.
    pub fn remove(&mut self, square: Square) {
        self.0 &= !Bitboard::of(square).0;
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    /// Removes and returns the square with the lowest index.
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl Sub for Bitboard {
    type Output = Bitboard;
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl std::fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
