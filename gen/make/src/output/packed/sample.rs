//! Samples of the blocks of a table.

use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::error::PackProblem;
use crate::output::packed::source::PackSource;
use crate::output::packed::tile_source::TileSource;
use rayon::prelude::*;
use sakmak_tables::board::square::SQUARES;
use std::collections::BTreeMap;
use std::ops::Range;

/// A prime near the golden ratio of a 64-bit number: its multiples are spread evenly.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c55;

/// Some blocks of a source.
pub type BlockSample = Vec<Vec<TargetTile>>;

/// A block of a sample that is to be read.
struct SampledBlock {
    /// The number of the source.
    source: usize,
    /// The place in its sample.
    place: usize,
    tiles: Range<u64>,
}

/// Returns the numbers of blocks of about `slots` slots, spread evenly over all.
fn numbers(blocks: u64, sampled: u64) -> impl Iterator<Item = u64> {
    let all = blocks <= sampled;
    // Not at equal steps, which may coincide with a period in the order of the tiles.
    let spread = move |n: u64| {
        let multiple = (n + 1).wrapping_mul(SPREAD);
        ((u128::from(multiple) * u128::from(blocks)) >> 64) as u64
    };
    (0..blocks.min(sampled)).map(move |n| if all { n } else { spread(n) })
}

/// Reads a sample of about `slots` slots of each of these sources, in blocks of `block_tiles`
/// tiles. The table is read once for each side to move.
///
/// # Errors
///
/// The errors of [`PackSource::in_window`].
pub fn samples(
    table: &PackSource<'_>,
    sources: &[TileSource],
    block_tiles: usize,
    slots: u64,
) -> Result<Vec<BlockSample>, PackProblem> {
    let size = block_tiles as u64;
    let mut samples: Vec<BlockSample> = Vec::new();
    // By side and, if the table is read a window at a time, white king.
    let mut windows: BTreeMap<(usize, u64), Vec<SampledBlock>> = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        let (side, tiles) = (source.side(), source.tiles());
        let per_window = match table.is_whole(side) {
            true => tiles.len(),
            false => tiles.tiles_per_white_king(),
        };
        let sampled = slots / (size * SQUARES as u64);
        let blocks: Vec<u64> = numbers(tiles.len().div_ceil(size), sampled).collect();
        samples.push(vec![Vec::new(); blocks.len()]);
        for (place, block) in blocks.into_iter().enumerate() {
            let tiles = block * size..tiles.len().min((block + 1) * size);
            let window = windows.entry((side.index(), tiles.start / per_window)).or_default();
            window.push(SampledBlock { source: number, place, tiles });
        }
    }
    for blocks in windows.into_values() {
        let slots = blocks.iter().map(|block| {
            let source = &sources[block.source];
            source.tiles().slots_of_white_kings(&block.tiles)
        });
        let joined = |a: Range<u64>, b: Range<u64>| a.start.min(b.start)..a.end.max(b.end);
        let (Some(slots), Some(first)) = (slots.reduce(joined), blocks.first()) else { continue };
        let side = sources[first.source].side();
        let read: BlockSample = table.in_window(side, slots, |window| {
            // Blocks of one source are successive.
            let of_sources = blocks.par_chunk_by(|one, other| one.source == other.source);
            let read = of_sources.flat_map(|blocks| {
                let reader = blocks.first().map(|block| sources[block.source].reader(window));
                let range = move |block: &SampledBlock| {
                    let tiles = block.tiles.clone();
                    reader.as_ref().map_or(Vec::new(), |reader| reader.range(tiles))
                };
                blocks.par_iter().map(range)
            });
            Ok(read.collect())
        })?;
        for (block, read) in blocks.into_iter().zip(read) {
            samples[block.source][block.place] = read;
        }
    }
    Ok(samples)
}
