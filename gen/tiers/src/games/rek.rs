//! Rek, a Cambodian game: every unit moves as a rook, and takes two enemies by moving between them, or
//! a group by closing it in.
//!
//! ```text
//! a move       to an empty square over empty squares, king and man alike
//! rek          two enemies beside the square of arrival, on opposite sides, are taken; on both axes four
//! surround     then every connected group of enemies without an empty neighbour is taken
//! the end      a taken king; a side to move whose king has no move has lost
//! ```
//!
//! The mover's own groups are looked at after the opponent's move, so a position may hold one that is
//! closed in. Source: Vuthy Tan, *Cambodian Chess Games*; docs/games.md has the clauses that it
//! leaves open.

pub mod board;
mod notation;

use crate::game::{Effect, End, Game};
use board::{Tier, beside, each, image, images, rek, set_number, set_of, sets, slides};

/// Rek with its options.
#[derive(Clone, Debug)]
pub struct Rek {
    name: &'static str,
    /// Whether units are closed in one by one, by enemies and the edge, and not by groups.
    by_unit: bool,
    /// Whether a king without a move has lost, though its group has an empty neighbour.
    bound_king_loses: bool,
    pairs: Vec<Pair>,
    kings: Vec<[u8; 2]>,
}

/// Where the kings of a position are in the numbering.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    symmetry: u8,
    number: u16,
}

/// The exchange of ranks and files.
const TRANSPOSED: u8 = 4;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    men: [u64; 2],
    kings: [u8; 2],
    side: usize,
}

impl Position {
    #[inline]
    fn units(&self, side: usize) -> u64 {
        self.men[side] | 1 << self.kings[side]
    }

    #[inline]
    fn exchanged(&self) -> Position {
        let ([first, second], [king, other]) = (self.men, self.kings);
        Position { men: [second, first], kings: [other, king], side: 1 - self.side }
    }

    fn image(&self, symmetry: u8) -> Position {
        let men = self.men.map(|men| images(men, symmetry));
        Position { men, kings: self.kings.map(|king| image(king, symmetry)), ..*self }
    }

    /// Moves a unit of a side, without its consequences.
    #[inline]
    fn shift(&mut self, side: usize, from: u8, to: u8) {
        if self.kings[side] == from {
            self.kings[side] = to;
        } else {
            self.men[side] = self.men[side] & !(1 << from) | 1 << to;
        }
    }
}

impl Rek {
    /// `rek`: groups are closed in, and a king without a move has lost.
    pub fn standard() -> Rek {
        let (mut pairs, mut kings) = (vec![Pair::default(); 64 * 64], Vec::new());
        let mut numbers = std::collections::BTreeMap::new();
        for first in 0..64u8 {
            for second in (0..64).filter(|&second| second != first) {
                let symmetries = (0..8)
                    .map(|symmetry| ([image(first, symmetry), image(second, symmetry)], symmetry));
                let Some((least, symmetry)) = symmetries.min() else { continue };
                let number = *numbers.entry(least).or_insert_with(|| {
                    kings.push(least);
                    kings.len() as u16 - 1
                });
                pairs[usize::from(first) * 64 + usize::from(second)] = Pair { symmetry, number };
            }
        }
        Rek { name: "rek", by_unit: false, bound_king_loses: true, pairs, kings }
    }

    /// `rek-unit`: units are closed in one by one.
    pub fn by_unit() -> Rek {
        Rek { name: "rek-unit", by_unit: true, ..Rek::standard() }
    }

    /// `rek-king-by-group`: a king can be captured like a man; a king without a move has not lost.
    pub fn king_by_group() -> Rek {
        Rek { name: "rek-king-by-group", bound_king_loses: false, ..Rek::standard() }
    }

