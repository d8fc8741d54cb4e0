//! Min Rek Chanh, "no rek, you lose": men move as rooks, only rek takes, and who is ordered to rek must.
//!
//! ```text
//! a move       a man's, to an empty square over empty squares; kings never move
//! rek          two enemies beside the square of arrival, on opposite sides, are taken, kings too
//! an order     reks of the side to move, by (from, to), that it did not have before the last move:
//!              one of them must be played
//! the end      a taken king; a side without a movable man has lost
//! ```
//!
//! A position is the men and the obliged replies. With replies every move takes, so such a position
//! has no slot and is looked up through its moves; the tables hold the positions without. Kings stand
//! on a2 and h7, or on h2 and a7, which is the mirror image. Sources: Vuthy Tan, *Cambodian Chess
//! Games*; the Phnom Penh Post of 2013-11-06 and reviews by players for orders. docs/games.md has the
//! clauses that they leave open.

mod notation;

use crate::game::{Effect, End, Game};
use crate::games::rek::board::{Tier, between, each, first, rek, set_number, set_of, sets, slides};

/// When a rek must be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// If the last move has opened it.
    New,
    /// If it is there.
    Any,
    /// If the mover says so, and one is there.
    Called,
}

/// Min Rek Chanh with its options.
#[derive(Clone, Debug)]
pub struct MinRek {
    name: &'static str,
    orders: Orders,
    stuck: End,
}

/// The kings of White and Black: a2 and h7.
const KINGS: [u8; 2] = [8, 55];

/// Reks by their direction from the square of arrival to the man: sets of squares of arrival.
type Reks = [u64; 4];

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    men: [u64; 2],
    side: usize,
    /// The replies of which one must be played, if there are any.
    replies: Reks,
    /// Whether its text is that of the mirror image, with the kings on h2 and a7.
    mirrored: bool,
}

/// A move; with `order` the mover calls for a rek.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the man comes from.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
    /// Whether the mover orders a rek.
    pub order: bool,
}

impl Position {
    #[inline]
    fn units(&self, side: usize) -> u64 {
        self.men[side] | 1 << KINGS[side]
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.units(0) | self.units(1)
    }

    /// All reks of a side.
    #[inline]
    fn reks(&self, side: usize) -> Reks {
        let occupied = self.occupied();
        let mut reks = [0; 4];
        for to in each(between(self.units(1 - side)) & !occupied) {
            for (direction, reks) in reks.iter_mut().enumerate() {
                let unit = first(to, direction, occupied);
                if unit.is_some_and(|unit| self.men[side] >> unit & 1 == 1) {
                    *reks |= 1 << to;
                }
            }
        }
        reks
    }

    /// The reks of a side that it did not have in the position before: another man may stand in the
    /// same direction.
    #[inline]
    fn new_reks(&self, before: &Position, side: usize) -> Reks {
        let (mut reks, old) = (self.reks(side), before.reks(side));
        for (direction, reks) in reks.iter_mut().enumerate() {
            for to in each(*reks & old[direction]) {
                if first(to, direction, self.occupied()) == first(to, direction, before.occupied())
                {
                    *reks &= !(1 << to);
                }
            }
        }
        reks
    }

    /// The same with the sides exchanged, turned by 180 degrees.
    #[inline]
    fn exchanged(&self) -> Position {
        let [first, second] = self.men.map(u64::reverse_bits);
        Position { men: [second, first], side: 1 - self.side, ..*self }
    }
}

impl MinRek {
    /// `min-rek-chanh`: orders are the reks that the last move has opened.
    pub fn standard() -> MinRek {
        MinRek { name: "min-rek-chanh", orders: Orders::New, stuck: End::Loss }
    }

    /// `min-rek-chanh-any`: every rek must be played.
    pub fn any() -> MinRek {
        MinRek { name: "min-rek-chanh-any", orders: Orders::Any, ..MinRek::standard() }
    }

    /// `min-rek-chanh-called`: a rek must be played if the mover says so.
    pub fn called() -> MinRek {
        MinRek { name: "min-rek-chanh-called", orders: Orders::Called, ..MinRek::standard() }
    }

    /// `min-rek-chanh-draw`: a side without a movable man draws.
    pub fn stuck_draws() -> MinRek {
        MinRek { name: "min-rek-chanh-draw", stuck: End::Draw, ..MinRek::standard() }
    }
}

impl Game for MinRek {
    type Tier = Tier;
    type Layout = Tier;
    type Position = Position;
    type Move = Move;
    const UNMOVES: bool = true;

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn rules(&self) -> String {
        format!("min rek chanh 1: orders {:?}, stuck {:?}", self.orders, self.stuck)
    }

