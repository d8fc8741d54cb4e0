//! Files mapped into memory, and memory loaded ahead of its use. The only module of this crate that
//! may use `unsafe`.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

/// A file mapped into memory for reading.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
pub struct Map(memmap2::Mmap);

/// A file in memory, where nothing can be mapped.
#[cfg(target_family = "wasm")]
#[derive(Debug)]
pub struct Map(Vec<u8>);

#[cfg(target_family = "wasm")]
impl Map {
    /// Reads a whole file into memory.
    pub fn new(mut file: &File) -> io::Result<Map> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)?;
        Ok(Map(bytes))
    }

    /// [`Map::new`]: this build maps no files, so it has no huge pages either.
    pub fn in_huge_pages(file: &File) -> io::Result<Map> {
        Map::new(file)
    }

    /// Memory of this length with the bytes that `fill` writes.
    pub fn filled(length: u64, fill: impl FnOnce(&mut [u8]) -> io::Result<()>) -> io::Result<Map> {
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut bytes = vec![0; length];
        fill(&mut bytes)?;
        Ok(Map(bytes))
    }
}

#[cfg(not(target_family = "wasm"))]
impl Map {
    /// Maps a whole file. While it is mapped, it must only be replaced by renaming: see
    /// [`Access::Mapped`](crate::file::bytes::Access::Mapped).
    ///
    /// # Errors
    ///
    /// When the system cannot map it: out of memory, or not a regular file.
    pub fn new(file: &File) -> io::Result<Map> {
        // SAFETY: the mapping is private and read-only, and outlives every slice borrowed from
        // it. The remaining risk is that another process changes the file, so that bytes change
        // behind a shared reference. The writer of this project never does: it makes a new file
        // and renames it, and the mapped file stays unchanged. This module cannot prevent it:
        //
        // - A truncated file, or a failing drive, ends the program with a bus error.
        // - An overwritten file has changed bytes. All code that reads them accepts any bytes: none
        //   is used as an address, an unbounded length, or text. A change is found by the file's
        //   time of change: for a packed file after each batch of blocks, for other files after a
        //   second and up to 31 lookups of the thread (see `watch`), and in solved files also by
        //   the checksum of each block.
        //
        // `Access::Read` maps nothing: it reads WDL files and small packed files into memory.
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Map(map))
    }

    /// Maps a whole file for lookups all over it, in huge pages if the system has them. A random
    /// lookup then needs one memory access instead of several to translate its address.
    ///
    /// # Errors
    ///
    /// The errors of [`Map::new`].
    pub fn in_huge_pages(file: &File) -> io::Result<Map> {
        let map = Map::new(file)?;
        // An error is ignored: pages of the usual size are only slower.
        #[cfg(target_os = "linux")]
        let _ = map.0.advise(memmap2::Advice::HugePage);
        Ok(map)
    }

    /// Memory of this length, in huge pages if the system has them, with the bytes that `fill`
    /// writes.
    ///
    /// # Errors
    ///
    /// When memory runs out, and the errors of `fill`.
    pub fn filled(length: u64, fill: impl FnOnce(&mut [u8]) -> io::Result<()>) -> io::Result<Map> {
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut map = memmap2::MmapMut::map_anon(length)?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        fill(&mut map)?;
        map.make_read_only().map(Map)
    }
}

impl AsRef<[u8]> for Map {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Starts to load the cache line of a value. Unlike a load, it blocks no later instruction, so any
/// number of prefetches overlap. Does nothing where Rust has no such instruction.
#[inline(always)]
pub fn prefetch_line<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, and it faults for no address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