    /// The units of a set that are closed in.
    #[inline]
    fn closed_in(&self, units: u64, occupied: u64) -> u64 {
        if self.by_unit {
            return units & !beside(!occupied | units);
        }
        let mut free = units & beside(!occupied);
        loop {
            let more = free | units & beside(free);
            if more == free {
                return units & !free;
            }
            free = more;
        }
    }

    /// The enemies that a move takes.
    #[inline]
    fn taken(&self, position: &Position, from: u8, to: u8) -> u64 {
        let enemies = position.units(1 - position.side);
        let own = position.units(position.side) & !(1 << from) | 1 << to;
        let by_rek = rek(to, enemies);
        by_rek | self.closed_in(enemies & !by_rek, own | enemies & !by_rek)
    }

    /// The squares at which a move may take something: between or beside enemies, or all squares if
    /// some enemies are closed in already.
    #[inline]
    fn near(&self, position: &Position) -> u64 {
        let (own, enemies) = (position.units(position.side), position.units(1 - position.side));
        match self.closed_in(enemies, own | enemies) {
            0 => beside(enemies),
            _ => u64::MAX,
        }
    }

    /// What a move to a square of [`Rek::near`] does.
    #[inline]
    fn effect(&self, position: &Position, from: u8, to: u8) -> Effect {
        match self.taken(position, from, to) {
            0 => Effect::Stays,
            taken if taken >> position.kings[1 - position.side] & 1 == 1 => Effect::Wins,
            _ => Effect::Leaves,
        }
    }

    /// Whether the slot of a position has its image under [`TRANSPOSED`] as well.
    #[inline]
    fn is_on_diagonal(kings: [u8; 2]) -> bool {
        kings.iter().all(|&king| king % 8 == king / 8)
    }

    /// The slot of a position whose kings are a pair of the numbering.
    #[inline]
    fn slot(layout: &Tier, pair: u16, kings: [u8; 2], men: [u64; 2], side: usize) -> u64 {
        let first = side as u64 * PAIRS + u64::from(pair);
        (first * sets(layout.0[0]) + set_number(men[0], kings)) * sets(layout.0[1])
            + set_number(men[1], kings)
    }
}

/// The pairs of squares of the kings, without their images.
const PAIRS: u64 = 518;

impl Game for Rek {
    type Tier = Tier;
    type Layout = Tier;
    type Position = Position;
    type Move = (u8, u8);
    const UNMOVES: bool = true;

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn rules(&self) -> String {
        let surround = if self.by_unit { "unit" } else { "group" };
        let king = if self.bound_king_loses { "bound" } else { "taken" };
        format!("rek 1: surround {surround}, king {king}")
    }

