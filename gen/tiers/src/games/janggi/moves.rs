//! How men move and attack, by their kinds: what the rules of all variants share.

use super::Janggi;
use super::points::{ELEPHANT, HORSE, PALACE, SOLDIER, each};
use super::position::{Kind, Move, Position};
use crate::game::Game;
use Kind::*;

#[inline]
fn leap_of(kind: Kind, side: usize) -> usize {
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

    /// Calls `each` with the points to which a man may go, own general's safety aside. `back` asks for
    /// the empty points from which it may have come.
    #[inline]
    pub(super) fn targets(
        &self,
        position: &Position,
        from: u8,
        back: bool,
        mut each: impl FnMut(u8),
    ) {
        let side = usize::from(position.men[1] >> from & 1 == 1);
        let (occupied, enemies) = (position.occupied(), position.men[1 - side]);
        let takes = |to: u8| !back && enemies >> to & 1 == 1;
        match position.kind(from) {
            Chariot => {
                for ray in self.lines.rays(from) {
                    for &to in ray.points() {
                        if !position.is_empty(to) {
                            if takes(to) {
                                each(to);
                            }
                            break;
                        }
                        each(to);
                    }
                }
            }
            Cannon => {
                for ray in self.lines.rays(from) {
                    let mut points = ray.points().iter().copied();
                    let Some(over) = points.find(|&point| !position.is_empty(point)) else {
                        continue;
                    };
                    if position.kind(over) == Cannon {
                        continue;
                    }
                    for to in points {
                        if !position.is_empty(to) {
                            if takes(to) && position.kind(to) != Cannon {
                                each(to);
                            }
                            break;
                        }
                        each(to);
                    }
                }
            }
            kind => {
                let leap = leap_of(kind, side);
                let leaps = if back {
                    self.lines.unleaps(leap, from)
                } else {
                    self.lines.leaps(leap, from)
                };
                for leap in leaps {
                    if leap.over & occupied == 0 && (occupied >> leap.to & 1 == 0 || takes(leap.to))
                    {
                        each(leap.to);
                    }
                }
            }
        }
    }

    /// Whether the side to move has a legal move that is no pass, of which `is` holds.
    pub(super) fn has_move(
        &self,
        position: &Position,
        is: impl Fn(Move, &Position) -> bool,
    ) -> bool {
        each(position.men[position.side]).any(|from| {
            let mut found = false;
            self.targets(position, from, false, |to| {
                if !found {
                    let played = Move { from, to };
                    let after = self.moved(position, played);
                    found = !self.is_illegal(&after) && is(played, &after);
                }
            });
            found
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
