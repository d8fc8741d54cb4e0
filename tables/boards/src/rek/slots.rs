//! The slots of positions of Rek, and of positions one move away.

use super::Rek;
use super::board::{Material, each};
use super::kings::{Kings, Pair, are_on_diagonal};
use super::numbers::Slots;
use super::position::Position;
use crate::game::BoardGame;

impl Rek {
    /// Returns the numbering of the positions with the same kings and side to move.
    #[inline]
    pub(super) fn slots(&self, &material: &Material, position: &Position) -> Slots {
        let exchanged = material.is_exchanged(position.men, position.side);
        let Position { kings: [first, second], side, .. } = *position;
        let kings = if exchanged { [second, first] } else { [first, second] };
        let Pair { symmetry, number } = self.kings.pair(kings);
        let first = (side ^ usize::from(exchanged)) as u64 * Kings::COUNT + u64::from(number);
        let kings = self.kings.squares(number.into());
        Slots { material, exchanged, symmetry, kings, first }
    }

    /// Whether a move of a unit of a side to one of its targets leads to a slot that meets the
    /// condition `is`. The side to move stays the same.
    #[inline]
    pub(super) fn shifts(
        &self,
        layout: &Material,
        position: Position,
        by: usize,
        targets: impl Fn(u8) -> u64,
        mut is: impl FnMut(u64) -> bool,
    ) -> bool {
        let slots = self.slots(layout, &position);
        let mut shifted = |from: u8| {
            each(targets(from)).any(|to| {
                let mut after = position;
                after.shift(by, from, to);
                is(self.rank(layout, &after))
            })
        };
        let king = position.kings[by];
        if are_on_diagonal(slots.kings) {
            return each(position.units(by)).any(shifted);
        }
        shifted(king)
            || each(position.men[by])
                .any(|man| slots.reaches(position.men, by, man, targets(man), &mut is))
    }
}
