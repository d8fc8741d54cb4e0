//! A running count: its kind, its limit and its current number.
//!
//! Limits and counts are kept in plies, as Fairy-Stockfish writes them in FEN: every
//! move of either side adds one, and the draw may be claimed once the count is past the
//! limit. A mate on the board comes before any claim.

use crate::distance::{Moves, Plies};
use std::fmt;

/// The kind of a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Honour {
    /// Sak mak, against a bare king; its length depends on the attacker's pieces.
    Pieces,
    /// Sak kradan, the board's; of one length.
    Boards,
    /// The clock of the fifty-move rule, which starts again with each capture.
    FiftyMoves,
}

impl Honour {
    /// The Thai name: `sak mak`, `sak kradan`. `None` for a count that Thai players do not know.
    pub const fn thai_name(self) -> Option<&'static str> {
        match self {
            Honour::Pieces => Some("sak mak"),
            Honour::Boards => Some("sak kradan"),
            Honour::FiftyMoves => None,
        }
    }

    /// The name in JSON and in the Python module: `pieces-honour`, `boards-honour`, `fifty-moves`.
    pub const fn name(self) -> &'static str {
        match self {
            Honour::Pieces => "pieces-honour",
            Honour::Boards => "boards-honour",
            Honour::FiftyMoves => "fifty-moves",
        }
    }
}

impl fmt::Display for Honour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Honour::Pieces => "pieces' honour",
            Honour::Boards => "board's honour",
            Honour::FiftyMoves => "fifty-move rule",
        })
    }
}

/// The two parties to a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Party {
    /// The party that must mate in time.
    Attacker,
    /// The party that counts its own moves, to a draw.
    Runner,
}

/// A count that is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Clock {
    honour: Honour,
    limit: Plies,
    count: Plies,
}

impl Clock {
    /// The clock at `count` of `limit`.
    pub const fn new(honour: Honour, limit: Plies, count: Plies) -> Clock {
        Clock { honour, limit, count }
    }

    /// The clock after the runner's last call, with this party to move.
    pub(super) const fn after_call(
        honour: Honour,
        limit: Plies,
        called: Moves,
        to_move: Party,
    ) -> Clock {
        let plies = called.0.saturating_mul(2);
        let count = match to_move {
            Party::Attacker => plies.saturating_sub(1),
            Party::Runner => plies,
        };
        Clock { honour, limit, count: Plies(count) }
    }

    /// The kind of the count.
    pub const fn honour(self) -> Honour {
        self.honour
    }

    /// The number of plies past which the draw may be claimed.
    pub const fn limit(self) -> Plies {
        self.limit
    }

    /// The number of plies counted.
    pub const fn count(self) -> Plies {
        self.count
    }

    /// The clock after one more move of either side.
    #[must_use]
    pub const fn ticked(self) -> Clock {
        Clock { count: Plies(self.count.0.saturating_add(1)), ..self }
    }

    /// Whether the draw may be claimed unless the position is mate.
    pub const fn is_over(self) -> bool {
        self.count.0 >= self.first_claim()
    }

    /// The count from which on the draw may be claimed: past the limit, under the fifty-move rule at
    /// the limit.
    const fn first_claim(self) -> u32 {
        match self.honour {
            Honour::FiftyMoves => self.limit.0,
            Honour::Pieces | Honour::Boards => self.limit.0.saturating_add(1),
        }
    }

    /// The attacker's moves that may still mate in time, with this party to move.
    pub const fn moves_left(self, to_move: Party) -> Moves {
        // The attacker's k-th move from here brings the count to `count + 2k`, or one less
        // if it moves first. A mate comes before the first claim.
        let first = matches!(to_move, Party::Attacker) as u32;
        let plies = self.first_claim().saturating_add(first);
        Moves(plies.saturating_sub(self.count.0) / 2)
    }

    /// The longest counted distance that is in time, with this party to move: the moves left, or the
    /// plies left where [its unit](crate::format::metric::Metric::is_in_plies) is plies.
    pub const fn longest_in_time(self, to_move: Party) -> Moves {
        match self.honour {
            Honour::FiftyMoves => Moves(self.limit.0.saturating_sub(self.count.0)),
            Honour::Pieces | Honour::Boards => self.moves_left(to_move),
        }
    }

    /// The last number the runner has called, with this party to move.
    pub const fn called(self, to_move: Party) -> Moves {
        Moves(match to_move {
            Party::Attacker => self.count.0.div_ceil(2),
            Party::Runner => self.count.0 / 2,
        })
    }

    /// The clock that ends first; `other` if both end together.
    pub(super) fn sooner(self, other: Clock) -> Clock {
        let left = |clock: Clock| i64::from(clock.limit.0) - i64::from(clock.count.0);
        if left(self) < left(other) { self } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(limit: u32, count: u32) -> Clock {
        Clock::new(Honour::Pieces, Plies(limit), Plies(count))
    }

    #[test]
    fn rook_and_king_have_thirteen_moves_or_fourteen() {
        assert_eq!(clock(32, 6).moves_left(Party::Runner), Moves(13));
        assert_eq!(clock(32, 5).moves_left(Party::Attacker), Moves(14));
        // The claim comes at ply 33, the runner's fourteenth move.
        assert!(!clock(32, 32).is_over());
        assert!(clock(32, 33).is_over());
        assert_eq!(clock(32, 32).moves_left(Party::Runner), Moves(0));
        assert_eq!(clock(32, 31).moves_left(Party::Attacker), Moves(1));
    }

    #[test]
    fn boards_honour_gives_64_or_65() {
        assert_eq!(clock(128, 0).moves_left(Party::Runner), Moves(64));
        assert_eq!(clock(128, 0).moves_left(Party::Attacker), Moves(65));
        assert_eq!(clock(126, 0).moves_left(Party::Runner), Moves(63));
    }

    #[test]
    fn the_runner_calls_one_more_than_the_men() {
        assert_eq!(clock(32, 6).called(Party::Runner), Moves(3));
        assert_eq!(clock(32, 7).called(Party::Attacker), Moves(4));
        assert_eq!(clock(32, 8).called(Party::Runner), Moves(4));
        assert_eq!(clock(32, 5).called(Party::Attacker), Moves(3));
        // Board's honour with the attacker to move first.
        assert_eq!(clock(128, 1).called(Party::Runner), Moves(0));
        assert_eq!(clock(128, 2).called(Party::Attacker), Moves(1));
    }

    #[test]
    fn the_fifty_move_rule_leaves_plies() {
        let at = |count| Clock::new(Honour::FiftyMoves, Plies(100), Plies(count));
        for (count, plies, moves) in [(0, 100, [50, 50]), (37, 63, [32, 31]), (99, 1, [1, 0])] {
            let parties = [Party::Attacker, Party::Runner];
            assert_eq!(parties.map(|one| at(count).longest_in_time(one)), [Moves(plies); 2]);
            assert_eq!(parties.map(|one| at(count).moves_left(one).0), moves, "{count}");
            assert!(!at(count).is_over());
        }
        assert!(at(100).is_over() && at(120).longest_in_time(Party::Attacker) == Moves(0));
    }

    #[test]
    fn no_moves_are_left_past_the_limit() {
        for party in [Party::Attacker, Party::Runner] {
            assert_eq!(clock(16, 18).moves_left(party), Moves(0));
            assert_eq!(clock(16, u32::MAX).ticked().moves_left(party), Moves(0));
        }
    }
}
