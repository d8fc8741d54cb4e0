//! Limits of a search: depth, positions, time.

use crate::command::GoCommand;
use sakmak_probe::LookupBudget;
use sakmak_tables::distance::{Moves, Plies};
use sakmak_tables::rules::piece::Side;
use std::time::Duration;

/// The greatest depth of a search.
pub const MOST_PLIES: u32 = 100;

/// Lookups at the root per millisecond of time. A lookup needs some microseconds.
const LOOKUPS_PER_MILLISECOND: u128 = 20;

/// Lookups at the root without a limit of time: some tenths of a second.
const UNTIMED: LookupBudget = LookupBudget(20_000);

/// The number of moves that share the time on the clock if no time control follows.
const USUAL_MOVES: u64 = 30;

/// The limits of one search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchBudget {
    /// The last depth.
    pub depth: Plies,
    /// The maximum number of positions.
    pub nodes: u64,
    /// The search ends at this time.
    pub time: Option<Duration>,
    /// No further depth begins after this time.
    pub new_depth: Option<Duration>,
    /// The search ends with a mate in this many moves.
    pub mate: Option<Moves>,
}

impl SearchBudget {
    /// The limits of `go` for this side, minus the overhead for each move.
    pub fn new(go: &GoCommand, side: Side, overhead: Duration) -> SearchBudget {
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mate = go.mate.map(|moves| Moves(small(moves).max(1)));
        // A mate in n moves has 2n - 1 plies.
        let mate_depth = mate.map_or(u32::MAX, |moves| moves.0.saturating_mul(2));
        let depth = go.depth.map_or(u32::MAX, small).min(mate_depth).clamp(1, MOST_PLIES);
        let less_overhead =
            |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
        let (time, new_depth) = match (go.movetime, own_clock(go, side)) {
            (Some(time), _) => (Some(less_overhead(Duration::from_millis(time))), None),
            (None, Some(left)) => {
                let share = less_overhead(share(go, left, side));
                (Some(share), Some(share / 2))
            }
            (None, None) => (None, None),
        };
        let nodes = go.nodes.unwrap_or(u64::MAX).max(1);
        SearchBudget { depth: Plies(depth), nodes, time, new_depth, mate }
    }
}

/// The time on the clock of this side, in milliseconds. `None` if the game has no clocks. In a game
/// with clocks, a side without a time has no time left, unless another limit ends the search.
fn own_clock(go: &GoCommand, side: Side) -> Option<u64> {
    let has_clocks = go.time.iter().any(Option::is_some)
        || go.increment.iter().any(|&increment| increment > 0)
        || go.movestogo.is_some();
    let ends = go.infinite || go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
    go.time[side.index()].or_else(|| (has_clocks && !ends).then_some(0))
}

/// The fraction of the time on the clock for this move.
fn share(go: &GoCommand, left: u64, side: Side) -> Duration {
    let moves = go.movestogo.unwrap_or(USUAL_MOVES).clamp(1, USUAL_MOVES);
    let increment = go.increment[side.index()];
    let share = (left / moves).saturating_add(increment / 4 * 3);
    Duration::from_millis(share.min(left / 2 + left / 4).max(1))
}

impl SearchBudget {
    /// The budget at the root for mates in time whose length is not in the tables: about a tenth of
    /// the time.
    pub fn lookups(&self) -> LookupBudget {
        let by_time =
            self.time.map_or(UNTIMED.0.into(), |time| time.as_millis() * LOOKUPS_PER_MILLISECOND);
        let most = by_time.min(self.nodes.into());
        let most = u32::try_from(most).map_or(LookupBudget::THOROUGH, LookupBudget);
        most.min(LookupBudget::THOROUGH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::DEFAULT_OVERHEAD;

    fn milliseconds(go: GoCommand, side: Side) -> Option<u128> {
        SearchBudget::new(&go, side, DEFAULT_OVERHEAD).time.map(|time| time.as_millis())
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
        let lookups =
            |go: GoCommand| SearchBudget::new(&go, Side::White, DEFAULT_OVERHEAD).lookups();
        let movetime = |time| GoCommand { movetime: Some(time), ..GoCommand::default() };
        assert_eq!(lookups(movetime(20)), LookupBudget(20));
        assert_eq!(lookups(movetime(1020)), LookupBudget(20_000));
        assert_eq!(lookups(movetime(u64::MAX)), LookupBudget::THOROUGH);
        assert_eq!(lookups(GoCommand::default()), UNTIMED);
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
    fn a_side_without_a_clock_in_a_game_with_clocks_has_no_time() {
        let theirs = GoCommand { time: [None, Some(885_300)], ..GoCommand::default() };
        assert_eq!(milliseconds(theirs.clone(), Side::White), Some(1));
        assert_eq!(milliseconds(theirs.clone(), Side::Black), Some(29_490));
        let gains = GoCommand { increment: [1_000, 0], ..GoCommand::default() };
        assert_eq!(milliseconds(gains, Side::White), Some(1));
        let moves = GoCommand { movestogo: Some(3), ..GoCommand::default() };
        assert_eq!(milliseconds(moves, Side::White), Some(1));
        for go in [
            GoCommand { infinite: true, ..theirs.clone() },
            GoCommand { depth: Some(5), ..theirs.clone() },
            GoCommand { nodes: Some(5), ..theirs.clone() },
            GoCommand { mate: Some(5), ..theirs },
        ] {
            assert_eq!(milliseconds(go, Side::White), None);
        }
    }

    #[test]
    fn time_is_kept_back_for_the_way() {
        let go = GoCommand { movetime: Some(500), ..GoCommand::default() };
        for (overhead, left) in [(0, 500), (100, 400), (5_000, 1)] {
            let budget = SearchBudget::new(&go, Side::White, Duration::from_millis(overhead));
            assert_eq!(budget.time, Some(Duration::from_millis(left)));
        }
    }

    #[test]
    fn depth_and_mate_are_bounded() {
        let depth = |go: GoCommand| SearchBudget::new(&go, Side::White, DEFAULT_OVERHEAD).depth.0;
        assert_eq!(depth(GoCommand::default()), MOST_PLIES);
        assert_eq!(depth(GoCommand { depth: Some(0), ..GoCommand::default() }), 1);
        assert_eq!(depth(GoCommand { depth: Some(u64::MAX), ..GoCommand::default() }), MOST_PLIES);
        assert_eq!(depth(GoCommand { mate: Some(3), ..GoCommand::default() }), 6);
        assert_eq!(depth(GoCommand { mate: Some(u64::MAX), ..GoCommand::default() }), MOST_PLIES);
    }
}
