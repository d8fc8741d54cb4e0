//! The blocks of a table in the order in which its codes are read.
//!
//! A file holds blocks in the order of tiles, a table holds codes in that of slots. Tiles that
//! differ in the [slot digit](Tiles::slot_digit) alone hold successive slots, so that 64 of them
//! are read together. A *group* has some successive blocks for each of 64 values of that digit. A
//! *wave* is all groups of some successive blocks.

use sakmak_tables::board::square::SQUARES;
use sakmak_tables::tiles::tile::{SlotDigit, TileNumber, Tiles};
use std::ops::Range;

/// Tiles of a wave, at least: enough groups for all threads.
const WAVE_TILES: u64 = 1 << 17;

/// Blocks of a group, about.
const GROUP_BLOCKS: u64 = 256;

/// The values of the slot digit in a group, at most.
pub const GROUP_VALUES: usize = SQUARES;

/// Blocks that are read and encoded together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockGroup {
    /// The first tile.
    first: u64,
    /// Successive tiles for each value of the slot digit.
    run: u64,
    /// The number of values of the slot digit; 1 if tiles are read one by one.
    values: u64,
    /// Tiles from one value to the next.
    stride: u64,
}

impl BlockGroup {
    /// Successive tiles for each value of the slot digit.
    pub fn run(&self) -> usize {
        self.run as usize
    }

    /// Returns the number of values of the slot digit; 1 if tiles are read one by one.
    pub fn values(&self) -> usize {
        self.values as usize
    }

    /// Returns the tiles: by value of the slot digit, then in the order of their numbers.
    pub fn tiles(&self) -> impl Iterator<Item = TileNumber> + use<> {
        let BlockGroup { first, run, values, stride } = *self;
        (0..values).flat_map(move |value| {
            let first = first + value * stride;
            (first..first + run).map(TileNumber)
        })
    }

    /// Returns the runs of successive blocks, in the order of [`BlockGroup::tiles`].
    pub fn block_runs(&self, block_tiles: u64) -> impl Iterator<Item = Range<u64>> + use<> {
        let BlockGroup { first, run, values, stride } = *self;
        // Tiles of successive values may be successive themselves.
        let (run, values) = if stride == run { (run * values, 1) } else { (run, values) };
        (0..values).map(move |value| {
            let first = first + value * stride;
            first / block_tiles..(first + run).div_ceil(block_tiles)
        })
    }
}

/// The waves of a table, in the order of its blocks.
#[derive(Clone, Copy, Debug)]
pub struct BlockWaves {
    block_tiles: u64,
    /// The slot digit; `None` if tiles are read one by one.
    digit: Option<SlotDigit>,
    /// Tiles of a wave; the last may have fewer.
    wave: u64,
}

impl BlockWaves {
    /// Returns the waves of these tiles in blocks of `block_tiles`.
    pub fn new(tiles: &Tiles, block_tiles: u64) -> BlockWaves {
        // No block may have tiles of two groups.
        let whole = |digit: &SlotDigit| match digit.stride {
            1 => digit.radix.is_multiple_of(block_tiles) && block_tiles <= GROUP_VALUES as u64,
            stride => stride.is_multiple_of(block_tiles),
        };
        let digit = tiles.slot_digit().filter(whole);
        let slab = digit.map_or(block_tiles, |digit| digit.radix * digit.stride);
        BlockWaves { block_tiles, digit, wave: slab * WAVE_TILES.div_ceil(slab) }
    }

    /// Returns the groups of each wave of these tiles, which are all of some white kings as far as
    /// whole blocks allow.
    pub fn of(self, tiles: Range<u64>) -> impl Iterator<Item = Vec<BlockGroup>> {
        let starts = tiles.clone().step_by(self.wave as usize);
        starts.map(move |start| self.groups(start..tiles.end.min(start + self.wave)))
    }

    /// Returns the groups of these tiles.
    fn groups(&self, tiles: Range<u64>) -> Vec<BlockGroup> {
        let Some(SlotDigit { radix, stride }) = self.digit else {
            let most = GROUP_BLOCKS * self.block_tiles;
            let starts = tiles.clone().step_by(most as usize);
            let group = |first| {
                let run = most.min(tiles.end - first);
                BlockGroup { first, run, values: 1, stride: run }
            };
            return starts.map(group).collect();
        };
        let values = GROUP_VALUES as u64;
        let (run, values) = match stride {
            1 => (1, values / self.block_tiles * self.block_tiles),
            _ => ((GROUP_BLOCKS / values).max(1) * self.block_tiles, values),
        };
        let mut groups = Vec::new();
        for slab in tiles.step_by((radix * stride) as usize) {
            for value in (0..radix).step_by(values as usize) {
                let values = values.min(radix - value);
                let starts = (0..stride).step_by(run as usize);
                groups.extend(starts.map(|start| {
                    let first = slab + value * stride + start;
                    BlockGroup { first, run: run.min(stride - start), values, stride }
                }));
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::index::Index;
    use sakmak_tables::tiles::order::TileOrder;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn every_block_is_in_one_group_with_all_its_tiles() {
        for name in ["KRvK", "KRvKM", "KPvKP", "KMMvKM", "KPPvK", "KPPPvK", "KRPvK"] {
            let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
            for order in TileOrder::all(&index) {
                let tiles = Tiles::new(&index, &MAKRUK, &order).unwrap();
                for block_tiles in [1, 2, 3, 16, 64] {
                    let mut next_block = 0;
                    for wave in BlockWaves::new(&tiles, block_tiles).of(0..tiles.len()) {
                        let mut blocks = Vec::new();
                        for group in wave {
                            let numbers: Vec<u64> = group.tiles().map(|tile| tile.0).collect();
                            let mut numbers = &numbers[..];
                            for block in group.block_runs(block_tiles).flatten() {
                                let first = block * block_tiles;
                                let last = tiles.len().min(first + block_tiles);
                                let (own, rest) = numbers.split_at((last - first) as usize);
                                assert!(own.iter().copied().eq(first..last), "{name} {order:?}");
                                numbers = rest;
                                blocks.push(block);
                            }
                            assert!(numbers.is_empty());
                        }
                        blocks.sort_unstable();
                        let end = next_block + blocks.len() as u64;
                        assert!(blocks.into_iter().eq(next_block..end), "{name} {order:?}");
                        next_block = end;
                    }
                    assert_eq!(next_block, tiles.len().div_ceil(block_tiles));
                }
            }
        }
    }
}
