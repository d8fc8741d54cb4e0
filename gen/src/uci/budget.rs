//! What a search may take: depth, positions, time.

use crate::uci::command::GoCommand;
use sakmak_probe::LookupBudget;
use sakmak_tables::distance::{Moves, Plies};
use sakmak_tables::rules::piece::Side;
use std::time::Duration;

/// The greatest depth of a search.
pub const MOST_PLIES: u32 = 100;

/// Time kept back for the way to the graphical interface.
const OVERHEAD: Duration = Duration::from_millis(20);

/// Look-ups at the root for a millisecond of time. A look-up takes some microseconds.
const LOOKUPS_PER_MILLISECOND: u128 = 20;

/// The moves that time on the clock is shared among if no time control follows.
const USUAL_MOVES: u64 = 30;

/// The limits of one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchBudget {
    /// The last depth.
    pub depth: Plies,
    /// The most positions.
    pub nodes: u64,
    /// The search ends at this time.
    pub time: Option<Duration>,
    /// No further depth begins after this time.
    pub new_depth: Option<Duration>,
    /// The search ends with a mate in this many moves.
    pub mate: Option<Moves>,
}

impl SearchBudget {
    /// The limits that `go` gives to this side.
    pub fn new(go: &GoCommand, side: Side) -> SearchBudget {
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mate = go.mate.map(|moves| Moves(small(moves).max(1)));
        // A mate in n moves has 2n - 1 plies.
        let mate_depth = mate.map_or(u32::MAX, |moves| moves.0.saturating_mul(2));
        let depth = go.depth.map_or(u32::MAX, small).min(mate_depth).clamp(1, MOST_PLIES);
        let (time, new_depth) = match (go.movetime, go.time[side.index()]) {
            (Some(time), _) => (Some(less_overhead(Duration::from_millis(time))), None),
            (None, Some(left)) => {
                let share = share(go, left, side);
                (Some(share), Some(share / 2))
            }
            (None, None) => (None, None),
        };
        let nodes = go.nodes.unwrap_or(u64::MAX).max(1);
        SearchBudget { depth: Plies(depth), nodes, time, new_depth, mate }
    }
}

/// The part of the time on the clock for this move.
fn share(go: &GoCommand, left: u64, side: Side) -> Duration {
    let moves = go.movestogo.unwrap_or(USUAL_MOVES).clamp(1, USUAL_MOVES);
    let increment = go.increment[side.index()];
    let share = (left / moves).saturating_add(increment / 4 * 3);
    less_overhead(Duration::from_millis(share.min(left / 2 + left / 4).max(1)))
}

impl SearchBudget {
    /// What may be spent at the root on mates in time whose length the tables do not tell: about a
    /// tenth of the time.
    pub fn lookups(&self) -> LookupBudget {
        let by_time =
            self.time.map_or(u128::MAX, |time| time.as_millis() * LOOKUPS_PER_MILLISECOND);
        let most = by_time.min(self.nodes.into());
        let most = u32::try_from(most).map_or(LookupBudget::THOROUGH, LookupBudget);
        most.min(LookupBudget::THOROUGH)
    }
}

fn less_overhead(time: Duration) -> Duration {
    time.saturating_sub(OVERHEAD).max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(go: GoCommand, side: Side) -> Option<u128> {
        SearchBudget::new(&go, side).time.map(|time| time.as_millis())
    }

    #[test]
    fn a_move_takes_a_part_of_the_own_clock() {
        let go = GoCommand { time: [Some(30_000), Some(300)], ..GoCommand::default() };
        assert_eq!(milliseconds(go.clone(), Side::White), Some(980));
        assert_eq!(milliseconds(go.clone(), Side::Black), Some(1));
        let last = GoCommand { movestogo: Some(1), ..go.clone() };
        assert_eq!(milliseconds(last, Side::White), Some(22_480));
        let gains = GoCommand { increment: [u64::MAX, 0], ..go };
        assert_eq!(milliseconds(gains, Side::White), Some(22_480));
    }

    #[test]
    fn look_ups_are_scaled_from_the_time_and_bounded_by_the_nodes() {
        let lookups = |go: GoCommand| SearchBudget::new(&go, Side::White).lookups();
        let movetime = |time| GoCommand { movetime: Some(time), ..GoCommand::default() };
        assert_eq!(lookups(movetime(20)), LookupBudget(20));
        assert_eq!(lookups(movetime(1020)), LookupBudget(20_000));
        assert_eq!(lookups(movetime(u64::MAX)), LookupBudget::THOROUGH);
        assert_eq!(lookups(GoCommand::default()), LookupBudget::THOROUGH);
        let nodes = GoCommand { nodes: Some(500), ..GoCommand::default() };
        assert_eq!(lookups(nodes), LookupBudget(500));
    }

    #[test]
    fn no_time_is_a_millisecond() {
        for go in [
            GoCommand { time: [Some(0); 2], ..GoCommand::default() },
            GoCommand { movetime: Some(0), ..GoCommand::default() },
        ] {
            assert_eq!(milliseconds(go, Side::White), Some(1));
        }
        assert_eq!(milliseconds(GoCommand::default(), Side::White), None);
    }

    #[test]
    fn depth_and_mate_are_bounded() {
        let depth = |go: GoCommand| SearchBudget::new(&go, Side::White).depth.0;
        assert_eq!(depth(GoCommand::default()), MOST_PLIES);
        assert_eq!(depth(GoCommand { depth: Some(0), ..GoCommand::default() }), 1);
        assert_eq!(depth(GoCommand { depth: Some(u64::MAX), ..GoCommand::default() }), MOST_PLIES);
        assert_eq!(depth(GoCommand { mate: Some(3), ..GoCommand::default() }), 6);
        assert_eq!(depth(GoCommand { mate: Some(u64::MAX), ..GoCommand::default() }), MOST_PLIES);
    }
}
