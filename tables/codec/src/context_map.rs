//! The map from contexts to symbols: the likeliest symbol, which most codes have, and the index of
//! the distribution of all symbols.

use crate::ans::{Distribution, FREQUENCY_BITS, FREQUENCY_SCALE, SYMBOLS};
use crate::error::CodecError;

/// Bits of an entry that hold a symbol.
const SYMBOL_BITS: u32 = SYMBOLS.trailing_zeros();

/// The bit of an entry at which the index of the distribution begins.
pub const NUMBER_AT: u32 = FREQUENCY_BITS + SYMBOL_BITS;

/// The bits of an entry that hold the frequency.
pub const FREQUENCY_MASK: u32 = FREQUENCY_SCALE - 1;

/// The bits of an entry that hold the symbol.
pub const SYMBOL_MASK: u32 = (SYMBOLS as u32 - 1) << FREQUENCY_BITS;

/// The maximum number of distributions of a model.
pub const MAX_DISTRIBUTIONS: usize = 1 << (u32::BITS - NUMBER_AT);

/// The entry of a context.
///
/// Bits 0 to 13 hold the frequency of the likeliest symbol, bits 14 to 17 the symbol, and the rest
/// the index of the distribution. With a single word, a decoder waits for memory once if most
/// symbols are the likeliest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContextEntry(pub u32);

impl ContextEntry {
    /// The entry of a context whose distribution has this index, less than [`MAX_DISTRIBUTIONS`].
    fn new(number: usize, distribution: &Distribution) -> ContextEntry {
        let frequency = u32::from(distribution.likeliest_frequency());
        let symbol = u32::from(distribution.likeliest());
        ContextEntry(frequency | symbol << FREQUENCY_BITS | (number as u32) << NUMBER_AT)
    }

    /// The frequency of the likeliest symbol, which is the first of its distribution.
    #[inline(always)]
    pub fn frequency(self) -> u32 {
        self.0 & FREQUENCY_MASK
    }

    /// The likeliest symbol.
    #[inline(always)]
    pub fn symbol(self) -> u8 {
        ((self.0 & SYMBOL_MASK) >> FREQUENCY_BITS) as u8
    }

    /// The index of the distribution.
    #[inline(always)]
    pub fn number(self) -> usize {
        (self.0 >> NUMBER_AT) as usize
    }
}

/// The entries of all contexts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextMap {
    words: Vec<u32>,
}

impl ContextMap {
    /// The map of contexts with the distributions of these indices.
    ///
    /// # Errors
    ///
    /// If there are too many distributions, or an index is out of range.
    pub fn new(numbers: &[u16], distributions: &[Distribution]) -> Result<ContextMap, CodecError> {
        if distributions.len() > MAX_DISTRIBUTIONS {
            return Err(CodecError::Model("number of distributions"));
        }
        let entries = distributions.iter().enumerate();
        let entries: Vec<u32> =
            entries.map(|(number, one)| ContextEntry::new(number, one).0).collect();
        let word = |&number: &u16| entries.get(usize::from(number)).copied();
        let words: Option<Vec<u32>> = numbers.iter().map(word).collect();
        words.map(|words| ContextMap { words }).ok_or(CodecError::Model("list of contexts"))
    }

    /// The entry of a context. `None` if the context is out of range.
    #[inline(always)]
    pub fn get(&self, context: usize) -> Option<ContextEntry> {
        self.words.get(context).map(|&word| ContextEntry(word))
    }

    /// All entries, by context.
    pub fn entries(&self) -> impl Iterator<Item = ContextEntry> + '_ {
        self.words.iter().map(|&word| ContextEntry(word))
    }

    /// The entries as words, so that lanes can gather them.
    #[inline(always)]
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_the_likeliest_symbol_and_the_number() {
        let mut counts = [1; SYMBOLS];
        counts[15] = 1_000_000_000;
        let distributions = [Distribution::of(&[1; SYMBOLS]), Distribution::of(&counts)];
        let all = distributions.repeat(MAX_DISTRIBUTIONS / 2);
        let numbers = [0, 1, (MAX_DISTRIBUTIONS - 1) as u16];
        let map = ContextMap::new(&numbers, &all).unwrap();
        for (entry, number) in map.entries().zip(numbers) {
            let distribution = all[usize::from(number)];
            assert_eq!(entry.number(), usize::from(number));
            assert_eq!(entry.symbol(), distribution.likeliest());
            let first = distribution.frequencies().next().unwrap();
            assert_eq!(entry.frequency(), u32::from(first.1.size));
        }
        assert_eq!(map.get(3), None);
        assert!(ContextMap::new(&[2], &distributions).is_err());
        assert!(ContextMap::new(&[0], &distributions.repeat(MAX_DISTRIBUTIONS)).is_err());
    }
}
