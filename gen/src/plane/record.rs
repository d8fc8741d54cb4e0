//! The record of one side to move: in which layer each slot was found won or lost.

use super::bits::Plane;
use super::buffer::Buffer;
use super::frame::{Frame, Row};
use super::spill::{PairSpill, Spill};
use rayon::prelude::*;
use sakmak_tables::distance::Value;
use sakmak_tables::index::Index;
use sakmak_tables::set::Set;
use sakmak_tables::values::Coding;
use std::io;
use std::path::Path;

/// The values found for one side to move, in the order of the index.
///
/// A cell holds 0 for nothing found, `n` for a win in `n` moves, and counted down from the
/// greatest number a loss in 0, 1, 2... moves, since how long wins get is known only when
/// the losses are found too. Cells are bytes until both meet; then they become words.
#[derive(Debug)]
pub struct Record {
    cells: Cells,
    /// The longest win and loss so far; their codes are those of the table.
    found: Coding,
    /// How many different values bytes may hold.
    byte_values: u32,
    per_pair: usize,
}

/// The cells of a record.
#[derive(Debug)]
pub enum Cells {
    /// Where all values fit into bytes.
    Bytes(Buffer<u8>),
    /// Where they do not.
    Words(Buffer<u16>),
    /// Where they do not fit into memory.
    Spilled(Spill),
}

/// The part of a record for the planes of one king pair, while one layer is found.
#[derive(Debug)]
pub struct PairRecord<'a> {
    frame: &'a Frame,
    cells: PairCells<'a>,
}

