//! The format of solved files: the values of both sides to move, in blocks of zstd.
//! `FORMAT.md` describes every byte.
//!
//! ```text
//! header | block 0 | block 1 | ... | offset row 0 | offset row 1 | ... | trailer
//! ```

pub mod header;

pub mod offsets;

use crate::format::solved::header::SolvedHeader;
use crate::format::solved::offsets::{BlockNumber, OffsetTable};

use crate::index::Slot;
use crate::rules::piece::Side;
use crate::values::Coding;

/// The content of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockContent {
    /// The side to move.
    pub side: Side,
    /// The coding of its codes.
    pub coding: Coding,
    /// The slot of its first code.
    pub first: Slot,
    /// The number of codes.
    pub codes: usize,
}

impl BlockContent {
    /// Bytes of the decoded block.
    pub const fn length(&self) -> usize {
        self.codes * self.coding.width()
    }
}

/// The offsets of all parts of a solved file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolvedLayout {
    header: SolvedHeader,
}

impl SolvedLayout {
    /// The layout of a file with this header.
    pub const fn new(header: SolvedHeader) -> SolvedLayout {
        SolvedLayout { header }
    }

    /// The header.
    pub const fn header(&self) -> &SolvedHeader {
        &self.header
    }

    /// The number of blocks of each side to move.
    pub const fn blocks_per_side(&self) -> u64 {
        self.header.slots.div_ceil(self.header.block_codes as u64)
    }

    /// The number of blocks.
    pub const fn blocks(&self) -> u64 {
        let sides = if self.header.black.is_some() { 2 } else { 1 };
        self.blocks_per_side() * sides
    }

    /// The offset table.
    pub const fn offsets(&self) -> OffsetTable {
        OffsetTable { blocks: self.blocks() }
    }

    /// The block that holds a slot, and the index of the slot's code in it. `None` if the file does
    /// not hold the side, or for a slot past the last.
    pub fn locate(&self, side: Side, slot: Slot) -> Option<(BlockNumber, usize)> {
        self.header.coding(side)?;
        if slot.0 >= self.header.slots {
            return None;
        }
        let block_codes = u64::from(self.header.block_codes);
        let before = self.blocks_per_side() * side.index() as u64;
        let offset = (slot.0 % block_codes) as usize;
        Some((BlockNumber(before + slot.0 / block_codes), offset))
    }

    /// The content of a block. `None` for a number past the last.
    pub fn content(&self, block: BlockNumber) -> Option<BlockContent> {
        let per_side = self.blocks_per_side();
        let (side, number) = match block.0.checked_sub(per_side) {
            None => (Side::White, block.0),
            Some(number) => (Side::Black, number),
        };
        let coding = self.header.coding(side)?;
        let block_codes = u64::from(self.header.block_codes);
        let first = number.checked_mul(block_codes)?;
        let codes = self.header.slots.checked_sub(first)?.min(block_codes) as usize;
        (codes > 0).then_some(BlockContent { side, coding, first: Slot(first), codes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::preamble::Preamble;

    #[test]
    fn every_slot_is_in_one_block_and_blocks_tile_both_sides() {
        for (slots, blocks) in [(1, 2), (16, 2), (17, 4), (1000, 126)] {
            let layout = SolvedLayout::new(SolvedHeader {
                preamble: Preamble { name: "KRvK".parse().unwrap(), fingerprint: 0 },
                slots,
                block_codes: 16,
                white: Coding::default(),
                black: Some(Coding::default()),
            });
            assert_eq!(layout.blocks(), blocks);
            let mut seen = 0;
            for block in (0..blocks).map(BlockNumber) {
                let content = layout.content(block).unwrap();
                for offset in 0..content.codes {
                    let slot = Slot(content.first.0 + offset as u64);
                    assert_eq!(layout.locate(content.side, slot), Some((block, offset)));
                    seen += 1;
                }
            }
            assert_eq!(seen, 2 * slots);
            for past in [blocks, u64::MAX] {
                assert_eq!(layout.content(BlockNumber(past)), None);
            }
            assert_eq!(layout.locate(Side::White, Slot(slots)), None);
            assert_eq!(layout.offsets().file_length(u64::MAX - 1), None);
        }
    }
}
