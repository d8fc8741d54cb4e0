//! The contexts that most codes of a packed file have, loaded before a block is decoded.
//!
//! The entries and distributions of all contexts of a table take three quarters of a megabyte. A
//! random position finds little of it in the caches of the processor, and each code of a block
//! waits for the one before. Some two hundred cache lines serve most codes. The file does not name
//! them, so the contexts of the first decoded blocks are counted.

use crate::file::map::prefetch_line;
use sakmak_codec::error::CodecError;
use sakmak_codec::model::Model;
use sakmak_codec::prediction::Prediction;
use sakmak_codec::walk::Walker;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;
use std::cmp::Reverse;
use std::sync::{Mutex, OnceLock};

/// Number of blocks that are counted: the blocks of some hundred lookups.
const COUNTED_BLOCKS: u32 = 512;

/// Entries of a cache line.
const LINE_ENTRIES: usize = 64 / size_of::<u32>();

/// Number of cache lines of entries that are loaded. They serve seven to nine tenths of the codes
/// of a table.
const ENTRY_LINES: usize = 96;

/// Number of distributions that are loaded, each a cache line. They serve more than half of the
/// codes that are not the likeliest.
const DISTRIBUTIONS: usize = 128;

/// The frequent contexts of a model, once they are known.
#[derive(Debug, Default)]
pub struct FrequentContexts {
    known: OnceLock<FrequentLines>,
    counts: Mutex<LineCounts>,
}

/// The cache lines that most codes need.
#[derive(Debug)]
struct FrequentLines {
    /// A context of each line of entries.
    contexts: Box<[u32]>,
    /// Numbers of distributions.
    distributions: Box<[u32]>,
}

/// Counts of the codes that needed each cache line.
#[derive(Debug, Default)]
struct LineCounts {
    blocks: u32,
    /// By line of entries.
    entries: Vec<u32>,
    /// By distribution: the codes that were not the likeliest.
    distributions: Vec<u32>,
}

/// A decoded block: its tiles up to the last square.
#[derive(Clone, Copy, Debug)]
pub struct DecodedBlock<'a> {
    /// The shapes of its tiles.
    pub shapes: &'a [TileShape],
    /// The codes of its tiles.
    pub tiles: &'a [TileCodes],
    /// The last square.
    pub last: TileSquare,
}

impl FrequentContexts {
    /// Whether they are known.
    #[inline]
    pub fn are_known(&self) -> bool {
        self.known.get().is_some()
    }

    /// Counts the contexts of a block. Does nothing while another thread counts.
    pub fn count(&self, model: &Model, block: DecodedBlock<'_>) {
        let Ok(mut counts) = self.counts.try_lock() else { return };
        if self.are_known() {
            return;
        }
        counts.add(model, block);
        if counts.blocks >= COUNTED_BLOCKS {
            // The lock is held, so no other thread sets them.
            let _ = self.known.set(std::mem::take(&mut *counts).most_frequent(model));
        }
    }

    /// Begins to load the frequent contexts. The model is the one that was counted.
    #[inline]
    pub fn prefetch(&self, model: &Model) {
        let Some(FrequentLines { contexts, distributions }) = self.known.get() else { return };
        let words = model.contexts().words();
        for &context in contexts {
            words.get(context as usize).into_iter().for_each(prefetch_line);
        }
        for &number in distributions {
            model.distributions().get(number as usize).into_iter().for_each(prefetch_line);
        }
    }
}

impl LineCounts {
    fn add(&mut self, model: &Model, block: DecodedBlock<'_>) {
        self.blocks += 1;
        self.entries.resize(line_of(model, model.contexts().words().len()) + 1, 0);
        self.distributions.resize(model.distributions().len(), 0);
        let mut tiles = vec![[0; SQUARES]; block.tiles.len()];
        let mut counter = ContextCounter { model, block, counts: self };
        // An error ends the count of this block early.
        let _ = model.predictor().walk(&mut counter, &mut tiles, block.last);
    }

    fn most_frequent(self, model: &Model) -> FrequentLines {
        // The lines with the greatest counts.
        let most = |counts: &[u32], lines: usize| -> Vec<usize> {
            let mut used: Vec<usize> = (0..counts.len()).filter(|&line| counts[line] > 0).collect();
            used.sort_by_key(|&line| Reverse(counts[line]));
            used.truncate(lines);
            used
        };
        let entries = most(&self.entries, ENTRY_LINES).into_iter();
        let context = |line: usize| (line * LINE_ENTRIES).saturating_sub(line_start(model)) as u32;
        let distributions = most(&self.distributions, DISTRIBUTIONS).into_iter();
        FrequentLines {
            contexts: entries.map(context).collect(),
            distributions: distributions.map(|number| number as u32).collect(),
        }
    }
}

