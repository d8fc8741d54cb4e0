//! Janggi, Korean chess, in three variants.
//!
//! | variant | pass | generals that face on an open file |
//! |---|---|---|
//! | `janggi` | unless in check | offer a draw: the side to move ends the facing, or passes and the game is drawn |
//! | `janggi-casual` | unless in check | mean nothing |
//! | `janggi-seed` | if nothing else is legal and the general is safe | are a check by a side that can no longer win; if it cannot be met, a draw |
//!
//! In `janggi-seed` who has made the generals face has *forfeited* the win for good, which is part of the
//! position, and a mate is a draw that only the capture of a man would parry that is protected by
//! nothing but the general's open file.
//!
//! Sources: the page of Korean chess among the project's sources, 1995; Fairy-Stockfish `janggi`,
//! `janggitraditional` and `janggicasual` for moves, ends and FEN. docs/games.md has the clauses.

mod layout;
mod notation;
mod points;
mod position;

pub use layout::{Layout, Tier};
pub use position::{Move, Position};

use crate::game::{Effect, End, Game};
use Kind::*;
use points::{ELEPHANT, HORSE, Lines, PALACE, SOLDIER, each};
use position::Kind;

/// What generals that face each other on an open file mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// Nothing.
    Nothing,
    /// The side to move ends the facing or accepts a draw.
    DrawOffer,
    /// Who makes them face can no longer win.
    Forfeit,
}

