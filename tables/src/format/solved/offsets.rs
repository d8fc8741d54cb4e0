//! The offset table: the offset and the checksum of each block, in rows.
//!
//! A row holds the offset of the first of sixteen blocks, the length and the checksum of each, and
//! a checksum of its own: nine bytes per block. A lookup reads one row. Opening a file reads no
//! row, so its cost does not depend on the number of blocks.

use crate::format::error::FormatError;
use crate::format::{HEADER_LENGTH, TRAILER_LENGTH, u32_at, u64_at};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Blocks per row.
pub const ROW_BLOCKS: usize = 16;

/// Bytes per row.
pub const ROW_LENGTH: usize = CHECKSUM_AT + 8;

const LENGTHS_AT: usize = 8;
const CHECKSUMS_AT: usize = LENGTHS_AT + 4 * ROW_BLOCKS;
const CHECKSUM_AT: usize = CHECKSUMS_AT + 4 * ROW_BLOCKS;

/// The offset table of a file: rows between the blocks and the trailer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OffsetTable {
    /// The number of blocks.
    pub blocks: u64,
}

impl OffsetTable {
    /// The number of rows.
    pub const fn rows(self) -> u64 {
        self.blocks.div_ceil(ROW_BLOCKS as u64)
    }

    /// The offset of a row in a file with this many bytes of blocks. The caller has checked the
    /// length of the file.
    pub const fn row_offset(self, row: u64, block_bytes: u64) -> u64 {
        HEADER_LENGTH as u64 + block_bytes + row * ROW_LENGTH as u64
    }

    /// The length of a file with this many bytes of blocks. `None` if it exceeds 64 bits.
    pub fn file_length(self, block_bytes: u64) -> Option<u64> {
        let rows = self.rows().checked_mul(ROW_LENGTH as u64)?;
        block_bytes.checked_add(rows)?.checked_add((HEADER_LENGTH + TRAILER_LENGTH) as u64)
    }
}

/// The number of a block: White's blocks first, then Black's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct BlockNumber(pub u64);

impl BlockNumber {
    /// The row of the offset table that holds the block.
    pub const fn row(self) -> u64 {
        self.0 / ROW_BLOCKS as u64
    }

    /// The index of the block in its row.
    pub const fn index_in_row(self) -> usize {
        (self.0 % ROW_BLOCKS as u64) as usize
    }
}

/// The bytes of a compressed block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Offset from the end of the header.
    pub start: u64,
    /// Bytes of the block.
    pub length: u32,
    /// The low half of its XXH3.
    pub checksum: u32,
}

/// One row of the offset table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OffsetRow {
    /// Offset of its first block from the end of the header.
    pub start: u64,
    /// The lengths of its blocks in bytes, zero past the last block.
    pub lengths: [u32; ROW_BLOCKS],
    /// The checksums of its blocks, zero past the last block.
    pub checksums: [u32; ROW_BLOCKS],
}

impl OffsetRow {
    /// Encodes the row with this number. The number is the seed of the checksum, so that a row at
    /// the position of another row is detected.
    pub fn encode(&self, number: u64) -> [u8; ROW_LENGTH] {
        let mut bytes = [0; ROW_LENGTH];
        bytes[..LENGTHS_AT].copy_from_slice(&self.start.to_le_bytes());
        let numbers = self.lengths.iter().chain(&self.checksums);
        for (to, number) in bytes[LENGTHS_AT..CHECKSUM_AT].chunks_exact_mut(4).zip(numbers) {
            to.copy_from_slice(&number.to_le_bytes());
        }
        let checksum = xxh3_64_with_seed(&bytes[..CHECKSUM_AT], number);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Decodes the row with this number.
    ///
    /// # Errors
    ///
    /// If the row does not match its checksum.
    pub fn decode(number: u64, bytes: &[u8; ROW_LENGTH]) -> Result<OffsetRow, FormatError> {
        if xxh3_64_with_seed(&bytes[..CHECKSUM_AT], number) != u64_at(bytes, CHECKSUM_AT) {
            return Err(FormatError::RowChecksum(number));
        }
        let numbers = |at: usize| std::array::from_fn(|index| u32_at(bytes, at + 4 * index));
        let start = u64_at(bytes, 0);
        Ok(OffsetRow { start, lengths: numbers(LENGTHS_AT), checksums: numbers(CHECKSUMS_AT) })
    }

    /// The bytes of a block of this row.
    ///
    /// # Errors
    ///
    /// If they end past the `block_bytes` of all blocks.
    pub fn extent(&self, block: BlockNumber, block_bytes: u64) -> Result<Extent, FormatError> {
        let index = block.index_in_row();
        let before: u64 = self.lengths[..index].iter().map(|&length| u64::from(length)).sum();
        let (length, checksum) = (self.lengths[index], self.checksums[index]);
        let start = self.start.checked_add(before);
        let end = start.and_then(|start| start.checked_add(u64::from(length)));
        match (start, end) {
            (Some(start), Some(end)) if end <= block_bytes => {
                Ok(Extent { start, length, checksum })
            }
            _ => Err(FormatError::RowOffset(block.row())),
        }
    }

    /// The end of the last block of this row. `None` if it exceeds 64 bits.
    pub fn end(&self) -> Option<u64> {
        let length: u64 = self.lengths.iter().map(|&length| u64::from(length)).sum();
        self.start.checked_add(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> OffsetRow {
        OffsetRow {
            start: 1 << 40,
            lengths: std::array::from_fn(|index| 100 + index as u32),
            checksums: std::array::from_fn(|index| u32::MAX - index as u32),
        }
    }

    #[test]
    fn rows_come_back_in_their_own_place_only() {
        let bytes = row().encode(7);
        assert_eq!(OffsetRow::decode(7, &bytes), Ok(row()));
        assert_eq!(OffsetRow::decode(8, &bytes), Err(FormatError::RowChecksum(8)));
        for at in 0..ROW_LENGTH {
            let mut bytes = bytes;
            bytes[at] ^= 1;
            assert_eq!(OffsetRow::decode(7, &bytes), Err(FormatError::RowChecksum(7)));
        }
    }

    #[test]
    fn extents_follow_one_another_and_stay_inside() {
        let end = row().end().unwrap();
        let mut start = row().start;
        for number in 16..32 {
            let extent = row().extent(BlockNumber(number), end).unwrap();
            assert_eq!((extent.start, extent.length), (start, 84 + number as u32));
            start += u64::from(extent.length);
        }
        assert_eq!(start, end);
        let outside = Err(FormatError::RowOffset(1));
        assert_eq!(row().extent(BlockNumber(31), end - 1), outside);
        let wild = OffsetRow { start: u64::MAX, ..row() };
        assert_eq!(wild.extent(BlockNumber(16), u64::MAX), outside);
        assert_eq!(wild.end(), None);
    }
}