    fn smaller(&self, Tier([first, second]): Tier) -> Vec<Tier> {
        // A rek takes two or four; behind an order lie more reks.
        let mut found = Vec::new();
        for taken in (0..=first).step_by(2) {
            for lost in (0..=second).step_by(2).filter(|&lost| taken + lost > 0) {
                found.push(Tier::of(first - taken, second - lost));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&smaller| smaller != Tier([first, second]));
        found
    }

    fn tier(&self, position: &Position) -> Tier {
        Tier::of_men(position.men)
    }

    fn layout(&self, tier: Tier) -> Tier {
        tier
    }

    fn size(&self, layout: &Tier) -> u64 {
        layout.sides() * sets(layout.0[0]) * sets(layout.0[1])
    }

    #[inline]
    fn rank(&self, layout: &Tier, position: &Position) -> u64 {
        let position = if layout.is_exchanged(position.men, position.side) {
            position.exchanged()
        } else {
            *position
        };
        let [first, second] = position.men.map(|men| set_number(men, KINGS));
        (position.side as u64 * sets(layout.0[0]) + first) * sets(layout.0[1]) + second
    }

    #[inline]
    fn unrank(&self, layout: &Tier, slot: u64) -> Option<Position> {
        let [first, second] = layout.0.map(sets);
        let men = [
            set_of(slot / second % first, layout.0[0], KINGS),
            set_of(slot % second, layout.0[1], KINGS),
        ];
        let side = (slot / second / first) as usize;
        (men[0] & men[1] == 0).then_some(Position { men, side, replies: [0; 4], mirrored: false })
    }

    #[inline]
    fn has_slot(&self, position: &Position) -> bool {
        position.replies == [0; 4]
    }

    fn moves(&self, position: &Position, mut each_move: impl FnMut(Move, Effect)) {
        let side = position.side;
        let (occupied, enemies) = (position.occupied(), position.units(1 - side));
        let effect = |from: u8, to: u8, order: bool| {
            let taken = rek(to, enemies);
            if taken >> KINGS[1 - side] & 1 == 1 {
                return Effect::Wins;
            }
            let leaves = taken != 0
                || order
                || match self.orders {
                    Orders::New => !self.has_slot(&self.play(position, Move { from, to, order })),
                    Orders::Any | Orders::Called => false,
                };
            if leaves { Effect::Leaves } else { Effect::Stays }
        };
        let mut each_order = |from: u8, to: u8| {
            each_move(Move { from, to, order: false }, effect(from, to, false));
            if self.orders == Orders::Called && effect(from, to, false) != Effect::Wins {
                let played = Move { from, to, order: true };
                // An order needs a rek that obeys it.
                if !self.has_slot(&self.play(position, played)) {
                    each_move(played, Effect::Leaves);
                }
            }
        };
        let replies = match self.orders {
            Orders::Any => position.reks(side),
            Orders::New | Orders::Called => position.replies,
        };
        if replies != [0; 4] {
            for (direction, &targets) in replies.iter().enumerate() {
                for to in each(targets) {
                    if let Some(from) = first(to, direction, occupied) {
                        each_order(from, to);
                    }
                }
            }
            return;
        }
        for from in each(position.men[side]) {
            each(slides(from, occupied)).for_each(|to| each_order(from, to));
        }
    }

    #[inline]
    fn play(&self, position: &Position, Move { from, to, order }: Move) -> Position {
        let side = position.side;
        let taken = rek(to, position.units(1 - side));
        let mut after = *position;
        after.men[side] = position.men[side] & !(1 << from) | 1 << to;
        after.men[1 - side] &= !taken;
        after.side = 1 - side;
        after.replies = match self.orders {
            Orders::New => after.new_reks(position, 1 - side),
            Orders::Called if order => after.reks(1 - side),
            Orders::Any | Orders::Called => [0; 4],
        };
        after
    }

    fn stuck(&self, _position: &Position) -> End {
        self.stuck
    }

    fn unmoves(&self, _layout: &Tier, position: &Position, mut each_source: impl FnMut(Position)) {
        let (side, by) = (position.side, 1 - position.side);
        let occupied = position.occupied();
        // A man that came to such a square has taken something.
        let taking = between(position.units(side));
        for to in each(position.men[by] & !taking) {
            for from in each(slides(to, occupied)) {
                let mut before = Position { side: by, ..*position };
                before.men[by] = position.men[by] & !(1 << to) | 1 << from;
                let leads_here = match self.orders {
                    Orders::New => position.new_reks(&before, side) == [0; 4],
                    Orders::Any => before.reks(by) == [0; 4],
                    Orders::Called => true,
                };
                if leads_here {
                    each_source(before);
                }
            }
        }
    }
}
