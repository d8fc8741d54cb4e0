//! The record of one side to move: the slots that each layer found.
//!
//! The slots that a layer finds in the planes of a king pair are appended to the log as one
//! chunk; only the place of the chunk is kept. After solving, the codes of a pair are gathered
//! from its chunks. Writing each distance to its slot at once would touch the whole table in
//! every layer and wait for memory most of the time.

use crate::planes::bits::Plane;
use crate::planes::frame::Frame;
use crate::solver::chunk::{ChunkPlanes, Slots, push_plane};
use crate::solver::log::{Log, LogPlace};
use sakmak_tables::distance::Value;
use sakmak_tables::values::Coding;
use std::io;
use std::sync::Arc;

/// The layers found for one side to move.
#[derive(Debug)]
pub struct Record {
    log: Arc<Log>,
    /// By king pair: its chunks and their values, in the order in which they were written.
    pairs: Vec<Vec<(LogPlace, Value)>>,
    /// The coding of the table: the longest win and loss found.
    coding: Coding,
}

/// The part of a record for the planes of one king pair while a layer is found.
#[derive(Debug)]
pub struct PairRecord<'a> {
    frame: &'a Frame,
    log: &'a Log,
    chunks: &'a mut Vec<(LogPlace, Value)>,
    bytes: Vec<u8>,
}

impl Record {
    /// An empty record in this log.
    pub fn new(pairs: usize, log: Arc<Log>) -> Record {
        Record { log, pairs: vec![Vec::new(); pairs], coding: Coding::default() }
    }

    /// The coding of the values found.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// Extends the coding by a value that was found.
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

    /// Calls `visit` for the slots found in a king pair, with outer placement, slots and value.
    ///
    /// # Errors
    ///
    /// If the log cannot be read, or a chunk is damaged.
    pub fn read(
        &self,
        pair: usize,
        mut visit: impl FnMut(usize, Slots<'_>, Value),
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        for &(place, value) in &self.pairs[pair] {
            self.log.read(place, &mut bytes)?;
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
