//! Changes of patterns: the squares changed, and the new category for each old one.

use crate::board::square::SIDE_LENGTH;
use crate::format::wdl::pattern::{CATEGORIES, CategoryMasks};

/// The kinds of changes of a side.
pub const CHANGE_KINDS: usize = 1 << (u8::BITS - SQUARE_BITS);
/// Bytes of a kind of changes in the record of a side.
pub const CHANGE_LENGTH: usize = 2;

const SQUARE_BITS: u32 = 6;
const SHAPE_BITS: u32 = 2;
const RANK_BITS: u32 = 2;

/// The squares that a change covers, starting at its lowest square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The square alone.
    Square,
    /// The square and the next one.
    Beside,
    /// The square and the square a rank higher.
    Above,
    /// The square, the next one, and the two a rank higher.
    Block,
}

impl Shape {
    /// All shapes in the order of their numbers.
    pub const ALL: [Shape; 1 << SHAPE_BITS] =
        [Shape::Square, Shape::Beside, Shape::Above, Shape::Block];

    /// A bit for each square, from square 0 on.
    pub const fn squares(self) -> u64 {
        const RANK: u64 = 1 << SIDE_LENGTH;
        match self {
            Shape::Square => 1,
            Shape::Beside => 0b11,
            Shape::Above => 1 | RANK,
            Shape::Block => 0b11 | (0b11 * RANK),
        }
    }
}

/// A kind of changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The squares.
    pub shape: Shape,
    /// The index of the new category, by [`Category::index`](crate::counting::Category::index) of
    /// the old one; always another category.
    pub becomes: [u8; CATEGORIES],
}

impl Change {
    /// Encodes the kind.
    pub fn encode(self) -> [u8; CHANGE_LENGTH] {
        let mut bits = self.shape as u16;
        for (index, becomes) in (0u8..).zip(self.becomes) {
            let rank = u16::from(becomes - u8::from(becomes > index));
            bits |= rank << (SHAPE_BITS + RANK_BITS * u32::from(index));
        }
        bits.to_le_bytes()
    }

    /// Decodes a kind. Drops the highest bits, which are reserved.
    pub fn decode(bytes: [u8; CHANGE_LENGTH]) -> Change {
        let bits = u16::from_le_bytes(bytes);
        let becomes = std::array::from_fn(|index| {
            let rank = bits >> (SHAPE_BITS + RANK_BITS * index as u32) & ((1 << RANK_BITS) - 1);
            rank as u8 + u8::from(usize::from(rank) >= index)
        });
        let shape = Shape::ALL[usize::from(bits) & (Shape::ALL.len() - 1)];
        Change { shape, becomes }
    }

    /// Applies the change to a pattern, starting at a square.
    pub fn apply(self, square: u8, pattern: &mut CategoryMasks) {
        let squares = self.shape.squares() << square;
        let before = pattern.map(|mask| mask & squares);
        for mask in &mut *pattern {
            *mask &= !squares;
        }
        for (becomes, before) in self.becomes.into_iter().zip(before) {
            pattern[usize::from(becomes)] |= before;
        }
    }
}

/// A change of a token: its kind and its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangeByte {
    /// The index of the kind.
    pub kind: u8,
    /// The lowest square.
    pub square: u8,
}

impl ChangeByte {
    /// Encodes the change.
    pub fn encode(self) -> u8 {
        self.kind << SQUARE_BITS | self.square
    }

    #[inline]
    pub(super) fn decode(byte: u8) -> ChangeByte {
        ChangeByte { kind: byte >> SQUARE_BITS, square: byte & ((1 << SQUARE_BITS) - 1) }
    }
}
