//! The trailer of a table file: what is known after its last block.

use crate::format::u64_at;

/// Bytes of the trailer.
pub const TRAILER_LENGTH: usize = 16;

/// Bytes of the checksum that ends the trailer, the only ones it does not cover.
pub const CHECKSUM_LENGTH: usize = 8;

/// The trailer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trailer {
    /// Bytes of all blocks.
    pub block_bytes: u64,
    /// XXH3 of all bytes of the file before this number.
    pub checksum: u64,
}

impl Trailer {
    /// The first part, which the checksum covers.
    pub const fn covered(block_bytes: u64) -> [u8; TRAILER_LENGTH - CHECKSUM_LENGTH] {
        block_bytes.to_le_bytes()
    }

    /// The trailer these bytes hold.
    pub fn decode(bytes: &[u8; TRAILER_LENGTH]) -> Trailer {
        let checksum = u64_at(bytes, TRAILER_LENGTH - CHECKSUM_LENGTH);
        Trailer { block_bytes: u64_at(bytes, 0), checksum }
    }
}
