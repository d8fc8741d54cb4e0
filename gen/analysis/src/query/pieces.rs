//! Conditions on the squares of pieces, for 64 slots at a time.

use crate::query::image::SlotImage;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::index::{Index, Placement, Slot};
use sakmak_tables::rules::piece::{Piece, PieceKind};

/// A condition that a piece of one kind and side is on one of some squares.
#[derive(Clone, Debug)]
pub struct PieceTest {
    squares: Bitboard,
    /// The king to test, by [`Side::index`](sakmak_tables::rules::piece::Side::index).
    king: Option<usize>,
    /// The indices in [`Index::pieces`] of the pieces to test, without the last piece.
    fixed: Vec<usize>,
    /// A bit for each place of the last piece that meets the condition; 0 if the last piece is not
    /// tested.
    last: u64,
}

/// The pieces of a row of slots. Only the last piece moves in it, from place to place.
#[derive(Clone, Copy, Debug)]
pub struct RowPieces {
    /// The placement of the first slot.
    placement: Placement,
    /// The place of the last piece in the first slot.
    first_place: u32,
}

impl RowPieces {
    /// The pieces of the row that begins with this slot.
    pub fn of(index: &Index, first: Slot) -> RowPieces {
        let placement = index.placement(first);
        let last = index.pieces().len().checked_sub(1);
        let place = last.zip(index.groups().last()).and_then(|(last, group)| {
            let place = group.place(*placement.pieces.get(last)?)?;
            u32::try_from(place).ok()
        });
        RowPieces { placement, first_place: place.unwrap_or(0) }
    }

    /// The placement of the slot at this offset of the row.
    pub fn placement(&self, index: &Index, offset: u32) -> Placement {
        let mut placement = self.placement;
        let places = index.groups().last().map_or(&[][..], |group| group.places());
        let last = index.pieces().len().checked_sub(1);
        if let Some((last, &square)) = last.zip(places.get((self.first_place + offset) as usize)) {
            placement.pieces[last] = square;
        }
        placement
    }
}

impl PieceTest {
    /// The condition that this piece is on one of these squares in an image of the slot.
    pub fn new(index: &Index, image: SlotImage, piece: Piece, seen: Bitboard) -> PieceTest {
        let piece = Piece::new(image.side(piece.side), piece.kind);
        let squares: Bitboard =
            Square::all().filter(|&square| seen.contains(image.square(square))).collect();
        let king = (piece.kind == PieceKind::King).then_some(piece.side.index());
        let pieces = || index.pieces().iter().enumerate().filter(|(_, other)| **other == piece);
        let last = index.pieces().len().saturating_sub(1);
        let fixed = pieces().map(|(piece, _)| piece).filter(|&piece| piece != last).collect();
        let places = index.groups().last().map_or(&[][..], |group| group.places());
        let bit = |(place, &square): (usize, &Square)| u64::from(squares.contains(square)) << place;
        let tested = pieces().any(|(piece, _)| piece == last);
        let last = if tested { places.iter().enumerate().map(bit).sum() } else { 0 };
        PieceTest { squares, king, fixed, last }
    }

    /// Whether the condition holds with these kings; `None` if it is about another piece.
    pub fn of_kings(&self, kings: [Square; 2]) -> Option<bool> {
        self.king.map(|side| self.squares.contains(kings[side]))
    }

    /// A bit for each slot of a row that meets the condition. Bits past the row are undefined.
    pub fn bits(&self, row: &RowPieces) -> u64 {
        let king = self.king.is_some_and(|side| self.squares.contains(row.placement.kings[side]));
        let fixed =
            || self.fixed.iter().any(|&piece| self.squares.contains(row.placement.pieces[piece]));
        match king || fixed() {
            true => u64::MAX,
            false => self.last.checked_shr(row.first_place).unwrap_or(0),
        }
    }
}
