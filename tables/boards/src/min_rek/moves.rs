//! The effects of moves in Min Rek Chanh.

use super::position::{KINGS, Position, Reks, Targets};
use super::{MinRek, Move, Orders};
use crate::game::{BoardGame, Effect};
use crate::rek::board::{RAYS, between, each, rek, slides};

impl MinRek {
    /// The obliged replies: the side to move must play one of the replies, if any.
    #[inline]
    fn replies(&self, position: &Position) -> Reks {
        match self.orders {
            Orders::Any => position.reks(position.side),
            Orders::New | Orders::Called => position.replies,
        }
    }

    /// Calls `is` with the men of the side to move and their targets until `is` returns true.
    /// Returns whether `is` returned true.
    #[inline]
    pub(super) fn any_man(
        &self,
        position: &Position,
        mut is: impl FnMut(u8, Targets) -> bool,
    ) -> bool {
        let (side, occupied) = (position.side, position.occupied());
        let replies = self.replies(position);
        let taking = between(position.units(1 - side));
        let seen = match self.orders {
            Orders::New if replies == [0; 4] => position.seen(1 - side, occupied),
            _ => 0,
        };
        each(position.men[side]).any(|from| {
            let targets = slides(from, occupied);
            if replies != [0; 4] {
                // The direction from the target to the man is opposite to the direction of the
                // move.
                let ways = (0..4).map(|to| RAYS[usize::from(from)][to] & replies[(to + 2) % 4]);
                return is(
                    from,
                    Targets { quiet: 0, others: targets & ways.fold(0, |a, b| a | b) },
                );
            }
            let quiet = match self.orders {
                Orders::New => position.opens_nothing(from, targets, seen) & !taking,
                Orders::Any => targets & !taking,
                Orders::Called => 0,
            };
            is(from, Targets { quiet, others: targets & !quiet })
        })
    }

    /// Calls `each` with a move, its effect and the position after the move. Also calls `each` with
    /// the same move as an order to rek.
    #[inline]
    pub(super) fn each_order(
        &self,
        position: &Position,
        from: u8,
        to: u8,
        mut each: impl FnMut(Move, Effect, Position),
    ) {
        let played = Move { from, to, order: false };
        let after = self.play(position, played);
        let taken = rek(to, position.units(1 - position.side));
        let effect = match taken >> KINGS[1 - position.side] & 1 {
            1 => Effect::Wins,
            _ if taken != 0 || !self.has_slot(&after) => Effect::Leaves,
            _ => Effect::Stays,
        };
        each(played, effect, after);
        if self.orders == Orders::Called && effect != Effect::Wins {
            let played = Move { order: true, ..played };
            let after = self.play(position, played);
            // An order needs a rek that obeys it.
            if !self.has_slot(&after) {
                each(played, Effect::Leaves, after);
            }
        }
    }
}
