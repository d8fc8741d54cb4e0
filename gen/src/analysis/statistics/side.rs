//! The statistics of one side to move.

use crate::analysis::census::{Census, DistanceCounts, Histogram};
use crate::analysis::statistics::fresh_count::FreshCount;
use crate::analysis::statistics::longest::{Longest, SideSlots};
use crate::analysis::statistics::written::as_map;
use sakmak_tables::counting::{CountingRule, Party};
use serde::Serialize;

/// The statistics of one side to move; wins and losses are the mover's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideStatistics {
    /// Legal positions.
    pub legal: u64,
    /// Those the mover wins, with no count.
    pub wins: u64,
    /// Those the mover loses, with no count.
    pub losses: u64,
    /// The others.
    pub draws: u64,
    /// Wins that fit a count of the pieces' honour started afresh in the position. Nothing
    /// where that count does not apply: with pawns, or pieces on both sides.
    pub wins_in_time: Option<u64>,
    /// Losses that fit such a count.
    pub losses_in_time: Option<u64>,
    /// Wins by the mover's moves to mate.
    #[serde(serialize_with = "as_map")]
    pub win_histogram: Histogram,
    /// Losses by the opponent's moves to mate.
    #[serde(serialize_with = "as_map")]
    pub loss_histogram: Histogram,
    /// The longest win.
    pub longest_win: Option<Longest>,
    /// The longest loss.
    pub longest_loss: Option<Longest>,
    /// The positions by what they are at the board; nothing where that takes a table that
    /// is not at hand.
    pub at_fresh_count: Option<FreshCount>,
    /// Counted distances; nothing where distance to mate says what is in time, or where
    /// the table is not at hand.
    pub counted: Option<CountedDistances>,
}

/// The counted distances of one side to move; wins and losses are the mover's. Positions
/// whose distance is longer than any count that may run are in none of these.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CountedDistances {
    /// Wins by the mover's moves to mate or to a change of the count that is as good.
    #[serde(serialize_with = "as_map")]
    pub win_histogram: Histogram,
    /// Losses by such moves of the opponent.
    #[serde(serialize_with = "as_map")]
    pub loss_histogram: Histogram,
    /// The longest win.
    pub longest_win: Option<Longest>,
    /// The longest loss.
    pub longest_loss: Option<Longest>,
}

impl SideStatistics {
    pub(super) fn of(
        seen: SideSlots<'_>,
        counting_rule: &CountingRule,
        mate: &Census,
        counted: Option<&Census>,
        at_fresh_count: Option<FreshCount>,
    ) -> SideStatistics {
        let SideSlots { index, side, .. } = seen;
        let limit =
            |attacker, party| counting_rule.moves_to_fit(&index.material(), attacker, party);
        let (win_limit, loss_limit) = (limit(side, Party::Attacker), limit(!side, Party::Runner));
        let applies = win_limit.or(loss_limit).is_some();
        // A bare king has no wins, so it does not matter that it has no limit.
        let in_time = |distances: &DistanceCounts, limit| applies.then(|| distances.within(limit));
        let (wins, losses) = (mate.wins.count(), mate.losses.count());
        SideStatistics {
            legal: wins + losses + mate.draws,
            wins,
            losses,
            draws: mate.draws,
            wins_in_time: in_time(&mate.wins, win_limit),
            losses_in_time: in_time(&mate.losses, loss_limit),
            longest_win: seen.longest(&mate.wins),
            longest_loss: seen.longest(&mate.losses),
            win_histogram: mate.wins.histogram.clone(),
            loss_histogram: mate.losses.histogram.clone(),
            at_fresh_count,
            counted: counted.map(|census| CountedDistances {
                win_histogram: census.wins.histogram.clone(),
                loss_histogram: census.losses.histogram.clone(),
                longest_win: seen.longest(&census.wins),
                longest_loss: seen.longest(&census.losses),
            }),
        }
    }
}
