//! The pairs of squares of two kings, without their images.

use super::numbers::image;
use std::collections::BTreeMap;

/// The entry of a pair of kings in the numbering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pair {
    /// The symmetry that maps the kings to the numbered pair.
    pub symmetry: u8,
    /// The number of the pair.
    pub number: u16,
}

/// The numbering of pairs of kings.
#[derive(Clone, Debug)]
pub struct Kings {
    /// Entries by squares.
    pairs: Vec<Pair>,
    /// Squares by number.
    kings: Vec<[u8; 2]>,
}

impl Kings {
    /// The number of pairs.
    pub const COUNT: u64 = 518;

    /// Numbers the pairs.
    pub fn new() -> Kings {
        let (mut pairs, mut kings) = (vec![Pair::default(); 64 * 64], Vec::new());
        let mut numbers = BTreeMap::new();
        for first in 0..64u8 {
            for second in (0..64).filter(|&second| second != first) {
                let symmetries = (0..8)
                    .map(|symmetry| ([image(first, symmetry), image(second, symmetry)], symmetry));
                let Some((least, symmetry)) = symmetries.min() else { continue };
                let number = *numbers.entry(least).or_insert_with(|| {
                    kings.push(least);
                    kings.len() as u16 - 1
                });
                pairs[usize::from(first) * 64 + usize::from(second)] = Pair { symmetry, number };
            }
        }
        Kings { pairs, kings }
    }

    /// The pair of two kings.
    #[inline]
    pub fn pair(&self, [first, second]: [u8; 2]) -> Pair {
        self.pairs[usize::from(first) * 64 + usize::from(second)]
    }

    /// The squares of the pair with a number.
    #[inline]
    pub fn squares(&self, number: u64) -> [u8; 2] {
        self.kings[number as usize]
    }
}

/// Whether the exchange of ranks and files keeps both kings on their squares.
#[inline]
pub fn are_on_diagonal(kings: [u8; 2]) -> bool {
    kings.iter().all(|&king| king % 8 == king / 8)
}
