//! Files for what does not fit into memory.
//!
//! A file has no name, so the system removes it when the process ends, however it ends. Or it has a
//! temporary name, and gets its own when it is complete; then it stays.

use crate::system::atomic_file::AtomicFile;
use sakmak_probe::file::bytes::read_exact_at;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A file that threads read and write at the same time, at places of their own.
#[derive(Debug)]
pub struct ScratchFile {
    file: File,
    end: AtomicU64,
    /// The same file with its temporary name, until it gets its own; `None` if it has no name.
    temporary: Mutex<Option<AtomicFile>>,
}

impl ScratchFile {
    fn new(file: File, end: u64, temporary: Option<AtomicFile>) -> ScratchFile {
        ScratchFile { file, end: AtomicU64::new(end), temporary: Mutex::new(temporary) }
    }

    /// An empty file without a name on the disk of a directory.
    ///
    /// # Errors
    ///
    /// If the directory is missing or cannot be written.
    pub fn create(directory: &Path) -> io::Result<ScratchFile> {
        Ok(ScratchFile::new(tempfile::tempfile_in(directory)?, 0, None))
    }

    /// An empty file with a temporary name, to be [committed](ScratchFile::commit) under this name.
    /// It is removed when dropped before.
    ///
    /// # Errors
    ///
    /// If the directory is missing or cannot be written.
    pub fn create_for(directory: &Path, name: &str) -> io::Result<ScratchFile> {
        let mut temporary = AtomicFile::create(directory, name.as_ref())?;
        let file = temporary.file().try_clone()?;
        Ok(ScratchFile::new(file, 0, Some(temporary)))
    }

    /// Opens a file that was committed, to be read.
    ///
    /// # Errors
    ///
    /// If the file is missing or cannot be read.
    pub fn open(path: &Path) -> io::Result<ScratchFile> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(ScratchFile::new(file, length, None))
    }

    /// Gives the file its name. All that was appended is on the disk by then, and can still be read.
    ///
    /// # Errors
    ///
    /// Those of the system, and if the file has no name to get.
    pub fn commit(&self) -> io::Result<()> {
        let mut temporary = self.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        temporary.take().ok_or(io::ErrorKind::NotFound)?.commit()
    }

    /// The bytes appended.
    pub fn length(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }

    /// Whether nothing has been appended.
    pub fn is_empty(&self) -> bool {
        self.length() == 0
    }

    /// Writes bytes after all that were appended before; returns their offset.
    ///
    /// # Errors
    ///
    /// Those of the system, such as a full disk.
    pub fn append(&self, bytes: &[u8]) -> io::Result<u64> {
        let at = self.end.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.write_at(at, bytes)?;
        Ok(at)
    }

    /// Writes bytes at an offset.
    ///
    /// # Errors
    ///
    /// Those of the system, such as a full disk.
    #[cfg(unix)]
    pub fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, at)
    }

    /// Writes bytes at an offset.
    ///
    /// # Errors
    ///
    /// Those of the system, such as a full disk.
    #[cfg(windows)]
    pub fn write_at(&self, mut at: u64, mut bytes: &[u8]) -> io::Result<()> {
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

    /// Reads the bytes at an offset.
    ///
    /// # Errors
    ///
    /// Those of the system, and if the file ends before.
    pub fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.file, bytes, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn what_threads_append_comes_back() {
        let directory = tempfile::tempdir().unwrap();
        let file = ScratchFile::create(directory.path()).unwrap();
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
        let file = ScratchFile::create_for(directory.path(), "a.log").unwrap();
        file.append(b"lost").unwrap();
        drop(file);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        let file = ScratchFile::create_for(directory.path(), "a.log").unwrap();
        file.append(b"kept").unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        for file in [file, ScratchFile::open(&path).unwrap()] {
            let mut bytes = [0; 4];
            file.read_at(0, &mut bytes).unwrap();
            assert_eq!((&bytes, file.length()), (b"kept", 4));
        }
        assert_eq!(std::fs::read(path).unwrap(), b"kept");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
