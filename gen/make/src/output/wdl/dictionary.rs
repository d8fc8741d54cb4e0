//! The patterns of a side that runs name by their numbers.

use crate::output::wdl::allowed_categories::{AllowedCategories, CATEGORIES};
use crate::output::wdl::runs::Run;
use rustc_hash::FxHashMap;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::wdl::model::MAX_PATTERNS;
use sakmak_tables::format::wdl::pattern::CategoryMasks;
use std::cmp::Reverse;

/// The most frequent patterns that are tried for every run as they are, and with changes.
const FAVOURITES: usize = 512;
const CHANGED_FAVOURITES: usize = 64;
/// Patterns tried for a run that agree with it on a quarter of the board, for each quarter.
const SIMILAR: usize = 32;
const QUARTERS: u32 = 4;
const QUARTER_BITS: u32 = u64::BITS / QUARTERS;

/// Patterns, and how many runs have them.
#[derive(Debug, Default)]
pub struct PatternCounts(FxHashMap<CategoryMasks, u32>);

impl PatternCounts {
    /// Counts the patterns of a set of categories that runs get if each is filled up by itself.
    pub fn add(&mut self, runs: &[Run], categories: u8) {
        for run in runs {
            *self.0.entry(run.allowed.within(categories).pattern()).or_default() += 1;
        }
    }

    /// Adds other counts.
    pub fn join(mut self, other: PatternCounts) -> PatternCounts {
        for (pattern, count) in other.0 {
            *self.0.entry(pattern).or_default() += count;
        }
        self
    }
}

/// The most frequent patterns.
#[derive(Debug)]
struct Favourites {
    all: FavouriteSet,
    /// Patterns that have a category on a square, indexed by square and category.
    with: Vec<[FavouriteSet; CATEGORIES]>,
}

/// Some of the most frequent patterns, a bit each.
type FavouriteSet = [u64; FAVOURITES / u64::BITS as usize];

impl Favourites {
    fn new(patterns: &[CategoryMasks]) -> Favourites {
        let those = |has: &dyn Fn(&CategoryMasks) -> bool| {
            let mut set = FavouriteSet::default();
            for (number, _) in patterns.iter().enumerate().filter(|(_, pattern)| has(pattern)) {
                set[number / u64::BITS as usize] |= 1 << (number % u64::BITS as usize);
            }
            set
        };
        let with = |square: usize| {
            std::array::from_fn(|category| those(&|pattern| pattern[category] >> square & 1 != 0))
        };
        Favourites { all: those(&|_| true), with: (0..SQUARES).map(with).collect() }
    }

    /// Returns the number of the first that is allowed.
    #[inline(always)]
    fn first(&self, allowed: &AllowedCategories) -> Option<u16> {
        let mut left = self.all;
        let mut open = !allowed.0.iter().fold(u64::MAX, |all, mask| all & mask);
        for (category, known) in allowed.known().into_iter().enumerate() {
            open &= !known;
            for square in Bitboard(known) {
                keep(&mut left, &self.with[square.index()][category])?;
            }
        }
        for square in Bitboard(open) {
            let mut any = FavouriteSet::default();
            for (with, mask) in self.with[square.index()].iter().zip(allowed.0) {
                if mask >> square.index() & 1 != 0 {
                    any.iter_mut().zip(with).for_each(|(any, with)| *any |= with);
                }
            }
            keep(&mut left, &any)?;
        }
        let word = left.iter().position(|&word| word != 0)?;
        Some((word * u64::BITS as usize) as u16 + left[word].trailing_zeros() as u16)
    }
}

/// Keeps those of a set. `None` if none are left.
#[inline(always)]
fn keep(left: &mut FavouriteSet, set: &FavouriteSet) -> Option<()> {
    let mut any = 0;
    for (left, set) in left.iter_mut().zip(set) {
        *left &= set;
        any |= *left;
    }
    (any != 0).then_some(())
}

