//! What a king tile may be: for each category the squares on which it may stand, and the
//! choice of a pattern among those.

use sakmak_tables::board::square::SIDE_LENGTH;
use sakmak_tables::counting::Category;

/// How many categories there are.
pub const CATEGORIES: usize = Category::ALL.len();

/// A bit for each square, by [`Category::index`].
pub type Masks = [u64; CATEGORIES];

/// What a king tile may be. Every square may be something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AllowedCategories(pub Masks);

impl AllowedCategories {
    /// Everything, everywhere.
    pub const ALL: AllowedCategories = AllowedCategories([u64::MAX; CATEGORIES]);

    /// What both may be, if there is something for every square.
    pub fn and(self, other: AllowedCategories) -> Option<AllowedCategories> {
        let both =
            AllowedCategories(std::array::from_fn(|category| self.0[category] & other.0[category]));
        let somewhere = both.0.iter().fold(0, |any, mask| any | mask);
        (somewhere == u64::MAX).then_some(both)
    }

    /// Whether a pattern is one that this may be.
    pub fn holds(&self, pattern: &Masks) -> bool {
        pattern.iter().zip(&self.0).all(|(pattern, allowed)| pattern & !allowed == 0)
    }

    /// A pattern this may be: of one category if possible, else what must be somewhere goes on
    /// to its neighbours, so that like king tiles become the same pattern.
    pub fn pattern(&self) -> Masks {
        if let Some(category) = (0..CATEGORIES).find(|&category| self.0[category] == u64::MAX) {
            return plain(category);
        }
        let others = |category: usize| {
            let others = (0..CATEGORIES).filter(|&other| other != category);
            others.fold(0, |any, other| any | self.0[other])
        };
        let mut pattern: Masks =
            std::array::from_fn(|category| self.0[category] & !others(category));
        loop {
            let mut open = !pattern.iter().fold(0, |any, mask| any | mask);
            if open == 0 {
                return pattern;
            }
            let mut grown = pattern;
            for category in 0..CATEGORIES {
                let new = around(pattern[category]) & self.0[category] & open;
                grown[category] |= new;
                open &= !new;
            }
            if grown == pattern {
                // Out of reach of all that is known: the lowest allowed.
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

/// The pattern of one category.
pub fn plain(category: usize) -> Masks {
    let mut pattern = [0; CATEGORIES];
    pattern[category] = u64::MAX;
    pattern
}

/// The squares a king's step from these.
fn around(squares: u64) -> u64 {
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
        fn patterns_are_allowed_and_whole(mut masks in any::<Masks>(), free in any::<u64>()) {
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
        assert_eq!(around(1), 0b11 << 8 | 0b10);
        assert_eq!(around(1 << 63), 0b11 << 54 | 1 << 62);
    }
}
