//! The address of a position in the table of its material.

use crate::board::square::Square;
use crate::index::{Index, Placement, Slot};
use crate::position::Position;
use crate::rules::piece::{Piece, Side};

/// A slot and the side to move in a table, in which White is the stronger side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Address {
    /// The side to move in the table.
    pub side: Side,
    /// The slot.
    pub slot: Slot,
}

impl Address {
    /// The address of a position in the table of its material, which has this index. `None` if the
    /// kings touch or a pawn stands on a square that it can never stand on.
    ///
    /// `flipped` comes from [`Position::material`]: whether Black is the stronger side. The colours
    /// are exchanged if `flipped` is set, or if the material is symmetric and Black is to move: its
    /// table holds White to move only.
    pub fn of(position: &Position, flipped: bool, index: &Index) -> Option<Address> {
        let (side, placement) = Placement::of(position, flipped, index);
        Some(Address { side, slot: index.slot(&placement)? })
    }
}

impl Placement {
    /// The side to move and the placement of a position in the table of its material. `index` is
    /// the index of the table; for `flipped` see [`Address::of`].
    #[inline]
    pub fn of(position: &Position, flipped: bool, index: &Index) -> (Side, Placement) {
        let black_moves = position.side() == Side::Black;
        let exchanged = flipped || index.material().is_symmetric() && black_moves;
        let in_table = |side: Side| if exchanged { !side } else { side };
        let turned = |square: Square| match exchanged {
            true => square.flipped(),
            false => square,
        };
        let kings = Side::BOTH.map(|side| turned(position.king(in_table(side))));
        let pieces = index.groups().iter().flat_map(|group| {
            let Piece { side, kind } = group.piece;
            position.pieces_of(Piece::new(in_table(side), kind)).map(turned)
        });
        (in_table(position.side()), Placement::new(kings, pieces))
    }

    /// The placement after a move of a piece that captures and promotes nothing. `exchanged` is set
    /// if the table has the colours of the move exchanged.
    #[inline]
    #[must_use]
    pub fn after(&self, from: Square, to: Square, exchanged: bool) -> Placement {
        let [from, to] = [from, to].map(|square| if exchanged { square.flipped() } else { square });
        let mut after = *self;
        // Unused entries hold the square of a king and are ignored.
        for square in after.kings.iter_mut().chain(&mut after.pieces) {
            if *square == from {
                *square = to;
            }
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;

    fn address(fen: &str) -> Option<Address> {
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        let oriented = position.material();
        let index = Index::new(oriented.material, &MAKRUK.rules);
        Address::of(&position, oriented.flipped, &index)
    }

    #[test]
    fn exchanged_colours_have_the_same_address() {
        for (one, other) in [
            ("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1", "4k3/4r3/8/8/3K4/8/8/8 b - - 0 1"),
            ("8/8/8/3k4/4P3/8/3r4/4K3 b - - 0 1", "4k3/3R4/8/4p3/3K4/8/8/8 w - - 0 1"),
            ("8/8/2m5/3k4/8/8/4M3/4K3 w - - 0 1", "4k3/4m3/8/8/3K4/2M5/8/8 b - - 0 1"),
        ] {
            assert_eq!(address(one), address(other));
            assert!(address(one).is_some());
        }
    }
}
