//! The log: chunks of bytes, in memory as far as they fit and on disk beyond.
//!
//! A thread appends to segments of its own, so threads wait for each other only on disk. Chunks on
//! disk are compressed: they are read once, and a disk is slower than zstd.

use crate::solver::buffer::Buffer;
use crate::system::scratch_file::ScratchFile;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Bytes of the first segment of a thread.
const FIRST_SEGMENT: usize = 1 << 20;
/// Bytes of its later segments at most, unless a chunk is longer: each is twice as long as the one
/// before.
const SEGMENT: usize = 1 << 24;
/// The level of zstd for chunks on disk.
const LEVEL: i32 = 1;
/// The least bytes of a chunk that is compressed: shorter ones take longer than they save.
const WORTH_COMPRESSING: usize = 1 << 10;

/// Chunks of bytes that are appended, then read.
pub struct Log {
    /// By thread of the pool; the last for threads that are not in it.
    shards: Vec<RwLock<Shard>>,
    /// Bytes of memory that may still be taken by this log and those that share the room.
    room: Arc<AtomicU64>,
    /// For the chunks that do not fit into memory.
    file: Option<ScratchFile>,
}

/// The segments of one thread.
#[derive(Default)]
struct Shard {
    segments: Vec<Buffer<u8>>,
    /// Bytes used of the last segment.
    used: usize,
    /// For the chunks that go to disk.
    compressor: Option<zstd::bulk::Compressor<'static>>,
}

/// The place of a chunk in the log.
#[derive(Clone, Copy, Debug)]
pub struct LogPlace {
    at: LogAddress,
    /// The bytes of the chunk.
    length: u32,
}

#[derive(Clone, Copy, Debug)]
enum LogAddress {
    Memory {
        shard: u16,
        segment: u32,
        start: u32,
    },
    /// Compressed if shorter than the chunk.
    Disk {
        start: u64,
        length: u32,
    },
}

impl Log {
    /// An empty log in memory.
    pub fn in_memory() -> Log {
        Log::new(Arc::new(AtomicU64::new(u64::MAX)), None)
    }

    /// An empty log that takes memory while there is room, and continues on the disk of a
    /// directory.
    ///
    /// # Errors
    ///
    /// If the directory cannot be written to.
    pub fn spilling(room: Arc<AtomicU64>, directory: &Path) -> io::Result<Log> {
        Ok(Log::new(room, Some(ScratchFile::create(directory)?)))
    }

    fn new(room: Arc<AtomicU64>, file: Option<ScratchFile>) -> Log {
        let shards = (0..=rayon::current_num_threads()).map(|_| RwLock::default()).collect();
        Log { shards, room, file }
    }

    /// Whether a chunk is on disk.
    pub fn is_on_disk(&self) -> bool {
        self.file.as_ref().is_some_and(|file| !file.is_empty())
    }

