//! Layers on disk: what is found, written down in sequence and gathered pair by pair.
//!
//! Where the record of a table does not fit into memory, what a layer finds in the planes
//! of a king pair is appended to one file as a chunk, and only the chunk's place is kept.
//! A pair's codes are gathered from its chunks, at most one for each layer and either
//! attacker. The file has no name: it goes with the process, however that ends.
//!
//! A chunk is a run of planes: outer placement (4 bytes), number of slots found (2), then
//! the slots (2 each) or, where that is shorter, a bit for each slot of the plane.

use super::bits::Plane;
use super::frame::{Frame, Row};
use sakmak_tables::distance::Value;
use sakmak_tables::set::Set;
use sakmak_tables::square::SQUARES;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The most slots listed; more are a bit each.
const LISTED: usize = SQUARES * SQUARES / (2 * u8::BITS as usize);

/// A file of layers.
#[derive(Debug)]
pub struct Spill {
    file: Mutex<File>,
    /// By king pair, in the order in which they were written.
    pairs: Vec<Vec<Chunk>>,
}

/// Where a layer of one pair is.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    at: u64,
    length: usize,
    value: Value,
}

/// The layer of one pair that is being found.
#[derive(Debug)]
pub struct PairSpill<'a> {
    file: &'a Mutex<File>,
    chunks: &'a mut Vec<Chunk>,
    bytes: Vec<u8>,
}

impl Spill {
    /// A file without a name in a directory.
    pub fn new(directory: &Path, pairs: usize) -> io::Result<Spill> {
        let file = Mutex::new(tempfile::tempfile_in(directory)?);
        Ok(Spill { file, pairs: vec![Vec::new(); pairs] })
    }

    /// The parts of all pairs, to be written side by side.
    pub fn pairs(&mut self) -> impl Iterator<Item = PairSpill<'_>> {
        let file = &self.file;
        self.pairs.iter_mut().map(move |chunks| PairSpill { file, chunks, bytes: Vec::new() })
    }

    /// Calls `visit` with all that was found in a pair: outer placement, slots, value.
    pub fn read(&self, pair: usize, mut visit: impl FnMut(usize, &Plane, Value)) -> io::Result<()> {
        let cut = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let mut bytes = Vec::new();
        for chunk in &self.pairs[pair] {
            bytes.resize(chunk.length, 0);
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(chunk.at))?;
            file.read_exact(&mut bytes)?;
            drop(file);
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (outer, after) = rest.split_first_chunk().ok_or_else(cut)?;
                let (count, after) = after.split_first_chunk().ok_or_else(cut)?;
                let count = usize::from(u16::from_le_bytes(*count));
                let mut plane = Plane::EMPTY;
                if count <= LISTED {
                    let (slots, after) = after.split_at_checked(2 * count).ok_or_else(cut)?;
                    for &slot in slots.as_chunks::<2>().0 {
                        let slot = usize::from(u16::from_le_bytes(slot));
                        plane.0[slot / SQUARES % SQUARES] |= 1 << (slot % SQUARES);
                    }
                    rest = after;
                } else {
                    let length = size_of::<Plane>();
                    let (words, after) = after.split_at_checked(length).ok_or_else(cut)?;
                    for (word, &bytes) in plane.0.iter_mut().zip(words.as_chunks().0) {
                        *word = u64::from_le_bytes(bytes);
                    }
                    rest = after;
                }
                visit(u32::from_le_bytes(*outer) as usize, &plane, chunk.value);
            }
        }
        Ok(())
    }
}

impl PairSpill<'_> {
    /// Notes slots of a plane, as far as the index has them.
    pub fn note(&mut self, frame: &Frame, outer: usize, slots: &Plane) {
        let mut held = Plane::EMPTY;
        for Row { number, columns, .. } in frame.rows(outer) {
            let below =
                |end: usize| Set::ALL.0.checked_shl(end as u32).map_or(Set::ALL, |s| !Set(s));
            held.0[number] = slots.0[number] & (below(columns.end) - below(columns.start)).0;
        }
        let count = held.0.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        if count == 0 {
            return;
        }
        self.bytes.extend((outer as u32).to_le_bytes());
        self.bytes.extend((count as u16).to_le_bytes());
        if count > LISTED {
            self.bytes.extend(held.0.iter().flat_map(|word| word.to_le_bytes()));
            return;
        }
        for (row, &word) in held.0.iter().enumerate() {
            for column in Set(word) {
                self.bytes.extend(((row * SQUARES + column.index()) as u16).to_le_bytes());
            }
        }
    }

    /// Writes down what was noted, which all has this value.
    pub fn flush(&mut self, value: Value) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let at = file.seek(SeekFrom::End(0))?;
        file.write_all(&self.bytes)?;
        self.chunks.push(Chunk { at, length: self.bytes.len(), value });
        Ok(())
    }
}