#[derive(Debug)]
enum PairCells<'a> {
    Bytes(&'a mut [u8]),
    Words(&'a mut [u16]),
    Spilled(PairSpill<'a>),
}

impl Record {
    /// An empty record whose bytes hold so many different values, 256 at most; on disk
    /// where a directory is given.
    pub fn new(index: &Index, byte_values: u32, spill: Option<&Path>) -> io::Result<Record> {
        let cells = match spill {
            Some(directory) => Cells::Spilled(Spill::new(directory, index.kings().len())?),
            None => Cells::Bytes(Buffer::zeroed(index.slots() as usize)?),
        };
        let per_pair = index.slots_per_pair() as usize;
        Ok(Record { cells, found: Coding::default(), byte_values, per_pair })
    }

    /// The longest win and loss found.
    pub fn coding(&self) -> Coding {
        self.found
    }

    /// Makes room for wins or losses of this length, the longest so far; whether any is
    /// found is to be said to [`Record::found`].
    pub fn make_room(&mut self, value: Value) -> io::Result<()> {
        let Cells::Bytes(bytes) = &self.cells else { return Ok(()) };
        if self.with(value).codes() <= self.byte_values {
            return Ok(());
        }
        let mut words = Buffer::<u16>::unspecified(bytes.len())?;
        let wins = self.found.wins.0 as u8;
        let chunk = self.per_pair;
        words.par_chunks_mut(chunk).zip(bytes.par_chunks(chunk)).for_each(|(words, bytes)| {
            for (word, &byte) in words.iter_mut().zip(bytes) {
                let loss = u16::MAX - u16::from(u8::MAX - byte);
                *word = if byte <= wins { u16::from(byte) } else { loss };
            }
        });
        self.cells = Cells::Words(words);
        Ok(())
    }

    /// Says that slots of this value, for which room was made, were found.
    pub fn found(&mut self, value: Value) {
        self.found = self.with(value);
    }

    fn with(&self, value: Value) -> Coding {
        match value {
            Value::Draw => self.found,
            Value::Win(moves) => Coding { wins: self.found.wins.max(moves), ..self.found },
            Value::Loss(moves) => {
                Coding { losses: self.found.losses.max(Some(moves)), ..self.found }
            }
        }
    }

    /// The parts of all king pairs, to be written side by side.
    pub fn pairs<'a>(&'a mut self, frame: &'a Frame) -> Vec<PairRecord<'a>> {
        let of = |cells| PairRecord { frame, cells };
        match &mut self.cells {
            Cells::Bytes(bytes) => {
                bytes.chunks_mut(self.per_pair).map(|bytes| of(PairCells::Bytes(bytes))).collect()
            }
            Cells::Words(words) => {
                words.chunks_mut(self.per_pair).map(|words| of(PairCells::Words(words))).collect()
            }
            Cells::Spilled(spill) => {
                spill.pairs().map(|pair| of(PairCells::Spilled(pair))).collect()
            }
        }
    }

    /// The cells, by slot.
    pub fn into_cells(self) -> Cells {
        self.cells
    }
}

/// By eight bits: eight bytes, all ones where the bit is set.
const SPREAD: [u64; 1 << u8::BITS] = {
    let mut table = [0; 1 << u8::BITS];
    let mut bits = 0;
    while bits < table.len() {
        let mut bit = 0;
        while bit < u8::BITS {
            if bits >> bit & 1 != 0 {
                table[bits] |= (u8::MAX as u64) << (bit * u8::BITS);
            }
            bit += 1;
        }
        bits += 1;
    }
    table
};

impl PairRecord<'_> {
    /// Notes that these slots of a plane, not noted before, have this value; room was made
    /// for it.
    #[inline(always)]
    pub fn note(&mut self, outer: usize, slots: &Plane, value: Value) {
        let cell = |greatest: u32| match value {
            Value::Draw => 0,
            Value::Win(moves) => moves.0,
            Value::Loss(moves) => greatest - moves.0,
        };
        match &mut self.cells {
            PairCells::Bytes(bytes) => {
                put_bytes(bytes, self.frame, outer, slots, cell(u8::MAX.into()) as u8);
            }
            PairCells::Words(words) => {
                put_words(words, self.frame, outer, slots, cell(u16::MAX.into()) as u16);
            }
            PairCells::Spilled(spill) => spill.note(self.frame, outer, slots),
        }
    }

    /// Ends the layer, in which all slots noted have this value.
    pub fn flush(&mut self, value: Value) -> io::Result<()> {
        match &mut self.cells {
            PairCells::Spilled(spill) => spill.flush(value),
            _ => Ok(()),
        }
    }
}

/// Puts a byte, in place of 0, at the slots of a plane that the index has.
#[inline(always)]
pub fn put_bytes(bytes: &mut [u8], frame: &Frame, outer: usize, slots: &Plane, byte: u8) {
    for Row { number, first, columns } in frame.rows(outer) {
        let found = slots.0[number];
        if found != 0 {
            note_bytes(&mut bytes[first..first + columns.len()], found >> columns.start, byte);
        }
    }
}

/// Puts a word at the slots of a plane that the index has.
#[inline(always)]
pub fn put_words(words: &mut [u16], frame: &Frame, outer: usize, slots: &Plane, word: u16) {
    for Row { number, first, columns } in frame.rows(outer) {
        for column in Set(slots.0[number]) {
            if columns.contains(&column.index()) {
                words[first + column.index() - columns.start] = word;
            }
        }
    }
}

/// Notes a byte where the bits say so, as far as there are bytes.
#[inline(always)]
fn note_bytes(bytes: &mut [u8], found: u64, byte: u8) {
    let everywhere = u64::from_ne_bytes([byte; size_of::<u64>()]);
    let (eights, rest) = bytes.as_chunks_mut::<{ size_of::<u64>() }>();
    let mut bits = found.to_le_bytes().into_iter();
    for (eight, bits) in eights.iter_mut().zip(&mut bits) {
        let noted = SPREAD[usize::from(bits)].to_le() & everywhere;
        *eight = (u64::from_ne_bytes(*eight) | noted).to_ne_bytes();
    }
    let noted = bits.next().map_or(0, |bits| SPREAD[usize::from(bits)]).to_le_bytes();
    for (cell, noted) in rest.iter_mut().zip(noted) {
        *cell |= noted & byte;
    }
}
