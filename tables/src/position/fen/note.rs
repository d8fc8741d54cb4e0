//! Notes on a FEN: a count that is dropped or may not be meant.

use crate::counting::{Call, Clock, Honour};
use crate::distance::{Moves, Plies};
use crate::position::Position;
use std::fmt;

/// A note on a FEN that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenNote {
    /// A count without a limit, or the clock of another rule, where a count may run.
    Dropped(Plies),
    /// A count where nobody counts.
    Ignored(Plies),
    /// A count that changes no result.
    ChangesNothing,
    /// The limit of a count that began with other pieces.
    OtherLimit {
        /// The count.
        running: LimitInMoves,
        /// The limit with the pieces on the board.
        now: LimitInMoves,
        /// The FEN's numbers read as moves instead of plies, if that is possible.
        in_moves: Option<Clock>,
    },
    /// A count below the number of men, at which a count begins.
    BelowMen {
        /// The number called.
        called: Moves,
        /// The number of men.
        men: u32,
    },
}

/// A limit in plies, as in a FEN, and in moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitInMoves {
    /// The limit in plies.
    pub plies: Plies,
    /// The number at which the count ends.
    pub moves: Moves,
}

impl FenNote {
    /// The notes on a position with the count that was read; `written` is the number in the count
    /// field.
    pub(super) fn all(position: &Position, written: Option<Plies>) -> Vec<FenNote> {
        let (rule, armies) = (position.counting_rule(), position.armies());
        if rule.is_uncounted() && !position.has_bare_kings() {
            let ignored = written.filter(|plies| plies.0 > 0);
            return ignored.map(FenNote::Ignored).into_iter().collect();
        }
        let Some(clock) = position.clock() else {
            let dropped = written.filter(|plies| plies.0 > 0 && rule.has_decisive_count(armies));
            return dropped.map(FenNote::Dropped).into_iter().collect();
        };
        if !rule.has_decisive_count(armies) {
            return vec![FenNote::ChangesNothing];
        }
        let fresh = position.fresh_clock().filter(|_| clock.honour() == Honour::Pieces);
        let Some(fresh) = fresh else { return Vec::new() };
        let limit = |clock: Clock| {
            let plies = clock.limit();
            LimitInMoves { plies, moves: rule.limit_in_moves(plies) }
        };
        let (running, now) = (limit(clock), limit(fresh));
        let call = Call { called: Moves(clock.count().0), runner: None, limit: None };
        let in_moves = (running.plies.0 == now.moves.0)
            .then(|| rule.called(call, armies, position.side()).ok())
            .flatten();
        let other = (running != now).then(|| FenNote::OtherLimit {
            running,
            now,
            in_moves: in_moves.map(|count| count.clock),
        });
        let men = position.occupied().len() as u32;
        let called = Moves(clock.count().0.div_ceil(2));
        let below = (clock.count() < fresh.count()).then_some(FenNote::BelowMen { called, men });
        other.into_iter().chain(below).collect()
    }
}

impl fmt::Display for FenNote {
    /// Writes a sentence without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenNote::Dropped(count) => {
                write!(f, "the count {} is dropped: it has no limit", count.0)
            }
            FenNote::Ignored(count) => write!(f, "the count {} is dropped: nobody counts", count.0),
            FenNote::ChangesNothing => {
                write!(f, "a count with these pieces changes no result in this variant")
            }
            FenNote::OtherLimit { running, now, in_moves } => {
                write!(
                    f,
                    "a FEN counts in plies, two per move: its limit {} is {}; a count that starts \
                     with these pieces has a limit of {}, {} plies",
                    running.plies.0, running.moves, now.moves, now.plies.0
                )?;
                let Some(clock) = in_moves else { return Ok(()) };
                let (plies, called) = (clock.count().0, clock.count().0.div_ceil(2));
                write!(f, "; write '{} {plies}' for move {called} of {}", now.plies.0, now.moves.0)
            }
            FenNote::BelowMen { called, men } => {
                write!(f, "the count {} is too low: with {men} men it begins at {men}", called.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants;

    fn notes(counting_rule: &str, fen: &str) -> Vec<String> {
        let counting_rule = variants::counting_rule(counting_rule).unwrap();
        let (_, notes) = Position::from_fen_noted(counting_rule, fen).unwrap();
        notes.iter().map(FenNote::to_string).collect()
    }

    #[test]
    fn counts_that_are_dropped_or_may_not_be_meant_are_noted() {
        let men = "8/8/8/4k3/8/4K3/4S3/4M3";
        for (rule, fen, expected) in [
            ("makruk", "w - 88 39 21", &[][..]),
            ("makruk", "w - - 0 21", &[]),
            ("makruk", "w", &[]),
            ("makruk", "b - 88 8 21", &[]),
            ("makruk", "w - 88 7 21", &[]),
            ("makruk", "w - - 40 21", &["the count 40 is dropped: it has no limit"]),
            ("makruk", "w - 0 40 21", &["the count 40 is dropped: it has no limit"]),
            ("makruk", "w 40 21", &["the count 40 is dropped: it has no limit"]),
            ("makruk", "w 0 21", &[]),
            (
                "makruk",
                "w - 44 20 21",
                &[
                    "a FEN counts in plies, two per move: its limit 44 is 22 moves; a count that starts \
                   with these pieces has a limit of 44 moves, 88 plies; write '88 39' for move 20 of 44",
                ],
            ),
            (
                "makruk",
                "w - 64 20 21",
                &[
                    "a FEN counts in plies, two per move: its limit 64 is 32 moves; a count that starts \
                   with these pieces has a limit of 44 moves, 88 plies",
                ],
            ),
            ("makruk", "w - 88 2 21", &["the count 1 is too low: with 4 men it begins at 4"]),
            ("ouk", "w - 126 40 21", &[]),
            ("kar-ouk", "w - 86 1+1 39 21", &[]),
        ] {
            assert_eq!(notes(rule, &format!("{men} {fen}")), expected, "{fen}");
        }
        // A clock of another rule, where no count may run.
        assert_eq!(notes("makruk", "8/8/8/4k3/8/3PK3/4S3/4M3 w - - 3 21"), [""; 0]);
        assert_eq!(notes("makruk", "8/8/8/4k3/8/4K3/8/8 w - 32 16 21"), [""; 0]);
        assert_eq!(
            notes("kar-ouk", "8/8/8/4k3/7m/4K3/4S3/8 w - 126 1+1 16 21"),
            ["a count with these pieces changes no result in this variant"]
        );
        assert_eq!(notes("kar-ouk", "8/8/8/4k3/7m/4K3/4S3/8 w - - 1+1 16 21"), [""; 0]);
    }
}
