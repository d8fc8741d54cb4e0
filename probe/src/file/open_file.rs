//! Open files of all formats: path, bytes, header, trailer, checksum, and errors with
//! the path.

use crate::file::bytes::{Access, Bytes, PositionedFile, checksum, open_regular, slice};
use crate::file::map::prefetch_line;
use crate::file::watch::{FileWatch, PathState, clock};
use crate::file::zstd_decoder;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::{CHECKSUM_LENGTH, FormatKind, HEADER_LENGTH, TRAILER_LENGTH, Trailer};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// An error in a table file.
#[derive(thiserror::Error)]
#[error("{path}: {problem}", path = path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    #[source]
    pub problem: FileProblem,
}

sakmak_tables::readable_error!(FileError);

/// A problem of a table file.
#[derive(thiserror::Error)]
pub enum FileProblem {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The bytes are not a valid file.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// There is not enough memory for this many decoded bytes.
    #[error("not enough memory for {0} decoded bytes")]
    Memory(u64),
    /// The file was written to after it was opened. Renaming another file over it is no change.
    #[error(
        "the file was changed while it was open: open the tables again, and replace tables by \
         renaming new files, never by copying over them"
    )]
    Changed,
}

sakmak_tables::readable_error!(FileProblem);

impl FileError {
    /// An error in the file at this path.
    pub fn new(path: &Path, problem: impl Into<FileProblem>) -> FileError {
        FileError { path: path.to_path_buf(), problem: problem.into() }
    }
}

/// Maximum length in bytes of a packed file that is read into memory. All tables of up to four men,
/// which captures and promotions reach, are shorter.
///
/// Bytes in memory cannot change after they were verified. Otherwise each batch of blocks needs a
/// system call to check that the file did not change, which costs as much as decoding one or two
/// blocks.
const MOST_READ: u64 = 1 << 21;

/// The path and the bytes of an open file.
#[derive(Debug)]
pub(super) struct OpenFile<B> {
    path: PathBuf,
    bytes: B,
    /// The trailer when the file was opened. In a WDL file only the checksum has a meaning.
    trailer: Trailer,
    /// `None` if the path is used in errors only.
    watch: Option<FileWatch>,
    /// Whether the bytes were read into memory and cannot change.
    is_copy: bool,
    /// Whether each block is checked whenever it is read. Then only the trailer of a touched file
    /// is checked.
    checks_blocks: bool,
}

impl OpenFile<Box<dyn Bytes>> {
    /// Opens a file of a format.
    pub fn open(path: &Path, access: Access, kind: FormatKind) -> Result<Self, FileError> {
        let opened = || -> io::Result<(FileWatch, Box<dyn Bytes>, bool)> {
            let file = open_regular(path)?;
            let watch = FileWatch::new(&file)?;
            let is_packed = kind == FormatKind::Packed;
            if is_packed && watch.length() <= MOST_READ {
                let bytes = PositionedFile::new(file)?.whole(Access::Read)?;
                return Ok((watch, Box::new(bytes), true));
            }
            // Packed files are examined for every batch of blocks, other files once a second.
            let is_held = is_packed && access == Access::Mapped;
            let watch = if is_held { watch.holding(&file) } else { watch };
            Ok((watch, access.bytes(file)?, false))
        };
        let (watch, bytes, is_copy) = opened().map_err(|error| FileError::new(path, error))?;
        Ok(OpenFile { is_copy, ..OpenFile::new(path, bytes, Some(watch), kind)? })
    }
}

impl<B: Bytes> OpenFile<B> {
    /// A file of a format with these bytes. Without a watch, `path` is used in errors only.
    pub fn new(
        path: &Path,
        bytes: B,
        watch: Option<FileWatch>,
        kind: FormatKind,
    ) -> Result<OpenFile<B>, FileError> {
        let (length, least) = (bytes.length(), (HEADER_LENGTH + kind.trailer_length()) as u64);
        if length < least {
            return Err(FileError::new(path, FormatError::Short { length, least }));
        }
        bytes.expect(0, HEADER_LENGTH);
        let trailer = trailer(&bytes).map_err(|error| FileError::new(path, error))?;
        let (path, is_copy) = (path.to_path_buf(), false);
        let checks_blocks = matches!(kind, FormatKind::Solved | FormatKind::BoardGame);
        Ok(OpenFile { path, bytes, trailer, watch, is_copy, checks_blocks })
    }

    /// This file with its bytes converted by `bytes`.
    pub fn with_bytes<C>(
        self,
        bytes: impl FnOnce(B) -> io::Result<C>,
    ) -> Result<OpenFile<C>, FileError> {
        let OpenFile { path, trailer, watch, is_copy, checks_blocks, .. } = self;
        let bytes = bytes(self.bytes).map_err(|error| FileError::new(&path, error))?;
        Ok(OpenFile { path, bytes, trailer, watch, is_copy, checks_blocks })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    #[inline]
    pub fn bytes(&self) -> &B {
        &self.bytes
    }

    /// The `length` bytes at `offset`. `None` if the file is not in memory or has no such range.
    #[inline]
    pub fn in_memory(&self, offset: u64, length: usize) -> Option<&[u8]> {
        slice(self.bytes.in_memory()?, offset, length).ok()
    }

    /// Starts to load the byte at an offset into the cache of the processor, if it is in memory.
    #[inline]
    pub fn prefetch(&self, offset: u64) {
        self.in_memory(offset, 1).into_iter().flatten().for_each(prefetch_line);
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.bytes.length()
    }

    /// The bytes of the header.
    pub fn header(&self) -> Result<[u8; HEADER_LENGTH], FileError> {
        let bytes = self.read(0, HEADER_LENGTH, |bytes| bytes.first_chunk().copied())?;
        bytes.ok_or_else(|| self.error(io::Error::from(io::ErrorKind::UnexpectedEof)))
    }

    /// The trailer of a file, as it was when the file was opened.
    pub fn trailer(&self) -> Trailer {
        self.trailer
    }

    /// Checks all bytes against the checksum in the trailer, which was read when the file was
    /// opened.
    pub fn verify_checksum(&self) -> Result<(), FileError> {
        match self.matches_checksum() {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.error(FormatError::FileChecksum)),
            Err(error) => Err(self.error(error)),
        }
    }

