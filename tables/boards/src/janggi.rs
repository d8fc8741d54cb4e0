//! Janggi, Korean chess, in three variants.
//!
//! | variant | pass | generals that face on an open file |
//! |---|---|---|
//! | `janggi` | unless in check | offer a draw: the side to move ends the facing, or passes and the game is drawn |
//! | `janggi-casual` | unless in check | mean nothing |
//! | `janggi-seed` | if nothing else is legal and the general is safe | are a check by a side that can no longer win; if it cannot be met, a draw |
//!
//! In `janggi-seed` a side that has made the generals face has *forfeited* the win for good, which
//! is part of the position. A mate by a man that only the general's open file protects is a draw.
//!
//! Sources: Roleigh Martin, *The Rules for Korean Chess*, 1995; Fairy-Stockfish `janggi`,
//! `janggitraditional` and `janggicasual` for moves, ends and FEN. docs/games.md has the clauses.

mod frame;
mod generals;
mod layout;
mod material;
mod moves;
mod notation;
mod planes;
mod points;
mod position;

pub use layout::Layout;
pub use material::Material;
pub use position::{Move, Position};

use crate::game::{BoardGame, Effect, End};
use crate::planes::Planes;
use crate::solvable::SolvableGame;
use generals::Generals;
use points::{Lines, each};

/// The meaning of generals that face each other on an open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// Nothing.
    Nothing,
    /// The side to move ends the facing or accepts a draw.
    DrawOffer,
    /// A side that makes the generals face can no longer win.
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
    generals: Generals,
}

impl Janggi {
    /// `janggi`: passing is free, and facing generals are a draw offer.
    pub fn standard() -> Janggi {
        let lines = Lines::new();
        let generals = Generals::new(&lines);
        Janggi { name: "janggi", facing: Facing::DrawOffer, free_pass: true, lines, generals }
    }

    /// `janggi-casual`: passing is free, and facing generals mean nothing.
    pub fn casual() -> Janggi {
        Janggi { name: "janggi-casual", facing: Facing::Nothing, ..Janggi::standard() }
    }

    /// `janggi-seed`: the rules that Roleigh Martin wrote down.
    pub fn seed() -> Janggi {
        Janggi {
            name: "janggi-seed",
            facing: Facing::Forfeit,
            free_pass: false,
            ..Janggi::standard()
        }
    }

    /// Whether every move that parries the check is a capture, by the general, of a checking man
    /// that only the other general's open file protects. The game is then drawn.
    fn is_file_mate(&self, position: &Position) -> bool {
        let general = position.generals[position.side];
        let gives_check = |from: u8| self.targets(position, from) >> general & 1 == 1;
        let near = self.targets(position, general) & position.men[1 - position.side];
        let by_file = |to: u8, after: &Position| gives_check(to) && self.faces(after);
        let captures = each(near).any(|to| {
            let after = self.moved(position, Move { from: general, to });
            by_file(to, &after) && !self.is_illegal(&after)
        });
        captures
            && !self.has_move(position, |Move { from, to }, after| {
                !(from == general && near >> to & 1 == 1 && by_file(to, after))
            })
    }

    /// Whether a side must pass, if only forced passes are legal: it has no other legal move, and
    /// its general is safe.
    fn must_pass(&self, position: &Position) -> bool {
        !self.faces(position)
            && !self.attacks(position, 1 - position.side)
            && !self.has_move(position, |_, _| true)
    }
}

impl BoardGame for Janggi {
    type Material = Material;
    type Layout = Layout;
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn rules(&self) -> String {
        let pass = if self.free_pass { "free" } else { "forced" };
        // The second edition: a mate by the file is one by a man that gives the check.
        let edition = if self.facing == Facing::Forfeit { 2 } else { 1 };
        format!("janggi {edition}: pass {pass}, facing {:?}", self.facing)
    }

    fn subtables(&self, material: Material) -> Vec<Material> {
        material.subtables(self.facing == Facing::Forfeit)
    }

    fn material(&self, position: &Position) -> Material {
        Material::of(position).0
    }

    fn layout(&self, material: Material) -> Layout {
        Layout::new(material)
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
        // With this side to move, the other side has made the generals face.
        let forfeited = position.forfeits & (2 >> position.side) != 0;
        (self.facing != Facing::Forfeit || forfeited || !self.faces(&position)).then_some(position)
    }

    #[inline]
    fn moves(&self, position: &Position, mut each_move: impl FnMut(Move, Effect)) {
        let side = position.side;
        let facing = self.facing != Facing::Nothing && self.faces(position);
        let general = position.generals[side];
        for from in each(position.men[side]) {
            for to in each(self.targets(position, from)) {
                let played = Move { from, to };
                let takes = !position.is_empty(to);
                let mut effect = if takes { Effect::Leaves } else { Effect::Stays };
                // Whether the generals face afterwards matters where they do or where it forfeits.
                if (facing || self.facing == Facing::Forfeit)
                    && self.faces(&self.moved(position, played))
                {
                    let forfeits = position.forfeits | 1 << side;
                    match (facing, forfeits) {
                        (true, _) => continue,
                        (false, 3) => effect = Effect::Draws,
                        (false, _) if forfeits != position.forfeits => effect = Effect::Leaves,
                        _ => {}
                    }
                }
                // A draw needs a legal move as well.
                if effect != Effect::Draws || !self.is_illegal(&self.moved(position, played)) {
                    each_move(played, effect);
                }
            }
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
    fn orbit(&self, position: &Position) -> u16 {
        let file = |side: usize| position.generals[side] % 9;
        if file(0) == 4 && file(1) == 4 && position.mirrored() == *position { 1 } else { 2 }
    }

    fn images(&self, position: &Position, mut each: impl FnMut(Position)) {
        each(position.mirrored());
    }
}

impl SolvableGame for Janggi {
    fn prepare(&self, layout: &Layout) {
        layout.prepare();
    }

    fn planes(&self) -> Option<&impl Planes<Layout, Material>> {
        Some(self)
    }
}
