//! The distribution of each context.

/// By context: the number of its distribution. Two numbers share a word, the first the lower
/// one, so that lanes can gather them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextMap {
    words: Vec<u32>,
    contexts: usize,
}

impl ContextMap {
    /// The number of contexts.
    pub fn len(&self) -> usize {
        self.contexts
    }

    /// Whether there is no context.
    pub fn is_empty(&self) -> bool {
        self.contexts == 0
    }

    /// The number of the distribution of a context. `None` if there is no such context.
    #[inline(always)]
    pub fn get(&self, context: usize) -> Option<u16> {
        let word = *self.words.get(context / 2)?;
        (context < self.contexts).then_some((word >> (u16::BITS * (context as u32 % 2))) as u16)
    }

    /// All numbers.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.contexts).filter_map(|context| self.get(context))
    }

    /// The words: the number of context `n` begins at bit `16 (n % 2)` of word `n / 2`.
    #[inline(always)]
    pub fn words(&self) -> &[u32] {
        &self.words
    }
}

impl FromIterator<u16> for ContextMap {
    fn from_iter<I: IntoIterator<Item = u16>>(numbers: I) -> ContextMap {
        let mut map = ContextMap { words: Vec::new(), contexts: 0 };
        for number in numbers {
            match map.words.last_mut() {
                Some(word) if map.contexts % 2 == 1 => *word |= u32::from(number) << u16::BITS,
                _ => map.words.push(number.into()),
            }
            map.contexts += 1;
        }
        map
    }
}
