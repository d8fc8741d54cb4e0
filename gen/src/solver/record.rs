//! The record of one side to move: a log of the slots that each layer found.
//!
//! The slots that a layer finds in the planes of a king pair are appended to the log as one
//! chunk, in memory or in a file; only the place of the chunk is kept. After solving, the codes
//! of a pair are gathered from its chunks. Writing each distance to its slot at once would touch
//! the whole table in every layer and wait for memory most of the time.
//!
//! A chunk is a sequence of planes: outer placement (4 bytes), number of slots (2 bytes), and
//! then the shorter of two lists: the slots (2 bytes each); or, marked by the highest bit of the
//! number, the set of rows that have slots (8 bytes) and the words of these rows (8 bytes each).

use crate::planes::bits::Plane;
use crate::planes::frame::Frame;
use crate::solver::buffer::Buffer;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Value;
use sakmak_tables::values::Coding;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The bit that marks a plane written as words.
const WORDS: u16 = 1 << 15;
/// The most slots that are listed; more are shorter as words.
const LONGEST: usize = (SQUARES + 1) * size_of::<u64>() / size_of::<u16>();
/// Bytes of a segment of the log in memory; the last one may be almost empty.
pub const SEGMENT: usize = 32 << 20;

/// The slots of a plane, as they are in the log.
#[derive(Clone, Copy, Debug)]
pub enum Slots<'a> {
    /// The number of each slot: row times the length of a row plus column, little-endian.
    Listed(&'a [[u8; 2]]),
    /// The rows that have slots, and their words.
    Words(Bitboard, &'a [[u8; size_of::<u64>()]]),
}

/// The layers found for one side to move.
#[derive(Debug)]
pub struct Record {
    log: Mutex<Log>,
    /// By king pair: its chunks in the order in which they were written.
    pairs: Vec<Vec<LogChunk>>,
    /// The coding of the table: the longest win and loss found.
    coding: Coding,
}

/// The bytes of all chunks.
#[derive(Debug)]
enum Log {
    /// In segments, each chunk in one; and the bytes used of the last segment.
    Memory(Vec<Buffer<u8>>, usize),
    /// In a file without a name, which the system removes when the process ends.
    Disk(File),
}

/// The place in the log of one layer of a king pair.
#[derive(Clone, Copy, Debug)]
struct LogChunk {
    segment: usize,
    at: u64,
    length: usize,
    value: Value,
}

/// The part of a record for the planes of one king pair while a layer is found.
#[derive(Debug)]
pub struct PairRecord<'a> {
    frame: &'a Frame,
    log: &'a Mutex<Log>,
    chunks: &'a mut Vec<LogChunk>,
    bytes: Vec<u8>,
}

