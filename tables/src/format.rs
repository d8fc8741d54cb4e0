//! The form of a table file: constants, and records as bytes. `FORMAT.md` says the same
//! byte by byte for a reader written from nothing.
//!
//! ```text
//! header | block 0 | block 1 | ... | offset row 0 | offset row 1 | ... | trailer
//! ```
//!
//! What is known before the first block is in the header, what is known after the last
//! one in the trailer, so that a file is written from front to back in one go. All
//! numbers are little-endian. Nothing here does I/O: records are made from slices and
//! become arrays.

pub mod metric;

pub mod name;

pub mod error;
pub mod packed;
pub mod solved;
pub mod trailer;
pub mod wdl;

use xxhash_rust::xxh3::xxh3_64;

/// The first bytes of every table file. The high bit and the newline show a file mangled
/// as text.
pub const MAGIC: [u8; 8] = *b"\x89SAKMAK\n";

/// The version of the format this program writes and reads.
pub const VERSION: u32 = 1;

/// The version of the form of verdict files.
pub const WDL_VERSION: u32 = 1;

/// The first bytes of every packed table.
pub const PACKED_MAGIC: [u8; 8] = *b"\x89SAKPAK\n";

/// The version of packed tables this program writes and reads.
pub const PACKED_VERSION: u32 = 1;

/// The least codes of a block.
pub const MIN_BLOCK_CODES: u32 = 1 << 4;

/// The most codes of a block.
pub const MAX_BLOCK_CODES: u32 = 1 << 20;

/// The checksum of a compressed block: the low half of its XXH3.
pub fn block_checksum(bytes: &[u8]) -> u32 {
    xxh3_64(bytes) as u32
}

/// Puts a field at `offset`; what would be past the end is left out, which callers rule out
/// by the lengths they have.
fn put(bytes: &mut [u8], offset: usize, field: &[u8]) {
    for (to, from) in bytes.iter_mut().skip(offset).zip(field) {
        *to = *from;
    }
}

/// The bytes of a fixed field at `offset`; zeros past the end, which callers rule out by
/// the length they ask for.
fn field<const LENGTH: usize>(bytes: &[u8], offset: usize) -> [u8; LENGTH] {
    let mut field = [0; LENGTH];
    for (to, from) in field.iter_mut().zip(bytes.iter().skip(offset)) {
        *to = *from;
    }
    field
}

/// The 32-bit number at `offset`.
fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(field(bytes, offset))
}

/// The 64-bit number at `offset`.
fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(field(bytes, offset))
}
