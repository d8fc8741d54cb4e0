//! The offsets of the rows of planes in the order of the index.
//!
//! The index numbers the slots of a king pair by plane, row and column. It leaves out squares where
//! a pawn cannot stand, and all orders of like pieces but one: the piece that comes first stands on
//! the higher square.

use crate::planes::bits::Plane;
use crate::planes::geometry::Geometry;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::Square;
use sakmak_tables::index::Index;
use std::ops::Range;

/// The offsets of the rows of planes among the slots of a king pair; the same for every pair.
#[derive(Debug)]
pub struct Frame {
    /// The plane of each outer placement; `None` if the index does not have it.
    planes: Vec<Option<PlaneFrame>>,
    /// The squares of the column piece.
    columns: Range<usize>,
    /// Whether the row piece and the column piece are alike, so that the column piece stands on
    /// the lower square.
    like: bool,
    /// The columns that the index has in each row.
    held: Plane,
}

/// The offset and the rows of a plane.
#[derive(Clone, Debug)]
struct PlaneFrame {
    first: usize,
    rows: Range<usize>,
}

impl PlaneFrame {
    const NONE: PlaneFrame = PlaneFrame { first: 0, rows: 0..0 };
}

/// A row of a plane.
#[derive(Clone, Debug)]
pub struct PlaneRow {
    /// The index of the row in the plane.
    pub number: usize,
    /// The first slot, counted from the first slot of the king pair.
    pub first: usize,
    /// The columns of the row, a slot each.
    pub columns: Range<usize>,
}

impl Frame {
    /// The frame of a material's planes.
    pub fn new(geometry: &Geometry) -> Frame {
        let index = &geometry.index;
        let outer_pieces = geometry.outer().len();
        let group = index.groups().last();
        let mut frame = Frame {
            planes: Vec::new(),
            columns: group.map_or(0..0, |group| run(group.places())),
            like: geometry.row().is_some()
                && group.is_some_and(|group| group.first <= outer_pieces),
            held: Plane::EMPTY,
        };
        for (number, held) in frame.held.0.iter_mut().enumerate() {
            let end = if frame.like { number } else { frame.columns.end };
            *held = (frame.columns.start..end).fold(0, |held, column| held | 1 << column);
        }
        let mut next = 0;
        for outer in 0..geometry.planes_per_pair() {
            let squares = geometry.outer_squares(outer);
            let in_order = (0..outer_pieces)
                .all(|piece| free_places(index, squares, piece).contains(&squares[piece].index()));
            frame.planes.push(None);
            if in_order {
                // Without a row piece all rows are alike, and the index has one row.
                let rows =
                    geometry.row().map_or(0..1, |_| free_places(index, squares, outer_pieces));
                let plane = PlaneFrame { first: next, rows: rows.clone() };
                next += rows.map(|row| frame.row(&plane, row).columns.len()).sum::<usize>();
                frame.planes[outer] = Some(plane);
            }
        }
        frame
    }

    /// The rows that the index has of a plane, in order.
    #[inline(always)]
    pub fn rows(&self, outer: usize) -> impl Iterator<Item = PlaneRow> + '_ {
        let plane = self.planes[outer].as_ref();
        plane
            .into_iter()
            .flat_map(move |plane| plane.rows.clone().map(move |number| self.row(plane, number)))
    }

    /// The slots among `slots` that the index has, and the rows with these slots.
    #[inline(always)]
    pub fn held(&self, outer: usize, slots: &Plane) -> (Plane, Bitboard) {
        let Some(plane) = &self.planes[outer] else { return (Plane::EMPTY, Bitboard::EMPTY) };
        let held = slots.and(&self.held);
        let mut rows = 0u64;
        for (number, &word) in held.0.iter().enumerate() {
            rows |= u64::from(word != 0) << number;
        }
        (held, Bitboard(rows) & (below(plane.rows.end) - below(plane.rows.start)))
    }

    /// The offsets of the slots of a plane that the index has; unspecified for other planes.
    #[inline(always)]
    pub fn offsets(&self, outer: usize) -> PlaneOffsets<'_> {
        let plane = self.planes[outer].as_ref().unwrap_or(&PlaneFrame::NONE);
        PlaneOffsets { frame: self, plane }
    }

    #[inline(always)]
    fn row(&self, plane: &PlaneFrame, number: usize) -> PlaneRow {
        let row = number.saturating_sub(plane.rows.start);
        let (before, end) = match self.like {
            true => (row * row.saturating_sub(1) / 2, number),
            false => (row * self.columns.len(), self.columns.end),
        };
        PlaneRow { number, first: plane.first + before, columns: self.columns.start..end }
    }
}

