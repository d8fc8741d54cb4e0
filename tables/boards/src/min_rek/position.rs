//! Positions of Min Rek Chanh, and the reks that a move opens.

use crate::rek::board::{RAYS, between, beyond, each, first, reached, slides};

/// The kings of White and Black: a2 and h7.
pub const KINGS: [u8; 2] = [8, 55];

/// Reks as sets of squares of arrival, by the direction from the square of arrival to the man.
pub type Reks = [u64; 4];

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) men: [u64; 2],
    pub(super) side: usize,
    /// The obliged replies: one of the replies must be played, if any.
    pub(super) replies: Reks,
    /// Whether the text has the mirror image, with the kings on h2 and a7.
    pub(super) mirrored: bool,
}

/// The targets of a man, in two sets.
pub struct Targets {
    /// Targets with exactly one move, which stays.
    pub quiet: u64,
    /// All other targets.
    pub others: u64,
}

impl Position {
    #[inline]
    pub(super) fn units(&self, side: usize) -> u64 {
        self.men[side] | 1 << KINGS[side]
    }

    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.units(0) | self.units(1)
    }

    /// All reks of a side.
    #[inline]
    pub(super) fn reks(&self, side: usize) -> Reks {
        self.reks_to(side, u64::MAX)
    }

    /// The reks of a side to some squares.
    #[inline]
    fn reks_to(&self, side: usize, squares: u64) -> Reks {
        let occupied = self.occupied();
        let mut reks = [0; 4];
        for to in each(between(self.units(1 - side)) & !occupied & squares) {
            let men = reached(to, occupied) & self.men[side];
            if men == 0 {
                continue;
            }
            for (reks, ray) in reks.iter_mut().zip(RAYS[usize::from(to)]) {
                if men & ray != 0 {
                    *reks |= 1 << to;
                }
            }
        }
        reks
    }

    /// The reks of a side that the side did not have in the position before: another man may stand
    /// in the same direction.
    #[inline]
    pub(super) fn new_reks(&self, before: &Position, side: usize) -> Reks {
        let mut reks = self.reks(side);
        let squares = reks.iter().fold(0, |squares, reks| squares | reks);
        let old = before.reks_to(side, squares);
        for (direction, reks) in reks.iter_mut().enumerate() {
            for to in each(*reks & old[direction]) {
                if first(to, direction, self.occupied()) == first(to, direction, before.occupied())
                {
                    *reks &= !(1 << to);
                }
            }
        }
        reks
    }

    /// The squares that the men of a side reach.
    #[inline]
    pub(super) fn seen(&self, side: usize, occupied: u64) -> u64 {
        each(self.men[side]).fold(0, |seen, man| seen | reached(man, occupied))
    }

    /// Targets of a man at which the move makes no new rek, or some of these targets. `seen`
    /// are the squares that the enemies' men reach before it.
    #[inline]
    pub(super) fn opens_nothing(&self, from: u8, targets: u64, seen: u64) -> u64 {
        let occupied = self.occupied() & !(1 << from);
        let is_seen = seen >> from & 1 == 1;
        let seen = if is_seen { self.seen(1 - self.side, occupied) } else { seen };
        let (rest, gaps) = (self.units(self.side) & !(1 << from), seen & !occupied);
        // The man may stand between an enemy and a gap that exists without the man, or in the gap.
        let lines = if is_seen { targets | 1 << from } else { 0 };
        if between(rest) & gaps & lines != 0 {
            return 0;
        }
        targets & !beyond(rest, gaps)
    }

    /// Whether no man of the side to move can capture and a man has a move that opens no rek. May
    /// be false although the condition is met.
    #[inline]
    pub(super) fn is_quiet(&self) -> bool {
        let (side, occupied) = (self.side, self.occupied());
        let taking = between(self.units(1 - side)) & !occupied;
        let takes = taking != 0 && self.seen(side, occupied) & taking != 0;
        !takes
            && each(self.men[side]).any(|from| {
                let (rest, empty) = (self.units(side) & !(1 << from), !occupied | 1 << from);
                let targets = slides(from, occupied) & !beyond(rest, empty);
                between(rest) & empty == 0 && targets != 0
            })
    }
}
