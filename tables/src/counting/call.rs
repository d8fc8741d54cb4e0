//! A count as players state it: the last number called aloud.
//!
//! A FEN has plies; a player has called "twenty". For a count that is running both are the same:
//! the moves left depend only on the number called and on who is to move.

use crate::counting::clock::{Clock, Honour, Party};
use crate::counting::no_count::NoCount;
use crate::counting::rule::{CountingRule, Phase};
use crate::distance::Moves;
use crate::material::Army;
use crate::rules::piece::Side;

/// The last number called, and the parts of the count that the pieces leave open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The last number called.
    pub called: Moves,
    /// The side that counts; `None` if only one side may.
    pub runner: Option<Side>,
    /// The number at which the count ends; `None` for a count that starts with these pieces.
    pub limit: Option<Moves>,
}

/// A count that was called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CalledCount {
    /// The side that counts.
    pub runner: Side,
    /// The count.
    pub clock: Clock,
}

/// An impossible call.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImpossibleCall {
    /// No count may run.
    #[error("nothing can be called {0}")]
    NoCount(NoCount),
    /// The call does not name the side that counts.
    #[error("either side may count here, and none is named")]
    EitherSide,
    /// This side may not count.
    #[error("{side} may not count here: {other} does", side = .0.name(), other = (!*.0).name())]
    OtherSide(Side),
    /// No count with these pieces ends at this number.
    #[error("no count ends at {limit} with these pieces: expected {expected}", limit = .limit.0)]
    Limit {
        /// The limit as given.
        limit: Moves,
        /// The possible limits.
        expected: String,
    },
    /// A number below the first.
    #[error(
        "{called} cannot have been called: with {men} men a count begins at {men}",
        called = .called.0
    )]
    BelowMen {
        /// The number as given.
        called: Moves,
        /// The number of men.
        men: u32,
    },
    /// A number after the last.
    #[error(
        "{called} cannot have been called: the count ends at {limit}", called = .called.0,
        limit = .limit.0
    )]
    Over {
        /// The number as given.
        called: Moves,
        /// The number at which the count ends.
        limit: Moves,
    },
}

crate::readable_error!(ImpossibleCall);

impl CountingRule {
    /// The count with these pieces and this side to move, after a call.
    ///
    /// # Errors
    ///
    /// If the call is impossible with these pieces.
    pub fn called(
        &self,
        call: Call,
        armies: [Army; 2],
        to_move: Side,
    ) -> Result<CalledCount, ImpossibleCall> {
        if let Some(reason) = self.no_count(armies) {
            return Err(ImpossibleCall::NoCount(reason));
        }
        let runner = self.runner(call.runner, armies)?;
        let (honour, limit) = self.limit_called(call.limit, armies, to_move)?;
        let men = armies.iter().map(|army| army.len() + 1).sum();
        let first = self.called_at_start(men);
        if honour == Honour::Pieces && call.called.0 < first {
            return Err(ImpossibleCall::BelowMen { called: call.called, men: first });
        }
        let party = if to_move == runner { Party::Runner } else { Party::Attacker };
        let clock = Clock::after_call(honour, self.limit_in_plies(limit), call.called, party);
        let most = self.highest_count(clock.limit(), armies);
        if clock.count() > most || call.called > limit {
            return Err(ImpossibleCall::Over { called: call.called, limit });
        }
        Ok(CalledCount { runner, clock })
    }

    /// The sides that may count with these pieces.
    pub fn runners(&self, armies: [Army; 2]) -> impl Iterator<Item = Side> {
        let counts = move |&side: &Side| self.phase_against(armies, !side) != Phase::Free;
        Side::BOTH.into_iter().filter(counts)
    }

    /// The side that counts.
    fn runner(&self, given: Option<Side>, armies: [Army; 2]) -> Result<Side, ImpossibleCall> {
        let mut runners = self.runners(armies);
        match (given, runners.next(), runners.next()) {
            (None, Some(only), None) => Ok(only),
            (None, ..) => Err(ImpossibleCall::EitherSide),
            (Some(side), one, other) if one == Some(side) || other == Some(side) => Ok(side),
            (Some(side), ..) => Err(ImpossibleCall::OtherSide(side)),
        }
    }

