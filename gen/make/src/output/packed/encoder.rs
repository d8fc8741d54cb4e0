//! Encodes one side's codes: trains a model by counting, and writes blocks with it.
//!
//! [`sakmak_codec`] describes the blocks; here is the half that only a writer
//! needs. The result does not depend on the order of threads: a model depends on its sample of
//! blocks, a block on the model and its tiles.
//!
//! ```text
//! a sample of blocks -> order of near squares, reference tiles    the most similar ones
//!                    -> counts by context -> distributions
//! sixteen blocks     -> symbols, first to last -> bytes, last to first
//! ```
//!
//! Several symbols may denote the same code, and several codes are allowed on a don't-care square.
//! The encoder uses the likeliest symbol of the context if it is allowed, otherwise the lowest
//! allowed symbol, otherwise the literal.

pub mod target_tile;

pub mod lane_target;

mod lane_bytes;

pub mod lane_encoder;

mod similarity;

mod coded_length;

mod count;

#[cfg(test)]
mod tests;

use count::SymbolCounter;
use rayon::prelude::*;
use sakmak_codec::context::ContextSquares;
use sakmak_codec::error::CodecError;
use sakmak_codec::model::{Model, ModelParts};
use sakmak_codec::scale::Scale;
use sakmak_codec::walk::Predictor;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::packed::header::MAX_TILES;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::values::Coding;
use similarity::{COUNTED_TOGETHER, reference_tiles, step_order};
use target_tile::TargetTile;

/// Trains the model for blocks of `tiles` tiles on a sample of blocks.
///
/// Blocks may be shorter, as the last of a table is. All codes must be of the coding; the
/// model can encode all of them, whether they occur in the sample or not.
///
/// # Errors
///
/// If the number of tiles is not allowed for a block.
pub fn train(
    coding: Coding,
    tiles: usize,
    blocks: &[Vec<TargetTile>],
) -> Result<Model, CodecError> {
    let CountedSample { squares, references, counter } = CountedSample::of(coding, tiles, blocks)?;
    let (distributions, distribution_of) = counter.distributions();
    let [base, literal] = counter.digits();
    let parts = ModelParts { squares, references, distributions, distribution_of, base, literal };
    Model::new(coding, parts)
}

/// About the length of a sample of blocks in bytes, encoded with a model that is trained on it.
///
/// # Errors
///
/// The errors of [`train`].
pub fn trained_length(
    coding: Coding,
    tiles: usize,
    blocks: &[Vec<TargetTile>],
) -> Result<u64, CodecError> {
    Ok(CountedSample::of(coding, tiles, blocks)?.counter.coded_length().bytes())
}

/// A sample of blocks, counted.
struct CountedSample<'a> {
    squares: ContextSquares,
    references: Vec<Option<u8>>,
    counter: SymbolCounter<'a>,
}

impl<'a> CountedSample<'a> {
    fn of(
        coding: Coding,
        tiles: usize,
        blocks: &'a [Vec<TargetTile>],
    ) -> Result<CountedSample<'a>, CodecError> {
        if tiles == 0 || tiles > MAX_TILES {
            return Err(CodecError::BlockTiles(tiles));
        }
        let scale = Scale::of(coding);
        let squares = ContextSquares::new(step_order(blocks))?;
        let references = reference_tiles(blocks, tiles);
        let predictor = Predictor { squares: &squares, references: &references, scale };
        let counted = |blocks: &'a [Vec<TargetTile>]| -> Result<SymbolCounter<'a>, CodecError> {
            let mut counter = SymbolCounter::new(scale);
            let mut codes = vec![[0; SQUARES]; tiles];
            for block in blocks.iter().filter(|block| !block.is_empty()) {
                counter.block = block;
                let last = TileSquare { tile: block.len() - 1, square: SQUARES - 1 };
                predictor.walk(&mut counter, &mut codes, last)?;
            }
            Ok(counter)
        };
        let counters = blocks.par_chunks(COUNTED_TOGETHER).map(counted);
        let sum = |one: SymbolCounter<'a>, other: SymbolCounter<'a>| Ok(one.with(&other));
        let counter = counters.try_reduce_with(sum).transpose()?;
        let counter = counter.unwrap_or_else(|| SymbolCounter::new(scale));
        Ok(CountedSample { squares, references, counter })
    }
}
