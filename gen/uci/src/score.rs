//! The score of a position for the side to move.
//!
//! ```text
//! MATE - plies    mate on the board in that many plies
//! TABLE - plies   a position that the tables call a win in time, that many plies away
//! else            hundredths of a pawn
//! ```

use sakmak_tables::distance::{Moves, Plies};
use std::fmt;
use std::ops::Neg;

/// The score of a position for the side to move, greater for a better one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score(i32);

/// A number above any mate.
const BEYOND: i32 = 32_001;
/// The number of mate on the board.
const MATE: i32 = 32_000;
/// The number of a win by the tables.
const TABLE: i32 = 20_000;
/// The longest distance to a mate or to a win by the tables. No table has a longer mate.
const LONGEST: i32 = 2_000;
/// The largest number that is not a certain win.
const UNCERTAIN: i32 = TABLE - LONGEST - 1;

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Worse than every score.
    pub const WORST: Score = Score(-BEYOND);
    /// Better than every score.
    pub const BEST: Score = Score(BEYOND);

    /// The highest score of a draw in which the opponent may go wrong.
    pub const DRAW_CHANCE: Score = Score(40);

    /// Hundredths of a pawn, always below a certain win.
    pub fn centipawns(number: i32) -> Score {
        Score(number.clamp(-UNCERTAIN, UNCERTAIN))
    }

    /// The score of being mated in this many plies.
    pub fn mated_in(plies: Plies) -> Score {
        Score(way(plies) - MATE)
    }

    /// The score of a win in time by the tables, this many plies away.
    pub fn table_win(plies: Plies) -> Score {
        Score(TABLE - way(plies))
    }

    /// The plies to mate and whether the side to move mates. `None` without a mate.
    pub fn mate(self) -> Option<(Plies, bool)> {
        let plies = MATE - self.0.abs();
        (plies <= LONGEST).then(|| (Plies(plies.unsigned_abs()), self.0 > 0))
    }

    /// Whether one side is certain to win.
    pub fn is_decided(self) -> bool {
        self.0.abs() > UNCERTAIN
    }

    /// Whether the side to move mates within this many of its moves.
    pub fn mates_within(self, moves: Moves) -> bool {
        self.mate().is_some_and(|(plies, wins)| wins && plies.0.div_ceil(2) <= moves.0)
    }

    /// The fraction `part / whole` of an uncertain score.
    #[must_use]
    pub fn scaled(self, part: i32, whole: i32) -> Score {
        Score::centipawns(self.0 * part / whole.max(1))
    }

    /// Converts a score counted from a position to one counted from the root; the position is this
    /// many plies below the root.
    #[must_use]
    pub fn from_here(self, ply: Plies) -> Score {
        self.moved(-way(ply))
    }

    /// Inverts [`Score::from_here`].
    #[must_use]
    pub fn to_here(self, ply: Plies) -> Score {
        self.moved(way(ply))
    }

    /// The score with the distance to its certain win changed.
    fn moved(self, nearer: i32) -> Score {
        match self.is_decided() {
            true => Score(self.0 + self.0.signum() * nearer),
            false => self,
        }
    }

    /// The next higher score.
    #[must_use]
    pub fn above(self) -> Score {
        Score(self.0 + 1)
    }
}

/// A distance, limited to the scores of certain wins.
fn way(plies: Plies) -> i32 {
    i32::try_from(plies.0).unwrap_or(LONGEST).min(LONGEST)
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// Writes the score as after `score`: `mate 3`, `mate -2`, `cp 31`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate() {
            Some((plies, true)) => write!(f, "mate {}", plies.0.div_ceil(2)),
            Some((plies, false)) => write!(f, "mate {}", -(way(plies) / 2)),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_written_in_moves() {
        assert_eq!((-Score::mated_in(Plies(1))).to_string(), "mate 1");
        assert_eq!((-Score::mated_in(Plies(47))).to_string(), "mate 24");
        assert_eq!(Score::mated_in(Plies(4)).to_string(), "mate -2");
        assert_eq!(Score::mated_in(Plies(0)).to_string(), "mate 0");
        assert_eq!(Score::centipawns(-31).to_string(), "cp -31");
    }

    #[test]
    fn kinds_of_scores_do_not_meet() {
        let longest = Plies(u32::MAX);
        assert!(-Score::mated_in(longest) > Score::table_win(Plies(0)));
        assert!(Score::table_win(longest) > Score::centipawns(i32::MAX));
        assert!(Score::table_win(longest).mate().is_none());
        assert!(Score::BEST > -Score::mated_in(Plies(0)));
    }

    #[test]
    fn a_win_is_nearer_where_it_is_seen_from() {
        let (ply, won) = (Plies(3), -Score::mated_in(Plies(8)));
        assert_eq!(won.to_here(ply), -Score::mated_in(Plies(5)));
        assert_eq!(won.to_here(ply).from_here(ply), won);
        assert_eq!((-won).to_here(ply), -won.to_here(ply));
        assert_eq!(Score::centipawns(50).to_here(ply), Score::centipawns(50));
    }
}
