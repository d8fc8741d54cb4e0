//! The record of one side to move: the slots that each layer found.
//!
//! The slots that a layer finds in the planes of a king pair are appended to the log as one chunk;
//! only the location of the chunk is kept. After solving, the codes of a pair are gathered from its
//! chunks. Writing each distance to its slot at once would touch the whole table in every layer and
//! wait for memory most of the time.

use crate::parallel::*;
use crate::planes::bits::Plane;
use crate::planes::frame::Frame;
use crate::planes::geometry::Geometry;
use crate::solver::chunk::{ChunkPlanes, Slots, push_plane};
use crate::solver::log::{ChunkLocation, DiskLocation, Log};
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::distance::Value;
use sakmak_tables::values::Coding;
use std::io;
use std::sync::Arc;

/// Initial capacity of the buffer of a chunk, in bytes.
const CHUNK_BYTES: usize = 1 << 16;

/// The layers found for one side to move.
#[derive(Debug)]
pub struct Record {
    log: Arc<Log>,
    /// The chunks of each king pair and their values, in the order of writing.
    pairs: Vec<Vec<(ChunkLocation, Value)>>,
    /// The coding of the table: the longest win and loss found.
    coding: Coding,
}

/// The chunks of a record by king pair, all on disk.
pub type StoredChunks = Vec<Vec<(DiskLocation, Value)>>;

/// The part of a record for the planes of one king pair while a layer is found.
#[derive(Debug)]
pub struct PairRecord<'a> {
    frame: &'a Frame,
    log: &'a Log,
    chunks: &'a mut Vec<(ChunkLocation, Value)>,
    bytes: Vec<u8>,
}

impl Record {
    /// An empty record in this log.
    pub fn new(pairs: usize, log: Arc<Log>) -> Record {
        Record { log, pairs: vec![Vec::new(); pairs], coding: Coding::default() }
    }

    /// The record with these chunks of a log.
    pub fn of_stored(log: Arc<Log>, coding: Coding, chunks: StoredChunks) -> Record {
        let location = |(location, value)| (ChunkLocation::Disk(location), value);
        let chunks = chunks.into_iter().map(|chunks| chunks.into_iter().map(location).collect());
        Record { log, pairs: chunks.collect(), coding }
    }

    /// The chunks on disk. Chunks in memory are appended to the file of the log first.
    ///
    /// # Errors
    ///
    /// Same as [`Log::on_disk`].
    pub fn stored(&self) -> io::Result<StoredChunks> {
        let on_disk =
            |&(location, value): &(ChunkLocation, Value)| Ok((self.log.on_disk(location)?, value));
        self.pairs.par_iter().map(|chunks| chunks.iter().map(on_disk).collect()).collect()
    }

    /// The log.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Checks that all chunks can be read and have slots that the index has.
    ///
    /// # Errors
    ///
    /// If the log cannot be read, or a chunk is damaged.
    pub fn check(&self, geometry: &Geometry, frame: &Frame) -> io::Result<()> {
        (0..self.pairs.len()).into_par_iter().try_for_each(|pair| {
            let mut are_right = true;
            self.read(pair, |outer, slots, _| {
                let (mut plane, mut rows) = (Plane::EMPTY, Bitboard::EMPTY);
                slots.for_each(|row, columns| {
                    plane.0[row] |= columns;
                    rows.0 |= u64::from(columns != 0) << row;
                });
                are_right &= outer < geometry.planes_per_pair()
                    && frame.held(outer, &plane) == (plane, rows);
            })?;
            if are_right { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
        })
    }

    /// The coding of the values found.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// Extends the coding by a value.
    pub fn extend_coding(&mut self, value: Value) {
        match value {
            Value::Draw => {}
            Value::Win(moves) => self.coding.wins = self.coding.wins.max(moves),
            Value::Loss(moves) => self.coding.losses = self.coding.losses.max(Some(moves)),
        }
    }

    /// The parts of all king pairs, which may be written in parallel.
    pub fn pairs<'a>(
        &'a mut self,
        frame: &'a Frame,
    ) -> impl Iterator<Item = PairRecord<'a>> + use<'a> {
        let log = &*self.log;
        self.pairs.iter_mut().map(move |chunks| PairRecord {
            frame,
            log,
            chunks,
            bytes: Vec::new(),
        })
    }

    /// Whether a part of the log is on disk.
    pub fn is_on_disk(&self) -> bool {
        self.log.is_on_disk()
    }

    /// Calls `visit` with outer placement, slots and value for the slots found in a king pair.
    ///
    /// # Errors
    ///
    /// If the log cannot be read, or a chunk is damaged.
    #[inline(always)]
    pub fn read(
        &self,
        pair: usize,
        mut visit: impl FnMut(usize, Slots<'_>, Value),
    ) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(CHUNK_BYTES);
        for &(location, value) in &self.pairs[pair] {
            self.log.read(location, &mut bytes)?;
            for (outer, slots) in ChunkPlanes::new(&bytes)? {
                visit(outer, slots, value);
            }
        }
        Ok(())
    }
}

impl PairRecord<'_> {
    /// Adds the slots of a plane that the index has to the layer.
    #[inline(always)]
    pub fn note(&mut self, outer: usize, slots: &Plane) {
        let (held, rows) = self.frame.held(outer, slots);
        if self.bytes.capacity() == 0 {
            // Growing from an empty buffer takes longer.
            self.bytes.reserve(CHUNK_BYTES);
        }
        push_plane(&mut self.bytes, outer, &held, rows);
    }

    /// Ends the layer: appends its slots, all of this value, to the log.
    ///
    /// # Errors
    ///
    /// If there is not enough memory or disk.
    pub fn flush(&mut self, value: Value) -> io::Result<()> {
        if !self.bytes.is_empty() {
            self.chunks.push((self.log.append(&self.bytes)?, value));
        }
        Ok(())
    }
}
