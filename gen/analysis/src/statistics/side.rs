//! The statistics of one side to move.

use crate::statistics::fresh_count::FreshCount;
use crate::statistics::longest::{LongestDistance, SideSlots, as_map};
use sakmak_make::census::{Census, DistanceCounts, Histogram};
use sakmak_tables::counting::{CountingRule, Phase};
use sakmak_tables::rules::piece::Side;
use serde::Serialize;

/// The statistics of one side to move; wins and losses are the mover's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideStatistics {
    /// Legal positions.
    pub legal: u64,
    /// Wins of the mover, with no count.
    pub wins: u64,
    /// Losses of the mover, with no count.
    pub losses: u64,
    /// Draws.
    pub draws: u64,
    /// Wins within a count of the pieces' honour that starts in the position. `None` if the count
    /// does not apply: with pawns, or with pieces on both sides.
    pub wins_in_time: Option<u64>,
    /// Losses within a count of the pieces' honour that starts in the position.
    pub losses_in_time: Option<u64>,
    /// Distances to mate.
    #[serde(flatten)]
    pub to_mate: SideDistances,
    /// The positions by category; `None` if the table that decides them is missing.
    pub at_fresh_count: Option<FreshCount>,
    /// Counted distances: the moves to mate, or to a change of count after which the game is won in
    /// time. Positions whose distance exceeds every count are left out. `None` if distance to mate
    /// decides which wins are in time, or if the table is missing.
    pub counted: Option<SideDistances>,
}

/// The distances of one side to move; wins and losses are the mover's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideDistances {
    /// Wins by the mover's moves.
    #[serde(serialize_with = "as_map")]
    pub win_histogram: Histogram,
    /// Losses by the opponent's moves.
    #[serde(serialize_with = "as_map")]
    pub loss_histogram: Histogram,
    /// The longest win.
    pub longest_win: Option<LongestDistance>,
    /// The longest loss.
    pub longest_loss: Option<LongestDistance>,
}

impl SideStatistics {
    pub(super) fn of(
        slots: SideSlots<'_>,
        counting_rule: &CountingRule,
        mate: &Census,
        counted: Option<&Census>,
        at_fresh_count: Option<FreshCount>,
    ) -> SideStatistics {
        let SideSlots { index, side, .. } = slots;
        let material = index.material();
        let armies = Side::BOTH.map(|side| material.army(side));
        let limit = |attacker| match counting_rule.phase_against(armies, attacker) {
            Phase::PiecesHonour => counting_rule.longest_in_time(armies, attacker, side),
            Phase::Free | Phase::BoardsHonour | Phase::FiftyMoves => None,
        };
        let (win_limit, loss_limit) = (limit(side), limit(!side));
        let applies = win_limit.or(loss_limit).is_some();
        // A bare king has no limit, but it has no wins either.
        let in_time = |distances: &DistanceCounts, limit| applies.then(|| distances.within(limit));
        let (wins, losses) = (mate.wins.count(), mate.losses.count());
        SideStatistics {
            legal: wins + losses + mate.draws,
            wins,
            losses,
            draws: mate.draws,
            wins_in_time: in_time(&mate.wins, win_limit),
            losses_in_time: in_time(&mate.losses, loss_limit),
            to_mate: SideDistances::of(slots, mate),
            at_fresh_count,
            counted: counted.map(|census| SideDistances::of(slots, census)),
        }
    }
}

impl SideDistances {
    fn of(slots: SideSlots<'_>, census: &Census) -> SideDistances {
        SideDistances {
            win_histogram: census.wins.histogram.clone(),
            loss_histogram: census.losses.histogram.clone(),
            longest_win: slots.longest_within(&census.wins, None),
            longest_loss: slots.longest_within(&census.losses, None),
        }
    }
}