/// The offsets of the slots of one plane.
#[derive(Clone, Copy, Debug)]
pub struct PlaneOffsets<'a> {
    frame: &'a Frame,
    plane: &'a PlaneFrame,
}

impl PlaneOffsets<'_> {
    /// A row that the index has.
    #[inline(always)]
    pub fn row(&self, number: usize) -> PlaneRow {
        self.frame.row(self.plane, number)
    }

    /// The offset of a slot that the index has, from the first slot of its king pair.
    #[inline(always)]
    pub fn of(&self, row: usize, column: usize) -> usize {
        let PlaneRow { first, columns, .. } = self.row(row);
        first + column - columns.start
    }
}

/// The squares with an index below `end`.
fn below(end: usize) -> Bitboard {
    Bitboard(1u64.checked_shl(end as u32).unwrap_or(0).wrapping_sub(1))
}

/// The places of a piece below the places of the like pieces before it.
fn free_places(index: &Index, squares: &[Square], piece: usize) -> Range<usize> {
    let found = index.groups().iter().find(|group| group.first + group.count > piece);
    let Some(group) = found else { return 0..0 };
    let places = run(group.places());
    let before = squares[group.first..piece].iter().map(|square| square.index()).min();
    places.start..before.unwrap_or(places.end).max(places.start)
}

/// The places of a piece as a range of squares: successive whole ranks.
fn run(places: &[Square]) -> Range<usize> {
    let end = |square: &Square| square.index() + 1;
    places.first().map_or(0, |square| square.index())..places.last().map_or(0, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::index::kings::KingPair;
    use sakmak_tables::index::{MAX_OTHERS, Placement, Slot};
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn rows_are_the_slots_of_a_pair_in_order() {
        let names = [
            "KRvK", "KPvK", "KPvKP", "KRNvK", "KMMvK", "KPPPvK", "KPPvKP", "KNMMvK", "KMMMvKN",
            "KMMMMMvK", "KPPPPPvK", "KPPPvKPP",
        ];
        for name in names {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            let geometry = Geometry::new(index, &MAKRUK.rules);
            let frame = Frame::new(&geometry);
            let kings = geometry.index.kings().kings(KingPair(0));
            let outer_pieces = geometry.outer().len();
            let mut next = 0;
            for outer in 0..geometry.planes_per_pair() {
                let mut pieces = [kings[0]; MAX_OTHERS];
                pieces[..outer_pieces]
                    .copy_from_slice(&geometry.outer_squares(outer)[..outer_pieces]);
                for row in frame.rows(outer) {
                    assert_eq!(row.first, next, "{name}");
                    if geometry.row().is_some() {
                        pieces[outer_pieces] = Square::wrapping(row.number);
                    }
                    for column in row.columns {
                        pieces[geometry.pieces.len() - 1] = Square::wrapping(column);
                        let slot = geometry.index.slot(&Placement { kings, pieces });
                        assert_eq!(slot, Some(Slot(next as u64)), "{name}");
                        next += 1;
                    }
                }
            }
            assert_eq!(next as u64, geometry.index.slots_per_pair(), "{name}");
        }
    }
}
