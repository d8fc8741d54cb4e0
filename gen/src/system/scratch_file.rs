//! Files for what does not fit into memory: without a name, so the system removes them when the
//! process ends, however it ends.

use sakmak_probe::file::bytes::read_exact_at;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// A file without a name. Threads read and write it at the same time, at places of their own.
#[derive(Debug)]
pub struct ScratchFile {
    file: File,
    end: AtomicU64,
}

impl ScratchFile {
    /// An empty file on the disk of a directory.
    ///
    /// # Errors
    ///
    /// If the directory is missing or cannot be written.
    pub fn create(directory: &Path) -> io::Result<ScratchFile> {
        Ok(ScratchFile { file: tempfile::tempfile_in(directory)?, end: AtomicU64::new(0) })
    }

    /// Whether nothing has been appended.
    pub fn is_empty(&self) -> bool {
        self.end.load(Ordering::Relaxed) == 0
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
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