/// Janggi by one set of rules.
#[derive(Debug)]
pub struct Janggi {
    name: &'static str,
    facing: Facing,
    /// Whether a side may pass although it has other moves.
    free_pass: bool,
    lines: Lines,
}

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
    /// `janggi`: passing is free, and facing generals are a draw offer.
    pub fn new() -> Janggi {
        Janggi { name: "janggi", facing: Facing::DrawOffer, free_pass: true, lines: Lines::new() }
    }

    /// `janggi-casual`: passing is free, and facing generals mean nothing.
    pub fn casual() -> Janggi {
        Janggi { name: "janggi-casual", facing: Facing::Nothing, ..Janggi::new() }
    }

    /// `janggi-seed`: the rules of the source.
    pub fn seed() -> Janggi {
        Janggi { name: "janggi-seed", facing: Facing::Forfeit, free_pass: false, ..Janggi::new() }
    }

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
    fn targets(&self, position: &Position, from: u8, back: bool, mut each: impl FnMut(u8)) {
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
    fn has_move(&self, position: &Position, is: impl Fn(Move, &Position) -> bool) -> bool {
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
    fn moved(&self, position: &Position, Move { from, to }: Move) -> Position {
        let mut after = *position;
        if from != to {
            after.shift(from, to);
        }
        after.side = 1 - position.side;
        after
    }

    /// Whether every move that parries the check is a capture by the general of a man that only the
    /// other general's open file protects. The game is then drawn.
    fn is_file_mate(&self, position: &Position) -> bool {
        let general = position.generals[position.side];
        let mut captures = false;
        self.targets(position, general, false, |to| {
            let after = self.moved(position, Move { from: general, to });
            captures |= !position.is_empty(to) && !self.is_illegal(&after) && self.faces(&after);
        });
        if !captures {
            return false;
        }
        let facing = self.faces(position);
        !self.has_move(position, |Move { from, to }, after| {
            let takes = from == general && !position.is_empty(to);
            !((facing || takes) && self.faces(after))
        })
    }

    /// Whether a side that may pass only then has no other legal move, and its general is safe.
    fn must_pass(&self, position: &Position) -> bool {
        !self.faces(position)
            && !self.attacks(position, 1 - position.side)
            && !self.has_move(position, |_, _| true)
    }
}

impl Default for Janggi {
    fn default() -> Janggi {
        Janggi::new()
    }
}

impl Game for Janggi {
    type Tier = Tier;
    type Layout = Layout;
    type Position = Position;
    type Move = Move;
    const UNMOVES: bool = true;

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn rules(&self) -> String {
        let pass = if self.free_pass { "free" } else { "forced" };
        format!("janggi 1: pass {pass}, facing {:?}", self.facing)
    }

    fn smaller(&self, tier: Tier) -> Vec<Tier> {
        tier.smaller(self.facing == Facing::Forfeit)
    }

    fn tier(&self, position: &Position) -> Tier {
        Tier::of(position).0
    }

    fn layout(&self, tier: Tier) -> Layout {
        Layout::new(tier)
    }

    fn size(&self, layout: &Layout) -> u64 {
        layout.size()
    }

    #[inline]
    fn rank(&self, layout: &Layout, position: &Position) -> u64 {
        layout.rank(position)
    }

    #[inline]
    fn unrank(&self, layout: &Layout, slot: u64) -> Option<Position> {
        let position = layout.unrank(slot)?;
        // With this side to move the other one has made the generals face.
        let forfeited = position.forfeits & (2 >> position.side) != 0;
        (self.facing != Facing::Forfeit || forfeited || !self.faces(&position)).then_some(position)
    }

    #[inline]
    fn moves(&self, position: &Position, mut each_move: impl FnMut(Move, Effect)) {
        let side = position.side;
        let facing = self.facing != Facing::Nothing && self.faces(position);
        let general = position.generals[side];
        for from in each(position.men[side]) {
            self.targets(position, from, false, |to| {
                let played = Move { from, to };
                let takes = !position.is_empty(to);
                let mut effect = if takes { Effect::Leaves } else { Effect::Stays };
                // Whether the generals face afterwards matters where they do or where it forfeits.
                if (facing || self.facing == Facing::Forfeit)
                    && self.faces(&self.moved(position, played))
                {
                    let forfeits = position.forfeits | 1 << side;
                    match (facing, forfeits) {
                        (true, _) => return,
                        (false, 3) => effect = Effect::Draws,
                        (false, _) if forfeits != position.forfeits => effect = Effect::Leaves,
                        _ => {}
                    }
                }
                // A draw needs a legal move as well.
                if effect != Effect::Draws || !self.is_illegal(&self.moved(position, played)) {
                    each_move(played, effect);
                }
            });
        }
        let pass = Move { from: general, to: general };
        match self.facing {
            Facing::Nothing => each_move(pass, Effect::Stays),
            Facing::DrawOffer if facing => each_move(pass, Effect::Draws),
            Facing::DrawOffer => each_move(pass, Effect::Stays),
            Facing::Forfeit if self.must_pass(position) => each_move(pass, Effect::Stays),
            Facing::Forfeit => {}
        }
    }

    #[inline]
    fn play(&self, position: &Position, played: Move) -> Position {
        let mut after = self.moved(position, played);
        if self.facing == Facing::Forfeit && self.faces(&after) {
            after.forfeits |= 1 << position.side;
        }
        after
    }

    #[inline]
    fn end(&self, position: &Position) -> Option<End> {
        let seed = self.facing == Facing::Forfeit;
        let attacked = seed && self.attacks(position, 1 - position.side) && !self.faces(position);
        (attacked && self.is_file_mate(position)).then_some(End::Draw)
    }

    #[inline]
    fn is_illegal(&self, position: &Position) -> bool {
        self.attacks(position, position.side)
    }

    fn stuck(&self, position: &Position) -> End {
        let forfeited = position.forfeits & (2 >> position.side) != 0;
        match self.facing {
            Facing::Forfeit if forfeited || self.faces(position) => End::Draw,
            _ => End::Loss,
        }
    }

    #[inline]
    fn sources(
        &self,
        layout: &Layout,
        slot: u64,
        position: &Position,
        mut each_slot: impl FnMut(u64),
    ) {
        let by = 1 - position.side;
        let facing = self.faces(position);
        // Whether the moves of `before` include that to `position`.
        let leads_here = |before: &Position| match self.facing {
            Facing::Nothing => true,
            Facing::DrawOffer => !(facing && self.faces(before)),
            // Who makes the generals face leaves the tier, unless it has forfeited before.
            Facing::Forfeit => match (facing, self.faces(before)) {
                (false, false) => true,
                (true, faced) => !faced && position.forfeits & 1 << by != 0,
                (false, true) => position.forfeits & 1 << position.side != 0,
            },
        };
        // Whether `leads_here` depends on the position before.
        let same_file = position.generals[0] % 9 == position.generals[1] % 9;
        let looks_back = |general: bool| match self.facing {
            Facing::Nothing => false,
            Facing::DrawOffer => facing,
            Facing::Forfeit => general || same_file,
        };
        let mut numbers = layout.numbers(slot, position);
        let mut before = *position;
        before.side = by;
        for to in each(position.men[by]) {
            numbers.lift(layout, position, to);
            let looks_back = looks_back(to == position.generals[by]);
            self.targets(position, to, true, |from| match numbers.at(layout, from) {
                None => {}
                Some(Some(slot)) if !looks_back => each_slot(slot),
                Some(slot) => {
                    before.shift(to, from);
                    if leads_here(&before) {
                        each_slot(slot.unwrap_or_else(|| layout.rank(&before)));
                    }
                    before.shift(from, to);
                }
            });
        }
        let passed = match self.facing {
            Facing::Nothing => true,
            Facing::DrawOffer => !facing,
            Facing::Forfeit => !facing && self.must_pass(&before),
        };
        if passed {
            each_slot(numbers.passed().unwrap_or_else(|| layout.rank(&before)));
        }
    }

    #[inline]
    fn orbit(&self, position: &Position) -> u16 {
        let file = |side: usize| position.generals[side] % 9;
        if file(0) == 4 && file(1) == 4 && position.mirrored() == *position { 1 } else { 2 }
    }

    fn images(&self, position: &Position, mut each: impl FnMut(Position)) {
        each(position.mirrored());
    }
}
