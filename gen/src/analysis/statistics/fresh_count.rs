//! What is won at the board when the count starts in the position.

use crate::analysis::census::Census;
use crate::analysis::statistics::longest::{Longest, SideSlots};
use crate::analysis::statistics::written::as_optional_number;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;
use serde::Serialize;

/// The positions of one side to move by the five grades, with a count that starts afresh in
/// each, [`CountingRule::clock_against`]; wins and losses are the mover's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FreshCount {
    /// The mover's moves such a count leaves it to mate; nothing where nothing is counted
    /// against it.
    #[serde(serialize_with = "as_optional_number")]
    pub win_clock: Option<Moves>,
    /// The opponent's moves such a count leaves it to mate.
    #[serde(serialize_with = "as_optional_number")]
    pub loss_clock: Option<Moves>,
    /// Won in time.
    pub wins: u64,
    /// Mate can be forced, but not in time.
    pub cursed_wins: u64,
    /// Neither side can force mate.
    pub draws: u64,
    /// The opponent can force mate, but not in time.
    pub blessed_losses: u64,
    /// Lost in time.
    pub losses: u64,
    /// Wins and cursed wins with more moves to mate, nothing being counted, than the clock
    /// leaves. Those of them that are won in time start another count on the way.
    pub wins_past_clock: u64,
    /// Losses and blessed losses with more moves to mate than the clock leaves.
    pub losses_past_clock: u64,
    /// The win in time that needs most moves of the count: to mate, or to a change of the
    /// count that is as good.
    pub longest_win: Option<Longest>,
    /// The loss in time with which the opponent needs most moves of the count.
    pub longest_loss: Option<Longest>,
}

impl FreshCount {
    /// The grades of positions with [`SideSlots::side`] to move, by their distances to mate and those
    /// that decide what is in time. Nothing where more is in time than is won at all.
    pub(super) fn of(
        seen: SideSlots<'_>,
        counting_rule: &CountingRule,
        mate: &Census,
        deciding: &Census,
    ) -> Option<FreshCount> {
        let (material, side) = (seen.index.material(), seen.side);
        let armies = Side::BOTH.map(|side| material.army(side));
        let clock = |attacker| counting_rule.clock_against(armies, attacker, side);
        let (win_clock, loss_clock) = (clock(side), clock(!side));
        let (won, lost) = (mate.wins.count(), mate.losses.count());
        let (wins, losses) = (deciding.wins.within(win_clock), deciding.losses.within(loss_clock));
        Some(FreshCount {
            win_clock,
            loss_clock,
            wins,
            cursed_wins: won.checked_sub(wins)?,
            draws: mate.draws,
            blessed_losses: lost.checked_sub(losses)?,
            losses,
            wins_past_clock: won - mate.wins.within(win_clock),
            losses_past_clock: lost - mate.losses.within(loss_clock),
            longest_win: seen.longest_within(&deciding.wins, win_clock),
            longest_loss: seen.longest_within(&deciding.losses, loss_clock),
        })
    }
}