    /// The number at which the count ends, and the kind of the count.
    fn limit_called(
        &self,
        given: Option<Moves>,
        armies: [Army; 2],
        to_move: Side,
    ) -> Result<(Honour, Moves), ImpossibleCall> {
        let limits = || self.possible_limits(armies).into_iter();
        let limits = || limits().map(|(honour, plies)| (honour, self.limit_in_moves(plies)));
        let fresh = self.fresh_clock(armies, to_move);
        let usual = fresh.map(|clock| (clock.honour(), self.limit_in_moves(clock.limit())));
        let found = match given {
            None => usual,
            Some(limit) => limits().find(|&(_, moves)| moves == limit),
        };
        found.ok_or_else(|| ImpossibleCall::Limit {
            limit: given.unwrap_or_default(),
            expected: limits()
                .map(|(_, moves)| moves.0.to_string())
                .collect::<Vec<_>>()
                .join(" or "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::Plies;
    use crate::material::Material;
    use crate::variants;

    fn armies(material: &str) -> [Army; 2] {
        let material: Material = material.parse().unwrap();
        Side::BOTH.map(|side| material.army(side))
    }

    fn called(
        counting_rule: &str,
        material: &str,
        to_move: Side,
        (called, runner, limit): (u32, Option<Side>, Option<u32>),
    ) -> Result<(Side, u32, u32), ImpossibleCall> {
        let rule = variants::counting_rule(counting_rule).unwrap();
        let call = Call { called: Moves(called), runner, limit: limit.map(Moves) };
        let count = rule.called(call, armies(material), to_move)?;
        Ok((count.runner, count.clock.limit().0, count.clock.count().0))
    }

    #[test]
    fn a_call_is_a_count_in_plies() {
        use Side::{Black, White};
        for (rule, material, to_move, call, expected) in [
            ("makruk", "KSMvK", White, (20, None, None), (Black, 88, 39)),
            ("makruk", "KSMvK", Black, (20, None, None), (Black, 88, 40)),
            ("makruk", "KSMvK", Black, (20, Some(Black), Some(22)), (Black, 44, 40)),
            ("makruk", "KRvK", White, (3, None, None), (Black, 32, 5)),
            ("makruk", "KRvK", White, (16, None, None), (Black, 32, 31)),
            ("makruk", "KRvKN", White, (0, Some(Black), None), (Black, 128, 0)),
            ("makruk", "KRvKN", White, (20, Some(Black), None), (Black, 128, 39)),
            ("makruk", "KRvKN", White, (20, Some(White), None), (White, 128, 40)),
            // The number of the limit ends the game in Ouk.
            ("ouk", "KRvK", White, (16, None, None), (Black, 30, 31)),
            ("ouk", "KRvK", Black, (20, None, Some(64)), (Black, 126, 40)),
            ("ouk", "KRPvK", Black, (2, None, None), (Black, 126, 4)),
            ("ouk", "KRMMvKM", Black, (2, None, None), (Black, 126, 4)),
        ] {
            assert_eq!(called(rule, material, to_move, call), Ok(expected), "{rule} {material}");
        }
    }

    #[test]
    fn a_call_leaves_the_moves_of_its_count() {
        for (counting_rule, material) in
            [("makruk", "KRvK"), ("makruk", "KSMvK"), ("ouk", "KNMvK"), ("makruk", "KRvKN")]
        {
            let rule = variants::counting_rule(counting_rule).unwrap();
            let armies = armies(material);
            for to_move in Side::BOTH {
                let fresh = rule.fresh_clock(armies, to_move).unwrap();
                let party = if to_move == Side::Black { Party::Runner } else { Party::Attacker };
                for count in fresh.count().0..=fresh.limit().0 {
                    let clock = Clock::new(fresh.honour(), fresh.limit(), Plies(count));
                    let call = Call {
                        called: clock.called(party),
                        runner: Some(Side::Black),
                        limit: None,
                    };
                    let again = rule.called(call, armies, to_move).unwrap().clock;
                    assert_eq!(again.moves_left(party), clock.moves_left(party), "{clock:?}");
                    assert_eq!(again.called(party), clock.called(party), "{clock:?}");
                }
            }
        }
    }

    #[test]
    fn a_call_that_cannot_have_been_is_refused() {
        use Side::{Black, White};
        for (rule, material, to_move, call, words) in [
            ("makruk", "KRPvK", White, (4, None, None), "while a bia (pawn) is on the board"),
            ("makruk", "KRvKN", White, (4, None, None), "either side may count here"),
            (
                "makruk",
                "KRvK",
                White,
                (4, Some(White), None),
                "white may not count here: black does",
            ),
            (
                "makruk",
                "KRvK",
                White,
                (4, None, Some(44)),
                "ends at 44 with these pieces: expected 8 or 16",
            ),
            ("makruk", "KRvK", White, (2, None, None), "with 3 men a count begins at 3"),
            (
                "makruk",
                "KRvK",
                White,
                (17, None, None),
                "17 cannot have been called: the count ends at 16",
            ),
            (
                "ouk",
                "KRvK",
                Black,
                (16, None, None),
                "16 cannot have been called: the count ends at 16",
            ),
            ("makruk", "KRvK", Black, (u32::MAX, None, None), "ends at 16"),
        ] {
            let message = called(rule, material, to_move, call).unwrap_err().to_string();
            assert!(message.contains(words), "{message}");
        }
    }
}
