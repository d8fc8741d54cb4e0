//! A row of a packed file: the offset, lengths and checksum of 64 blocks.
//!
//! | bytes | what |
//! |---|---|
//! | 6 | offset of the first from the first block of the file |
//! | 4 | low half of the XXH3 of their bytes, seeded with the row's number |
//! | 4 | low half of the XXH3 of the following bytes, seeded with the XXH3 of the bytes before |
//! | 64 | low byte of the length of each, zero past the last |
//! | 8 per plane | bit 8 of the length of each, in the next plane bit 9, and so on |

use crate::format::error::FormatError;
use crate::format::{field, u32_at};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Blocks per row.
pub const ROW_BLOCKS: u64 = 64;

const BLOCKS_CHECKSUM_AT: usize = 6;
const CHECKSUM_AT: usize = 10;
const LENGTHS_AT: usize = 14;

const PLANES_AT: usize = LENGTHS_AT + ROW_BLOCKS as usize;
const PLANE_LENGTH: usize = size_of::<u64>();

/// The greatest number of bit planes for the higher bits of lengths.
pub const MAX_PLANES: u8 = 8;

/// Bytes of a row with this many bit planes for the higher bits of lengths.
pub const fn row_length(planes: u8) -> usize {
    PLANES_AT + planes as usize * PLANE_LENGTH
}

/// A row in the bytes of a file.
#[derive(Clone, Copy, Debug)]
pub struct PackedRow<'a> {
    number: u64,
    bytes: &'a [u8],
}

/// A range of the bytes of all blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedExtent {
    /// Offset from the first block.
    pub start: u64,
    /// The number of bytes.
    pub length: usize,
}

impl<'a> PackedRow<'a> {
    /// The row with this number at the start of these bytes, unchecked.
    ///
    /// # Errors
    ///
    /// When there are too few bytes.
    pub fn new(number: u64, planes: u8, bytes: &'a [u8]) -> Result<Self, FormatError> {
        let bytes = bytes.get(..row_length(planes)).ok_or(FormatError::RowOffset(number))?;
        Ok(PackedRow { number, bytes })
    }

    /// Encodes the row with this number for consecutive blocks of these lengths. `None` if a number
    /// does not fit into its field.
    pub fn encode(
        number: u64,
        planes: u8,
        start: u64,
        lengths: &[usize],
        blocks: &[u8],
    ) -> Option<Vec<u8>> {
        let mut bytes = vec![0; row_length(planes)];
        let start = start.to_le_bytes();
        let (start, above) = start.split_at(BLOCKS_CHECKSUM_AT);
        if above.iter().any(|&byte| byte != 0) || lengths.len() as u64 > ROW_BLOCKS {
            return None;
        }
        bytes[..BLOCKS_CHECKSUM_AT].copy_from_slice(start);
        let checksum = PackedRow::checksum_of_blocks(number, blocks);
        bytes[BLOCKS_CHECKSUM_AT..CHECKSUM_AT].copy_from_slice(&checksum.to_le_bytes());
        for (block, &length) in lengths.iter().enumerate() {
            if planes_of(length) > planes {
                return None;
            }
            bytes[LENGTHS_AT + block] = length as u8;
            for plane in 0..usize::from(planes) {
                let bit = (length >> (u8::BITS as usize + plane) & 1) as u8;
                bytes[PLANES_AT + plane * PLANE_LENGTH + block / 8] |= bit << (block % 8);
            }
        }
        let checksum = PackedRow { number, bytes: &bytes }.own_checksum();
        bytes[CHECKSUM_AT..LENGTHS_AT].copy_from_slice(&checksum.to_le_bytes());
        Some(bytes)
    }

    fn own_checksum(&self) -> u32 {
        let head = xxh3_64_with_seed(&self.bytes[..CHECKSUM_AT], self.number);
        xxh3_64_with_seed(&self.bytes[LENGTHS_AT..], head) as u32
    }

    /// The checksum of the bytes of a row's blocks.
    pub fn checksum_of_blocks(number: u64, blocks: &[u8]) -> u32 {
        xxh3_64_with_seed(blocks, number) as u32
    }

