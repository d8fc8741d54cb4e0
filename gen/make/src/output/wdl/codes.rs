//! Codes for the symbols of all contexts: contexts with similar counts share one.

use crate::output::packed::encoder::coded_length::{BIT, logarithm};
use rayon::prelude::*;
use sakmak_tables::format::wdl::model::{BEFORE, CONTEXTS, MAX_CODE_BITS, MAX_CODES};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Symbols of a file for each code it has.
const SYMBOLS_PER_CODE: u64 = 4096;

/// How often contexts are joined anew.
const ROUNDS: usize = 4;

/// How often the symbols occur in each context.
#[derive(Clone, Debug)]
pub struct ContextCounts {
    symbols: usize,
    /// By context, then symbol.
    counts: Vec<u32>,
}

impl ContextCounts {
    /// No symbol, of this number of them.
    pub fn new(symbols: usize) -> ContextCounts {
        ContextCounts { symbols, counts: vec![0; CONTEXTS * symbols] }
    }

    /// Counts a symbol.
    #[inline]
    pub fn count(&mut self, context: usize, symbol: u16) {
        self.counts[context * self.symbols + usize::from(symbol)] += 1;
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &ContextCounts) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, other)| *count += other);
    }

    /// By context: the symbols that occur, with their counts.
    fn occurring(&self) -> Vec<Vec<(usize, u32)>> {
        let contexts = self.counts.chunks(self.symbols);
        let some = |counts: &[u32]| {
            counts.iter().copied().enumerate().filter(|&(_, count)| count > 0).collect()
        };
        contexts.map(some).collect()
    }
}

/// The codes of all contexts.
#[derive(Clone, Debug)]
pub struct ContextCodes {
    /// By context: the number of its code.
    pub code_of_context: Vec<u8>,
    /// By code, then symbol: the bits of its code; 0 if it has none.
    pub code_bits: Vec<Vec<u8>>,
}

/// The codes for these counts.
pub fn codes(counts: &ContextCounts) -> ContextCodes {
    let occurring = counts.occurring();
    let all: u64 = counts.counts.iter().map(|&count| u64::from(count)).sum();
    let codes = (all / SYMBOLS_PER_CODE).clamp(1, MAX_CODES as u64) as usize;
    // At first by places alone.
    let mut code_of_context: Vec<usize> =
        (0..CONTEXTS).map(|context| context / BEFORE * codes / (CONTEXTS / BEFORE)).collect();
    let joined = |code_of_context: &[usize]| {
        let mut joined = vec![vec![0u32; counts.symbols]; codes];
        for (&code, some) in code_of_context.iter().zip(&occurring) {
            some.iter().for_each(|&(symbol, count)| joined[code][symbol] += count);
        }
        joined
    };
    for _ in 0..if codes > 1 { ROUNDS } else { 0 } {
        let lengths: Vec<Vec<u32>> =
            joined(&code_of_context).par_iter().map(|counts| ideal_bits(counts)).collect();
        let nearest = |(some, &before): (&Vec<(usize, u32)>, &usize)| {
            let bits = |lengths: &[u32]| {
                some.iter().map(|&(s, count)| u64::from(count) * u64::from(lengths[s])).sum::<u64>()
            };
            // A code that it had stays if no other is shorter.
            (0..codes).min_by_key(|&code| (bits(&lengths[code]), code != before)).unwrap_or(before)
        };
        code_of_context = occurring.par_iter().zip(&code_of_context).map(nearest).collect();
    }
    let code_bits = joined(&code_of_context).par_iter().map(|counts| code_bits(counts)).collect();
    let code_of_context = code_of_context.iter().map(|&code| code as u8).collect();
    ContextCodes { code_of_context, code_bits }
}

/// By symbol: the length of an ideal code in parts of a bit. Symbols that do not occur have a long one.
fn ideal_bits(counts: &[u32]) -> Vec<u32> {
    let all: u32 = counts.iter().sum();
    let whole = logarithm(all.max(1)) + BIT;
    let each = |&count: &u32| match count {
        0 => whole + 2 * BIT,
        count => whole - logarithm(count),
    };
    counts.iter().map(|count| each(count) as u32).collect()
}

