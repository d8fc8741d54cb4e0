//! The form of a packed table: one side's codes, squeezed by the [codec](crate::packed_codec).
//! `FORMAT.md` says the same byte by byte.
//!
//! ```text
//! header | model | block 0 | block 1 | ... | row 0 | row 1 | ... | trailer
//! ```
//!
//! A row is for 64 blocks, which are as short as 20 bytes: it says where they begin, how
//! long each is, and what they all come to as a checksum. A reader checks a row and its
//! blocks when it first comes there.

pub mod header;

pub mod row;

use header::PackedHeader;
use row::{ROW_BLOCKS, row_length};

use crate::format::{HEADER_LENGTH, TRAILER_LENGTH};

use crate::tiles::tile::Tiles;

/// Where the parts of a packed table are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedLayout {
    header: PackedHeader,
    /// Tiles of the whole table.
    tiles: u64,
}

impl PackedLayout {
    /// The layout of a file with this header, whose material has these tiles.
    pub fn new(header: PackedHeader, tiles: &Tiles) -> PackedLayout {
        PackedLayout { header, tiles: tiles.len() }
    }

    /// The header.
    pub fn header(&self) -> &PackedHeader {
        &self.header
    }

    /// Blocks of the file.
    pub fn blocks(&self) -> u64 {
        self.tiles.div_ceil(u64::from(self.header.block_tiles))
    }

    /// Tiles of a block; fewer in the last one, none past it.
    pub fn tiles_of(&self, block: u64) -> usize {
        let tiles = u64::from(self.header.block_tiles);
        let before = block.saturating_mul(tiles);
        self.tiles.saturating_sub(before).min(tiles) as usize
    }

    /// Rows of the file.
    pub fn rows(&self) -> u64 {
        self.blocks().div_ceil(ROW_BLOCKS)
    }

    /// Blocks of a row; fewer in the last one.
    pub fn blocks_of_row(&self, row: u64) -> usize {
        self.blocks().saturating_sub(row.saturating_mul(ROW_BLOCKS)).min(ROW_BLOCKS) as usize
    }

    /// Where the model begins.
    pub const fn model_offset(&self) -> u64 {
        HEADER_LENGTH as u64
    }

    /// Where the blocks begin.
    pub fn blocks_offset(&self) -> u64 {
        self.model_offset() + u64::from(self.header.model_length)
    }

    /// Bytes of a row.
    pub fn row_length(&self) -> usize {
        row_length(self.header.length_planes)
    }

    /// Where a row begins, in a file whose blocks take so many bytes and whose length was
    /// found right.
    pub fn row_offset(&self, row: u64, block_bytes: u64) -> u64 {
        self.blocks_offset() + block_bytes + row * self.row_length() as u64
    }

    /// The length of the file when its blocks take so many bytes; nothing where that is
    /// more than a number holds.
    pub fn file_length(&self, block_bytes: u64) -> Option<u64> {
        let rows = self.rows().checked_mul(self.row_length() as u64)?;
        let ends = self.blocks_offset() + TRAILER_LENGTH as u64;
        block_bytes.checked_add(rows)?.checked_add(ends)
    }
}
