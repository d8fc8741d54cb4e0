//! From a record in the order of planes to values in the order of the index.
//!
//! The index numbers the slots of a king pair in the order in which planes, rows and
//! columns come; it leaves out pawns beyond their ranks and all orders of like men but
//! one. So gathering is one walk through the record, and where nothing is left out the
//! record becomes the values where it is.

use super::bits::PLANE_SLOTS;
use super::buffer::Buffer;
use super::check::legal_slots;
use super::geometry::Geometry;
use super::record::{Cells, Record};
use bytes::Bytes;
use rayon::prelude::*;
use sakmak_tables::index::{Index, MAX_OTHERS};
use sakmak_tables::kings::KingPair;
use sakmak_tables::man::Side;
use sakmak_tables::set::Set;
use sakmak_tables::square::{SQUARES, Square};
use sakmak_tables::values::{Coding, Values};
use std::io;
use std::ops::Range;

/// The values of `side` to move from their record.
///
/// Slots that are no legal position repeat the code before them, which compresses best.
pub fn gather(geometry: &Geometry, side: Side, record: Record) -> io::Result<Values> {
    let coding = record.coding();
    let index = &geometry.index;
    let (cells_per_pair, slots_per_pair) =
        (geometry.planes_per_pair() * PLANE_SLOTS, index.slots_per_pair() as usize);
    let cells = match record.into_cells() {
        Cells::Bytes(codes) if cells_per_pair == slots_per_pair => {
            return Ok(Values::new(
                coding,
                Bytes::from_owner(recoded(geometry, side, coding, codes)),
            ));
        }
        cells => cells,
    };
    let per_pair = slots_per_pair * coding.width();
    let mut codes = Buffer::<u8>::unspecified(index.kings().len() * per_pair)?;
    codes.par_chunks_mut(per_pair).enumerate().for_each(|(pair, codes)| {
        let mut writer = Writer { codes, at: 0, width: coding.width() };
        for_each_row(geometry, side, pair, |start, columns, legal| {
            let start = pair * cells_per_pair + start;
            let cells_here = start + columns.start..start + columns.end;
            match &cells {
                Cells::Bytes(bytes) => {
                    writer.next(columns.len()).copy_from_slice(&bytes[cells_here]);
                    writer.recode(coding, columns.len());
                }
                Cells::Words(words) => {
                    let width = writer.width;
                    let codes = writer.next(columns.len()).chunks_exact_mut(width);
                    for (code, &word) in codes.zip(&words[cells_here]) {
                        let number = code_of(coding, word.into(), u16::MAX.into()) as u16;
                        code.copy_from_slice(&number.to_le_bytes()[..width]);
                    }
                }
            }
            writer.put(columns, legal);
        });
    });
    Ok(Values::new(coding, Bytes::from_owner(codes)))
}

/// The codes of all cells, where they are, of a record that holds what the index has.
fn recoded(geometry: &Geometry, side: Side, coding: Coding, mut codes: Buffer<u8>) -> Buffer<u8> {
    let per_pair = geometry.planes_per_pair() * PLANE_SLOTS;
    codes.par_chunks_mut(per_pair).enumerate().for_each(|(pair, codes)| {
        let mut writer = Writer { codes, at: 0, width: 1 };
        for_each_row(geometry, side, pair, |_, columns, legal| {
            writer.recode(coding, columns.len());
            writer.put(columns, legal);
        });
    });
    codes
}

/// The code of a cell: wins and draws are their own; losses, counted down from the
/// greatest number a cell holds, come after the wins.
#[inline(always)]
fn code_of(coding: Coding, cell: u32, greatest: u32) -> u32 {
    if cell <= coding.wins.0 { cell } else { coding.wins.0 + 1 + greatest - cell }
}

/// The codes of one king pair, written one after the other.
struct Writer<'a> {
    codes: &'a mut [u8],
    /// Bytes written.
    at: usize,
    /// Bytes of a code.
    width: usize,
}

impl Writer<'_> {
    /// The next codes to be written.
    fn next(&mut self, count: usize) -> &mut [u8] {
        &mut self.codes[self.at..self.at + count * self.width]
    }

    /// Makes codes of the next cells, which are bytes.
    fn recode(&mut self, coding: Coding, count: usize) {
        // Without losses cells are codes already.
        if coding.losses.is_some() {
            for code in self.next(count) {
                *code = code_of(coding, (*code).into(), u8::MAX.into()) as u8;
            }
        }
    }

    /// Counts the codes of these columns as written; those that are no legal position
    /// repeat the one before them.
    fn put(&mut self, columns: Range<usize>, legal: Set) {
        let (start, width) = (self.at, self.width);
        self.at += columns.len() * width;
        for column in !legal {
            let Some(place) = column.index().checked_sub(columns.start) else { continue };
            if column.index() >= columns.end {
                break;
            }
            let at = start + place * width;
            match at.checked_sub(width) {
                Some(before) => self.codes.copy_within(before..at, at),
                None => self.codes[at..at + width].fill(0),
            }
        }
    }
}

/// Calls `visit` with each row of a pair's planes that the index has, in its order: the
/// row's place among the cells of the pair, its columns, and those of them that are a
/// legal position.
fn for_each_row(
    geometry: &Geometry,
    side: Side,
    pair: usize,
    mut visit: impl FnMut(usize, Range<usize>, Set),
) {
    let outer_men = geometry.outer().len();
    for outer in 0..geometry.planes_per_pair() {
        let spot = geometry.spot(KingPair(pair as u16), outer);
        let in_order = |man: usize| {
            places_below(&geometry.index, &spot.outer, man).contains(&spot.outer[man].index())
        };
        if !(0..outer_men).all(in_order) {
            continue;
        }
        let legal = legal_slots(geometry, &spot, side);
        let start = outer * PLANE_SLOTS;
        let mut squares = [spot.kings[0]; MAX_OTHERS];
        squares[..outer_men].copy_from_slice(&spot.outer[..outer_men]);
        if geometry.row().is_none() {
            // All rows are alike; the index knows of none.
            visit(start, places_below(&geometry.index, &squares, 0), Set(legal.0[0]));
            continue;
        }
        for row in places_below(&geometry.index, &squares, outer_men) {
            squares[outer_men] = Square::wrapping(row);
            let columns = places_below(&geometry.index, &squares, outer_men + 1);
            visit(start + row * SQUARES, columns, Set(legal.0[row]));
        }
    }
}

/// The squares for a man that come before those of the like men before it, since of like
/// men the slower stands on the higher place; the places of a man are a run of squares.
fn places_below(index: &Index, squares: &[Square], man: usize) -> Range<usize> {
    let found = index.groups().iter().find(|group| group.first + group.count > man);
    let Some(group) = found else { return 0..0 };
    let places = group.places();
    let before = squares[group.first..man].iter().map(|square| square.index());
    let first = places.first().map_or(0, |place| place.index());
    let end = before.min().or(places.last().map(|place| place.index() + 1)).unwrap_or(first);
    first..end.max(first)
}
