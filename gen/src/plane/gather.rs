//! From records in the order of planes to values in the order of the index.

use super::buffer::Buffer;
use super::check::legal_slots;
use super::geometry::{Geometry, Spot};
use super::layers::Wins;
use super::record::Record;
use bytes::Bytes;
use rayon::prelude::*;
use sakmak_tables::distance::Value;
use sakmak_tables::index::{Index, MAX_OTHERS, Placement};
use sakmak_tables::kings::KingPair;
use sakmak_tables::man::Side;
use sakmak_tables::square::Square;
use sakmak_tables::values::{Coding, Values};
use std::io;
use std::ops::Range;

/// The values of `side` to move, in the order of the index: its own wins and those of the
/// other side.
///
/// Slots that are no legal position repeat the code before them, which compresses best.
pub fn gather(
    geometry: &Geometry,
    side: Side,
    own: Option<&Wins>,
    other: Option<&Wins>,
) -> io::Result<Values> {
    let (won, lost) = (own.map(|wins| &wins.won), other.map(|wins| &wins.lost));
    let coding = Coding {
        wins: own.and_then(|wins| wins.longest[0]).unwrap_or_default(),
        losses: other.and_then(|wins| wins.longest[1]),
    };
    let width = coding.width();
    // A byte of a record is then a code, but for losses coming after the wins.
    let bytes_are_codes = width == 1 && won.into_iter().chain(lost).all(Record::is_short);
    let index = &geometry.index;
    let per_pair = index.slots_per_pair() as usize * width;
    let mut codes = Buffer::<u8>::zeroed(index.kings().len() * per_pair)?;
    codes.par_chunks_mut(per_pair).enumerate().for_each(|(pair, codes)| {
        let first = pair as u64 * index.slots_per_pair();
        let number = KingPair(pair as u16);
        for outer in 0..geometry.planes_per_pair() {
            let spot = geometry.spot(number, outer);
            let legal = legal_slots(geometry, &spot, side);
            for_each_row(geometry, &spot, |slot, row, columns| {
                let start = (slot - first) as usize * width;
                let row_codes = &mut codes[start..start + columns.len() * width];
                if bytes_are_codes && let Some(columns) = run(columns) {
                    if let Some(won) = won {
                        row_codes.copy_from_slice(&won.row(pair, outer, row)[columns.clone()]);
                    }
                    if let Some(lost) = lost {
                        let lost = &lost.row(pair, outer, row)[columns];
                        for (code, &byte) in row_codes.iter_mut().zip(lost) {
                            *code |= if byte == 0 { 0 } else { byte + coding.wins.0 as u8 };
                        }
                    }
                } else {
                    for (code, column) in row_codes.chunks_exact_mut(width).zip(columns) {
                        let at = |record: &Record| record.get(pair, outer, row, column.index());
                        let value = won.and_then(at).map(Value::Win);
                        let value = value.or_else(|| lost.and_then(at).map(Value::Loss));
                        let number = coding.encode(value.unwrap_or(Value::Draw)).unwrap_or(0);
                        code.copy_from_slice(&number.to_le_bytes()[..width]);
                    }
                }
                let illegal = columns.iter().enumerate();
                for (place, _) in illegal.filter(|(_, c)| legal.0[row] >> c.index() & 1 == 0) {
                    let at = start + place * width;
                    match at.checked_sub(width) {
                        Some(before) => codes.copy_within(before..at, at),
                        None => codes[at..at + width].fill(0),
                    }
                }
            });
        }
    });
    Ok(Values::new(coding, Bytes::from_owner(codes)))
}

/// The indices of squares that follow one another, nothing where they do not.
fn run(squares: &[Square]) -> Option<Range<usize>> {
    let (first, last) = (squares.first()?.index(), squares.last()?.index());
    (last - first + 1 == squares.len()).then_some(first..last + 1)
}

/// Calls `visit` with each row of a plane, as far as the index has it (pawns on their
/// ranks, of like men one order only): the first slot in the index, the row, the columns.
fn for_each_row(geometry: &Geometry, spot: &Spot, mut visit: impl FnMut(u64, usize, &[Square])) {
    let index = &geometry.index;
    let outer = geometry.outer().len();
    let mut squares = [spot.kings[0]; MAX_OTHERS];
    squares[..outer].copy_from_slice(&spot.outer[..outer]);
    if geometry.row().is_none() {
        // All rows are alike; the index knows of none.
        visit_row(index, &spot.kings, &squares, 0, 0, &mut visit);
        return;
    }
    for &row in places_below(index, &squares, outer) {
        squares[outer] = row;
        visit_row(index, &spot.kings, &squares, outer + 1, row.index(), &mut visit);
    }
}

/// The squares for a man that come before those of the like men before it, since of like
/// men the slower stands on the higher place.
fn places_below<'a>(index: &'a Index, squares: &[Square], man: usize) -> &'a [Square] {
    let found = index.groups().iter().find(|group| group.first + group.count > man);
    let Some(group) = found else { return &[] };
    let before = squares[group.first..man].iter();
    let lowest = before.map(|&square| group.place(square).unwrap_or(0)).min();
    &group.places()[..lowest.unwrap_or(group.places().len())]
}

/// Calls `visit` for one row.
fn visit_row(
    index: &Index,
    kings: &[Square; 2],
    squares: &[Square; MAX_OTHERS],
    column: usize,
    row: usize,
    visit: &mut impl FnMut(u64, usize, &[Square]),
) {
    let places = places_below(index, squares, column);
    let Some(&lowest) = places.first() else { return };
    let mut squares = *squares;
    squares[column] = lowest;
    let Some(first) = index.slot(&Placement { kings: *kings, men: squares }) else { return };
    visit(first.0, row, places);
}
