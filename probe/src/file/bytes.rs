//! The interface between table files and the source of their bytes.

use crate::file::map::Map;
use sakmak_tables::excerpt::Excerpt;
use std::fmt::Debug;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes with random access from any thread: a mapped file, a file that is read, memory, or a
/// test double. Every type with a slice of bytes implements it.
pub trait Bytes: Send + Sync + Debug {
    /// The number of bytes.
    fn length(&self) -> u64;

    /// Returns the `length` bytes at `offset`: a slice of memory, or `scratch`, into which they are
    /// read.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::UnexpectedEof`] if the range ends past the last byte, or the error of the
    /// read.
    fn read<'a>(
        &'a self,
        offset: u64,
        length: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]>;

    /// All bytes, if they are in memory. `None` if they have to be read.
    fn in_memory(&self) -> Option<&[u8]> {
        None
    }

    /// Announces that the `length` bytes at `offset` will be read soon. A source that has to fetch
    /// them may fetch many announced ranges together.
    fn expect(&self, offset: u64, length: usize) {
        let _ = (offset, length);
    }
}

/// Loads a value so that it is in the cache when it is read again.
///
/// This is an ordinary load, which every processor has. The processor does not wait for it while
/// its value is not used, and `black_box` keeps the compiler from dropping the load or moving it to
/// its use. If many loads precede the first use of a value, `prefetch_line` overlaps more of them.
#[inline]
pub(crate) fn prefetch<T>(value: T) -> T {
    black_box(value)
}

/// Bytes per read when a whole file is hashed.
const READ_LENGTH: u64 = 1 << 20;

/// Returns the XXH3 of the bytes before `end`.
///
/// # Errors
///
/// The errors of [`Bytes::read`].
pub fn checksum(bytes: &impl Bytes, end: u64) -> io::Result<u64> {
    let mut hash = Xxh3Default::new();
    let mut scratch = Vec::new();
    let mut offset = 0;
    while offset < end {
        let length = READ_LENGTH.min(end - offset);
        hash.update(bytes.read(offset, length as usize, &mut scratch)?);
        offset += length;
    }
    Ok(hash.digest())
}

/// Access to the bytes of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Access {
    /// Mapped into memory: fastest. If a mapped file is truncated while it is open, as `cp` does
    /// before it writes, or its drive fails, the system ends the program with a bus error. Replace
    /// tables by renaming new files over them, as this project does: that is safe at any time. A
    /// file whose bytes are overwritten is [`FileProblem::Changed`]; a WDL file may return wrong
    /// results before, for a second and up to 31 further lookups of the thread. Packed files of up
    /// to 2 MiB are read into memory when they are opened, and no change of the file affects them.
    ///
    /// [`FileProblem::Changed`]: crate::file::open_file::FileProblem::Changed
    #[default]
    Mapped,
    /// Read on demand. WDL files, whose lookups are spread over the whole file, and packed files of
    /// up to 2 MiB are read into memory when they are opened. No change of a file ends the program.
    /// For files that others may write to, and drives that may be removed.
    Read,
}

/// The environment variable that [`Access::from_environment`] reads.
pub const ACCESS_VARIABLE: &str = "SAKMAK_ACCESS";

/// A name without an [`Access`].
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown access '{name}': expected mapped or read")]
pub struct AccessError {
    name: Excerpt,
}

sakmak_tables::readable_error!(AccessError);

impl FromStr for Access {
    type Err = AccessError;

    fn from_str(name: &str) -> Result<Access, AccessError> {
        let found = Access::ALL.into_iter().find(|access| access.name() == name);
        found.ok_or_else(|| AccessError { name: Excerpt::of(name) })
    }
}

impl Access {
    /// All values, the default first.
    pub const ALL: [Access; 2] = [Access::Mapped, Access::Read];

    /// The name in the program, C and Python: `mapped` or `read`.
    pub const fn name(self) -> &'static str {
        match self {
            Access::Mapped => "mapped",
            Access::Read => "read",
        }
    }

    /// The access named by the environment variable [`ACCESS_VARIABLE`]; the default if it is
    /// unset or empty. The program, the C library and the Python module use it by default;
    /// [`Tablebase`](crate::Tablebase) does not.
    ///
    /// # Errors
    ///
    /// If the variable has another value.
    pub fn from_environment() -> Result<Access, AccessError> {
        match std::env::var_os(ACCESS_VARIABLE).filter(|name| !name.is_empty()) {
            Some(name) => name.to_string_lossy().parse(),
            None => Ok(Access::default()),
        }
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// When the file is not a regular file, or cannot be opened or mapped.
    pub fn open(self, path: &Path) -> io::Result<Box<dyn Bytes>> {
        self.bytes(open_regular(path)?)
    }

    /// The bytes of a regular file.
    pub(super) fn bytes(self, file: File) -> io::Result<Box<dyn Bytes>> {
        Ok(match self {
            Access::Mapped => Box::new(Map::new(&file)?),
            Access::Read => Box::new(PositionedFile::new(file)?),
        })
    }
}

