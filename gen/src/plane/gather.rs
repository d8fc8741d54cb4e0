//! From records to the codes of the table: in memory where they are, or from disk.

use super::buffer::Buffer;
use super::check::legal_slots;
use super::frame::{Frame, Row};
use super::geometry::Geometry;
use super::record::{Cells, Record, put_bytes, put_words};
use super::spill::Spill;
use crate::codes::Codes;
use bytes::Bytes;
use rayon::prelude::*;
use sakmak_tables::index::Index;
use sakmak_tables::kings::KingPair;
use sakmak_tables::man::Side;
use sakmak_tables::set::Set;
use sakmak_tables::table::Table;
use sakmak_tables::values::{Coding, Values};
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// A solved material: its codes in memory or on disk.
///
/// Slots that are no legal position repeat the code before them, which compresses best.
#[derive(Debug)]
pub struct Solved {
    geometry: Geometry,
    frame: Frame,
    sides: [Option<Gathered>; 2],
}

/// The codes of one side to move.
#[derive(Debug)]
enum Gathered {
    Memory(Values),
    Disk(Coding, Spill),
}

impl Solved {
    /// Gathers what the records of White and Black to move hold.
    pub fn gather(
        geometry: Geometry,
        frame: Frame,
        records: [Option<Record>; 2],
    ) -> io::Result<Solved> {
        let gathered = |side: Side, record: Option<Record>| {
            record.map(|record| gather(&geometry, &frame, side, record)).transpose()
        };
        let [white, black] = records;
        let sides = [gathered(Side::White, white)?, gathered(Side::Black, black)?];
        Ok(Solved { geometry, frame, sides })
    }

    /// The table, if its codes are in memory.
    ///
    /// # Errors
    ///
    /// What was solved as it was, if they are on disk.
    pub fn into_table(self) -> Result<Table, Box<Solved>> {
        match self.sides {
            [Some(Gathered::Memory(white)), None] => {
                Ok(Table::new(self.geometry.index, white, None))
            }
            [Some(Gathered::Memory(white)), Some(Gathered::Memory(black))] => {
                Ok(Table::new(self.geometry.index, white, Some(black)))
            }
            sides => Err(Box::new(Solved { sides, ..self })),
        }
    }

    /// Gathers the codes of a king pair from disk.
    fn read_pair(
        &self,
        side: Side,
        pair: usize,
        coding: Coding,
        spill: &Spill,
    ) -> io::Result<Vec<u8>> {
        let (geometry, frame) = (&self.geometry, &self.frame);
        let slots = geometry.index.slots_per_pair() as usize;
        let code = |value| coding.encode(value).unwrap_or(0);
        if coding.width() == 1 {
            let mut bytes = vec![0u8; slots];
            spill.read(pair, |outer, slots, value| {
                put_bytes(&mut bytes, frame, outer, slots, code(value) as u8);
            })?;
            fill_illegal(geometry, frame, side, pair, &mut bytes);
            return Ok(bytes);
        }
        let mut words = vec![0u16; slots];
        spill.read(pair, |outer, slots, value| {
            put_words(&mut words, frame, outer, slots, code(value));
        })?;
        fill_illegal(geometry, frame, side, pair, &mut words);
        Ok(words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }
}

impl Codes for Solved {
    fn index(&self) -> &Index {
        &self.geometry.index
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        self.sides[side.index()].as_ref().map(|gathered| match gathered {
            Gathered::Memory(values) => values.coding(),
            Gathered::Disk(coding, _) => *coding,
        })
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let (coding, spill) = match &self.sides[side.index()] {
            None => return Ok(Cow::Borrowed(&[])),
            Some(Gathered::Memory(values)) => {
                let width = values.coding().width();
                let bytes = slots.start as usize * width..slots.end as usize * width;
                return Ok(Cow::Borrowed(values.codes().get(bytes).unwrap_or_default()));
            }
            Some(Gathered::Disk(coding, spill)) => (*coding, spill),
        };
        let (per_pair, width) = (self.geometry.index.slots_per_pair(), coding.width() as u64);
        let pairs = slots.start / per_pair..slots.end.div_ceil(per_pair);
        let parts = pairs.clone().into_par_iter().map(|pair| {
            let codes = self.read_pair(side, pair as usize, coding, spill)?;
            let first = pair * per_pair;
            let from = slots.start.saturating_sub(first) * width;
            let to = (slots.end - first).min(per_pair) * width;
            Ok(codes[from as usize..to as usize].to_vec())
        });
        Ok(Cow::Owned(parts.collect::<io::Result<Vec<_>>>()?.concat()))
    }
}

/// The codes of `side` to move from their record.
fn gather(geometry: &Geometry, frame: &Frame, side: Side, record: Record) -> io::Result<Gathered> {
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
        Cells::Spilled(spill) => return Ok(Gathered::Disk(coding, spill)),
    };
    Ok(Gathered::Memory(Values::new(coding, Bytes::from_owner(codes))))
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
