//! Conversions: slots that hold the value of a subtable, by king pair and distance.
//!
//! A layer reads the conversions of one distance, king pair by king pair. They are a chunk of a
//! log, which is in memory as far as it fits.

use crate::planes::bits::Plane;
use crate::solver::chunk::{ChunkPlanes, Slots, push_plane};
use crate::solver::log::{ChunkLocation, Log};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::kings::KingPair;
use std::io;
use std::sync::Arc;

/// The chunks of a king pair, by ascending distance.
pub type PairChunks = Vec<(Moves, ChunkLocation)>;

/// The conversions after the moves of one side.
#[derive(Debug)]
pub struct MoverConversions {
    /// Conversions won for the opponent, who is to move.
    pub won: Conversions,
    /// Conversions lost for the opponent.
    pub lost: Conversions,
    /// Passing slots in which a capture in passing saves the opponent: it wins or draws.
    pub saved: Conversions,
    /// Passing slots in which the opponent's best capture in passing loses.
    pub doomed: Conversions,
}

/// Conversions of one result.
#[derive(Debug)]
pub struct Conversions {
    log: Arc<Log>,
    /// Chunks by king pair.
    pairs: Vec<PairChunks>,
}

impl Conversions {
    /// The conversions in these chunks of a log, by king pair.
    pub fn new(log: Arc<Log>, pairs: Vec<PairChunks>) -> Conversions {
        Conversions { log, pairs }
    }

    /// The greatest distance.
    pub fn last(&self) -> Moves {
        let last = self.pairs.iter().filter_map(|chunks| chunks.last());
        last.map(|&(moves, _)| moves).max().unwrap_or_default()
    }

    /// Calls `visit` with the planes of a king pair, of all distances.
    ///
    /// # Errors
    ///
    /// If the log cannot be read.
    pub fn for_each(
        &self,
        pair: KingPair,
        mut visit: impl FnMut(usize, Slots<'_>),
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        for &(moves, _) in &self.pairs[pair.0 as usize] {
            self.read(pair, moves, &mut bytes)?;
            ChunkPlanes::new(&bytes)?.for_each(|(outer, slots)| visit(outer, slots));
        }
        Ok(())
    }

    /// Whether a king pair has a conversion of this distance.
    pub fn is_due(&self, pair: KingPair, moves: Moves) -> bool {
        self.chunk(pair, moves).is_some()
    }

    /// Reads the chunk of a king pair and a distance into `bytes`; empty if the chunk does not
    /// exist.
    ///
    /// # Errors
    ///
    /// If the log cannot be read.
    pub fn read(&self, pair: KingPair, moves: Moves, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        self.chunk(pair, moves).map_or(Ok(()), |location| self.log.read(location, bytes))
    }

    fn chunk(&self, pair: KingPair, moves: Moves) -> Option<ChunkLocation> {
        let chunks = &self.pairs[pair.0 as usize];
        let found = chunks.binary_search_by_key(&moves, |&(moves, _)| moves).ok()?;
        Some(chunks[found].1)
    }
}

/// The result and the distance of a conversion, as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConversionValue(u32);

impl ConversionValue {
    /// Neither side wins: no conversion.
    pub const DRAW: ConversionValue = ConversionValue(0);

    /// Marks a passing slot in which a capture in passing wins or draws.
    pub const SAVED: ConversionValue = ConversionValue(1);

    /// The number of a value.
    pub fn of(value: Value) -> ConversionValue {
        match value {
            Value::Draw => ConversionValue::DRAW,
            Value::Win(moves) => ConversionValue(2 * moves.0 + 1),
            Value::Loss(moves) => ConversionValue(2 * moves.0 + 2),
        }
    }

    /// The value before a move to a position of this value, for the side that moves.
    pub fn before_move(self) -> ConversionValue {
        // A win of the opponent is a loss in as many moves, its loss a win in one move more.
        if self == ConversionValue::DRAW { self } else { ConversionValue(self.0 + 1) }
    }

    /// Whether the side to move loses.
    pub fn is_loss(self) -> bool {
        self != ConversionValue::DRAW && self.0.is_multiple_of(2)
    }

    /// The value that the side whose move led to either prefers: the quicker loss of the side to
    /// move, else a draw, else its slower win.
    pub fn preferred(
        one: Option<ConversionValue>,
        other: ConversionValue,
    ) -> Option<ConversionValue> {
        let rank = |value: &ConversionValue| match i64::from(value.0) {
            0 => 0,
            win if win % 2 == 1 => win - i64::from(u32::MAX),
            loss => i64::from(u32::MAX) - loss,
        };
        one.into_iter().chain([other]).max_by_key(rank)
    }
}

/// The conversions of one king pair while they are gathered, plane by plane.
#[derive(Debug, Default)]
pub struct PairConversions {
    /// Slots by value.
    slots: Vec<ConversionSlots>,
    /// The values in the current plane.
    met: Vec<ConversionValue>,
}

/// The conversions of one value.
#[derive(Clone, Debug)]
struct ConversionSlots {
    /// Conversions in the current plane.
    plane: Plane,
    /// Rows of the current plane with conversions.
    rows: Bitboard,
    /// Conversions in the planes before.
    chunk: Vec<u8>,
}

impl PairConversions {
    /// Adds slots of a row to the current plane, unless the value is a draw.
    #[inline(always)]
    pub fn insert(&mut self, value: ConversionValue, row: usize, columns: u64) {
        if value == ConversionValue::DRAW {
            return;
        }
        let number = value.0 as usize;
        if number >= self.slots.len() {
            let none =
                ConversionSlots { plane: Plane::EMPTY, rows: Bitboard::EMPTY, chunk: Vec::new() };
            self.slots.resize(number + 1, none);
        }
        let slots = &mut self.slots[number];
        if slots.rows.is_empty() {
            self.met.push(value);
        }
        slots.plane.0[row] |= columns;
        slots.rows.0 |= 1 << row;
    }

    /// Ends the current plane, which has this outer placement.
    pub fn end_plane(&mut self, outer: usize) {
        for value in self.met.drain(..) {
            let ConversionSlots { plane, rows, chunk } = &mut self.slots[value.0 as usize];
            push_plane(chunk, outer, plane, *rows);
            for row in std::mem::take(rows) {
                plane.0[row.index()] = 0;
            }
        }
    }

    /// Ends the king pair: appends its conversions to the log. Returns the chunks of won and of
    /// lost conversions.
    ///
    /// # Errors
    ///
    /// If there is not enough memory or disk.
    pub fn flush(&mut self, log: &Log) -> io::Result<(PairChunks, PairChunks)> {
        let (mut won, mut lost) = (Vec::new(), Vec::new());
        for (number, slots) in self.slots.iter_mut().enumerate().skip(1) {
            if !slots.chunk.is_empty() {
                let location = log.append(&slots.chunk)?;
                slots.chunk.clear();
                let moves = Moves((number as u32 - 1) / 2);
                if number % 2 == 1 { &mut won } else { &mut lost }.push((moves, location));
            }
        }
        Ok((won, lost))
    }
}
