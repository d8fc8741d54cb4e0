//! The patterns that a king tile allows, and the choice of one of them.

use sakmak_tables::board::square::SIDE_LENGTH;

pub use sakmak_tables::format::wdl::pattern::{CATEGORIES, CategoryMasks};

/// Squares that allow each category, indexed by category. Every square allows at least one
/// category; a don't-care square allows all categories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AllowedCategories(pub CategoryMasks);

impl AllowedCategories {
    /// All categories on all squares.
    pub const ALL: AllowedCategories = AllowedCategories([u64::MAX; CATEGORIES]);

    /// Returns the categories that both allow; `None` if a square has no such category.
    pub fn and(self, other: AllowedCategories) -> Option<AllowedCategories> {
        let (mut both, mut covered) = (self, 0);
        for (both, other) in both.0.iter_mut().zip(other.0) {
            *both &= other;
            covered |= *both;
        }
        (covered == u64::MAX).then_some(both)
    }

    /// Keeps the categories of a set, one bit each.
    #[inline(always)]
    pub fn within(mut self, categories: u8) -> AllowedCategories {
        for (category, mask) in self.0.iter_mut().enumerate() {
            *mask &= u64::from(categories >> category & 1).wrapping_neg();
        }
        self
    }

    /// Returns the worst category that all squares allow; `None` if no category is allowed
    /// everywhere.
    pub fn everywhere(&self) -> Option<usize> {
        self.0.iter().position(|&mask| mask == u64::MAX)
    }

    /// Returns the squares that allow one category only, indexed by category.
    #[inline(always)]
    pub fn known(&self) -> CategoryMasks {
        let [mut any, mut several] = [0; 2];
        for mask in self.0 {
            several |= any & mask;
            any |= mask;
        }
        let mut known = self.0;
        known.iter_mut().for_each(|mask| *mask &= !several);
        known
    }

    /// Returns whether a pattern is allowed.
    #[inline(always)]
    pub fn holds(&self, pattern: &CategoryMasks) -> bool {
        pattern.iter().zip(&self.0).all(|(pattern, allowed)| pattern & !allowed == 0)
    }

    /// Returns an allowed pattern: of one category if possible. Otherwise squares that allow one
    /// category only pass it on to their neighbours, so that similar king tiles get the same
    /// pattern.
    pub fn pattern(&self) -> CategoryMasks {
        if let Some(category) = self.everywhere() {
            return plain(category);
        }
        let mut pattern = self.known();
        loop {
            let mut open = !pattern.iter().fold(0, |any, mask| any | mask);
            if open == 0 {
                return pattern;
            }
            let mut grown = pattern;
            for category in 0..CATEGORIES {
                let new = neighbours(pattern[category]) & self.0[category] & open;
                grown[category] |= new;
                open &= !new;
            }
            if grown == pattern {
                // Not reached from any known square: the lowest category allowed.
                for (grown, allowed) in grown.iter_mut().zip(&self.0) {
                    let new = allowed & open;
                    *grown |= new;
                    open &= !new;
                }
                return grown;
            }
            pattern = grown;
        }
    }
}

/// Returns the pattern of one category.
fn plain(category: usize) -> CategoryMasks {
    let mut pattern = [0; CATEGORIES];
    pattern[category] = u64::MAX;
    pattern
}

/// Returns the squares one step of a king from these.
fn neighbours(squares: u64) -> u64 {
    const FILE: u64 = u64::MAX / 0xff;
    let side = (squares << 1 & !FILE) | (squares >> 1 & !(FILE << (SIDE_LENGTH - 1)));
    let row = squares | side;
    row << SIDE_LENGTH | row >> SIDE_LENGTH | side
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn patterns_are_allowed_and_whole(mut masks in any::<CategoryMasks>(), free in any::<u64>()) {
            for mask in &mut masks {
                *mask |= free & free >> 7;
            }
            let any = masks.iter().fold(0, |any, mask| any | mask);
            masks[2] |= !any;
            let allowed = AllowedCategories(masks);
            let pattern = allowed.pattern();
            prop_assert!(allowed.holds(&pattern));
            prop_assert_eq!(pattern.iter().map(|mask| mask.count_ones()).sum::<u32>(), 64);
            prop_assert_eq!(pattern.iter().fold(0, |any, mask| any | mask), u64::MAX);
        }
    }

    #[test]
    fn a_known_square_fills_the_board() {
        let mut masks = [1 << 27; CATEGORIES];
        masks[3] = u64::MAX;
        masks[1] = !(1 << 63);
        assert_eq!(AllowedCategories(masks).pattern(), plain(3));
        assert_eq!(neighbours(1), 0b11 << 8 | 0b10);
        assert_eq!(neighbours(1 << 63), 0b11 << 54 | 1 << 62);
    }
}
