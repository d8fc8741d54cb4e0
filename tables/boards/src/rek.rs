//! Rek, a Cambodian game: every unit moves as a rook, and takes two enemies by moving between them,
//! or a group by closing it in.
//!
//! ```text
//! a move       to an empty square over empty squares, king and man alike
//! rek          two enemies beside the square of arrival, on opposite sides, are taken; on both axes four
//! surround     then every connected group of enemies without an empty neighbour is taken
//! the end      a taken king; a side to move whose king has no move has lost
//! ```
//!
//! The mover's own groups are examined after the opponent's move, so a position may have a group
//! that is closed in. Source: Vuthy Tan, *Cambodian Chess Games*; docs/games.md has the clauses
//! that the book leaves open.

pub mod board;
mod kings;
mod notation;
pub mod numbers;
mod position;
mod slots;

use crate::game::{BoardGame, Effect, End};
use crate::solvable::SolvableGame;
use board::{Material, beside, between, each, enclosed, rek, slides};
use kings::{Kings, are_on_diagonal};
use numbers::{Slots, TRANSPOSED, positions, sets};
pub use position::Position;

/// Rek with its options.
#[derive(Clone, Debug)]
pub struct Rek {
    name: &'static str,
    /// Whether units are closed in one by one, by enemies and the edge, and not by groups.
    by_unit: bool,
    /// Whether a king without a move has lost, though its group has an empty neighbour.
    bound_king_loses: bool,
    kings: Kings,
}

impl Rek {
    /// `rek`: groups are closed in, and a king without a move has lost.
    pub fn standard() -> Rek {
        Rek { name: "rek", by_unit: false, bound_king_loses: true, kings: Kings::new() }
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

    /// The squares at which a move may capture: squares between enemies, and squares beside enemies
    /// with at most one empty neighbour. All squares if enemies are closed in already.
    #[inline]
    fn near(&self, position: &Position) -> u64 {
        let (own, enemies) = (position.units(position.side), position.units(1 - position.side));
        let tight = enemies & enclosed(own | enemies);
        match tight {
            0 => between(enemies),
            _ if self.closed_in(enemies, own | enemies) != 0 => u64::MAX,
            _ => between(enemies) | beside(tight),
        }
    }

    /// The effect of a move to a square of [`Rek::near`].
    #[inline]
    fn effect(&self, position: &Position, from: u8, to: u8) -> Effect {
        match self.taken(position, from, to) {
            0 => Effect::Stays,
            taken if taken >> position.kings[1 - position.side] & 1 == 1 => Effect::Wins,
            _ => Effect::Leaves,
        }
    }
}

impl BoardGame for Rek {
    type Material = Material;
    type Layout = Material;
    type Position = Position;
    type Move = (u8, u8);

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn rules(&self) -> String {
        let surround = if self.by_unit { "unit" } else { "group" };
        let king = if self.bound_king_loses { "bound" } else { "taken" };
        format!("rek 1: surround {surround}, king {king}")
    }

    fn subtables(&self, Material([first, second]): Material) -> Vec<Material> {
        let mut found: Vec<Material> = (0..first).map(|men| Material::of(men, second)).collect();
        found.extend((0..second).map(|men| Material::of(first, men)));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn material(&self, position: &Position) -> Material {
        Material::of_men(position.men)
    }

    fn layout(&self, material: Material) -> Material {
        material
    }

    fn size(&self, layout: &Material) -> u64 {
        layout.sides() * Kings::COUNT * sets(layout.0[0]) * sets(layout.0[1])
    }

    #[inline]
    fn rank(&self, layout: &Material, position: &Position) -> u64 {
        let slots = self.slots(layout, position);
        let slot = slots.slot(position.men);
        if !are_on_diagonal(slots.kings) {
            return slot;
        }
        let turned = Slots { symmetry: slots.symmetry ^ TRANSPOSED, ..slots };
        slot.min(turned.slot(position.men))
    }

    fn unrank(&self, layout: &Material, slot: u64) -> Option<Position> {
        let mut found = None;
        self.positions(layout, std::iter::once(slot), |_, position| found = Some(position));
        found
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

    #[inline]
    fn orbit(&self, position: &Position) -> u16 {
        let turned = position.image(self.kings.pair(position.kings).symmetry);
        if are_on_diagonal(turned.kings) && turned.image(TRANSPOSED) == turned { 4 } else { 8 }
    }

    fn images(&self, position: &Position, mut each: impl FnMut(Position)) {
        // Symmetries that are their own inverse.
        [1, 2, 3, TRANSPOSED].into_iter().for_each(|symmetry| each(position.image(symmetry)));
    }
}

impl SolvableGame for Rek {
    #[inline]
    fn positions(
        &self,
        layout: &Material,
        slots: impl Iterator<Item = u64>,
        mut each: impl FnMut(u64, Position),
    ) {
        let kings = |first: u64| self.kings.squares(first % Kings::COUNT);
        positions(*layout, slots, kings, |slot, first, men| {
            let side = (first / Kings::COUNT) as usize;
            let position = Position { men, kings: kings(first), side };
            if !are_on_diagonal(position.kings) || self.rank(layout, &position) == slot {
                each(slot, position);
            }
        });
    }

    #[inline]
    fn leaving(
        &self,
        position: &Position,
        _all: bool,
        mut each_after: impl FnMut(Result<Position, Effect>),
    ) -> bool {
        let near = self.near(position);
        let own = position.units(position.side);
        let occupied = own | position.units(1 - position.side);
        let mut stays = beside(own) & !occupied & !near != 0;
        if stays && near & !occupied == 0 {
            return true;
        }
        for from in each(own) {
            let targets = slides(from, occupied);
            stays |= targets & !near != 0;
            for to in each(targets & near) {
                match self.effect(position, from, to) {
                    Effect::Stays => stays = true,
                    Effect::Leaves => each_after(Ok(self.play(position, (from, to)))),
                    effect => each_after(Err(effect)),
                }
            }
        }
        stays
    }

    #[inline]
    fn reaches(&self, layout: &Material, position: &Position, is: impl FnMut(u64) -> bool) -> bool {
        let near = self.near(position);
        let occupied = position.units(0) | position.units(1);
        let targets = |from: u8| {
            let targets = slides(from, occupied);
            let stays = |&to: &u8| self.effect(position, from, to) == Effect::Stays;
            let quiet = each(targets & near).filter(stays);
            targets & !near | quiet.fold(0, |quiet, to| quiet | 1 << to)
        };
        let after = Position { side: 1 - position.side, ..*position };
        self.shifts(layout, after, position.side, targets, is)
    }

    #[inline]
    fn sources(&self, layout: &Material, position: &Position, mut each: impl FnMut(u64)) {
        let (own, by) = (position.units(position.side), 1 - position.side);
        let occupied = own | position.units(by);
        // Closed-in units and pairs would have been captured.
        if own & enclosed(occupied) != 0 && self.closed_in(own, occupied) != 0 {
            return;
        }
        let taking = between(own);
        let targets = |to: u8| if taking >> to & 1 == 1 { 0 } else { slides(to, occupied) };
        let before = Position { side: by, ..*position };
        self.shifts(layout, before, by, targets, |slot| {
            each(slot);
            false
        });
    }
}