    /// Appends a chunk.
    ///
    /// # Errors
    ///
    /// If there is not enough memory and no disk, or not enough disk.
    pub fn append(&self, chunk: &[u8]) -> io::Result<LogPlace> {
        let length = u32::try_from(chunk.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let thread = rayon::current_thread_index().unwrap_or(usize::MAX);
        let shard = thread.min(self.shards.len() - 1);
        let mut own = self.shards[shard].write().unwrap_or_else(PoisonError::into_inner);
        let at = match (own.append(chunk, &self.room), &self.file) {
            (Ok((segment, start)), _) => LogAddress::Memory {
                shard: shard as u16,
                segment: segment as u32,
                start: start as u32,
            },
            (Err(error), Some(file)) if error.kind() == io::ErrorKind::OutOfMemory => {
                let compressed = own.compressed(chunk)?;
                drop(own);
                let stored = match &compressed {
                    Some(compressed) if compressed.len() < chunk.len() => compressed,
                    _ => chunk,
                };
                LogAddress::Disk { start: file.append(stored)?, length: stored.len() as u32 }
            }
            (Err(error), _) => return Err(error),
        };
        Ok(LogPlace { at, length })
    }

    /// Reads a chunk into `bytes`.
    ///
    /// # Errors
    ///
    /// If the disk cannot be read, or has other bytes than were written.
    pub fn read(&self, place: LogPlace, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        let length = place.length as usize;
        match (place.at, &self.file) {
            (LogAddress::Memory { shard, segment, start }, _) => {
                let shard = &self.shards[usize::from(shard)];
                let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
                let start = start as usize;
                bytes.extend_from_slice(&shard.segments[segment as usize][start..start + length]);
            }
            (LogAddress::Disk { start, length: stored }, Some(file)) => {
                let mut found = vec![0; stored as usize];
                file.read_at(start, &mut found)?;
                *bytes = match found.len() < length {
                    true => zstd::bulk::decompress(&found, length)?,
                    false => found,
                };
            }
            (LogAddress::Disk { .. }, None) => return Err(io::ErrorKind::NotFound.into()),
        }
        match bytes.len() == length {
            true => Ok(()),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl Shard {
    /// Appends a chunk; returns its segment and where it starts there.
    fn append(&mut self, chunk: &[u8], room: &AtomicU64) -> io::Result<(usize, usize)> {
        let last = self.segments.last().map_or(0, |segment| segment.len());
        if self.used + chunk.len() > last || self.segments.is_empty() {
            let length = (2 * last).clamp(FIRST_SEGMENT, SEGMENT).max(chunk.len());
            let take = |room: u64| room.checked_sub(length as u64);
            room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
                .map_err(|_| io::ErrorKind::OutOfMemory)?;
            self.segments.push(Buffer::unspecified(length)?);
            self.used = 0;
        }
        let (segment, start) = (self.segments.len() - 1, self.used);
        self.segments[segment][start..start + chunk.len()].copy_from_slice(chunk);
        self.used += chunk.len();
        Ok((segment, start))
    }

    /// A chunk compressed; `None` if it is too short.
    fn compressed(&mut self, chunk: &[u8]) -> io::Result<Option<Vec<u8>>> {
        if chunk.len() < WORTH_COMPRESSING {
            return Ok(None);
        }
        if self.compressor.is_none() {
            self.compressor = Some(zstd::bulk::Compressor::new(LEVEL)?);
        }
        self.compressor.as_mut().map(|compressor| compressor.compress(chunk)).transpose()
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("on_disk", &self.is_on_disk()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    fn chunk(number: usize) -> Vec<u8> {
        // Half of them cannot be compressed.
        let mut seed = number as u64 | 1;
        let next = move || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            if number.is_multiple_of(2) { (seed >> 56) as u8 } else { number as u8 }
        };
        std::iter::repeat_with(next).take(number * 1021 % 70_000).collect()
    }

    #[test]
    fn chunks_come_back_from_memory_and_from_disk() {
        let directory = tempfile::tempdir().unwrap();
        let room = |memory| Arc::new(AtomicU64::new(memory));
        let spilling = |memory| Log::spilling(room(memory), directory.path()).unwrap();
        let on_disk = |place: &LogPlace| matches!(place.at, LogAddress::Disk { .. });
        for (log, some, all) in [
            (Log::in_memory(), false, false),
            (spilling(0), true, true),
            (spilling(2 << 20), true, false),
        ] {
            let places: Vec<LogPlace> = (0..300usize)
                .into_par_iter()
                .map(|number| log.append(&chunk(number)).unwrap())
                .collect();
            assert_eq!((places.iter().any(on_disk), places.iter().all(on_disk)), (some, all));
            let mut bytes = Vec::new();
            for (number, &place) in places.iter().enumerate() {
                log.read(place, &mut bytes).unwrap();
                assert!(bytes == chunk(number), "{number}");
            }
        }
        let little = Log::new(room(1000), None);
        assert_eq!(little.append(&[0; 10]).unwrap_err().kind(), io::ErrorKind::OutOfMemory);
    }
}
