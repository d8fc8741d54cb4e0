//! The four file formats: constants, and records as bytes. `FORMAT.md` describes every byte,
//! for readers written from scratch.
//!
//! ```text
//! solved:  header | block ... | row of the offset table ... | trailer
//! board:   the same, with a header of its own
//! packed:  header | model | row ... | offset of a row ... | trailer
//! WDL:     header | White to move | Black to move | checksum
//! ```
//!
//! The header holds what is known before the first block is written, the trailer what is known
//! after the last, so that a writer never seeks. All numbers are little-endian. This module
//! does no I/O: records are decoded from slices and encoded to arrays.

pub mod metric;

pub mod name;

pub mod error;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod preamble;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod packed;
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod solved;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod board_game;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod wdl;

use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FormatKind {
    /// Values of both sides to move, in blocks of zstd.
    Solved,
    /// Values of one side to move, compressed by the packed codec.
    Packed,
    /// Categories at a fresh count, looked up in place.
    Wdl,
    /// Values of a board game, in blocks of zstd.
    BoardGame,
}

impl FormatKind {
    /// The first bytes of a file. The high bit and the newline reveal a file that was
    /// transferred as text.
    pub const fn magic(self) -> [u8; 8] {
        match self {
            FormatKind::Solved => *b"\x89SAKMAK\n",
            FormatKind::Packed => *b"\x89SAKPAK\n",
            FormatKind::Wdl => *b"\x89SAKMKV\n",
            FormatKind::BoardGame => *b"\x89SAKBRD\n",
        }
    }

    /// The version that this program reads and writes.
    pub const fn version(self) -> u32 {
        match self {
            FormatKind::Packed | FormatKind::Wdl | FormatKind::BoardGame => 2,
            FormatKind::Solved => 1,
        }
    }

    /// Bytes that end a file: the trailer, or the checksum alone.
    pub const fn trailer_length(self) -> usize {
        match self {
            FormatKind::Wdl => CHECKSUM_LENGTH,
            FormatKind::Solved | FormatKind::Packed | FormatKind::BoardGame => TRAILER_LENGTH,
        }
    }

    /// The extension of file names, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            FormatKind::Solved => "smt",
            FormatKind::Packed => "smp",
            FormatKind::Wdl => "smv",
            FormatKind::BoardGame => "smg",
        }
    }
}

impl fmt::Display for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FormatKind::Solved => "solved",
            FormatKind::Packed => "packed",
            FormatKind::Wdl => "WDL",
            FormatKind::BoardGame => "board-game",
        })
    }
}

/// The smallest number of codes in a block of a solved file.
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub const MIN_BLOCK_CODES: u32 = 1 << 4;

/// The greatest number of codes in a block of a solved file.
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub const MAX_BLOCK_CODES: u32 = 1 << 20;

/// Bytes of the header of every format.
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub const HEADER_LENGTH: usize = 128;

/// Bytes of the trailer of all files but WDL files.
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub const TRAILER_LENGTH: usize = 16;

/// Bytes of the checksum that ends a file of every format and covers all bytes before it.
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub const CHECKSUM_LENGTH: usize = 8;

/// The trailer of every file but a WDL file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub struct Trailer {
    /// Bytes of all blocks together.
    pub block_bytes: u64,
    /// XXH3 of all bytes of the file before this number.
    pub checksum: u64,
}

impl Trailer {
    /// The first part of a trailer, which the checksum covers.
    pub const fn covered(block_bytes: u64) -> [u8; TRAILER_LENGTH - CHECKSUM_LENGTH] {
        block_bytes.to_le_bytes()
    }

    /// Decodes a trailer.
    pub fn decode(bytes: &[u8; TRAILER_LENGTH]) -> Trailer {
        let checksum = u64_at(bytes, TRAILER_LENGTH - CHECKSUM_LENGTH);
        Trailer { block_bytes: u64_at(bytes, 0), checksum }
    }
}

/// The checksum of a compressed block of a solved file: the low half of its XXH3.
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub fn block_checksum(bytes: &[u8]) -> u32 {
    xxh3_64(bytes) as u32
}

/// Writes a field at `offset`. Bytes past the end are dropped; callers pass arrays that are
/// long enough.
fn put(bytes: &mut [u8], offset: usize, field: &[u8]) {
    for (to, from) in bytes.iter_mut().skip(offset).zip(field) {
        *to = *from;
    }
}

/// The bytes of a field at `offset`. Bytes past the end are zero; callers pass slices that are
/// long enough.
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
