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

/// A game with what the solver needs. A game has either [planes](SolvableGame::planes) or
/// [sources](SolvableGame::sources); the other parts have defaults that are right and slow.
pub trait SolvableGame: BoardGame {
    /// The planes of the game.
    fn planes(&self) -> Option<&impl Planes<Self::Layout, Self::Material>> {
        None::<&NoPlanes>
    }

    /// Calls `each` with the slot of every position of the same material from which a move
    /// [stays](Effect::Stays) and leads here. Slots of positions that are illegal or over may be among
    /// them.
    fn sources(&self, _layout: &Self::Layout, _position: &Self::Position, _each: impl FnMut(u64)) {}

    /// Prepares a layout for passes over whole tables, by what takes too long or too much memory for
    /// a few positions.
    fn prepare(&self, _layout: &Self::Layout) {}

    /// Calls `each` with those of some slots, in ascending order, that have a position, and with it.
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

    /// Calls `each` with the position behind every move that [leaves](Effect::Leaves), and with what the
    /// move does if it ends the game. Returns whether some moves stay.
    ///
    /// Unless `all` is set, moves to positions without a slot may be left out, if it returns true and
    /// [`SolvableGame::forced`] knows them.
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

    /// For a position with a slot, one without that has the moves of all that share its board and have no
    /// slot: none of them is lost if no move of this one loses. [`BoardGame::rank`] gives them the slot of
    /// the position, and those with a move to one of them are among the [sources](SolvableGame::sources) of
    /// this one.
    fn forced(&self, _position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Whether a move that [stays](Effect::Stays) leads to a slot that `is` so.
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
