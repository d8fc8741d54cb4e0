//! The record: in which layer each slot was found won or lost.

use super::bits::{PLANE_SLOTS, Plane};
use super::buffer::Buffer;
use rayon::prelude::*;
use sakmak_tables::distance::Moves;
use sakmak_tables::set::Set;
use sakmak_tables::square::SQUARES;
use std::io;

/// The distances found for one attacker and side to move.
#[derive(Debug)]
pub struct Record {
    /// By plane, row and column: the distance plus [`Record::least`], 0 for none.
    bytes: Buffer<u8>,
    /// By king pair: slots of the pair with distances too long for a byte.
    long: Vec<Vec<(u32, Moves)>>,
    scale: Scale,
    per_pair: usize,
}

/// What a byte of a record means.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// The byte of distance 0: 1 where mates on the board are recorded, else 0.
    zero: u8,
    /// The longest distance a byte holds.
    holds: Moves,
}

/// The byte that says the distance is kept beside.
const LONG: u8 = u8::MAX;

impl Scale {
    /// For distances from `least` on, 0 or 1; the longest a byte holds may be less than it
    /// could be.
    pub fn new(least: Moves, holds: Moves) -> Scale {
        let zero = if least == Moves(0) { 1 } else { 0 };
        Scale { zero, holds: holds.min(Moves(u32::from(LONG - 1 - zero))) }
    }

    fn byte(self, moves: Moves) -> u8 {
        if moves <= self.holds { moves.0 as u8 + self.zero } else { LONG }
    }
}

/// The part of a record for the planes of one king pair.
#[derive(Debug)]
pub struct PairRecord<'a> {
    bytes: &'a mut [u8],
    long: &'a mut Vec<(u32, Moves)>,
    scale: Scale,
}

impl Record {
    /// An empty record.
    pub fn new(pairs: usize, planes_per_pair: usize, scale: Scale) -> io::Result<Record> {
        let per_pair = planes_per_pair * PLANE_SLOTS;
        let bytes = Buffer::zeroed(pairs * per_pair)?;
        Ok(Record { bytes, long: vec![Vec::new(); pairs], scale, per_pair })
    }

    /// The parts of all king pairs, to be written side by side.
    pub fn pairs(&mut self) -> impl IndexedParallelIterator<Item = PairRecord<'_>> {
        let scale = self.scale;
        let bytes = self.bytes.par_chunks_mut(self.per_pair);
        bytes.zip(&mut self.long).map(move |(bytes, long)| PairRecord { bytes, long, scale })
    }

    /// Puts what was noted in order; to be done once, before reading.
    pub fn finish(&mut self) {
        self.long.par_iter_mut().for_each(|long| long.sort_unstable());
    }

    /// Whether every distance is in its byte.
    pub fn is_short(&self) -> bool {
        self.long.iter().all(Vec::is_empty)
    }

    /// The bytes of a row of a plane of a pair: the distance plus the byte of distance 0,
    /// 0 for none.
    pub fn row(&self, pair: usize, outer: usize, row: usize) -> &[u8] {
        let start = pair * self.per_pair + outer * PLANE_SLOTS + row * SQUARES;
        &self.bytes[start..start + SQUARES]
    }

    /// The distance of a slot, if one was noted.
    pub fn get(&self, pair: usize, outer: usize, row: usize, column: usize) -> Option<Moves> {
        match self.row(pair, outer, row)[column] {
            0 => None,
            LONG => {
                let slot = (outer * PLANE_SLOTS + row * SQUARES + column) as u32;
                let long = &self.long[pair];
                let place = long.binary_search_by_key(&slot, |long| long.0).ok()?;
                Some(long[place].1)
            }
            byte => Some(Moves(u32::from(byte - self.scale.zero))),
        }
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
    /// Notes that these slots of a plane, not noted before, have this distance.
    #[inline(always)]
    pub fn note(&mut self, outer: usize, slots: &Plane, moves: Moves) {
        let byte = self.scale.byte(moves);
        let start = outer * PLANE_SLOTS;
        let rows = self.bytes[start..start + PLANE_SLOTS].as_chunks_mut::<SQUARES>().0;
        let everywhere = u64::from_ne_bytes([byte; size_of::<u64>()]);
        for (bytes, &word) in rows.iter_mut().zip(&slots.0) {
            if word == 0 {
                continue;
            }
            let eights = bytes.as_chunks_mut::<{ size_of::<u64>() }>().0;
            for (eight, bits) in eights.iter_mut().zip(word.to_le_bytes()) {
                let noted = SPREAD[usize::from(bits)].to_le() & everywhere;
                *eight = (u64::from_ne_bytes(*eight) | noted).to_ne_bytes();
            }
        }
        if byte == LONG {
            self.note_long(outer, slots, moves);
        }
    }

    #[cold]
    fn note_long(&mut self, outer: usize, slots: &Plane, moves: Moves) {
        for (row, &word) in slots.0.iter().enumerate() {
            let slot = |column: sakmak_tables::square::Square| {
                (outer * PLANE_SLOTS + row * SQUARES + column.index()) as u32
            };
            self.long.extend(Set(word).map(|column| (slot(column), moves)));
        }
    }
}