impl Record {
    /// An empty record: on disk if there is a directory to spill to, otherwise in memory.
    pub fn new(pairs: usize, spill: Option<&Path>) -> io::Result<Record> {
        let log = match spill {
            Some(directory) => Log::Disk(tempfile::tempfile_in(directory)?),
            None => Log::Memory(Vec::new(), SEGMENT),
        };
        let pairs = vec![Vec::new(); pairs];
        Ok(Record { log: Mutex::new(log), pairs, coding: Coding::default() })
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
    pub fn pairs<'a>(&'a mut self, frame: &'a Frame) -> Vec<PairRecord<'a>> {
        let log = &self.log;
        let part = |chunks| PairRecord { frame, log, chunks, bytes: Vec::new() };
        self.pairs.iter_mut().map(part).collect()
    }

    /// Whether the log is on disk.
    pub fn is_on_disk(&self) -> bool {
        matches!(*lock(&self.log), Log::Disk(_))
    }

    /// Calls `visit` for the slots found in a king pair, with outer placement, slots and value.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or a chunk is damaged.
    pub fn read(
        &self,
        pair: usize,
        mut visit: impl FnMut(usize, Slots<'_>, Value),
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        for chunk in &self.pairs[pair] {
            bytes.clear();
            match &mut *lock(&self.log) {
                Log::Memory(segments, _) => {
                    let start = chunk.at as usize;
                    bytes.extend_from_slice(&segments[chunk.segment][start..start + chunk.length]);
                }
                Log::Disk(file) => {
                    bytes.resize(chunk.length, 0);
                    file.seek(SeekFrom::Start(chunk.at))?;
                    file.read_exact(&mut bytes)?;
                }
            }
            read_chunk(&bytes, |outer, slots| visit(outer, slots, chunk.value))
                .ok_or(io::ErrorKind::InvalidData)?;
        }
        Ok(())
    }
}

fn lock(log: &Mutex<Log>) -> std::sync::MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `visit` for the planes of a chunk; returns `None` if it is cut short.
fn read_chunk(mut bytes: &[u8], mut visit: impl FnMut(usize, Slots<'_>)) -> Option<()> {
    while let Some((outer, rest)) = bytes.split_first_chunk() {
        let outer = u32::from_le_bytes(*outer) as usize;
        let (count, rest) = rest.split_first_chunk()?;
        let count = u16::from_le_bytes(*count);
        if count & WORDS == 0 {
            let (slots, rest) = rest.split_at_checked(size_of::<u16>() * usize::from(count))?;
            visit(outer, Slots::Listed(slots.as_chunks().0));
            bytes = rest;
        } else {
            let (rows, rest) = rest.split_first_chunk()?;
            let rows = Bitboard(u64::from_le_bytes(*rows));
            let (words, rest) = rest.split_at_checked(size_of::<u64>() * rows.len())?;
            visit(outer, Slots::Words(rows, words.as_chunks().0));
            bytes = rest;
        }
    }
    bytes.is_empty().then_some(())
}

impl PairRecord<'_> {
    /// Adds the slots of a plane that the index has to the layer.
    #[inline(always)]
    pub fn note(&mut self, outer: usize, slots: &Plane) {
        let (held, rows) = self.frame.held(outer, slots);
        let mut count = 0;
        for row in rows {
            count += held.0[row.index()].count_ones() as u16;
        }
        if count == 0 {
            return;
        }
        let (outer, length) = ((outer as u32).to_le_bytes(), size_of::<u64>() * (1 + rows.len()));
        if size_of::<u16>() * usize::from(count) > length {
            let mut words = [[0; size_of::<u64>()]; SQUARES + 1];
            words[0] = rows.0.to_le_bytes();
            for (word, row) in words[1..].iter_mut().zip(rows) {
                *word = held.0[row.index()].to_le_bytes();
            }
            self.bytes.extend_from_slice(&outer);
            self.bytes.extend_from_slice(&(count | WORDS).to_le_bytes());
            self.bytes.extend_from_slice(words[..1 + rows.len()].as_flattened());
            return;
        }
        // Collected here first: growing the log slot by slot takes longer.
        let mut listed = [[0; size_of::<u16>()]; LONGEST];
        let mut places = listed.iter_mut();
        for row in rows {
            for (column, place) in Bitboard(held.0[row.index()]).zip(&mut places) {
                *place = ((row.index() * SQUARES + column.index()) as u16).to_le_bytes();
            }
        }
        self.bytes.extend_from_slice(&outer);
        self.bytes.extend_from_slice(&count.to_le_bytes());
        self.bytes.extend_from_slice(listed[..usize::from(count)].as_flattened());
    }

    /// Ends the layer: appends its slots, all of this value, to the log.
    ///
    /// # Errors
    ///
    /// If there is not enough memory or disk.
    pub fn flush(&mut self, value: Value) -> io::Result<()> {
        let length = self.bytes.len();
        if length == 0 {
            return Ok(());
        }
        let (segment, at) = match &mut *lock(self.log) {
            Log::Memory(segments, used) => {
                if *used + length > segments.last().map_or(0, |segment| segment.len()) {
                    segments.push(Buffer::unspecified(length.max(SEGMENT))?);
                    *used = 0;
                }
                let (segment, at) = (segments.len() - 1, *used);
                segments[segment][at..at + length].copy_from_slice(&self.bytes);
                *used += length;
                (segment, at as u64)
            }
            Log::Disk(file) => {
                let at = file.seek(SeekFrom::End(0))?;
                file.write_all(&self.bytes)?;
                (0, at)
            }
        };
        self.chunks.push(LogChunk { segment, at, length, value });
        Ok(())
    }
}
