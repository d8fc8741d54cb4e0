//! The images of a slot: what the board is turned to, and whether colours are changed.

use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Index, Placement};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::variant::Variant;

/// One image of slots; what is *held* is as the table has it, what is *seen* is the image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotImage {
    /// How the board is turned.
    pub symmetry: Symmetry,
    /// Whether colours are changed after that; so where both sides have the same pieces, and
    /// the table holds White to move alone.
    pub changed: bool,
}

impl SlotImage {
    /// All images the slots of an index have, those with the colours as they are first.
    pub fn all(index: &Index) -> Vec<SlotImage> {
        let changes = if index.material().is_symmetric() { &[false, true][..] } else { &[false] };
        let symmetries = index.kings().symmetries();
        let views =
            |&changed: &bool| symmetries.iter().map(move |&symmetry| SlotImage { symmetry, changed });
        changes.iter().flat_map(views).collect()
    }

    /// The side that is seen for one that is held, and the other way round.
    pub fn side(self, side: Side) -> Side {
        if self.changed { !side } else { side }
    }

    /// The square a piece is seen on.
    pub fn square(self, square: Square) -> Square {
        let turned = self.symmetry.square(square);
        if self.changed { turned.flipped() } else { turned }
    }

    /// Whether this is the first turn that takes the kings of a pair where it does: others
    /// that do are images of other slots.
    pub fn is_own(self, index: &Index, pair: KingPair) -> bool {
        let kings = index.kings().kings(pair);
        let seen = |symmetry: Symmetry| kings.map(|king| symmetry.square(king));
        let first = index
            .kings()
            .symmetries()
            .iter()
            .find(|&&symmetry| seen(symmetry) == seen(self.symmetry));
        first == Some(&self.symmetry)
    }

    /// The image of a placement with this side held to be on the move.
    pub fn position(
        self,
        index: &Index,
        placement: &Placement,
        side: Side,
        variant: &'static Variant,
    ) -> Option<Position> {
        let seen = |(piece, square): (Piece, Square)| {
            (Piece::new(self.side(piece.side), piece.kind), self.square(square))
        };
        Position::new(variant, self.side(side), index.placed(placement).map(seen)).ok()
    }
}
