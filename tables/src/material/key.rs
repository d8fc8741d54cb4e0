//! How many men of each kind each side has, in one number.

use crate::rules::piece::{Kind, Man, Side};

/// How many men of each kind each side has, kings not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Tally(u64);

/// Bits for the men of a kind and side: enough for all a side has.
const BITS: usize = 4;

impl Tally {
    /// The tally with so many of each man; fifteen at most.
    pub fn new(count: impl Fn(Man) -> usize) -> Tally {
        let men =
            Side::BOTH.into_iter().flat_map(|side| Kind::MEN.map(|kind| Man::new(side, kind)));
        Tally(men.map(|man| Tally::one(man) * count(man) as u64).sum())
    }

    /// With one such man more.
    #[must_use]
    pub const fn with(self, man: Man) -> Tally {
        Tally(self.0.wrapping_add(Tally::one(man)))
    }

    /// With one such man fewer, of whom there must be one.
    #[must_use]
    pub const fn without(self, man: Man) -> Tally {
        Tally(self.0.wrapping_sub(Tally::one(man)))
    }

    /// All counts in one number.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Kings come first among kinds and get no bits.
    const fn one(man: Man) -> u64 {
        let kinds = Kind::MEN.len();
        match man.kind.index().checked_sub(1) {
            Some(kind) => 1 << (BITS * (man.side.index() * kinds + kind)),
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{MAX_SIDE_MEN, Position};
    use crate::variants::MAKRUK;

    #[test]
    fn men_come_and_go_one_by_one() {
        const { assert!(MAX_SIDE_MEN - 1 < 1 << BITS) };
        let full = Tally::new(|_| MAX_SIDE_MEN - 1);
        for side in Side::BOTH {
            assert_eq!(full.with(Man::new(side, Kind::King)), full);
            for man in Kind::MEN.map(|kind| Man::new(side, kind)) {
                let less = Tally::new(|other| MAX_SIDE_MEN - 1 - usize::from(other == man));
                assert_eq!((full.without(man), less.with(man)), (less, full));
            }
        }
    }

    #[test]
    fn captures_and_promotions_change_it() {
        // White promotes on e6, or on d6 where it takes the knight; Black on b3.
        let fen = "8/8/2kn4/4P3/1p6/3K4/R7/8";
        for (side, ends) in [("w", 2), ("b", 1)] {
            let position = Position::from_fen(&MAKRUK, &format!("{fen} {side}")).unwrap();
            let mut changed = 0;
            for &mv in &position.legal_moves() {
                let after = position.play(mv);
                let counted = Tally::new(|man| after.men_of(man).len());
                assert_eq!(after.tally(), counted);
                changed += usize::from(counted != position.tally());
            }
            assert_eq!(changed, ends);
        }
    }
}
