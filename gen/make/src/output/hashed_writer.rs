//! A writer that counts and hashes bytes.

use std::io::{self, Write};
use xxhash_rust::xxh3::Xxh3Default;

/// Writes bytes, and keeps their number and checksum.
pub struct HashedWriter<W> {
    writer: W,
    hash: Xxh3Default,
    length: u64,
}

impl<W: Write> HashedWriter<W> {
    /// Nothing written yet.
    pub fn new(writer: W) -> HashedWriter<W> {
        HashedWriter { writer, hash: Xxh3Default::new(), length: 0 }
    }

    /// Writes bytes.
    pub fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        self.writer.write_all(bytes)
    }

    /// Writes the checksum of all bytes. Returns the length of the file and the checksum.
    pub fn finish(mut self) -> io::Result<(u64, u64)> {
        let checksum = self.hash.digest();
        self.put(&checksum.to_le_bytes())?;
        self.writer.flush()?;
        Ok((self.length, checksum))
    }
}