/// The numbered patterns of a side.
#[derive(Debug)]
pub struct Dictionary {
    /// Patterns in the order of their numbers, the most frequent first.
    pub patterns: Vec<CategoryMasks>,
    favourites: Favourites,
    changed_favourites: Vec<u16>,
    numbers: FxHashMap<CategoryMasks, u16>,
    similar: FxHashMap<(u32, [u16; CATEGORIES]), Vec<u16>>,
}

/// Returns a quarter of a pattern, two ranks.
fn quarter(pattern: &CategoryMasks, quarter: u32) -> (u32, [u16; CATEGORIES]) {
    (quarter, pattern.map(|mask| (mask >> (QUARTER_BITS * quarter)) as u16))
}

impl Dictionary {
    /// Returns the patterns that were counted at least `least` times.
    pub fn new(counts: PatternCounts, least: u32) -> Dictionary {
        let mut frequent: Vec<(Reverse<u32>, CategoryMasks)> = counts
            .0
            .into_iter()
            .filter(|&(_, count)| count >= least)
            .map(|(pattern, count)| (Reverse(count), pattern))
            .collect();
        frequent.sort_unstable();
        frequent.truncate(MAX_PATTERNS);
        let patterns: Vec<CategoryMasks> =
            frequent.into_iter().map(|(_, pattern)| pattern).collect();
        let mut similar: FxHashMap<_, Vec<u16>> = FxHashMap::default();
        for (number, pattern) in (0..).zip(&patterns) {
            for part in 0..QUARTERS {
                let numbers = similar.entry(quarter(pattern, part)).or_default();
                if numbers.len() < SIMILAR {
                    numbers.push(number);
                }
            }
        }
        let favourites = Favourites::new(&patterns[..patterns.len().min(FAVOURITES)]);
        let changed_favourites = (0..patterns.len().min(CHANGED_FAVOURITES) as u16).collect();
        let numbers = patterns.iter().copied().zip(0..).collect();
        Dictionary { patterns, favourites, changed_favourites, numbers, similar }
    }

    /// Returns the number of a pattern that is allowed: one of the most frequent, or `filled`, what
    /// the run gets if it is filled up by itself.
    #[inline(always)]
    pub fn number(&self, allowed: &AllowedCategories, filled: &CategoryMasks) -> Option<u16> {
        self.favourites.first(allowed).or_else(|| self.numbers.get(filled).copied())
    }

    /// Returns the numbers of patterns that few changes may lead from to this one.
    #[inline(always)]
    pub fn near(&self, filled: &CategoryMasks) -> [&[u16]; 1 + QUARTERS as usize] {
        let mut near = [&self.changed_favourites[..]; 1 + QUARTERS as usize];
        for (part, near) in (0..).zip(&mut near[1..]) {
            *near = self.similar.get(&quarter(filled, part)).map_or(&[], |numbers| &numbers[..]);
        }
        near
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Patterns of a few blocks of two ranks, so that some fit.
    fn pattern() -> impl Strategy<Value = CategoryMasks> {
        proptest::array::uniform4(0..CATEGORIES).prop_map(|quarters| {
            let mut pattern = [0; CATEGORIES];
            for (quarter, category) in (0..).zip(quarters) {
                pattern[category] |= 0xffff << (QUARTER_BITS * quarter);
            }
            pattern
        })
    }

    proptest! {
        #[test]
        fn the_favourite_is_the_first_that_is_allowed(
            patterns in proptest::collection::vec(pattern(), 0..FAVOURITES),
            mut masks in pattern(),
            free in any::<CategoryMasks>(),
            wide in any::<bool>(),
        ) {
            let all = free.iter().fold(u64::MAX, |all, mask| all & mask);
            for (mask, free) in masks.iter_mut().zip(free) {
                *mask |= if wide { free } else { all };
            }
            let allowed = AllowedCategories(masks);
            let expected = (0..).zip(&patterns).find(|(_, pattern)| allowed.holds(pattern));
            let found = Favourites::new(&patterns).first(&allowed);
            prop_assert_eq!(found, expected.map(|(number, _)| number));
        }
    }
}
