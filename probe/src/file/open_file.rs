//! What the open files of all three formats have in common: path, bytes, header, trailer,
//! checksum, and errors that name the path.

use crate::file::bytes::{Access, Bytes, checksum};
use crate::file::zstd_decoder;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::{CHECKSUM_LENGTH, FormatKind, HEADER_LENGTH, TRAILER_LENGTH, Trailer};
use std::io;
use std::path::{Path, PathBuf};

/// An error in a table file.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}", path = path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub problem: FileProblem,
}

/// What is wrong with a table file.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The bytes are not those of a valid file.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// There is not enough memory for this many decoded bytes.
    #[error("not enough memory for {0} decoded bytes")]
    Memory(u64),
}

impl FileError {
    /// An error in the file at this path.
    pub fn new(path: &Path, problem: impl Into<FileProblem>) -> FileError {
        FileError { path: path.to_path_buf(), problem: problem.into() }
    }
}

/// The path and the bytes of an open file.
#[derive(Debug)]
pub(super) struct OpenFile<B> {
    path: PathBuf,
    bytes: B,
}

impl OpenFile<Box<dyn Bytes>> {
    /// Opens a file of a format.
    pub fn open(path: &Path, access: Access, kind: FormatKind) -> Result<Self, FileError> {
        let bytes = access.open(path).map_err(|error| FileError::new(path, error))?;
        OpenFile::new(path, bytes, kind)
    }
}

impl<B: Bytes> OpenFile<B> {
    /// The file of a format with these bytes. `path` is used in errors only.
    pub fn new(path: &Path, bytes: B, kind: FormatKind) -> Result<OpenFile<B>, FileError> {
        let (length, least) = (bytes.length(), (HEADER_LENGTH + kind.trailer_length()) as u64);
        if length < least {
            return Err(FileError::new(path, FormatError::Short { length, least }));
        }
        Ok(OpenFile { path: path.to_path_buf(), bytes })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    #[inline]
    pub fn bytes(&self) -> &B {
        &self.bytes
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.bytes.length()
    }

    /// The bytes of the header.
    pub fn header(&self) -> Result<[u8; HEADER_LENGTH], FileError> {
        self.array(0)
    }

    /// The trailer of a solved or packed file.
    pub fn trailer(&self) -> Result<Trailer, FileError> {
        Ok(Trailer::decode(&self.array(self.length() - TRAILER_LENGTH as u64)?))
    }

    fn array<const LENGTH: usize>(&self, offset: u64) -> Result<[u8; LENGTH], FileError> {
        let bytes = self.read(offset, LENGTH, |bytes| bytes.first_chunk().copied())?;
        bytes.ok_or_else(|| self.error(io::Error::from(io::ErrorKind::UnexpectedEof)))
    }

    /// Checks all bytes against the checksum at the end of the file.
    pub fn verify_checksum(&self) -> Result<(), FileError> {
        let end = self.length() - CHECKSUM_LENGTH as u64;
        let expected = u64::from_le_bytes(self.array(end)?);
        let found = checksum(&self.bytes, end).map_err(|error| self.error(error))?;
        if found == expected { Ok(()) } else { Err(self.error(FormatError::FileChecksum)) }
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

    pub fn error(&self, problem: impl Into<FileProblem>) -> FileError {
        FileError::new(&self.path, problem)
    }
}
