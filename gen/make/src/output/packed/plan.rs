//! The choice of side, order of tiles and model that take the fewest bytes on samples of the
//! blocks.
//!
//! ```text
//! each side and order:         a small sample
//! the best of them:            a larger sample
//! for conversions:             the same for the orders of the other side
//! the best one:                the same without don't-care squares, kept unless much larger
//!                              -> the model, trained on a large sample
//! ```

use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::encoder::{train, trained_length};
use crate::output::packed::error::PackProblem;
use crate::output::packed::options::PackOptions;
use crate::output::packed::sample::{BlockSample, samples};
use crate::output::packed::source::PackSource;
use crate::output::packed::tile_source::TileSource;
use rayon::prelude::*;
use sakmak_codec::error::CodecError;
use sakmak_codec::model::Model;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::packed::header::MAX_TILES;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::order::TileOrder;
use sakmak_tables::tiles::tile::Tiles;

/// Slots of the sample that compares all orders of tiles.
const FIRST_SAMPLE: u64 = 1 << 13;

/// The number of orders that are compared on a larger sample.
const FINALISTS: usize = 6;

/// Slots of that sample.
const SECOND_SAMPLE: u64 = 1 << 17;

/// Slots of the sample that the model is trained on.
const MODEL_SAMPLE: u64 = 1 << 22;

/// Returns the memory of the sample that the model of a table of this many slots is trained on.
pub fn model_sample_bytes(slots: u64) -> u64 {
    let tiles = slots.min(MODEL_SAMPLE).div_ceil(SQUARES as u64);
    tiles * (size_of::<TargetTile>() + size_of::<Vec<TargetTile>>()) as u64
}

/// The least bytes that don't-care squares must save, in percent. They take time when a table is
/// packed, and captures have to be looked up when it is probed.
const DONT_CARE_SAVES: u64 = 3;

/// The choices for packing a table.
#[derive(Debug)]
pub struct PackPlan {
    /// The tiles of the side that is kept.
    pub source: TileSource,
    /// The model.
    pub model: Model,
}

/// A source with a sample of its blocks.
struct Candidate {
    source: TileSource,
    sample: BlockSample,
    /// An estimate of the bytes of all blocks.
    bytes: u64,
}

impl PackPlan {
    /// Returns the plan with the fewest bytes for blocks of this many tiles; of equal ones the
    /// first.
    ///
    /// # Errors
    ///
    /// If the number of tiles is not allowed for a block, the table has no values or cannot be
    /// read.
    pub fn new(
        table: &PackSource<'_>,
        PackOptions { tiles: block_tiles, cold, converted_men }: PackOptions,
    ) -> Result<PackPlan, PackProblem> {
        if !(1..=MAX_TILES).contains(&block_tiles) {
            return Err(CodecError::BlockTiles(block_tiles).into());
        }
        let index = table.index();
        let orders = TileOrder::all(index).into_iter().filter_map(|order| {
            let tiles = Tiles::new(index, table.variant, &order)?;
            Some((order, tiles))
        });
        let orders: Vec<(TileOrder, Tiles)> = orders.collect();
        let sides = table.sides().filter(|&(side, _)| !cold || side == Side::White);
        let sources = sides.flat_map(|(side, coding)| {
            let source = move |(order, tiles): &(TileOrder, Tiles)| {
                let source = TileSource::new(side, coding, order.clone(), tiles.clone());
                if cold { source.without_dont_care() } else { source }
            };
            orders.iter().map(source)
        });
        let sources = candidates(table, sources.collect(), block_tiles, FIRST_SAMPLE)?;
        let sources: Vec<TileSource> =
            sources.into_iter().map(|candidate| candidate.source).collect();
        let best_of = |sources: &[TileSource]| {
            let finalists = sources.iter().take(FINALISTS).cloned().collect();
            let best = candidates(table, finalists, block_tiles, SECOND_SAMPLE)?;
            best.into_iter().next().ok_or(PackProblem::Empty)
        };
        let mut best = best_of(&sources)?;
        if index.material().men() <= converted_men && !cold {
            best = best_of(&for_conversions(sources, best.source.side()))?;
        }
        let source = best.without_useless_dont_care(block_tiles)?;
        let own = std::slice::from_ref(&source);
        let sample = samples(table, own, block_tiles, MODEL_SAMPLE)?.pop().unwrap_or_default();
        let model = train(source.coding(), block_tiles, &sample)?;
        Ok(PackPlan { source, model })
    }
}

impl Candidate {
    /// Returns the source without don't-care squares unless they make the table much smaller.
    fn without_useless_dont_care(mut self, block_tiles: usize) -> Result<TileSource, CodecError> {
        if !self.source.has_dont_care() {
            return Ok(self.source);
        }
        self.sample.iter_mut().flatten().for_each(|tile| tile.dont_care = 0);
        let exact = self.source.clone().without_dont_care();
        let exact_bytes = estimated_size(&exact, &self.sample, block_tiles)?;
        let saved = exact_bytes.saturating_sub(self.bytes);
        let is_useful = saved * 100 > exact_bytes * DONT_CARE_SAVES;
        Ok(if is_useful { self.source } else { exact })
    }
}

/// Returns the sources of a file for conversions of larger tables: the sources of the side that
/// does not take the fewest bytes, or all sources of a table with one side. They have no don't-care
/// squares. See [`PackOptions`].
fn for_conversions(sources: Vec<TileSource>, fewest: Side) -> Vec<TileSource> {
    let (other, same): (Vec<_>, Vec<_>) =
        sources.into_iter().partition(|source| source.side() != fewest);
    let sources = if other.is_empty() { same } else { other };
    sources.into_iter().map(TileSource::without_dont_care).collect()
}

/// These sources with samples of this many slots, the one with the fewest bytes first.
fn candidates(
    table: &PackSource<'_>,
    sources: Vec<TileSource>,
    block_tiles: usize,
    slots: u64,
) -> Result<Vec<Candidate>, PackProblem> {
    let samples = samples(table, &sources, block_tiles, slots)?;
    let sized = sources.into_par_iter().zip(samples).map(|(source, sample)| {
        let bytes = estimated_size(&source, &sample, block_tiles)?;
        Ok(Candidate { source, sample, bytes })
    });
    let mut sized: Vec<Candidate> = sized.collect::<Result<_, CodecError>>()?;
    // A stable sort: of equal ones the first.
    sized.sort_by_key(|candidate| candidate.bytes);
    Ok(sized)
}

/// Returns the size of all blocks, estimated with a model for a sample.
fn estimated_size(
    source: &TileSource,
    sample: &BlockSample,
    block_tiles: usize,
) -> Result<u64, CodecError> {
    let bytes = trained_length(source.coding(), block_tiles, sample)?;
    let sampled_tiles: usize = sample.iter().map(Vec::len).sum();
    let tiles = u128::from(source.tiles().len());
    Ok((u128::from(bytes) * tiles / sampled_tiles.max(1) as u128) as u64)
}
