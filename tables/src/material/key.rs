//! The number of pieces of each kind and side, in one word.

use crate::rules::piece::{Piece, PieceKind, Side};

/// The number of pieces of each kind and side, without kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct MaterialKey(u64);

/// Bits per kind and side: enough for all pieces of a side.
const BITS: usize = 4;

impl MaterialKey {
    /// The key with `count` pieces of each kind and side, at most fifteen.
    pub fn new(count: impl Fn(Piece) -> usize) -> MaterialKey {
        let pieces = Side::BOTH
            .into_iter()
            .flat_map(|side| PieceKind::NON_KINGS.map(|kind| Piece::new(side, kind)));
        MaterialKey(pieces.map(|piece| MaterialKey::one(piece) * count(piece) as u64).sum())
    }

    /// Adds one piece.
    #[must_use]
    pub const fn with(self, piece: Piece) -> MaterialKey {
        MaterialKey(self.0.wrapping_add(MaterialKey::one(piece)))
    }

    /// Removes one piece, which must be there.
    #[must_use]
    pub const fn without(self, piece: Piece) -> MaterialKey {
        MaterialKey(self.0.wrapping_sub(MaterialKey::one(piece)))
    }

    /// The number of pieces of this kind and side; 0 for kings.
    pub const fn count(self, piece: Piece) -> usize {
        match MaterialKey::shift(piece) {
            Some(shift) => (self.0 >> shift) as usize & ((1 << BITS) - 1),
            None => 0,
        }
    }

    /// All counts as one number.
    pub const fn number(self) -> u64 {
        self.0
    }

    const fn one(piece: Piece) -> u64 {
        match MaterialKey::shift(piece) {
            Some(shift) => 1 << shift,
            None => 0,
        }
    }

    /// The offset of the bits of a piece. Kings come first among kinds and have no bits.
    const fn shift(piece: Piece) -> Option<usize> {
        let kinds = PieceKind::NON_KINGS.len();
        match piece.kind.index().checked_sub(1) {
            Some(kind) => Some(BITS * (piece.side.index() * kinds + kind)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{MAX_SIDE_MEN, Position};
    use crate::variants::MAKRUK;

    #[test]
    fn pieces_come_and_go_one_by_one() {
        const { assert!(MAX_SIDE_MEN - 1 < 1 << BITS) };
        let full = MaterialKey::new(|_| MAX_SIDE_MEN - 1);
        for side in Side::BOTH {
            assert_eq!(full.with(Piece::new(side, PieceKind::King)), full);
            for piece in PieceKind::NON_KINGS.map(|kind| Piece::new(side, kind)) {
                let less = MaterialKey::new(|other| MAX_SIDE_MEN - 1 - usize::from(other == piece));
                assert_eq!((full.without(piece), less.with(piece)), (less, full));
                assert_eq!(less.count(piece), MAX_SIDE_MEN - 2);
            }
        }
    }

    #[test]
    fn captures_and_promotions_change_it() {
        // White promotes on e6, or on d6 where it takes the knight; Black on b3.
        let fen = "8/8/2kn4/4P3/1p6/3K4/R7/8";
        for (side, ends) in [("w", 2), ("b", 1)] {
            let position = Position::from_fen(&MAKRUK, &format!("{fen} {side}")).unwrap();
            let mut changed = 0;
            for &mv in &position.legal_moves() {
                let after = position.play(mv);
                let counted = MaterialKey::new(|piece| after.pieces_of(piece).len());
                assert_eq!(after.material_key(), counted);
                changed += usize::from(counted != position.material_key());
            }
            assert_eq!(changed, ends);
        }
    }
}
