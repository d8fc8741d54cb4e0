//! Moves and attacks of men by kind: the rules that all variants share.

use super::Janggi;
use super::points::{ELEPHANT, HORSE, PALACE, Points, SOLDIER, each};
use super::position::{Kind, Move, Position};
use crate::game::BoardGame;
use Kind::*;

#[inline]
pub(super) fn leap_of(kind: Kind, side: usize) -> usize {
    match kind {
        Horse => HORSE,
        Elephant => ELEPHANT,
        Soldier => SOLDIER + side,
        _ => PALACE,
    }
}

impl Janggi {
    /// Whether the generals face each other on an open file.
    #[inline]
    pub fn faces(&self, position: &Position) -> bool {
        let [first, second] = position.generals;
        first % 9 == second % 9
            && self
                .lines
                .between(first, second)
                .is_some_and(|between| between & position.occupied() == 0)
    }

    /// Whether a side attacks the other's general.
    #[inline]
    pub fn attacks(&self, position: &Position, side: usize) -> bool {
        let (target, occupied) = (position.generals[1 - side], position.occupied());
        each(position.men[side]).any(|from| match position.kind(from) {
            General | Guard => false,
            Chariot => {
                self.lines.between(from, target).is_some_and(|between| between & occupied == 0)
            }
            Cannon => self.lines.between(from, target).is_some_and(|between| {
                let over = between & occupied;
                over.count_ones() == 1 && position.kind(over.trailing_zeros() as u8) != Cannon
            }),
            kind => self
                .lines
                .leaps(leap_of(kind, side), from)
                .iter()
                .any(|leap| leap.to == target && leap.over & occupied == 0),
        })
    }

    /// The points to which a man may move, if the safety of its own general is ignored.
    #[inline]
    pub(super) fn targets(&self, position: &Position, from: u8) -> Points {
        let side = usize::from(position.men[1] >> from & 1 == 1);
        self.reach(position, from, side) & !position.men[side]
    }

    /// The points that a man reaches, empty or not.
    #[inline]
    fn reach(&self, position: &Position, from: u8, side: usize) -> Points {
        let occupied = position.occupied();
        let rays = self.lines.rays(from).iter();
        match position.kind(from) {
            Chariot => rays.fold(0, |points, ray| points | ray.reach(occupied)),
            Cannon => rays.fold(0, |points, ray| {
                let near = ray.reach(occupied);
                match near & position.cannons {
                    0 => points | ray.without(near).reach(occupied) & !position.cannons,
                    _ => points,
                }
            }),
            kind => {
                let leaps = self.lines.leaps(leap_of(kind, side), from);
                let free = leaps.iter().filter(|leap| leap.over & occupied == 0);
                free.fold(0, |points, leap| points | 1 << leap.to)
            }
        }
    }

    /// Whether the side to move has a legal move other than a pass that meets the condition `is`.
    pub(super) fn has_move(
        &self,
        position: &Position,
        is: impl Fn(Move, &Position) -> bool,
    ) -> bool {
        each(position.men[position.side]).any(|from| {
            each(self.targets(position, from)).any(|to| {
                let played = Move { from, to };
                let after = self.moved(position, played);
                !self.is_illegal(&after) && is(played, &after)
            })
        })
    }

    #[inline]
    pub(super) fn moved(&self, position: &Position, Move { from, to }: Move) -> Position {
        let mut after = *position;
        if from != to {
            after.shift(from, to);
        }
        after.side = 1 - position.side;
        after
    }
}