/// The lengths of a prefix code for symbols with these counts, at most [`MAX_CODE_BITS`] bits.
pub fn code_bits(counts: &[u32]) -> Vec<u8> {
    let mut counts = counts.to_vec();
    loop {
        let bits = huffman(&counts);
        if bits.iter().all(|&bits| bits <= MAX_CODE_BITS) {
            return bits;
        }
        // Closer together, none becomes zero.
        counts.iter_mut().for_each(|count| *count = *count / 2 + u32::from(*count > 0));
    }
}

/// The lengths of a Huffman code. A single symbol has one bit.
fn huffman(counts: &[u32]) -> Vec<u8> {
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> = counts
        .iter()
        .enumerate()
        .filter(|&(_, &count)| count > 0)
        .map(|(symbol, &count)| Reverse((u64::from(count), symbol)))
        .collect();
    let mut bits = vec![0; counts.len()];
    if let (1, Some(&Reverse((_, symbol)))) = (heap.len(), heap.peek()) {
        bits[symbol] = 1;
        return bits;
    }
    // Inner nodes are numbered after the symbols.
    let mut children: Vec<[usize; 2]> = Vec::new();
    while let (Some(Reverse(one)), Some(Reverse(other))) = (heap.pop(), heap.pop()) {
        heap.push(Reverse((one.0 + other.0, counts.len() + children.len())));
        children.push([one.1, other.1]);
    }
    let mut depths = vec![0u8; children.len()];
    for (node, pair) in children.iter().enumerate().rev() {
        let depth = depths[node].saturating_add(1);
        for &child in pair {
            match child.checked_sub(counts.len()) {
                Some(inner) => depths[inner] = depth,
                None => bits[child] = depth,
            }
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use sakmak_tables::format::wdl::model::{WdlModel, canonical_codes};

    proptest! {
        #[test]
        fn codes_are_complete_and_short_enough(counts in vec(0..9u32, 1..40), powers in any::<bool>()) {
            let count = |(symbol, &count): (usize, &u32)| match powers {
                true => 1 << symbol.min(30) >> count.min(1),
                false => count,
            };
            let counts: Vec<u32> = counts.iter().enumerate().map(count).collect();
            let bits = code_bits(&counts);
            prop_assert!(bits.iter().zip(&counts).all(|(&bits, &count)| (bits > 0) == (count > 0)));
            prop_assert!(canonical_codes(&bits).is_some());
            let sum: u32 = bits.iter().filter(|&&bits| bits > 0).map(|&bits| 1 << (15 - bits)).sum();
            let used = counts.iter().filter(|&&count| count > 0).count();
            prop_assert_eq!(sum, match used { 0 => 0, 1 => 1 << 14, _ => 1 << 15 });
        }
    }

    #[test]
    fn a_frequent_symbol_has_a_short_code() {
        assert_eq!(code_bits(&[8, 0, 1, 2, 4]), [1, 0, 3, 3, 2]);
    }

    #[test]
    fn contexts_with_similar_counts_share_a_code() {
        let mut counts = ContextCounts::new(8);
        for context in 0..CONTEXTS {
            for _ in 0..100 {
                counts.count(context, (context / BEFORE % 2) as u16);
            }
        }
        let codes = codes(&counts);
        let model = WdlModel {
            pairs: vec![[0, 0]; 3],
            code_of_context: codes.code_of_context.clone(),
            code_bits: codes.code_bits,
        };
        assert_eq!(WdlModel::decode(&model.encode()), Ok(model));
        let places = codes.code_of_context.chunks(BEFORE);
        let of = |parity| places.clone().skip(parity).step_by(2).flatten().copied();
        let (even, odd): (Vec<u8>, Vec<u8>) = (of(0).collect(), of(1).collect());
        assert!(even.iter().all(|code| !odd.contains(code)));
    }
}
