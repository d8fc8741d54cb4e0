//! The one seam between table files and where their bytes come from.

use crate::file::map::Map;
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes that can be read at any place from any thread: a mapped file, a file that is
/// read, memory, or what a test puts in their stead.
pub trait Bytes: Send + Sync + Debug {
    /// How many bytes there are.
    fn length(&self) -> u64;

    /// The `length` bytes at `offset`: a part of what is in memory anyway, or read into
    /// `scratch`, the former content of which is lost.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::UnexpectedEof`] where there are not so many bytes, or whatever
    /// reading brings up.
    fn read<'a>(
        &'a self,
        offset: u64,
        length: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]>;
}

/// Bytes read at a time where a whole file is read through.
const PIECE: u64 = 1 << 20;

/// The XXH3 of the bytes before `end`.
///
/// # Errors
///
/// As [`Bytes::read`].
pub fn checksum(bytes: &impl Bytes, end: u64) -> io::Result<u64> {
    let mut hash = Xxh3Default::new();
    let mut scratch = Vec::new();
    let mut offset = 0;
    while offset < end {
        let length = PIECE.min(end - offset);
        hash.update(bytes.read(offset, length as usize, &mut scratch)?);
        offset += length;
    }
    Ok(hash.digest())
}

/// How files are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Access {
    /// Mapped into memory: quickest. Whoever cuts a mapped file short while it is in use
    /// ends the program; files made by the writer of this project are replaced, never
    /// changed.
    #[default]
    Mapped,
    /// Read a part at a time, or whole where every look-up is spread over all of it: for
    /// files on drives that may vanish.
    Read,
}

impl Access {
    /// Opens a file for reading this way.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or mapped.
    pub fn open(self, path: &Path) -> io::Result<Box<dyn Bytes>> {
        let file = File::open(path)?;
        Ok(match self {
            Access::Mapped => Box::new(Map::new(&file)?),
            Access::Read => Box::new(PositionedFile { length: file.metadata()?.len(), file }),
        })
    }
}

/// All bytes of a file.
#[derive(Debug)]
pub enum FileBytes {
    /// Mapped, or read.
    File(Map),
    /// Given.
    Given(Vec<u8>),
}

impl FileBytes {
    /// All bytes of a file, mapped or read this way; they should be read soon.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, mapped or read.
    pub fn open(path: &Path, access: Access) -> io::Result<FileBytes> {
        let mut file = File::open(path)?;
        let map = match access {
            Access::Mapped => Map::of_all(&file),
            Access::Read => Map::of_memory(&mut file),
        };
        map.map(FileBytes::File)
    }

    /// The bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        match self {
            FileBytes::File(map) => map.bytes(),
            FileBytes::Given(bytes) => bytes,
        }
    }
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
}

impl Bytes for FileBytes {
    fn length(&self) -> u64 {
        self.bytes().len() as u64
    }

    fn read<'a>(&'a self, offset: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        part(self.bytes(), offset, length)
    }
}

impl Bytes for Vec<u8> {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read<'a>(&'a self, offset: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        part(self, offset, length)
    }
}

impl Bytes for Map {
    fn length(&self) -> u64 {
        self.bytes().len() as u64
    }

    fn read<'a>(&'a self, offset: u64, length: usize, _: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        part(self.bytes(), offset, length)
    }
}

/// The `length` bytes at `offset`, if there are so many.
fn part(bytes: &[u8], offset: u64, length: usize) -> io::Result<&[u8]> {
    let start = usize::try_from(offset).ok();
    let end = start.and_then(|start| start.checked_add(length));
    let range = start.zip(end).and_then(|(start, end)| bytes.get(start..end));
    range.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// A file read a part at a time, at places of its own: threads do not disturb one another.
#[derive(Debug)]
struct PositionedFile {
    file: File,
    length: u64,
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
        // Before memory is taken for bytes that are not there.
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

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
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
