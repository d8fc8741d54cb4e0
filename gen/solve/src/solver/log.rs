//! The log: chunks of bytes, in memory as far as they fit and on disk beyond.
//!
//! A thread appends to segments of its own, so threads wait for each other only on disk. Chunks on
//! disk are compressed: they are read once, and a disk is slower than zstd.

use crate::solver::buffer::Buffer;
use crate::solver::scratch::ScratchFile;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the first segment of a thread.
const FIRST_SEGMENT: usize = 1 << 20;
/// The maximum number of bytes of later segments, unless a chunk is longer. Each segment is twice
/// as long as the segment before.
const SEGMENT: usize = 1 << 24;
/// The least bytes of a chunk that is compressed: shorter chunks take longer than they save.
const WORTH_COMPRESSING: usize = 1 << 10;

/// Chunks of bytes that are appended, then read.
pub struct Log {
    /// Shards by thread of the pool; the last shard is for other threads.
    shards: Vec<RwLock<Shard>>,
    /// Bytes of memory still available to this log and the logs that share the room.
    room: Arc<AtomicU64>,
    /// Storage for the chunks that do not fit into memory.
    file: Option<Box<dyn ScratchFile>>,
}

/// The segments of one thread.
#[derive(Default)]
struct Shard {
    segments: Vec<Buffer<u8>>,
    /// Bytes used of the last segment.
    used: usize,
}

/// The location of a chunk in the log.
#[derive(Clone, Copy, Debug)]
pub enum ChunkLocation {
    /// A segment of a thread.
    Memory {
        /// The thread.
        shard: u16,
        /// The segment.
        segment: u32,
        /// The first byte in the segment.
        start: u32,
        /// The bytes of the chunk.
        length: u32,
    },
    /// The file.
    Disk(DiskLocation),
}

/// The location of a chunk in the file of a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DiskLocation {
    /// The first byte.
    pub start: u64,
    /// The bytes in the file. If they are fewer than the bytes of the chunk, they are compressed.
    pub stored: u32,
    /// The bytes of the chunk.
    pub length: u32,
    /// The checksum of the bytes in the file.
    pub checksum: u32,
}

impl Log {
    /// An empty log in memory.
    pub fn in_memory() -> Log {
        Log::new(Arc::new(AtomicU64::new(u64::MAX)), None)
    }

    /// A log that takes memory while there is room, and continues in a file.
    pub fn spilling(room: Arc<AtomicU64>, file: Box<dyn ScratchFile>) -> Log {
        Log::new(room, Some(file))
    }

    fn new(room: Arc<AtomicU64>, file: Option<Box<dyn ScratchFile>>) -> Log {
        let shards =
            (0..=crate::parallel::current_num_threads()).map(|_| RwLock::default()).collect();
        Log { shards, room, file }
    }

