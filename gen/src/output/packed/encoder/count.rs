//! Counting symbols by context, and distributions from the counts.

use crate::output::packed::encoder::wanted::{Wanted, first_exact};
use sakmak_tables::packed_codec::ans::{Distribution, SYMBOLS};
use sakmak_tables::packed_codec::error::CodecError;
use sakmak_tables::packed_codec::model::Digits;
use sakmak_tables::packed_codec::prediction::{
    CONTEXT_BITS, CONTEXTS, Guess, LITERAL, NAMED, coarser,
};
use sakmak_tables::packed_codec::scale::Scale;
use sakmak_tables::packed_codec::walk::{Shape, Spot, Walker};

/// A context seen less often shares its distribution with its like.
const SEEN_OFTEN: u32 = 128;

/// How often each symbol was seen.
type Counts = [u32; SYMBOLS];

/// Counts from some blocks.
pub struct Counter<'a> {
    scale: Scale,
    /// The tiles of the block gone through.
    pub block: &'a [Wanted],
    contexts: Vec<Counts>,
    base: Vec<Counts>,
    literal: Vec<Counts>,
}

impl Counter<'_> {
    /// Nothing counted yet.
    pub fn new(scale: Scale) -> Self {
        let digits = vec![[0; SYMBOLS]; Digits::distributions(scale)];
        Counter {
            scale,
            block: &[],
            contexts: vec![[0; SYMBOLS]; CONTEXTS],
            base: digits.clone(),
            literal: digits,
        }
    }

    /// The distributions of all contexts and the number of each context's: its own where it
    /// was seen often enough, else that of its like, or of all.
    pub fn distributions(&self) -> (Vec<Distribution>, Vec<u16>) {
        let all = |context: usize| context >> CONTEXT_BITS << CONTEXT_BITS;
        let mut coarse = vec![[0; SYMBOLS]; CONTEXTS];
        let mut whole = vec![[0; SYMBOLS]; CONTEXTS];
        for (context, counts) in self.contexts.iter().enumerate() {
            add(&mut coarse[coarser(context)], counts);
            add(&mut whole[all(context)], counts);
        }
        let mut distributions = Vec::new();
        let mut numbers = [vec![None; CONTEXTS], vec![None; CONTEXTS], vec![None; CONTEXTS]];
        let of_context = (0..CONTEXTS).map(|context| {
            let levels =
                [(context, &self.contexts), (coarser(context), &coarse), (all(context), &whole)];
            let often = |&(at, counts): &(usize, &Vec<Counts>)| seen(&counts[at]) >= SEEN_OFTEN;
            let level = levels.iter().position(often).unwrap_or(levels.len() - 1);
            let (at, counts) = levels[level];
            *numbers[level][at].get_or_insert_with(|| {
                distributions.push(Distribution::of(&counts[at]));
                // There are fewer contexts than numbers.
                (distributions.len() - 1) as u16
            })
        });
        let of_context = of_context.collect();
        (distributions, of_context)
    }

    /// The distributions of the digits of bases and of literals.
    pub fn digits(&self) -> [Digits; 2] {
        [&self.base, &self.literal]
            .map(|counts| Digits(counts.iter().map(Distribution::of).collect()))
    }
}

fn seen(counts: &Counts) -> u32 {
    counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
}

fn add(sum: &mut Counts, counts: &Counts) {
    for (sum, &count) in sum.iter_mut().zip(counts) {
        *sum = sum.saturating_add(count);
    }
}

fn count_digits(counts: &mut [Counts], code: u16, digits: usize) {
    let mut before = 0;
    for (place, digit) in Digits::of(code, digits).enumerate() {
        counts[Digits::number(place, before)][usize::from(digit)] += 1;
        before = digit;
    }
}

impl Walker for Counter<'_> {
    type Error = CodecError;

    fn base(&mut self) -> Result<u16, CodecError> {
        let base = first_exact(self.block);
        if let Some(base) = base {
            count_digits(&mut self.base, base, self.scale.digits());
        }
        Ok(base.unwrap_or(0))
    }

    fn shape(&mut self, tile: usize) -> Shape {
        self.block.get(tile).map_or(Shape::default(), |tile| tile.shape)
    }

    fn code(&mut self, spot: Spot, guess: &Guess<'_>) -> Result<u16, CodecError> {
        let Some(tile) = self.block.get(spot.tile) else { return Ok(guess.first()) };
        let code = tile.codes[spot.square];
        let will_do = |&symbol: &u8| {
            let guessed = guess.code(symbol);
            guessed.is_some_and(|guessed| self.scale.is_at_most(guessed, code))
        };
        let loose = tile.loose >> spot.square & 1 != 0;
        let found = if loose { (0..NAMED as u8).find(will_do) } else { None };
        let symbol = found.unwrap_or_else(|| guess.symbol(code));
        self.contexts[guess.context()][usize::from(symbol)] += 1;
        if symbol == LITERAL {
            count_digits(&mut self.literal, code, self.scale.digits());
        }
        Ok(guess.code(symbol).unwrap_or(code))
    }
}
