//! From a record to the values of the table, where they are.

use super::buffer::Buffer;
use super::check::legal_slots;
use super::frame::{Frame, Row};
use super::geometry::Geometry;
use super::record::{Cells, Record};
use bytes::Bytes;
use rayon::prelude::*;
use sakmak_tables::kings::KingPair;
use sakmak_tables::man::Side;
use sakmak_tables::set::Set;
use sakmak_tables::values::{Coding, Values};
use std::io;

/// The values of `side` to move from their record.
///
/// Slots that are no legal position repeat the code before them, which compresses best.
pub fn gather(
    geometry: &Geometry,
    frame: &Frame,
    side: Side,
    record: Record,
) -> io::Result<Values> {
    let coding = record.coding();
    let per_pair = geometry.index.slots_per_pair() as usize;
    let codes = match record.into_cells() {
        Cells::Bytes(mut bytes) => {
            bytes.par_chunks_mut(per_pair).enumerate().for_each(|(pair, bytes)| {
                // Without losses cells are codes already.
                if coding.losses.is_some() {
                    for byte in bytes.iter_mut() {
                        *byte = code_of(coding, (*byte).into(), u8::MAX.into()) as u8;
                    }
                }
                fill_illegal(geometry, frame, side, pair, bytes);
            });
            bytes
        }
        Cells::Words(mut words) => {
            words.par_chunks_mut(per_pair).enumerate().for_each(|(pair, words)| {
                for word in words.iter_mut() {
                    *word = code_of(coding, (*word).into(), u16::MAX.into()) as u16;
                }
                fill_illegal(geometry, frame, side, pair, words);
            });
            bytes_of(&words, coding.width())?
        }
    };
    Ok(Values::new(coding, Bytes::from_owner(codes)))
}

/// The code of a cell: wins and draws are their own; losses, counted down from the
/// greatest number a cell holds, come after the wins.
#[inline(always)]
fn code_of(coding: Coding, cell: u32, greatest: u32) -> u32 {
    if cell <= coding.wins.0 { cell } else { coding.wins.0 + 1 + greatest - cell }
}

/// Codes of so many bytes each, little-endian.
fn bytes_of(codes: &[u16], width: usize) -> io::Result<Buffer<u8>> {
    let mut bytes = Buffer::unspecified(codes.len() * width)?;
    bytes.par_chunks_mut(width).zip(codes.par_iter()).for_each(|(bytes, code)| {
        bytes.copy_from_slice(&code.to_le_bytes()[..width]);
    });
    Ok(bytes)
}

/// Makes the codes of a pair that are no legal position those before them.
fn fill_illegal<Code: Copy + Default>(
    geometry: &Geometry,
    frame: &Frame,
    side: Side,
    pair: usize,
    codes: &mut [Code],
) {
    for outer in 0..geometry.planes_per_pair() {
        let mut rows = frame.rows(outer).peekable();
        if rows.peek().is_none() {
            continue;
        }
        let spot = geometry.spot(KingPair(pair as u16), outer);
        let legal = legal_slots(geometry, &spot, side);
        for Row { number, first, columns } in rows {
            for column in !Set(legal.0[number]) {
                let Some(place) = column.index().checked_sub(columns.start) else { continue };
                if column.index() >= columns.end {
                    break;
                }
                let before = (first + place).checked_sub(1);
                codes[first + place] = before.map_or(Code::default(), |before| codes[before]);
            }
        }
    }
}
