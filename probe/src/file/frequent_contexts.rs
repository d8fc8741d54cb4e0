//! The contexts that most codes of a packed file have, loaded before a block is decoded.
//!
//! The entries of all contexts of a table take two thirds of a megabyte. A random position finds
//! little of it in the caches of the processor, and each code of a block waits for the one before. A
//! few hundred cache lines have nearly all codes. The file does not tell which, but a rare context
//! shares its distribution with many others, and a frequent one does not.

use crate::file::map::prefetch_line;
use sakmak_tables::packed_codec::context_map::ContextEntry;
use sakmak_tables::packed_codec::model::Model;
use sakmak_tables::packed_codec::prediction::CONTEXT_BITS;

/// Words of a cache line.
const LINE_WORDS: usize = 64 / size_of::<u32>();

/// Cache lines that are loaded. They have two thirds to nine tenths of the codes of a table.
const LINES: usize = 96;

/// The score of a context with a distribution of its own.
const OWN: u64 = 1 << 20;

/// The cache lines of the contexts that most codes of a table have.
#[derive(Debug)]
pub struct FrequentContexts {
    /// A word of each line, by its place in the words of the
    /// [map](sakmak_tables::packed_codec::context_map::ContextMap).
    words: Box<[u32]>,
}

impl FrequentContexts {
    /// The frequent contexts of a model. They are right as long as the model stays where it is in
    /// memory.
    pub fn of(model: &Model) -> FrequentContexts {
        let numbers = || model.contexts().entries().map(ContextEntry::number);
        let mut sharers = vec![0u64; model.distributions().len()];
        for number in numbers() {
            sharers.get_mut(number).into_iter().for_each(|sharers| *sharers += 1);
        }
        let scores: Vec<u64> = sharers.iter().map(|sharers| OWN / sharers.max(&1)).collect();
        // Words of the first line that lie before the map.
        let address = model.contexts().words().as_ptr().addr();
        let before = address / size_of::<u32>() % LINE_WORDS;
        // By line: its score and a word.
        let mut lines: Vec<(u64, u32)> = Vec::new();
        for (context, number) in numbers().enumerate() {
            let score = scores.get(number).copied().unwrap_or(0);
            // The first tile of a block has few contexts, and is decoded by every look-up.
            let score = if context >> CONTEXT_BITS != 0 { 2 * score } else { score };
            match lines.last_mut() {
                Some((sum, _)) if !(context + before).is_multiple_of(LINE_WORDS) => *sum += score,
                _ => lines.push((score, context as u32)),
            }
        }
        lines.sort_unstable_by(|one, other| other.cmp(one));
        FrequentContexts { words: lines.into_iter().take(LINES).map(|(_, word)| word).collect() }
    }

    /// Begins to load them. The model is the one they are of.
    #[inline]
    pub fn prefetch(&self, model: &Model) {
        let words = model.contexts().words();
        for &word in &self.words {
            words.get(word as usize).into_iter().for_each(prefetch_line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::distance::Moves;
    use sakmak_tables::packed_codec::ans::{Distribution, SYMBOLS};
    use sakmak_tables::packed_codec::context::ContextSquares;
    use sakmak_tables::packed_codec::model::{DigitModel, ModelParts};
    use sakmak_tables::packed_codec::prediction::CONTEXTS;
    use sakmak_tables::packed_codec::scale::Scale;
    use sakmak_tables::values::Coding;

    #[test]
    fn contexts_with_a_distribution_of_their_own_come_first() {
        let coding = Coding { wins: Moves(10), losses: None };
        let own = [0, 777, 90_001, 1 << CONTEXT_BITS, CONTEXTS - 1];
        let number = |context| own.iter().position(|&one| one == context).map_or(0, |at| 1 + at);
        let even = Distribution::of(&[1; SYMBOLS]);
        let digits = DigitModel(vec![even; DigitModel::distributions(Scale::of(coding))]);
        let parts = ModelParts {
            squares: ContextSquares::new([0, 1, 2, 3, 4, 5, 6, 7]).unwrap(),
            references: vec![None],
            distributions: vec![even; 1 + own.len()],
            distribution_of: (0..CONTEXTS).map(|context| number(context) as u16).collect(),
            base: digits.clone(),
            literal: digits,
        };
        let model = Model::new(coding, parts).unwrap();
        let words = model.contexts().words();
        let line = |word: usize| words[word..].as_ptr().addr() / (LINE_WORDS * size_of::<u32>());
        let frequent = FrequentContexts::of(&model);
        assert_eq!(frequent.words.len(), LINES);
        let mut first: Vec<usize> =
            frequent.words[..own.len()].iter().map(|&word| line(word as usize)).collect();
        first.sort_unstable();
        assert_eq!(first, own.map(line));
    }
}