    /// Whether a chunk is on disk.
    pub fn is_on_disk(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.length() > 0)
    }

    /// Appends a chunk.
    ///
    /// # Errors
    ///
    /// If memory is too small and the log has no file, or the disk is full.
    pub fn append(&self, chunk: &[u8]) -> io::Result<ChunkLocation> {
        let length = u32::try_from(chunk.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let (shard, mut own) = self.own_shard();
        let appended = own.append(chunk, &self.room);
        // Other threads do not wait for the disk.
        drop(own);
        match (appended, &self.file) {
            (Ok((segment, start)), _) => Ok(ChunkLocation::Memory {
                shard: shard as u16,
                segment: segment as u32,
                start: start as u32,
                length,
            }),
            (Err(error), Some(file)) if error.kind() == io::ErrorKind::OutOfMemory => {
                Ok(ChunkLocation::Disk(append_to(&**file, chunk)?))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// The index of this thread's shard, and its segments.
    fn own_shard(&self) -> (usize, RwLockWriteGuard<'_, Shard>) {
        let thread = crate::parallel::current_thread_index().unwrap_or(usize::MAX);
        let shard = thread.min(self.shards.len() - 1);
        (shard, self.shards[shard].write().unwrap_or_else(PoisonError::into_inner))
    }

    /// The location of a chunk in the file. A chunk in memory is appended first.
    ///
    /// # Errors
    ///
    /// If the log has no file, or there is not enough disk.
    pub fn on_disk(&self, location: ChunkLocation) -> io::Result<DiskLocation> {
        match (location, &self.file) {
            (ChunkLocation::Disk(location), _) => Ok(location),
            (ChunkLocation::Memory { .. }, None) => Err(io::ErrorKind::NotFound.into()),
            (ChunkLocation::Memory { .. }, Some(file)) => {
                let mut chunk = Vec::new();
                self.read(location, &mut chunk)?;
                append_to(&**file, &chunk)
            }
        }
    }

    /// Appends the last bytes to the file and names the file.
    ///
    /// # Errors
    ///
    /// If the log has no file that can have a name, or there is not enough disk.
    pub fn commit(&self, last: &[u8]) -> io::Result<()> {
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        file.append(last)?;
        file.commit()
    }

    /// Reads a chunk into `bytes`.
    ///
    /// # Errors
    ///
    /// If the disk cannot be read, or returns other bytes than were written.
    pub fn read(&self, location: ChunkLocation, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        let length = match (location, &self.file) {
            (ChunkLocation::Memory { shard, segment, start, length }, _) => {
                let shard = &self.shards[usize::from(shard)];
                let shard = shard.read().unwrap_or_else(PoisonError::into_inner);
                let (start, length) = (start as usize, length as usize);
                bytes.extend_from_slice(&shard.segments[segment as usize][start..start + length]);
                length
            }
            (ChunkLocation::Disk(DiskLocation { start, stored, length, checksum }), Some(file)) => {
                let mut found = vec![0; stored as usize];
                file.read_at(start, &mut found)?;
                if checksum_of(&found) != checksum {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                *bytes = match stored < length {
                    true => file.decompress(&found, length as usize)?,
                    false => found,
                };
                length as usize
            }
            (ChunkLocation::Disk(_), None) => return Err(io::ErrorKind::NotFound.into()),
        };
        match bytes.len() == length {
            true => Ok(()),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// Appends a chunk to the file of a log, compressed if that is shorter.
fn append_to(file: &dyn ScratchFile, chunk: &[u8]) -> io::Result<DiskLocation> {
    let compressed = match chunk.len() < WORTH_COMPRESSING {
        true => None,
        false => file.compress(chunk)?,
    };
    let stored = match &compressed {
        Some(compressed) if compressed.len() < chunk.len() => compressed,
        _ => chunk,
    };
    Ok(DiskLocation {
        start: file.append(stored)?,
        stored: stored.len() as u32,
        length: chunk.len() as u32,
        checksum: checksum_of(stored),
    })
}

/// The lower half of XXH3: locations are kept in memory, thousands for each king pair.
fn checksum_of(bytes: &[u8]) -> u32 {
    xxh3_64(bytes) as u32
}

impl Shard {
    /// Appends a chunk; returns its segment and its offset there.
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
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("on_disk", &self.is_on_disk()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::*;
    use crate::solver::scratch::ScratchFolder;
    use crate::solver::scratch::memory::MemoryFolder;

    fn chunk(number: usize) -> Vec<u8> {
        // Half of the chunks cannot be compressed.
        let mut seed = number as u64 | 1;
        let next = move || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            if number.is_multiple_of(2) { (seed >> 56) as u8 } else { number as u8 }
        };
        std::iter::repeat_with(next).take(number * 1021 % 70_000).collect()
    }

    #[test]
    fn chunks_come_back_from_memory_and_from_disk() {
        let room = |memory| Arc::new(AtomicU64::new(memory));
        let file = || MemoryFolder.create().unwrap();
        let spilling = |memory| Log::spilling(room(memory), file());
        let on_disk = |location: &ChunkLocation| matches!(location, ChunkLocation::Disk(_));
        for (log, some, all) in [
            (Log::in_memory(), false, false),
            (spilling(0), true, true),
            (spilling(2 << 20), true, false),
        ] {
            let locations: Vec<ChunkLocation> = (0..300usize)
                .into_par_iter()
                .map(|number| log.append(&chunk(number)).unwrap())
                .collect();
            assert_eq!((locations.iter().any(on_disk), locations.iter().all(on_disk)), (some, all));
            let mut bytes = Vec::new();
            for (number, &location) in locations.iter().enumerate() {
                log.read(location, &mut bytes).unwrap();
                assert!(bytes == chunk(number), "{number}");
                if some {
                    log.read(ChunkLocation::Disk(log.on_disk(location).unwrap()), &mut bytes)
                        .unwrap();
                    assert!(bytes == chunk(number), "{number}");
                }
            }
        }
        let little = Log::new(room(1000), None);
        assert_eq!(little.append(&[0; 10]).unwrap_err().kind(), io::ErrorKind::OutOfMemory);
    }
}