    fn smaller(&self, Tier([first, second]): Tier) -> Vec<Tier> {
        let mut found: Vec<Tier> = (0..first).map(|men| Tier::of(men, second)).collect();
        found.extend((0..second).map(|men| Tier::of(first, men)));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn tier(&self, position: &Position) -> Tier {
        Tier::of_men(position.men)
    }

    fn layout(&self, tier: Tier) -> Tier {
        tier
    }

    fn size(&self, layout: &Tier) -> u64 {
        layout.sides() * PAIRS * sets(layout.0[0]) * sets(layout.0[1])
    }

    #[inline]
    fn rank(&self, layout: &Tier, position: &Position) -> u64 {
        let position = if layout.is_exchanged(position.men, position.side) {
            position.exchanged()
        } else {
            *position
        };
        let [first, second] = position.kings.map(usize::from);
        let Pair { symmetry, number } = self.pairs[first * 64 + second];
        let kings = self.kings[usize::from(number)];
        let men = position.men.map(|men| images(men, symmetry));
        let slot = Rek::slot(layout, number, kings, men, position.side);
        if !Rek::is_on_diagonal(kings) {
            return slot;
        }
        let turned = men.map(|men| images(men, TRANSPOSED));
        slot.min(Rek::slot(layout, number, kings, turned, position.side))
    }

    #[inline]
    fn unrank(&self, layout: &Tier, slot: u64) -> Option<Position> {
        let [first, second] = layout.0.map(sets);
        let pair = slot / second / first;
        let kings = self.kings[(pair % PAIRS) as usize];
        let men = [
            set_of(slot / second % first, layout.0[0], kings),
            set_of(slot % second, layout.0[1], kings),
        ];
        let position = Position { men, kings, side: (pair / PAIRS) as usize };
        let is_least = !Rek::is_on_diagonal(kings) || self.rank(layout, &position) == slot;
        (men[0] & men[1] == 0 && is_least).then_some(position)
    }

    fn moves(&self, position: &Position, mut each_move: impl FnMut((u8, u8), Effect)) {
        let near = self.near(position);
        let occupied = position.units(0) | position.units(1);
        for from in each(position.units(position.side)) {
            for to in each(slides(from, occupied)) {
                let is_near = near >> to & 1 == 1;
                let effect = if is_near { self.effect(position, from, to) } else { Effect::Stays };
                each_move((from, to), effect);
            }
        }
    }

    fn leaving(&self, position: &Position, mut each_move: impl FnMut((u8, u8), Effect)) -> u16 {
        let near = self.near(position);
        let occupied = position.units(0) | position.units(1);
        let mut staying = 0;
        for from in each(position.units(position.side)) {
            let targets = slides(from, occupied);
            staying += (targets & !near).count_ones() as u16;
            for to in each(targets & near) {
                match self.effect(position, from, to) {
                    Effect::Stays => staying += 1,
                    effect => each_move((from, to), effect),
                }
            }
        }
        staying
    }

    #[inline]
    fn play(&self, position: &Position, (from, to): (u8, u8)) -> Position {
        let taken = self.taken(position, from, to);
        let mut after = *position;
        after.shift(position.side, from, to);
        after.men[1 - position.side] &= !taken;
        after.side = 1 - position.side;
        after
    }

    #[inline]
    fn end(&self, position: &Position) -> Option<End> {
        let occupied = position.units(0) | position.units(1);
        let is_bound = beside(1 << position.kings[position.side]) & !occupied == 0;
        (self.bound_king_loses && is_bound).then_some(End::Loss)
    }

    fn sources(
        &self,
        layout: &Tier,
        slot: u64,
        position: &Position,
        mut each_slot: impl FnMut(u64),
    ) {
        let (side, by) = (position.side, 1 - position.side);
        let (own, movers) = (position.units(side), position.units(by));
        // What is closed in would have been taken, and so would a pair.
        if self.closed_in(own, own | movers) != 0 {
            return;
        }
        let mut before = Position { side: by, ..*position };
        // The kings are as in the numbering, if one of them does not move.
        let plain = layout.sides() == 2 && !Rek::is_on_diagonal(position.kings);
        let pair = slot / sets(layout.0[0]) / sets(layout.0[1]) % PAIRS;
        for to in each(movers & !board::between(own)) {
            let is_man = position.kings[by] != to;
            for from in each(slides(to, own | movers)) {
                before.shift(by, to, from);
                each_slot(match plain && is_man {
                    true => Rek::slot(layout, pair as u16, before.kings, before.men, by),
                    false => self.rank(layout, &before),
                });
                before.shift(by, from, to);
            }
        }
    }

    #[inline]
    fn orbit(&self, position: &Position) -> u16 {
        let symmetry = self.pairs
            [usize::from(position.kings[0]) * 64 + usize::from(position.kings[1])]
        .symmetry;
        let turned = position.image(symmetry);
        if Rek::is_on_diagonal(turned.kings) && turned.image(TRANSPOSED) == turned { 4 } else { 8 }
    }

    fn images(&self, position: &Position, mut each: impl FnMut(Position)) {
        // Those that are their own inverse.
        [1, 2, 3, TRANSPOSED].into_iter().for_each(|symmetry| each(position.image(symmetry)));
    }
}
