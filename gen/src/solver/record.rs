//! The record of one side to move: what each layer found, written down in sequence.
//!
//! What a layer finds in the planes of a king pair is appended as one chunk to a log, in
//! memory or in a file, and only the chunk's place is kept. When all is solved a pair's
//! codes are gathered from its chunks. Noting each distance at once where it belongs would
//! touch the whole table again in every layer, and wait for memory most of the time.
//!
//! A chunk is a run of planes: outer placement (4 bytes), number of slots (2), and then
//! the shorter of the slots themselves (2 bytes each) and, marked in the number's highest
//! bit, the rows that have any (8 bytes, a bit each) with their words (8 bytes each).

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

/// The mark of a plane written as words.
const WORDS: u16 = 1 << 15;
/// The most slots listed: more are shorter as words.
const LONGEST: usize = (SQUARES + 1) * size_of::<u64>() / size_of::<u16>();
/// Bytes of a piece of memory: a log takes up to so much more than its chunks.
pub const PIECE: usize = 32 << 20;

/// Slots of a plane, as they were written down.
#[derive(Clone, Copy, Debug)]
pub enum Slots<'a> {
    /// Each by itself: row times the length of a row plus column, little-endian.
    Listed(&'a [[u8; 2]]),
    /// The rows that have any, and their words.
    Words(Bitboard, &'a [[u8; size_of::<u64>()]]),
}

/// What was found for one side to move.
#[derive(Debug)]
pub struct Record {
    log: Mutex<Log>,
    /// By king pair, in the order in which they were written.
    pairs: Vec<Vec<LogChunk>>,
    /// The longest win and loss found; their codes are those of the table.
    found: Coding,
}

/// Where the chunks are.
#[derive(Debug)]
enum Log {
    /// In pieces, each chunk in one, and how much of the last is used.
    Memory(Vec<Buffer<u8>>, usize),
    /// In a file without a name: it goes with the process, however that ends.
    Disk(File),
}

/// Where a layer of one pair is.
#[derive(Clone, Copy, Debug)]
struct LogChunk {
    piece: usize,
    at: u64,
    length: usize,
    value: Value,
}

/// The part of a record for the planes of one king pair, while one layer is found.
#[derive(Debug)]
pub struct PairRecord<'a> {
    frame: &'a Frame,
    log: &'a Mutex<Log>,
    chunks: &'a mut Vec<LogChunk>,
    bytes: Vec<u8>,
}

impl Record {
    /// An empty record, on disk where a directory is given.
    pub fn new(pairs: usize, spill: Option<&Path>) -> io::Result<Record> {
        let log = match spill {
            Some(directory) => Log::Disk(tempfile::tempfile_in(directory)?),
            None => Log::Memory(Vec::new(), PIECE),
        };
        let pairs = vec![Vec::new(); pairs];
        Ok(Record { log: Mutex::new(log), pairs, found: Coding::default() })
    }

    /// How the values found are coded.
    pub fn coding(&self) -> Coding {
        self.found
    }

    /// Says that slots of this value were found.
    pub fn found(&mut self, value: Value) {
        match value {
            Value::Draw => {}
            Value::Win(moves) => self.found.wins = self.found.wins.max(moves),
            Value::Loss(moves) => self.found.losses = self.found.losses.max(Some(moves)),
        }
    }

    /// The parts of all king pairs, to be written side by side.
    pub fn pairs<'a>(&'a mut self, frame: &'a Frame) -> Vec<PairRecord<'a>> {
        let log = &self.log;
        let part = |chunks| PairRecord { frame, log, chunks, bytes: Vec::new() };
        self.pairs.iter_mut().map(part).collect()
    }

    /// Whether the log is on disk.
    pub fn is_on_disk(&self) -> bool {
        matches!(*lock(&self.log), Log::Disk(_))
    }

    /// Calls `visit` with all that was found in a pair: outer placement, slots, their value.
    pub fn read(
        &self,
        pair: usize,
        mut visit: impl FnMut(usize, Slots<'_>, Value),
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        for chunk in &self.pairs[pair] {
            bytes.clear();
            match &mut *lock(&self.log) {
                Log::Memory(pieces, _) => {
                    let start = chunk.at as usize;
                    bytes.extend_from_slice(&pieces[chunk.piece][start..start + chunk.length]);
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

/// Reads the planes of a chunk; nothing where it is cut short.
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
    /// Notes slots of a plane, as far as the index has them.
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
        // Put together here first: growing the log slot by slot would take longer.
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

    /// Ends the layer: writes down what was noted, which all has this value.
    pub fn flush(&mut self, value: Value) -> io::Result<()> {
        let length = self.bytes.len();
        if length == 0 {
            return Ok(());
        }
        let (piece, at) = match &mut *lock(self.log) {
            Log::Memory(pieces, used) => {
                if *used + length > pieces.last().map_or(0, |piece| piece.len()) {
                    pieces.push(Buffer::unspecified(length.max(PIECE))?);
                    *used = 0;
                }
                let (piece, at) = (pieces.len() - 1, *used);
                pieces[piece][at..at + length].copy_from_slice(&self.bytes);
                *used += length;
                (piece, at as u64)
            }
            Log::Disk(file) => {
                let at = file.seek(SeekFrom::End(0))?;
                file.write_all(&self.bytes)?;
                (0, at)
            }
        };
        self.chunks.push(LogChunk { piece, at, length, value });
        Ok(())
    }
}
