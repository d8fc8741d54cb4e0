//! The parts of a game that speed up its solver.
//!
//! ```text
//! planes             many positions at once, or else
//! sources            slots of un-moves: backwards from the ends
//! leaving            moves that leave, without those that stay
//! forced             positions without slot looked up once
//! reaches            slots of moves, without a position for each
//! positions          each from the one before
//! prepare            stored numbers, before passes over whole tables
//! ```

use crate::game::{BoardGame, Effect};
use crate::planes::{NoPlanes, Planes};

/// A game with the parts that the solver needs. A game has either [planes](SolvableGame::planes) or
/// [sources](SolvableGame::sources); all other parts have defaults that are correct and slow.
pub trait SolvableGame: BoardGame {
    /// The planes of the game.
    fn planes(&self) -> Option<&impl Planes<Self::Layout, Self::Material>> {
        None::<&NoPlanes>
    }

    /// Calls `each` with the slot of every position of the same material with a move that
    /// [stays](Effect::Stays) and leads to this position. Positions that are illegal or over may be
    /// included.
    fn sources(&self, _layout: &Self::Layout, _position: &Self::Position, _each: impl FnMut(u64)) {}

    /// Prepares a layout for passes over whole tables. The preparation takes too long or too much
    /// memory to be worth it for a few positions.
    fn prepare(&self, _layout: &Self::Layout) {}

    /// Calls `each` with each of some slots, in ascending order, that has a position, and with the
    /// position.
    fn positions(
        &self,
        layout: &Self::Layout,
        slots: impl Iterator<Item = u64>,
        mut each: impl FnMut(u64, Self::Position),
    ) {
        for slot in slots {
            if let Some(position) = self.unrank(layout, slot) {
                each(slot, position);
            }
        }
    }

    /// Calls `each` with the position behind every move that [leaves](Effect::Leaves), or with the
    /// effect of a move that ends the game. Returns whether some moves stay.
    ///
    /// Unless `all` is set, moves to positions without a slot may be left out, if the function
    /// returns true and [`SolvableGame::forced`] includes these moves.
    fn leaving(
        &self,
        position: &Self::Position,
        _all: bool,
        mut each: impl FnMut(Result<Self::Position, Effect>),
    ) -> bool {
        let mut stays = false;
        self.moves(position, |played, effect| match effect {
            Effect::Stays => stays = true,
            Effect::Leaves => each(Ok(self.play(position, played))),
            effect => each(Err(effect)),
        });
        stays
    }

    /// Returns the *forced position* of a position with a slot. The forced position has no slot,
    /// and has the moves of all positions without a slot on the same board: if no move of the
    /// forced position loses, none of these positions is lost. [`BoardGame::rank`] returns the slot
    /// of the position for all of them. Positions with a move to one of them are
    /// [sources](SolvableGame::sources) of the forced position.
    fn forced(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Whether a move that [stays](Effect::Stays) leads to a slot that meets the condition `is`.
    fn reaches(
        &self,
        layout: &Self::Layout,
        position: &Self::Position,
        mut is: impl FnMut(u64) -> bool,
    ) -> bool {
        let mut found = false;
        self.moves(position, |played, effect| {
            found = found
                || effect == Effect::Stays && is(self.rank(layout, &self.play(position, played)));
        });
        found
    }
}

/// The layout of a material, [prepared](SolvableGame::prepare) for a pass over a whole table.
pub fn prepared<G: SolvableGame>(game: &G, material: G::Material) -> G::Layout {
    let layout = game.layout(material);
    game.prepare(&layout);
    layout
}