/// The place of the first entry of a model in its cache line.
fn line_start(model: &Model) -> usize {
    model.contexts().words().as_ptr().addr() / size_of::<u32>() % LINE_ENTRIES
}

/// The number of the cache line with the entry of a context.
fn line_of(model: &Model, context: usize) -> usize {
    (line_start(model) + context) / LINE_ENTRIES
}

/// Counts the cache lines that a block needs.
struct ContextCounter<'a> {
    model: &'a Model,
    block: DecodedBlock<'a>,
    counts: &'a mut LineCounts,
}

impl Walker for ContextCounter<'_> {
    type Error = CodecError;

    /// The first kept code, which the encoder takes too. Another base would give other contexts.
    fn base(&mut self) -> Result<u16, CodecError> {
        let tiles = self.block.shapes.iter().zip(self.block.tiles);
        let mut first = tiles.filter(|(shape, _)| shape.kept != 0);
        Ok(first.next().map_or(0, |(shape, codes)| codes[shape.kept.trailing_zeros() as usize]))
    }

    fn shape(&mut self, tile: usize) -> TileShape {
        self.block.shapes.get(tile).copied().unwrap_or_default()
    }

    fn code(&mut self, at: TileSquare, prediction: &Prediction<'_>) -> Result<u16, CodecError> {
        let code = self.block.tiles.get(at.tile).and_then(|codes| codes.get(at.square));
        let (&code, context) = (code.ok_or(CodecError::Block)?, prediction.context());
        let entry = self.model.contexts().get(context).ok_or(CodecError::Block)?;
        let LineCounts { entries, distributions, .. } = &mut *self.counts;
        let line = entries.get_mut(line_of(self.model, context));
        line.into_iter().for_each(|count| *count += 1);
        if prediction.code(entry.symbol()) != Some(code) {
            let distribution = distributions.get_mut(entry.number());
            distribution.into_iter().for_each(|count| *count += 1);
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_codec::ans::{Distribution, SYMBOLS};
    use sakmak_codec::context::ContextSquares;
    use sakmak_codec::model::{DigitModel, ModelParts};
    use sakmak_codec::prediction::{CONTEXT_BITS, CONTEXTS};
    use sakmak_codec::scale::Scale;
    use sakmak_tables::distance::Moves;
    use sakmak_tables::values::Coding;

    /// A model in which contexts with a reference tile have distribution 1, others 0; in both
    /// symbol 0 is the likeliest.
    fn model() -> Model {
        let coding = Coding { wins: Moves(10), losses: None };
        let distribution = Distribution::of(&std::array::from_fn(|symbol| 100 - symbol as u32));
        let digits = DigitModel(vec![distribution; DigitModel::distributions(Scale::of(coding))]);
        let parts = ModelParts {
            squares: ContextSquares::new([0, 1, 2, 3, 4, 5, 6, 7]).unwrap(),
            references: vec![None, Some(0)],
            distributions: vec![distribution; 2],
            distribution_of: (0..CONTEXTS).map(|at| u16::from(at >> CONTEXT_BITS == 0)).collect(),
            base: digits.clone(),
            literal: digits,
        };
        assert_eq!(SYMBOLS, 16);
        Model::new(coding, parts).unwrap()
    }

    /// Counts blocks until the contexts are known.
    fn counted(model: &Model, tiles: &[TileCodes]) -> FrequentContexts {
        let frequent = FrequentContexts::default();
        let shapes = vec![TileShape { kept: u64::MAX, ..TileShape::default() }; tiles.len()];
        let last = TileSquare { tile: tiles.len() - 1, square: SQUARES - 1 };
        for _ in 0..COUNTED_BLOCKS {
            assert!(!frequent.are_known());
            frequent.prefetch(model);
            frequent.count(model, DecodedBlock { shapes: &shapes, tiles, last });
        }
        assert!(frequent.are_known());
        frequent.prefetch(model);
        frequent
    }

    #[test]
    fn the_lines_of_blocks_that_were_decoded_are_known() {
        let model = model();
        // All codes are as predicted: one context after the first squares, no distribution.
        let flat = counted(&model, &[[3; SQUARES]; 2]);
        let lines = flat.known.get().unwrap();
        assert!((2..20).contains(&lines.contexts.len()), "{}", lines.contexts.len());
        assert!(lines.distributions.is_empty());
        // Codes that are never as predicted, in the second tile more of them.
        let noise = |seed: usize| std::array::from_fn(|at| ((at * seed) % 11) as u16);
        let noisy = counted(&model, &[noise(7), noise(5)]);
        let lines = noisy.known.get().unwrap();
        assert_eq!(lines.distributions.len(), 2);
        assert!(lines.contexts.len() > 20);
        // No line twice.
        let mut all: Vec<usize> =
            lines.contexts.iter().map(|&context| line_of(&model, context as usize)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), lines.contexts.len());
    }
}