    /// The expected checksum of its blocks.
    pub fn blocks_checksum(&self) -> u32 {
        u32_at(self.bytes, BLOCKS_CHECKSUM_AT)
    }

    /// Checks that the row matches its checksum and that only its first `blocks` blocks have a
    /// length.
    ///
    /// # Errors
    ///
    /// When one of them is not so.
    pub fn check(&self, blocks: usize) -> Result<(), FormatError> {
        if self.own_checksum() != u32_at(self.bytes, CHECKSUM_AT) {
            return Err(FormatError::RowChecksum(self.number));
        }
        match self.sum(ROW_BLOCKS as usize) == self.sum(blocks) {
            true => Ok(()),
            false => Err(FormatError::Reserved("offset table")),
        }
    }

    fn start(&self) -> u64 {
        let low: [u8; BLOCKS_CHECKSUM_AT] = field(self.bytes, 0);
        low.iter().rev().fold(0, |start, &byte| start << u8::BITS | u64::from(byte))
    }

    /// Bytes of the first `blocks` blocks.
    fn sum(&self, blocks: usize) -> usize {
        let low = self.bytes[LENGTHS_AT..PLANES_AT].iter().take(blocks);
        let low: u32 = low.map(|&length| u32::from(length)).sum();
        let before = 1u64.checked_shl(blocks as u32).map_or(u64::MAX, |bit| bit - 1);
        let (planes, _) = self.bytes[PLANES_AT..].as_chunks::<PLANE_LENGTH>();
        let high = planes.iter().zip(u8::BITS..).map(|(&plane, bit)| {
            ((u64::from_le_bytes(plane) & before).count_ones() as usize) << bit
        });
        low as usize + high.sum::<usize>()
    }

    /// The extent of a block, by its position in the row.
    #[inline]
    pub fn extent(&self, place: usize) -> PackedExtent {
        let before = self.sum(place);
        PackedExtent { start: self.start() + before as u64, length: self.sum(place + 1) - before }
    }

    /// The extent of all its blocks together.
    pub fn blocks(&self) -> PackedExtent {
        PackedExtent { start: self.start(), length: self.sum(ROW_BLOCKS as usize) }
    }
}

/// The number of bit planes that a length needs.
pub fn planes_of(length: usize) -> u8 {
    (usize::BITS - length.leading_zeros()).saturating_sub(u8::BITS) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_in_their_own_place_only() {
        for planes in [0, 1, 3] {
            let lengths: Vec<usize> = (0..50).map(|n| (n * 5) << planes).collect();
            let blocks = vec![7; lengths.iter().sum()];
            let bytes = PackedRow::encode(3, planes, 1 << 40, &lengths, &blocks).unwrap();
            let row = PackedRow::new(3, planes, &bytes).unwrap();
            assert_eq!(row.check(50), Ok(()));
            assert_eq!(row.check(49), Err(FormatError::Reserved("offset table")));
            assert_eq!(row.blocks_checksum(), PackedRow::checksum_of_blocks(3, &blocks));
            assert_eq!(row.blocks(), PackedExtent { start: 1 << 40, length: blocks.len() });
            let mut start = 1 << 40;
            for (place, &length) in lengths.iter().enumerate() {
                assert_eq!(row.extent(place), PackedExtent { start, length });
                start += length as u64;
            }
            let other = PackedRow::new(4, planes, &bytes).unwrap();
            assert_eq!(other.check(50), Err(FormatError::RowChecksum(4)));
            for at in (0..bytes.len()).filter(|at| !(CHECKSUM_AT..LENGTHS_AT).contains(at)) {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1;
                let row = PackedRow::new(3, planes, &bytes).unwrap();
                assert!(row.check(50).is_err());
            }
            assert!(PackedRow::new(3, planes, &bytes[1..]).is_err());
        }
        assert_eq!(PackedRow::encode(0, 1, 0, &[512], &[]), None);
        assert_eq!(PackedRow::encode(0, 1, 1 << 48, &[], &[]), None);
        assert_eq!([0, 255, 256, 511, 512, 65_535].map(planes_of), [0, 0, 1, 1, 2, 8]);
    }
}
