//! How a table is packed: the side, the order of tiles and the model that take the fewest bytes on
//! samples of the blocks.
//!
//! ```text
//! each side and order:         a small sample
//! the best of them:            a larger sample
//! the best one:                the same without don't-care squares, kept unless much larger
//!                              -> the model, trained on a large sample
//! ```

use crate::output::packed::PackOptions;
use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::encoder::{train, trained_length};
use crate::output::packed::error::PackProblem;
use crate::output::packed::source::{PackSource, TileSource};
use rayon::prelude::*;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::index::Index;
use sakmak_tables::packed_codec::MAX_TILES;
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::Model;
use sakmak_tables::tiles::order::TileOrder;
use sakmak_tables::tiles::tile::Tiles;
use sakmak_tables::variant::Variant;

/// Slots of the sample that compares all orders of tiles.
const FIRST_SAMPLE: u64 = 1 << 13;

/// The number of orders that are compared on a larger sample.
const FINALISTS: usize = 6;

/// Slots of that sample.
const SECOND_SAMPLE: u64 = 1 << 17;

/// Slots of the sample that the model is trained on.
const MODEL_SAMPLE: u64 = 1 << 22;

/// The least bytes that don't-care squares must save, in percent. They take time when a table is
/// packed, and captures have to be looked up when it is probed.
const DONT_CARE_SAVES: u64 = 3;

/// A prime near the golden ratio of a 64-bit number: its multiples are spread evenly.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c55;

/// How a table is packed.
#[derive(Debug)]
pub struct PackPlan<'a> {
    /// The order of the tiles.
    pub order: TileOrder,
    /// The tiles in that order, of the side that is kept.
    pub source: TileSource<'a>,
    /// The model.
    pub model: Model,
}

/// A side and an order of its tiles.
struct Candidate<'a> {
    order: TileOrder,
    source: TileSource<'a>,
}

impl<'a> PackPlan<'a> {
    /// The plan with the fewest bytes for blocks of so many tiles; of equal ones the first.
    ///
    /// # Errors
    ///
    /// If the number of tiles is not allowed for a block, or there is no source.
    pub fn new(
        sources: &[PackSource<'a>],
        index: &Index,
        variant: &'static Variant,
        PackOptions { tiles: block_tiles, cold }: PackOptions,
    ) -> Result<PackPlan<'a>, PackProblem> {
        if !(1..=MAX_TILES).contains(&block_tiles) {
            return Err(CodecError::BlockTiles(block_tiles).into());
        }
        let orders = TileOrder::all(index).into_iter().filter_map(|order| {
            let tiles = Tiles::new(index, variant, &order)?;
            Some((order, tiles))
        });
        let orders: Vec<(TileOrder, Tiles)> = orders.collect();
        let candidates = sources.iter().flat_map(|&source| {
            orders.iter().map(move |(order, tiles)| {
                let source = TileSource::new(source, tiles.clone());
                let source = if cold { source.without_dont_care() } else { source };
                Candidate { order: order.clone(), source }
            })
        });
        let finalists = best(candidates.collect(), block_tiles, FIRST_SAMPLE, FINALISTS)?;
        let finalists = finalists.into_iter().map(|(_, candidate)| candidate).collect();
        let best = best(finalists, block_tiles, SECOND_SAMPLE, 1)?.pop();
        let (bytes, Candidate { order, source }) = best.ok_or(PackProblem::Empty)?;
        let source = match source.has_dont_care() {
            true => without_useless_dont_care(source, bytes, block_tiles)?,
            false => source,
        };
        let sample = sample(&source, block_tiles, MODEL_SAMPLE);
        let model = train(source.source().coding(), block_tiles, &sample)?;
        Ok(PackPlan { order, source, model })
    }
}

/// The candidates with the fewest bytes on a sample of so many slots, the best first, and an
/// estimate of the bytes of all blocks.
fn best(
    candidates: Vec<Candidate<'_>>,
    block_tiles: usize,
    slots: u64,
    most: usize,
) -> Result<Vec<(u64, Candidate<'_>)>, CodecError> {
    let sizes = candidates
        .into_par_iter()
        .map(|candidate| Ok((estimated_size(&candidate.source, block_tiles, slots)?, candidate)));
    let mut sized: Vec<(u64, Candidate<'_>)> = sizes.collect::<Result<_, CodecError>>()?;
    // A stable sort: of equal ones the first.
    sized.sort_by_key(|&(bytes, _)| bytes);
    sized.truncate(most);
    Ok(sized)
}

/// The source without don't-care squares unless they make the table much smaller; `bytes` is its
/// estimated size with them.
fn without_useless_dont_care(
    source: TileSource<'_>,
    bytes: u64,
    block_tiles: usize,
) -> Result<TileSource<'_>, CodecError> {
    let exact = source.clone().without_dont_care();
    let exact_bytes = estimated_size(&exact, block_tiles, SECOND_SAMPLE)?;
    let saved = exact_bytes.saturating_sub(bytes);
    Ok(if saved * 100 > exact_bytes * DONT_CARE_SAVES { source } else { exact })
}

/// The size of all blocks, estimated with a model for a sample of so many slots.
fn estimated_size(
    source: &TileSource<'_>,
    block_tiles: usize,
    slots: u64,
) -> Result<u64, CodecError> {
    let sample = sample(source, block_tiles, slots);
    let bytes = trained_length(source.source().coding(), block_tiles, &sample)?;
    let sampled_tiles: usize = sample.iter().map(Vec::len).sum();
    let tiles = u128::from(source.tiles().len());
    Ok((u128::from(bytes) * tiles / sampled_tiles.max(1) as u128) as u64)
}

/// Blocks of about `slots` slots, spread evenly over all.
fn sample(source: &TileSource<'_>, block_tiles: usize, slots: u64) -> Vec<Vec<TargetTile>> {
    let tiles = source.tiles().len();
    let size = block_tiles as u64;
    let blocks = tiles.div_ceil(size);
    let sampled = slots / (size * SQUARES as u64);
    let block = |number: u64| source.range(number * size..tiles.min((number + 1) * size));
    if blocks <= sampled {
        return (0..blocks).into_par_iter().map(block).collect();
    }
    // Not at equal steps, which may coincide with a period in the order of the tiles.
    let number = |n: u64| ((u128::from(n.wrapping_mul(SPREAD)) * u128::from(blocks)) >> 64) as u64;
    (1..=sampled).into_par_iter().map(|n| block(number(n))).collect()
}
