//! The format of packed files: the codes of one side to move, compressed by the
//! [packed codec](crate::packed_codec). `FORMAT.md` describes every byte.
//!
//! ```text
//! header | model | block 0 | block 1 | ... | row 0 | row 1 | ... | trailer
//! ```
//!
//! A row holds the offset, the lengths and a common checksum of 64 blocks, which can be as short
//! as 20 bytes. A reader verifies a row and its blocks when it first uses the row.

pub mod header;

pub mod row;

use header::PackedHeader;
use row::{ROW_BLOCKS, row_length};

use crate::format::{HEADER_LENGTH, TRAILER_LENGTH};

use crate::tiles::tile::Tiles;

/// The positions of all parts of a packed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedLayout {
    header: PackedHeader,
    /// Tiles of the table.
    tiles: u64,
}

impl PackedLayout {
    /// The layout of a file with this header and these tiles.
    pub fn new(header: PackedHeader, tiles: &Tiles) -> PackedLayout {
        PackedLayout { header, tiles: tiles.len() }
    }

    /// The header.
    pub fn header(&self) -> &PackedHeader {
        &self.header
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.tiles.div_ceil(u64::from(self.header.block_tiles))
    }

    /// The number of tiles of a block: fewer in the last block, 0 past it.
    pub fn tiles_of(&self, block: u64) -> usize {
        let tiles = u64::from(self.header.block_tiles);
        let before = block.saturating_mul(tiles);
        self.tiles.saturating_sub(before).min(tiles) as usize
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.blocks().div_ceil(ROW_BLOCKS)
    }

    /// The number of blocks of a row: fewer in the last row.
    pub fn blocks_of_row(&self, row: u64) -> usize {
        self.blocks().saturating_sub(row.saturating_mul(ROW_BLOCKS)).min(ROW_BLOCKS) as usize
    }

    /// The offset of the model.
    pub const fn model_offset(&self) -> u64 {
        HEADER_LENGTH as u64
    }

    /// The offset of the first block.
    pub fn blocks_offset(&self) -> u64 {
        self.model_offset() + u64::from(self.header.model_length)
    }

    /// Bytes of a row.
    pub fn row_length(&self) -> usize {
        row_length(self.header.length_planes)
    }

    /// The offset of a row in a file with this many bytes of blocks. The caller has checked the
    /// length of the file.
    pub fn row_offset(&self, row: u64, block_bytes: u64) -> u64 {
        self.blocks_offset() + block_bytes + row * self.row_length() as u64
    }

    /// The length of a file with this many bytes of blocks. `None` if it exceeds 64 bits.
    pub fn file_length(&self, block_bytes: u64) -> Option<u64> {
        let rows = self.rows().checked_mul(self.row_length() as u64)?;
        let around = self.blocks_offset() + TRAILER_LENGTH as u64;
        block_bytes.checked_add(rows)?.checked_add(around)
    }
}
