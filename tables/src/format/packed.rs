//! The format of packed files: the codes of one side to move, compressed by the
//! packed codec (`sakmak-codec`). `FORMAT.md` describes every byte.
//!
//! ```text
//! header | model | row 0 | row 1 | ... | offset of row 0 | offset of row 1 | ... | trailer
//! ```
//!
//! A row holds a checksum, the lengths of 128 blocks, and the blocks. A block may have no bytes or
//! only a few. A reader verifies a row when it first uses it.

pub mod header;

pub mod row;

use header::PackedHeader;
use row::{OFFSET_LENGTH, ROW_BLOCKS};

use crate::format::{HEADER_LENGTH, TRAILER_LENGTH};

use crate::tiles::tile::Tiles;

/// The offsets of all parts of a packed file.
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

    /// The offset of the first row.
    pub fn rows_offset(&self) -> u64 {
        self.model_offset() + u64::from(self.header.model_length)
    }

    /// The position of a row's offset in a file with this many bytes of rows. The end of all rows
    /// follows the offset of the last row. The caller has checked the length of the file.
    pub fn row_offset_at(&self, row: u64, row_bytes: u64) -> u64 {
        self.rows_offset() + row_bytes + row * OFFSET_LENGTH as u64
    }

    /// The length of a file with this many bytes of rows. `None` if it exceeds 64 bits.
    pub fn file_length(&self, row_bytes: u64) -> Option<u64> {
        let offsets = (self.rows() + 1).checked_mul(OFFSET_LENGTH as u64)?;
        let around = self.rows_offset() + TRAILER_LENGTH as u64;
        row_bytes.checked_add(offsets)?.checked_add(around)
    }
}