/// A directory, pipe, socket or device instead of a regular file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a regular file")]
pub struct NotRegular;

/// Opens a regular file for reading.
///
/// # Errors
///
/// [`NotRegular`] within an [`io::Error`], or the error of the system. Never waits, unlike an
/// ordinary open of a pipe.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    #[expect(clippy::disallowed_methods, reason = "this is the function that others use")]
    let file = options.open(path);
    // Some systems refuse to open a directory or a socket, with another error.
    let metadata = file.as_ref().map_or_else(|_| std::fs::metadata(path), File::metadata);
    match metadata {
        Ok(metadata) if !metadata.is_file() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, NotRegular))
        }
        _ => file,
    }
}

/// Reads the text of a regular file, such as those of `/proc`. Never waits for a writer of a pipe.
///
/// # Errors
///
/// The errors of [`open_regular`], and if the file cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Reads all bytes of a source at once.
///
/// # Errors
///
/// The errors of [`Bytes::read`].
pub(crate) fn read_all(bytes: &dyn Bytes) -> io::Result<Vec<u8>> {
    let length = usize::try_from(bytes.length()).map_err(|_| io::ErrorKind::OutOfMemory)?;
    Ok(bytes.read(0, length, &mut Vec::new())?.to_vec())
}

impl Bytes for Box<dyn Bytes> {
    fn length(&self) -> u64 {
        (**self).length()
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        length: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        (**self).read(offset, length, scratch)
    }

    fn in_memory(&self) -> Option<&[u8]> {
        (**self).in_memory()
    }

    fn expect(&self, offset: u64, length: usize) {
        (**self).expect(offset, length);
    }
}

impl<B: AsRef<[u8]> + Send + Sync + Debug> Bytes for B {
    fn length(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read<'a>(&'a self, offset: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        slice(self.as_ref(), offset, length)
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(self.as_ref())
    }
}

/// The `length` bytes at `offset`.
pub(super) fn slice(bytes: &[u8], offset: u64, length: usize) -> io::Result<&[u8]> {
    let start = usize::try_from(offset).ok();
    let end = start.and_then(|start| start.checked_add(length));
    let range = start.zip(end).and_then(|(start, end)| bytes.get(start..end));
    range.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// A file read at explicit offsets, so that threads share no file position.
#[derive(Debug)]
pub(super) struct PositionedFile {
    file: File,
    length: u64,
}

impl PositionedFile {
    /// A regular file with its present length.
    pub fn new(file: File) -> io::Result<PositionedFile> {
        Ok(PositionedFile { length: file.metadata()?.len(), file })
    }

    /// Maps or reads the whole file, for lookups all over it.
    pub fn whole(&self, access: Access) -> io::Result<Map> {
        match access {
            Access::Mapped => Map::in_huge_pages(&self.file),
            Access::Read => Map::filled(self.length, |bytes| read_exact_at(&self.file, bytes, 0)),
        }
    }
}

impl Bytes for PositionedFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read<'a>(
        &'a self,
        offset: u64,
        length: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        // Before memory is allocated for bytes that do not exist.
        let end = offset.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        scratch.clear();
        scratch.try_reserve(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        scratch.resize(length, 0);
        read_exact_at(&self.file, scratch, offset)?;
        Ok(scratch)
    }
}

/// Reads the bytes at an offset.
///
/// # Errors
///
/// The error of the system, or an early end of the file.
#[cfg(unix)]
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Reads the bytes at an offset.
///
/// # Errors
///
/// The error of the system, or an early end of the file.
#[cfg(windows)]
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                offset += read as u64;
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
/// Always: this system has no files.
#[cfg(not(any(unix, windows)))]
pub fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path) {
        for access in Access::ALL {
            let error = access.open(path).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
            assert!(error.get_ref().is_some_and(|source| source.is::<NotRegular>()), "{error}");
        }
    }

    #[test]
    fn every_access_has_a_name_that_parses() {
        for access in Access::ALL {
            assert_eq!(access.name().parse(), Ok(access));
        }
        let error = "Read".parse::<Access>().unwrap_err().to_string();
        for access in Access::ALL {
            assert!(error.contains(access.name()), "{error}");
        }
    }

    #[test]
    fn a_directory_is_refused() {
        refused(tempfile::tempdir().unwrap().path());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_socket_is_refused_without_waiting() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        refused(&pipe);
        let socket = directory.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        refused(&socket);
    }

    #[test]
    fn a_missing_file_is_reported_as_missing() {
        let missing = tempfile::tempdir().unwrap().path().join("missing");
        let error = Access::Read.open(&missing).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
