//! How one side of a table is packed: the order of tiles and the model that take the fewest
//! bytes on samples of the blocks.

use crate::output::packed::encoder::encode::BlockEncoder;
use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::encoder::train;
use crate::output::packed::error::PackProblem;
use crate::output::packed::source::PackSource;
use rayon::prelude::*;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::index::Index;
use sakmak_tables::packed_codec::MAX_TILES;
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::Model;
use sakmak_tables::tiles::order::TileOrder;
use sakmak_tables::tiles::tile::Tiles;
use sakmak_tables::variant::Variant;

/// Slots of the sample that compares the orders of tiles.
const ORDER_SAMPLE: u64 = 1 << 19;

/// Slots of the sample that the model is trained on.
const MODEL_SAMPLE: u64 = 1 << 23;

/// A prime near the golden ratio of a 64-bit number: its multiples are spread evenly.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c55;

/// How one side of a table is packed.
#[derive(Debug)]
pub struct PackPlan {
    /// The order of the tiles.
    pub order: TileOrder,
    /// The tiles in that order.
    pub tiles: Tiles,
    /// The model.
    pub model: Model,
    /// An estimate of the bytes of all blocks.
    pub bytes: u64,
}

impl PackPlan {
    /// The plan with the fewest bytes for blocks of `block_tiles` tiles; of equal ones the first.
    ///
    /// # Errors
    ///
    /// If the number of tiles is not allowed for a block.
    pub fn new(
        source: &PackSource<'_>,
        index: &Index,
        variant: &'static Variant,
        block_tiles: usize,
    ) -> Result<PackPlan, PackProblem> {
        if !(1..=MAX_TILES).contains(&block_tiles) {
            return Err(CodecError::BlockTiles(block_tiles).into());
        }
        let candidates = TileOrder::all(index).into_par_iter().map(|order| {
            let Some(tiles) = Tiles::new(index, variant, &order) else { return Ok(None) };
            let sample = sample(source, &tiles, block_tiles, ORDER_SAMPLE);
            let model = train(source.coding(), block_tiles, &sample)?;
            let bytes = encoded_size(&model, &sample, &tiles)?;
            Ok(Some((bytes, order, tiles)))
        });
        let candidates: Vec<_> = candidates.collect::<Result<_, CodecError>>()?;
        let best = candidates.into_iter().flatten().min_by_key(|&(bytes, ..)| bytes);
        let (_, order, tiles) = best.ok_or(PackProblem::Empty)?;
        let sample = sample(source, &tiles, block_tiles, MODEL_SAMPLE);
        let model = train(source.coding(), block_tiles, &sample)?;
        let bytes = encoded_size(&model, &sample, &tiles)?;
        Ok(PackPlan { order, tiles, model, bytes })
    }
}

/// Blocks of about `slots` slots, spread evenly over all.
fn sample(
    source: &PackSource<'_>,
    tiles: &Tiles,
    block_tiles: usize,
    slots: u64,
) -> Vec<Vec<TargetTile>> {
    let size = block_tiles as u64;
    let blocks = tiles.len().div_ceil(size);
    let sampled = slots / (size * SQUARES as u64);
    let block =
        |number: u64| source.tiles(tiles, number * size..tiles.len().min((number + 1) * size));
    if blocks <= sampled {
        return (0..blocks).into_par_iter().map(block).collect();
    }
    // Not at equal steps, which may coincide with a period in the order of the tiles.
    let number = |n: u64| ((u128::from(n.wrapping_mul(SPREAD)) * u128::from(blocks)) >> 64) as u64;
    (1..=sampled).into_par_iter().map(|n| block(number(n))).collect()
}

/// The bytes of all blocks of the table, estimated from the sample.
fn encoded_size(
    model: &Model,
    sample: &[Vec<TargetTile>],
    tiles: &Tiles,
) -> Result<u64, CodecError> {
    let mut encoder = BlockEncoder::new(model);
    let (mut bytes, mut encoded_tiles) = (0u64, 0u64);
    for block in sample.iter().filter(|block| !block.is_empty()) {
        bytes += encoder.encode(block)?.0.len() as u64;
        encoded_tiles += block.len() as u64;
    }
    let all = u128::from(bytes) * u128::from(tiles.len()) / u128::from(encoded_tiles.max(1));
    Ok(all as u64)
}
