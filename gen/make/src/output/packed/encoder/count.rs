//! Counts symbols by context and makes distributions of the counts.

use crate::output::packed::encoder::coded_length::CodedLength;
use crate::output::packed::encoder::target_tile::{TargetTile, first_exact_code};
use sakmak_codec::ans::{Distribution, SYMBOLS};
use sakmak_codec::context_map::MAX_DISTRIBUTIONS;
use sakmak_codec::error::CodecError;
use sakmak_codec::model::DigitModel;
use sakmak_codec::prediction::{CONTEXT_BITS, CONTEXTS, LITERAL, Prediction, coarser};
use sakmak_codec::scale::Scale;
use sakmak_codec::walk::Walker;
use sakmak_tables::tiles::tile::TileSquare;
use sakmak_tables::tiles::tile::shape::TileShape;
use std::collections::HashMap;

/// A context that occurs less often shares the distribution of a coarser one.
const SEEN_OFTEN: u32 = 128;

/// The count of each symbol.
type SymbolCounts = [u32; SYMBOLS];

/// The counts of the contexts that occurred: few in a small sample.
#[derive(Clone)]
struct ContextCounts {
    /// One more than the index of the counts of a context, or 0 if it did not occur; indexed by
    /// context.
    place: Vec<u32>,
    /// The contexts that occurred, in that order, with their counts.
    occurred: Vec<(usize, SymbolCounts)>,
}

impl ContextCounts {
    /// Returns counts without any context.
    fn new() -> ContextCounts {
        ContextCounts { place: vec![0; CONTEXTS], occurred: Vec::new() }
    }

    /// Returns the counts of a context. `None` if it did not occur.
    fn get(&self, context: usize) -> Option<&SymbolCounts> {
        let place = self.place[context].checked_sub(1)?;
        self.occurred.get(place as usize).map(|(_, counts)| counts)
    }

    /// Returns the counts of a context, which occurs now.
    #[inline]
    fn entry(&mut self, context: usize) -> &mut SymbolCounts {
        let place = &mut self.place[context];
        if *place == 0 {
            self.occurred.push((context, [0; SYMBOLS]));
            *place = self.occurred.len() as u32;
        }
        &mut self.occurred[*place as usize - 1].1
    }
}

/// Counts the symbols of blocks on walks.
pub struct SymbolCounter<'a> {
    scale: Scale,
    /// The block of the walk.
    pub block: &'a [TargetTile],
    contexts: ContextCounts,
    base: Vec<SymbolCounts>,
    literal: Vec<SymbolCounts>,
}

/// The counts of contexts, of coarser ones, and of all.
struct CountLevels<'a> {
    levels: [&'a ContextCounts; 3],
}

impl<'a> CountLevels<'a> {
    /// Returns the level of the counts that code a context, and the context in this level: the
    /// exact context if its counts suffice, else a coarser context, else the context of all.
    fn of(&self, context: usize) -> (usize, usize) {
        let [exact, coarse, _] = self.levels;
        let often = |counts: &ContextCounts, context: usize| {
            counts.get(context).is_some_and(|counts| seen(counts) >= SEEN_OFTEN)
        };
        if often(exact, context) {
            (0, context)
        } else if often(coarse, coarser(context)) {
            (1, coarser(context))
        } else {
            (2, all(context))
        }
    }

    fn counts(&self, (level, context): (usize, usize)) -> Option<&'a SymbolCounts> {
        self.levels[level].get(context)
    }
}

/// Returns the context that represents all with a reference tile, or all without one.
fn all(context: usize) -> usize {
    context >> CONTEXT_BITS << CONTEXT_BITS
}

impl SymbolCounter<'_> {
    /// Counts of zero.
    pub fn new(scale: Scale) -> Self {
        let digits = vec![[0; SYMBOLS]; DigitModel::distributions(scale)];
        SymbolCounter {
            scale,
            block: &[],
            contexts: ContextCounts::new(),
            base: digits.clone(),
            literal: digits,
        }
    }

    /// Returns the sum of both counts.
    #[must_use]
    pub fn with(mut self, other: &SymbolCounter<'_>) -> Self {
        for (context, counts) in &other.contexts.occurred {
            add(self.contexts.entry(*context), counts);
        }
        let digits = self.base.iter_mut().zip(&other.base);
        for (sum, counts) in digits.chain(self.literal.iter_mut().zip(&other.literal)) {
            add(sum, counts);
        }
        self
    }

    /// Returns the counts of coarser contexts, and of all contexts.
    fn merged(&self) -> [ContextCounts; 2] {
        let (mut coarse, mut whole) = (ContextCounts::new(), ContextCounts::new());
        for (context, counts) in &self.contexts.occurred {
            add(coarse.entry(coarser(*context)), counts);
            add(whole.entry(all(*context)), counts);
        }
        [coarse, whole]
    }

    /// Returns the distributions, and for each context the number of its distribution, see
    /// [`CountLevels::of`].
    pub fn distributions(&self) -> (Vec<Distribution>, Vec<u16>) {
        let [coarse, whole] = self.merged();
        let levels = CountLevels { levels: [&self.contexts, &coarse, &whole] };
        let mut distributions = Vec::new();
        let mut numbers = [vec![None; CONTEXTS], vec![None; CONTEXTS], vec![None; CONTEXTS]];
        let distribution_of = (0..CONTEXTS).map(|context| {
            let (mut level, mut at) = levels.of(context);
            // The last two are for contexts that have none of their own: no known table needs that
            // many.
            if numbers[level][at].is_none() && distributions.len() >= MAX_DISTRIBUTIONS - 2 {
                (level, at) = (2, all(context));
            }
            *numbers[level][at].get_or_insert_with(|| {
                let counts = levels.counts((level, at)).unwrap_or(&[0; SYMBOLS]);
                distributions.push(Distribution::of(counts));
                (distributions.len() - 1) as u16
            })
        });
        let distribution_of = distribution_of.collect();
        (distributions, distribution_of)
    }

    /// Returns the distributions of the digits of bases, then of literals.
    pub fn digits(&self) -> [DigitModel; 2] {
        [&self.base, &self.literal]
            .map(|counts| DigitModel(counts.iter().map(Distribution::of).collect()))
    }

    /// Returns the length of the counted symbols, coded by the distributions made of them.
    pub fn coded_length(&self) -> CodedLength {
        let [coarse, whole] = self.merged();
        let levels = CountLevels { levels: [&self.contexts, &coarse, &whole] };
        let mut distributions: HashMap<(usize, usize), Distribution> = HashMap::new();
        let mut length = CodedLength::default();
        for (context, counts) in &self.contexts.occurred {
            let level = levels.of(*context);
            let distribution = distributions
                .entry(level)
                .or_insert_with(|| Distribution::of(levels.counts(level).unwrap_or(&[0; SYMBOLS])));
            length.add(counts, distribution);
        }
        for counts in self.base.iter().chain(&self.literal) {
            length.add(counts, &Distribution::of(counts));
        }
        length
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

/// Returns the symbol of a square: the likeliest one if the square allows its code, else the lowest
/// one whose code is allowed, else the literal.
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
        self.contexts.entry(prediction.context())[usize::from(symbol)] += 1;
        if symbol == LITERAL {
            count_digits(&mut self.literal, code, self.scale.digits());
        }
        Ok(prediction.code(symbol).unwrap_or(code))
    }
}
