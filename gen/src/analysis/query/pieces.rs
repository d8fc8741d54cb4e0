//! Where pieces stand, for 64 slots at a time.

use crate::analysis::query::image::SlotImage;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::index::{Index, Placement, Slot};
use sakmak_tables::rules::piece::{Piece, PieceKind};

/// Whether a piece of one kind and side stands on some squares, as held.
#[derive(Clone, Debug)]
pub struct PieceTest {
    squares: Bitboard,
    /// The king asked for, by [`Side::index`](sakmak_tables::rules::piece::Side::index).
    king: Option<usize>,
    /// The men asked for, by their places in [`Index::men`], but for the last of all.
    fixed: Vec<usize>,
    /// Where the last piece is asked for: a bit for each of its places that are asked for.
    last: u64,
}

/// The pieces in a row of slots, in which the last piece goes from place to place.
#[derive(Clone, Copy, Debug)]
pub struct RowPieces {
    /// As in the first slot.
    placement: Placement,
    /// The last piece's place in the first slot.
    first_place: u32,
}

impl RowPieces {
    /// Of the row that begins with this slot.
    pub fn of(index: &Index, first: Slot) -> RowPieces {
        let placement = index.placement(first);
        let last = index.pieces().len().checked_sub(1);
        let place = last.zip(index.groups().last()).and_then(|(last, group)| {
            let place = group.place(*placement.pieces.get(last)?)?;
            u32::try_from(place).ok()
        });
        RowPieces { placement, first_place: place.unwrap_or(0) }
    }
}

impl PieceTest {
    /// Whether such a piece is seen on one of these squares.
    pub fn new(index: &Index, view: SlotImage, piece: Piece, seen: Bitboard) -> PieceTest {
        let piece = Piece::new(view.side(piece.side), piece.kind);
        let squares: Bitboard =
            Square::all().filter(|&square| seen.contains(view.square(square))).collect();
        let king = (piece.kind == PieceKind::King).then_some(piece.side.index());
        let men = || index.pieces().iter().enumerate().filter(|(_, other)| **other == piece);
        let last = index.pieces().len().saturating_sub(1);
        let fixed = men().map(|(place, _)| place).filter(|&place| place != last).collect();
        let places = index.groups().last().map_or(&[][..], |group| group.places());
        let bit = |(place, &square): (usize, &Square)| u64::from(squares.contains(square)) << place;
        let asked = men().any(|(place, _)| place == last);
        let last = if asked { places.iter().enumerate().map(bit).sum() } else { 0 };
        PieceTest { squares, king, fixed, last }
    }

    /// A bit for each slot of a row for which it holds; past the row anything.
    pub fn bits(&self, men: &RowPieces) -> u64 {
        let king = self.king.is_some_and(|side| self.squares.contains(men.placement.kings[side]));
        let fixed =
            || self.fixed.iter().any(|&piece| self.squares.contains(men.placement.pieces[piece]));
        match king || fixed() {
            true => u64::MAX,
            false => self.last.checked_shr(men.first_place).unwrap_or(0),
        }
    }
}
