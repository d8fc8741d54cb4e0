//! Scratch files: storage for what does not fit into memory.
//!
//! A file has no name, so the system removes it when the process ends, however it ends. Or it has a
//! temporary name, and gets its own when it is complete; then it stays.

use crate::system::atomic_file::AtomicFile;
use sakmak_probe::file::bytes::{open_regular, read_exact_at};
use sakmak_solve::solver::scratch::{ScratchFile, ScratchFolder};
use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use zstd::bulk::Compressor;

/// The level of zstd for chunks.
const LEVEL: i32 = 1;

/// A directory for the scratch files of a solver.
#[derive(Debug)]
pub struct DiskFolder<'a>(pub &'a Path);

impl ScratchFolder for DiskFolder<'_> {
    fn create(&self) -> io::Result<Box<dyn ScratchFile>> {
        Ok(Box::new(DiskFile::new(tempfile::tempfile_in(self.0)?, 0, None)))
    }

    fn create_named(&self, name: &str) -> io::Result<Box<dyn ScratchFile>> {
        let mut temporary = AtomicFile::create(self.0, name.as_ref())?;
        let file = temporary.file().try_clone()?;
        Ok(Box::new(DiskFile::new(file, 0, Some(temporary))))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn ScratchFile>> {
        let file = open_regular(&self.0.join(name))?;
        let length = file.metadata()?.len();
        Ok(Box::new(DiskFile::new(file, length, None)))
    }
}

/// A file on the disk of a folder.
struct DiskFile {
    file: File,
    end: AtomicU64,
    /// The file under its temporary name, until it gets its own; `None` for a file without a name.
    temporary: Mutex<Option<AtomicFile>>,
    /// Compressors that no thread uses.
    compressors: Mutex<Vec<Compressor<'static>>>,
}

impl DiskFile {
    fn new(file: File, end: u64, temporary: Option<AtomicFile>) -> DiskFile {
        let (end, temporary) = (AtomicU64::new(end), Mutex::new(temporary));
        DiskFile { file, end, temporary, compressors: Mutex::default() }
    }
}

impl ScratchFile for DiskFile {
    fn length(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    fn append(&self, bytes: &[u8]) -> io::Result<u64> {
        let at = self.end.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.write_at(at, bytes)?;
        Ok(at)
    }

    #[cfg(unix)]
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, at)
    }

    #[cfg(windows)]
    fn write_at(&self, mut at: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match std::os::windows::fs::FileExt::seek_write(&self.file, bytes, at) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => {
                    bytes = &bytes[written..];
                    at += written as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.file, bytes, at)
    }

    fn commit(&self) -> io::Result<()> {
        let mut temporary = self.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        temporary.take().ok_or(io::ErrorKind::NotFound)?.commit()
    }

    fn compress(&self, chunk: &[u8]) -> io::Result<Option<Vec<u8>>> {
        let idle = || self.compressors.lock().unwrap_or_else(PoisonError::into_inner);
        // In a statement of its own, so that the lock is free while a chunk is compressed.
        let found = idle().pop();
        let mut compressor = found.map_or_else(|| Compressor::new(LEVEL), Ok)?;
        let compressed = compressor.compress(chunk)?;
        idle().push(compressor);
        Ok(Some(compressed))
    }

    fn decompress(&self, stored: &[u8], length: usize) -> io::Result<Vec<u8>> {
        zstd::bulk::decompress(stored, length)
    }
}

impl fmt::Debug for DiskFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiskFile").field("length", &self.length()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn what_threads_append_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let file = DiskFolder(directory.path()).create().unwrap();
        let lengths: Vec<usize> = (0..200).map(|number| number * 37 % 500).collect();
        let content = |length: usize| vec![length as u8; length];
        let places: Vec<(u64, usize)> = lengths
            .into_par_iter()
            .map(|length| (file.append(&content(length)).unwrap(), length))
            .collect();
        for (at, length) in places {
            let mut bytes = vec![0; length];
            file.read_at(at, &mut bytes).unwrap();
            assert_eq!(bytes, content(length));
        }
        assert!(file.read_at(1 << 40, &mut [0]).is_err());
        assert!(file.commit().is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_gets_its_name_when_it_is_committed_and_not_before() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.log");
        let file = DiskFolder(directory.path()).create_named("a.log").unwrap();
        file.append(b"lost").unwrap();
        drop(file);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        let file = DiskFolder(directory.path()).create_named("a.log").unwrap();
        file.append(b"kept").unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        for file in [file, DiskFolder(directory.path()).open("a.log").unwrap()] {
            let mut bytes = [0; 4];
            file.read_at(0, &mut bytes).unwrap();
            assert_eq!((&bytes, file.length()), (b"kept", 4));
        }
        assert_eq!(std::fs::read(path).unwrap(), b"kept");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
