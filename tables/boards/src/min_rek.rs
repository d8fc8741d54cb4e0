//! Min Rek Chanh, "no rek, you lose": men move as rooks, only rek takes, and who is ordered to rek
//! must.
//!
//! ```text
//! a move       a man's, to an empty square over empty squares; kings never move
//! rek          two enemies beside the square of arrival, on opposite sides, are taken, kings too
//! an order     reks of the side to move, by (from, to), that it did not have before the last move:
//!              one of them must be played
//! the end      a taken king; a side without a movable man has lost
//! ```
//!
//! A position is the men and the obliged replies. With replies every move captures, so a position
//! with replies has no slot and is looked up through its moves. Tables hold the positions without
//! replies. Kings are on a2 and h7 or, in the mirror image, on h2 and a7. Sources: Vuthy Tan,
//! *Cambodian Chess Games*; the Phnom Penh Post of 2013-11-06 and reviews by players for orders.
//! docs/games.md has the clauses that they leave open.

mod moves;
mod notation;
mod position;

use crate::game::{BoardGame, Effect, End};
use crate::rek::board::{Material, between, each, rek, slides};
use crate::rek::numbers::{Slots, positions, sets};
use crate::solvable::SolvableGame;
pub use position::Position;
use position::{KINGS, Targets};

/// When a rek must be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// A rek must be played if the last move has opened it.
    New,
    /// A rek must be played whenever the position has one.
    Any,
    /// A rek must be played if the opponent orders it and the position has one.
    Called,
}

/// Min Rek Chanh with its options.
#[derive(Clone, Debug)]
pub struct MinRek {
    name: &'static str,
    orders: Orders,
    stuck: End,
}

/// A move; with `order` the mover orders a rek.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The origin of the man.
    pub from: u8,
    /// The target of the man.
    pub to: u8,
    /// Whether the mover orders a rek.
    pub order: bool,
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

    /// Returns the numbering of the positions with the same side to move.
    #[inline]
    fn slots(&self, &material: &Material, position: &Position) -> Slots {
        let exchanged = material.is_exchanged(position.men, position.side);
        // A turn by 180 degrees exchanges the squares of the kings.
        let symmetry = if exchanged { 3 } else { 0 };
        let first = (position.side ^ usize::from(exchanged)) as u64;
        Slots { material, exchanged, symmetry, kings: KINGS, first }
    }
}

impl BoardGame for MinRek {
    type Material = Material;
    type Layout = Material;
    type Position = Position;
    type Move = Move;

    fn name(&self) -> String {
        self.name.to_string()
    }

    fn rules(&self) -> String {
        format!("min rek chanh 1: orders {:?}, stuck {:?}", self.orders, self.stuck)
    }

    fn subtables(&self, Material([first, second]): Material) -> Vec<Material> {
        // A rek captures two or four men; more reks may follow an order.
        let mut found = Vec::new();
        for taken in (0..=first).step_by(2) {
            for lost in (0..=second).step_by(2).filter(|&lost| taken + lost > 0) {
                found.push(Material::of(first - taken, second - lost));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|&smaller| smaller != Material([first, second]));
        found
    }

    fn material(&self, position: &Position) -> Material {
        Material::of_men(position.men)
    }

    fn layout(&self, material: Material) -> Material {
        material
    }

    fn size(&self, layout: &Material) -> u64 {
        layout.sides() * sets(layout.0[0]) * sets(layout.0[1])
    }

    #[inline]
    fn rank(&self, layout: &Material, position: &Position) -> u64 {
        self.slots(layout, position).slot(position.men)
    }

    fn unrank(&self, layout: &Material, slot: u64) -> Option<Position> {
        let mut found = None;
        self.positions(layout, std::iter::once(slot), |_, position| found = Some(position));
        found
    }

    #[inline]
    fn has_slot(&self, position: &Position) -> bool {
        position.replies == [0; 4]
    }

    fn moves(&self, position: &Position, mut each_move: impl FnMut(Move, Effect)) {
        self.any_man(position, |from, Targets { quiet, others }| {
            for to in each(quiet | others) {
                match quiet >> to & 1 {
                    1 => each_move(Move { from, to, order: false }, Effect::Stays),
                    _ => self.each_order(position, from, to, |played, effect, _| {
                        each_move(played, effect);
                    }),
                }
            }
            false
        });
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
}

impl SolvableGame for MinRek {
    #[inline]
    fn positions(
        &self,
        layout: &Material,
        slots: impl Iterator<Item = u64>,
        mut each: impl FnMut(u64, Position),
    ) {
        positions(
            *layout,
            slots,
            |_| KINGS,
            |slot, side, men| {
                each(slot, Position { men, side: side as usize, replies: [0; 4], mirrored: false });
            },
        );
    }

    #[inline]
    fn leaving(
        &self,
        position: &Position,
        all: bool,
        mut each_after: impl FnMut(Result<Position, Effect>),
    ) -> bool {
        if !all && self.orders == Orders::New && position.is_quiet() {
            return true;
        }
        let mut stays = false;
        self.any_man(position, |from, Targets { quiet, others }| {
            stays |= quiet != 0;
            for to in each(others) {
                self.each_order(position, from, to, |_, effect, after| match effect {
                    Effect::Stays => stays = true,
                    Effect::Leaves => each_after(Ok(after)),
                    effect => each_after(Err(effect)),
                });
            }
            false
        });
        stays
    }

    #[inline]
    fn forced(&self, position: &Position) -> Option<Position> {
        let replies = match self.orders {
            Orders::New => position.reks(position.side),
            Orders::Any | Orders::Called => [0; 4],
        };
        (replies != [0; 4]).then_some(Position { replies, ..*position })
    }

    #[inline]
    fn reaches(
        &self,
        layout: &Material,
        position: &Position,
        mut is: impl FnMut(u64) -> bool,
    ) -> bool {
        let after = Position { side: 1 - position.side, ..*position };
        let slots = self.slots(layout, &after);
        self.any_man(position, |from, Targets { mut quiet, others }| {
            for to in each(others) {
                self.each_order(position, from, to, |_, effect, _| {
                    quiet |= u64::from(effect == Effect::Stays) << to;
                });
            }
            slots.reaches(position.men, position.side, from, quiet, &mut is)
        })
    }

    #[inline]
    fn sources(&self, layout: &Material, position: &Position, mut each_slot: impl FnMut(u64)) {
        let (side, by) = (position.side, 1 - position.side);
        // A man that arrived on one of these squares has captured.
        let taking = between(position.units(side));
        let has_reks = match self.orders {
            // With replies, any move may have opened reks.
            Orders::New => self.has_slot(position) && position.reks(side) != [0; 4],
            Orders::Any => taking != 0,
            Orders::Called => false,
        };
        let before = Position { side: by, ..*position };
        let slots = self.slots(layout, &before);
        for to in each(position.men[by] & !taking) {
            let mut targets = slides(to, position.occupied());
            if has_reks {
                let leads_here = |&from: &u8| {
                    let mut before = before;
                    before.men[by] = position.men[by] & !(1 << to) | 1 << from;
                    match self.orders {
                        Orders::New => position.new_reks(&before, side) == [0; 4],
                        Orders::Any => before.reks(by) == [0; 4],
                        Orders::Called => true,
                    }
                };
                let here = each(targets).filter(leads_here);
                targets = here.fold(0, |here, from| here | 1 << from);
            }
            slots.reaches(position.men, by, to, targets, |slot| {
                each_slot(slot);
                false
            });
        }
    }
}