    fn matches_checksum(&self) -> io::Result<bool> {
        let end = self.length() - CHECKSUM_LENGTH as u64;
        Ok(checksum(&self.bytes, end)? == self.trailer.checksum)
    }

    /// Whether a touched file has the bytes that it had when it was opened.
    fn is_same(&self) -> io::Result<bool> {
        Ok(trailer(&self.bytes)? == self.trailer
            && (self.checks_blocks || self.matches_checksum()?))
    }

    /// Whether the file was found changed, now or before. Checks a touched file.
    fn is_changed(&self, watch: &FileWatch, state: PathState) -> bool {
        if let PathState::Touched(time) = state {
            match self.is_same().unwrap_or(false) {
                true => watch.settle(time),
                false => watch.set_changed(),
            }
        }
        watch.was_changed()
    }

    /// Calls `read` with the `length` bytes at `offset`.
    pub fn read<T>(
        &self,
        offset: u64,
        length: usize,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, FileError> {
        zstd_decoder::with_scratch(|scratch| self.bytes.read(offset, length, scratch).map(read))
            .map_err(|error| self.error(error))
    }

    /// Checks that the file was not found changed. Examines it at most once a second: see
    /// [`FileWatch`].
    #[inline]
    pub fn ensure_unchanged(&self) -> Result<(), FileError> {
        if let Some(now) = clock(1) {
            self.examine_if_due(now);
        }
        if self.was_changed() { Err(self.error(FileProblem::Changed)) } else { Ok(()) }
    }

    /// Checks that the file has the bytes that it had when it was opened. Needs a system call
    /// unless they were read into memory.
    #[inline]
    pub fn ensure_unchanged_now(&self) -> Result<(), FileError> {
        if self.is_copy { Ok(()) } else { self.ensure_file_unchanged() }
    }

    fn ensure_file_unchanged(&self) -> Result<(), FileError> {
        match &self.watch {
            Some(watch) if self.is_changed(watch, watch.examine_file(&self.path)) => {
                Err(FileError::new(&self.path, FileProblem::Changed))
            }
            _ => Ok(()),
        }
    }

    /// See [`FileWatch::was_changed`].
    #[inline]
    pub fn was_changed(&self) -> bool {
        self.watch.as_ref().is_some_and(FileWatch::was_changed)
    }

    /// See [`FileWatch::examine_if_due`].
    #[inline]
    pub fn examine_if_due(&self, now: Instant) {
        if let Some(watch) = &self.watch
            && let Some(state) = watch.examine_if_due(&self.path, now)
        {
            self.is_changed(watch, state);
        }
    }

    /// The path, if it now has another file or none.
    pub fn replaced(&self) -> Option<&Path> {
        let is_replaced = self.watch.as_ref()?.examine(&self.path) == PathState::Replaced;
        is_replaced.then_some(&self.path)
    }

    /// An error of this file: the problem, or the change that explains it.
    #[cold]
    pub fn error(&self, problem: impl Into<FileProblem>) -> FileError {
        match self.ensure_file_unchanged() {
            Ok(()) => FileError::new(&self.path, problem),
            Err(changed) => changed,
        }
    }
}

/// Reads the trailer of a file.
fn trailer(bytes: &impl Bytes) -> io::Result<Trailer> {
    let offset = bytes.length() - TRAILER_LENGTH as u64;
    bytes.expect(offset, TRAILER_LENGTH);
    zstd_decoder::with_scratch(|scratch| {
        let bytes = bytes.read(offset, TRAILER_LENGTH, scratch)?.first_chunk();
        bytes.map(Trailer::decode).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{self, File};
    use std::io::Write;
    use std::thread;
    use std::time::Duration;
    use xxhash_rust::xxh3::xxh3_64;

    /// A file of one repeated byte, too long to be read into memory, with its checksum.
    fn filled(byte: u8) -> Vec<u8> {
        let mut bytes = vec![byte; MOST_READ as usize];
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    #[test]
    fn other_bytes_with_their_checksum_and_the_old_time_are_a_change() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        for kind in [FormatKind::Solved, FormatKind::Packed] {
            for (byte, is_same) in [(1, true), (2, false)] {
                fs::write(&path, filled(1)).unwrap();
                let opened = Access::ALL.map(|access| OpenFile::open(&path, access, kind).unwrap());
                let modified = fs::metadata(&path).unwrap().modified().unwrap();
                // Longer than the resolution of the time of an inode.
                thread::sleep(Duration::from_millis(50));
                let mut over = File::options().write(true).open(&path).unwrap();
                over.write_all(&filled(byte)).unwrap();
                over.set_modified(modified).unwrap();
                for file in &opened {
                    assert_eq!(file.ensure_unchanged_now().is_ok(), is_same, "{kind}");
                }
            }
        }
    }
}
