//! The categories of positions when a count starts in each position.

use crate::statistics::longest::{LongestDistance, SideSlots, as_optional_number};
use sakmak_make::census::Census;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;
use serde::Serialize;

/// The positions with one side to move by category, when a count starts in each position, see
/// [`CountingRule::moves_left`]. Wins and losses are the mover's.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FreshCount {
    /// The moves in which the mover must mate; `None` if no count runs against it.
    #[serde(serialize_with = "as_optional_number")]
    pub win_clock: Option<Moves>,
    /// The moves in which the opponent must mate; `None` if no count runs against it.
    #[serde(serialize_with = "as_optional_number")]
    pub loss_clock: Option<Moves>,
    /// Wins in time.
    pub wins: u64,
    /// Positions in which the mover can force mate, but not in time.
    pub cursed_wins: u64,
    /// Positions in which neither side can force mate.
    pub draws: u64,
    /// Positions in which the opponent can force mate, but not in time.
    pub blessed_losses: u64,
    /// Losses in time.
    pub losses: u64,
    /// Wins and cursed wins with more moves to mate, without a count, than the clock leaves. If
    /// such a position is won in time, another count starts on the way.
    pub wins_past_clock: u64,
    /// Losses and blessed losses with more moves to mate than the clock leaves.
    pub losses_past_clock: u64,
    /// The win in time that needs most moves of the count: to mate, or to a change of count after
    /// which the game is won in time.
    pub longest_win: Option<LongestDistance>,
    /// The loss in time in which the opponent needs most moves of the count.
    pub longest_loss: Option<LongestDistance>,
}

impl FreshCount {
    /// The categories of positions with [`SideSlots::side`] to move, from their distances to mate
    /// and the distances that decide which wins are in time. Returns `None` if more positions are
    /// won in time than won.
    pub(super) fn of(
        slots: SideSlots<'_>,
        counting_rule: &CountingRule,
        mate: &Census,
        deciding: &Census,
    ) -> Option<FreshCount> {
        let (material, side) = (slots.index.material(), slots.side);
        let armies = Side::BOTH.map(|side| material.army(side));
        let clock = |attacker| counting_rule.longest_in_time(armies, attacker, side);
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
            longest_win: slots.longest_within(&deciding.wins, win_clock),
            longest_loss: slots.longest_within(&deciding.losses, loss_clock),
        })
    }
}
