//! Counts symbols by context and makes distributions of the counts.

use crate::output::packed::encoder::target_tile::{TargetTile, first_exact_code};
use sakmak_tables::packed_codec::ans::{Distribution, SYMBOLS};
use sakmak_tables::packed_codec::context_map::ContextMap;
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::DigitModel;
use sakmak_tables::packed_codec::prediction::{
    CONTEXT_BITS, CONTEXTS, LITERAL, Prediction, coarser,
};
use sakmak_tables::packed_codec::scale::Scale;
use sakmak_tables::packed_codec::walk::Walker;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;

/// A context that occurs less often shares the distribution of a coarser one.
const SEEN_OFTEN: u32 = 128;

/// The count of each symbol.
type SymbolCounts = [u32; SYMBOLS];

/// Counts the symbols of blocks on walks.
pub struct SymbolCounter<'a> {
    scale: Scale,
    /// The block of the walk.
    pub block: &'a [TargetTile],
    contexts: Vec<SymbolCounts>,
    /// The contexts that occurred. They are few in a small sample, and the memory of the others
    /// is never touched.
    occurred: Vec<usize>,
    base: Vec<SymbolCounts>,
    literal: Vec<SymbolCounts>,
}

impl SymbolCounter<'_> {
    /// All counts zero.
    pub fn new(scale: Scale) -> Self {
        let digits = vec![[0; SYMBOLS]; DigitModel::distributions(scale)];
        SymbolCounter {
            scale,
            block: &[],
            contexts: vec![[0; SYMBOLS]; CONTEXTS],
            occurred: Vec::new(),
            base: digits.clone(),
            literal: digits,
        }
    }

    /// The distributions, and for each context the number of its distribution: of its own counts
    /// if they are enough, else of a coarser context, else of all contexts.
    pub fn distributions(&self) -> (Vec<Distribution>, ContextMap) {
        let all = |context: usize| context >> CONTEXT_BITS << CONTEXT_BITS;
        let mut coarse = vec![[0; SYMBOLS]; CONTEXTS];
        let mut whole = vec![[0; SYMBOLS]; CONTEXTS];
        // How often each context occurred, and each coarser one.
        let (mut seen_exactly, mut seen_coarsely) = (vec![0u32; CONTEXTS], vec![0u32; CONTEXTS]);
        for &context in &self.occurred {
            let (counts, coarser) = (&self.contexts[context], coarser(context));
            seen_exactly[context] = seen(counts);
            seen_coarsely[coarser] = seen_coarsely[coarser].saturating_add(seen(counts));
            add(&mut coarse[coarser], counts);
            add(&mut whole[all(context)], counts);
        }
        let mut distributions = Vec::new();
        let mut numbers = [vec![None; CONTEXTS], vec![None; CONTEXTS], vec![None; CONTEXTS]];
        let distribution_of = (0..CONTEXTS).map(|context| {
            let levels =
                [(context, &self.contexts), (coarser(context), &coarse), (all(context), &whole)];
            let level = if seen_exactly[context] >= SEEN_OFTEN {
                0
            } else if seen_coarsely[coarser(context)] >= SEEN_OFTEN {
                1
            } else {
                2
            };
            let (at, counts) = levels[level];
            *numbers[level][at].get_or_insert_with(|| {
                distributions.push(Distribution::of(&counts[at]));
                // There are fewer contexts than numbers.
                (distributions.len() - 1) as u16
            })
        });
        let distribution_of = distribution_of.collect();
        (distributions, distribution_of)
    }

    /// The distributions of the digits of bases, then of literals.
    pub fn digits(&self) -> [DigitModel; 2] {
        [&self.base, &self.literal]
            .map(|counts| DigitModel(counts.iter().map(Distribution::of).collect()))
    }
}

fn seen(counts: &SymbolCounts) -> u32 {
    counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
}

fn add(sum: &mut SymbolCounts, counts: &SymbolCounts) {
    for (sum, &count) in sum.iter_mut().zip(counts) {
        *sum = sum.saturating_add(count);
    }
}

fn count_digits(counts: &mut [SymbolCounts], code: u16, digits: usize) {
    let mut before = 0;
    for (place, digit) in DigitModel::of(code, digits).enumerate() {
        counts[DigitModel::number(place, before)][usize::from(digit)] += 1;
        before = digit;
    }
}

/// The symbol of a square: the likeliest one if the square allows its code, else the lowest one
/// whose code is allowed, else the literal.
pub fn symbol_of(
    tile: &TargetTile,
    square: usize,
    prediction: &Prediction<'_>,
    scale: Scale,
    likeliest: u8,
) -> u8 {
    let allowed =
        |&symbol: &u8| prediction.code(symbol).is_some_and(|code| tile.allows(square, code, scale));
    let lowest = || (0..LITERAL).find(allowed);
    Some(likeliest).filter(allowed).or_else(lowest).unwrap_or(LITERAL)
}

impl Walker for SymbolCounter<'_> {
    type Error = CodecError;

    fn base(&mut self) -> Result<u16, CodecError> {
        let base = first_exact_code(self.block);
        if let Some(base) = base {
            count_digits(&mut self.base, base, self.scale.digits());
        }
        Ok(base.unwrap_or(0))
    }

    fn shape(&mut self, tile: usize) -> TileShape {
        self.block.get(tile).map_or(TileShape::default(), |tile| tile.shape)
    }

    fn code(
        &mut self,
        TileSquare { tile, square }: TileSquare,
        prediction: &Prediction<'_>,
    ) -> Result<u16, CodecError> {
        let Some(tile) = self.block.get(tile) else { return Ok(prediction.first()) };
        let code = tile.codes[square];
        // As if 0 were the likeliest symbol everywhere: counted by the likeliest so far, tables
        // are up to half a percent larger.
        let symbol = symbol_of(tile, square, prediction, self.scale, 0);
        let counts = &mut self.contexts[prediction.context()];
        if *counts == [0; SYMBOLS] {
            self.occurred.push(prediction.context());
        }
        counts[usize::from(symbol)] += 1;
        if symbol == LITERAL {
            count_digits(&mut self.literal, code, self.scale.digits());
        }
        Ok(prediction.code(symbol).unwrap_or(code))
    }
}
