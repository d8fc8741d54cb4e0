//! Files mapped into memory. The only room of this crate where `unsafe` may stand.
#![allow(unsafe_code)]

use memmap2::MmapMut;
use std::fs::File;
use std::io::{self, Read};

/// A file mapped into memory for reading.
#[derive(Debug)]
pub struct Map(memmap2::Mmap);

impl Map {
    /// Maps the whole of a file.
    ///
    /// # Errors
    ///
    /// When the system does not map it: no memory, no file that can be mapped.
    pub fn new(file: &File) -> io::Result<Map> {
        // SAFETY: the mapping is private and for reading, and lives as long as the bytes
        // lent from it. What the compiler may not assume is that nobody else changes the
        // file meanwhile. This project's writer never does: it makes a new file and gives
        // it the name, and the mapped one stays as it is. Should somebody change the file
        // in place all the same, the bytes read are checked where they are used (records
        // and blocks by their checksums, decoded by a library that takes any input), and
        // none is used as an address, a length without bounds, or text. A file cut short
        // ends the program with a bus error; `Access::Read` is for whoever fears that.
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Map(map))
    }

    /// Maps the whole of a file that will all be read, in large pages where the system has
    /// them: a look-up at random then costs one access to memory, not several to find it.
    ///
    /// # Errors
    ///
    /// As [`Map::new`].
    pub fn of_all(file: &File) -> io::Result<Map> {
        let map = Map::new(file)?;
        // Pages of the usual size do as well, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.0.advise(memmap2::Advice::HugePage);
        Ok(map)
    }

    /// Memory with the whole of a file read into it, in large pages where the system has
    /// them.
    ///
    /// # Errors
    ///
    /// When there is no memory, or the file cannot be read.
    pub fn of_memory(file: &mut File) -> io::Result<Map> {
        let length = file.metadata()?.len();
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut map = MmapMut::map_anon(length)?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        file.read_exact(&mut map)?;
        map.make_read_only().map(Map)
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
