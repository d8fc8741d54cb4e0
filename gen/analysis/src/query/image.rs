//! The images of a slot under the symmetries of the board and the change of colours, and the
//! matches of a query.

use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::distance::Value;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Index, Placement, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::variant::Variant;

/// An image of slots. *Held* means as in the table, *seen* means as in the image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotImage {
    /// The symmetry applied to the board.
    pub symmetry: Symmetry,
    /// Whether the colours are exchanged after the symmetry. This is possible if both sides have
    /// the same pieces: the table then holds positions with White to move only. It is necessary if
    /// the query names the side first that is Black in the table.
    pub changed: bool,
}

impl SlotImage {
    /// All images of the slots of an index; images with unchanged colours come first. If both sides
    /// have the same pieces, images come in both colours; else the colours are exchanged if
    /// `flipped`.
    pub fn all(index: &Index, flipped: bool) -> Vec<SlotImage> {
        let changes = match (index.material().is_symmetric(), flipped) {
            (true, _) => &[false, true][..],
            (false, true) => &[true],
            (false, false) => &[false],
        };
        let symmetries = index.kings().symmetries();
        let images = |&changed: &bool| {
            symmetries.iter().map(move |&symmetry| SlotImage { symmetry, changed })
        };
        changes.iter().flat_map(images).collect()
    }

    /// The seen side of a held side, and the reverse.
    pub fn side(self, side: Side) -> Side {
        if self.changed { !side } else { side }
    }

    /// The seen square of a held square.
    pub fn square(self, square: Square) -> Square {
        let turned = self.symmetry.square(square);
        if self.changed { turned.flipped() } else { turned }
    }

    /// Whether no earlier symmetry puts the kings of a pair on the same squares. The image of a
    /// later symmetry is the image of another slot.
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

    /// The image of a placement with this held side to move. Returns `None` if the image is not a
    /// legal position.
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

/// The slots of a row that meet the expression with this image but with no earlier image.
#[derive(Clone, Copy, Debug)]
pub struct RowMatches {
    /// The first slot of the row.
    pub row: Slot,
    /// A bit for each slot of the row.
    pub slots: u64,
    /// The image.
    pub image: SlotImage,
}

/// A slot that meets the condition of a query, with the first image that meets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryMatch {
    /// The slot and side to move in the table.
    pub address: Address,
    /// The image.
    pub(super) image: SlotImage,
    /// The mover's value by distance to mate.
    pub mate: Value,
    /// The mover's value by counted distance, or `None` if the table was not read.
    pub counted: Option<Value>,
}

impl QueryMatch {
    /// The image as a position, or `None` if the match belongs to another index.
    pub fn position(&self, index: &Index, variant: &'static Variant) -> Option<Position> {
        let placement = index.placement(self.address.slot);
        self.image.position(index, &placement, self.address.side, variant)
    }
}
