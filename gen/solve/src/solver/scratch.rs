//! Storage of a solver for data that does not fit into memory.
//!
//! The solver itself has no files. On a machine with a disk its caller provides them. A web page
//! has no disk, so the solver keeps everything in memory there.

use std::fmt::Debug;
use std::io;

/// A container for files of a solver, such as a directory.
pub trait ScratchFolder: Debug + Sync {
    /// Creates a file that is deleted when it is dropped or the process ends.
    ///
    /// # Errors
    ///
    /// If no file can be created.
    fn create(&self) -> io::Result<Box<dyn ScratchFile>>;

    /// Creates a file that gets this name when it is [committed](ScratchFile::commit), and is
    /// deleted if it is dropped before.
    ///
    /// # Errors
    ///
    /// If no file can be created.
    fn create_named(&self, name: &str) -> io::Result<Box<dyn ScratchFile>>;

    /// Opens a committed file for reading.
    ///
    /// # Errors
    ///
    /// If the file is missing or cannot be read.
    fn open(&self, name: &str) -> io::Result<Box<dyn ScratchFile>>;
}

/// A file that threads read and write at the same time, each at its own offsets.
pub trait ScratchFile: Debug + Send + Sync {
    /// Returns the number of bytes appended.
    fn length(&self) -> u64;

    /// Appends bytes; returns their offset.
    ///
    /// # Errors
    ///
    /// If they cannot be written, for example on a full disk.
    fn append(&self, bytes: &[u8]) -> io::Result<u64>;

    /// Writes bytes at an offset.
    ///
    /// # Errors
    ///
    /// If they cannot be written, for example on a full disk.
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Reads the bytes at an offset.
    ///
    /// # Errors
    ///
    /// If they cannot be read, or the file is too short.
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Names the file. All appended bytes are stored by then, and can still be read.
    ///
    /// # Errors
    ///
    /// If naming fails, or the file has no name to get.
    fn commit(&self) -> io::Result<()>;

    /// Compresses a chunk before it is appended; returns `None` if it should be stored
    /// uncompressed.
    ///
    /// # Errors
    ///
    /// If the compressor fails.
    fn compress(&self, chunk: &[u8]) -> io::Result<Option<Vec<u8>>>;

    /// Decompresses a chunk of this length.
    ///
    /// # Errors
    ///
    /// If the bytes are no compressed chunk.
    fn decompress(&self, stored: &[u8], length: usize) -> io::Result<Vec<u8>>;
}

/// Files in memory, for tests.
#[cfg(test)]
pub(crate) mod memory {
    use super::*;
    use std::sync::Mutex;

    #[derive(Debug)]
    pub(crate) struct MemoryFolder;

    #[derive(Debug, Default)]
    struct MemoryFile(Mutex<Vec<u8>>);

    impl ScratchFolder for MemoryFolder {
        fn create(&self) -> io::Result<Box<dyn ScratchFile>> {
            Ok(Box::new(MemoryFile::default()))
        }

        fn create_named(&self, _name: &str) -> io::Result<Box<dyn ScratchFile>> {
            self.create()
        }

        fn open(&self, _name: &str) -> io::Result<Box<dyn ScratchFile>> {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    impl ScratchFile for MemoryFile {
        fn length(&self) -> u64 {
            self.0.lock().unwrap().len() as u64
        }

        fn append(&self, bytes: &[u8]) -> io::Result<u64> {
            let mut held = self.0.lock().unwrap();
            held.extend_from_slice(bytes);
            Ok((held.len() - bytes.len()) as u64)
        }

        fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
            let (at, mut held) = (at as usize, self.0.lock().unwrap());
            let length = held.len().max(at + bytes.len());
            held.resize(length, 0);
            held[at..at + bytes.len()].copy_from_slice(bytes);
            Ok(())
        }

        fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
            let (at, held) = (at as usize, self.0.lock().unwrap());
            let found = held.get(at..at + bytes.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
            bytes.copy_from_slice(found);
            Ok(())
        }

        fn commit(&self) -> io::Result<()> {
            Err(io::ErrorKind::NotFound.into())
        }

        fn compress(&self, chunk: &[u8]) -> io::Result<Option<Vec<u8>>> {
            // A single byte represents a chunk of equal bytes.
            let is_even = chunk.iter().all(|byte| Some(byte) == chunk.first());
            Ok(chunk.first().filter(|_| is_even).map(|&byte| vec![byte]))
        }

        fn decompress(&self, stored: &[u8], length: usize) -> io::Result<Vec<u8>> {
            Ok(vec![stored[0]; length])
        }
    }
}
