//! What a game tells the solver.
//!
//! ```text
//! required     tiers and their order    smaller, tier
//!              numbers of positions     layout, size, rank, unrank
//!              moves and their results  moves, play
//! with default ends                     end, is_illegal, stuck
//! optional     loop-free tiers          is_loop_free   one pass instead of layers
//!              un-moves                 unmoves        backwards from the ends, without a graph
//!              moves that leave         leaving        without those that stay
//!              moves to replies         forced         positions without slot looked up once
//!              slots of moves           reaches        without a position for each
//!              slots of un-moves        sources        the same
//!              many positions           positions      each from the one before
//!              planes                   planes         many positions at once
//!              symmetry                 orbit, images  positions that share a slot
//!              positions without slot   has_slot       tables without them
//!              stored numbers           prepare        before passes over whole tables
//! ```
//!
//! Moves may be *pseudo-legal*: a move into a position that [`Game::is_illegal`] is none, so a game
//! with kings need not test whether a move leaves the own king attacked. The solver finds the
//! positions that are left without a legal move and asks [`Game::stuck`] about them.

use crate::planes::{NoPlanes, Planes};
use crate::value::Value;
use std::collections::BTreeSet;
use std::fmt::{Debug, Display};

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It leads to a position of the same tier.
    Stays,
    /// It leads to a position of a smaller tier, or to one without a slot.
    Leaves,
    /// It wins at once.
    Wins,
    /// It ends the game in a draw.
    Draws,
}

/// The end of a game, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side to move has lost.
    Loss,
    /// The game is drawn.
    Draw,
}

impl End {
    /// The value of a position where the game has ended so.
    #[inline]
    pub fn value(self) -> Value {
        match self {
            End::Loss => Value::Loss(0),
            End::Draw => Value::Draw,
        }
    }
}

/// A game of two players, without chance.
pub trait Game: Sync {
    /// A set of positions that are solved together: a material, say.
    type Tier: Copy + Ord + Debug + Display + Send + Sync;
    /// What numbering the positions of a tier needs.
    type Layout: Send + Sync;
    /// A position, with the side to move.
    type Position: Copy + PartialEq + Debug + Send + Sync;
    /// A move.
    type Move: Copy + PartialEq + Debug;

    /// The name of the game with its options: of its folder, and in its files.
    fn name(&self) -> String;

    /// The rules that shape the values, in one line. A table of other rules is refused.
    fn rules(&self) -> String;

    /// The tiers to which a move from this one may lead, without itself.
    fn smaller(&self, tier: Self::Tier) -> Vec<Self::Tier>;

    /// The tier of a position.
    fn tier(&self, position: &Self::Position) -> Self::Tier;

    /// What numbering the positions of a tier needs.
    fn layout(&self, tier: Self::Tier) -> Self::Layout;

    /// Prepares a layout for passes over whole tables, by what takes too long or too much memory for
    /// a few positions.
    fn prepare(&self, _layout: &Self::Layout) {}

    /// The number of slots of a tier, for both sides to move.
    fn size(&self, layout: &Self::Layout) -> u64;

    /// The slot of a position of this tier.
    fn rank(&self, layout: &Self::Layout, position: &Self::Position) -> u64;

    /// The position of a slot. Returns `None` if the slot has none.
    fn unrank(&self, layout: &Self::Layout, slot: u64) -> Option<Self::Position>;

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

    /// Calls `each` with every move, and what it does. Asked where [`Game::end`] is `None` and the
    /// position is legal.
    fn moves(&self, position: &Self::Position, each: impl FnMut(Self::Move, Effect));

    /// Calls `each` with the position behind every move that [leaves](Effect::Leaves), and with what the
    /// move does if it ends the game. Returns whether some moves stay.
    ///
    /// Unless `all` is set, moves to positions without a slot may be left out, if it returns true and
    /// [`Game::forced`] knows them.
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
    /// slot: none of them is lost if no move of this one loses. [`Game::rank`] gives them the slot of the
    /// position, and those with a move to one of them are among the [sources](Game::sources) of this one.
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

    /// The position after a move that stays or leaves.
    fn play(&self, position: &Self::Position, played: Self::Move) -> Self::Position;

    /// The end of the game, if it is over before any move.
    fn end(&self, _position: &Self::Position) -> Option<End> {
        None
    }

    /// Whether no legal move leads to the position: the side to move could take the king, say.
    fn is_illegal(&self, _position: &Self::Position) -> bool {
        false
    }

    /// The end of the game where the side to move has no legal move.
    fn stuck(&self, _position: &Self::Position) -> End {
        End::Loss
    }

    /// Whether every move of the tier leaves it.
    fn is_loop_free(&self, _tier: Self::Tier) -> bool {
        false
    }

    /// Whether [`Game::unmoves`] is there.
    const UNMOVES: bool = false;

    /// Calls `each` with every position of the same tier from which a move [stays](Effect::Stays) and
    /// leads here. Positions that are illegal or over may be among them.
    fn unmoves(
        &self,
        _layout: &Self::Layout,
        _position: &Self::Position,
        _each: impl FnMut(Self::Position),
    ) {
    }

    /// Calls `each` with the slots of [`Game::unmoves`].
    fn sources(&self, layout: &Self::Layout, position: &Self::Position, mut each: impl FnMut(u64)) {
        self.unmoves(layout, position, |source| each(self.rank(layout, &source)));
    }

    /// The planes of the game.
    fn planes(&self) -> Option<&impl Planes<Self::Layout, Self::Tier>> {
        None::<&NoPlanes>
    }

    /// The number of positions in the slot of this one, up to a factor that is the same for the whole
    /// tier: for [statistics](crate::stats), which count positions by it, and for the
    /// [check](crate::check) of a game, which compares moves with un-moves by it.
    ///
    /// Two moves of a position may lead to mirror images, which share a slot, where only one un-move
    /// leads back. With this weight both are as many: for two slots A and B, the positions of A times the
    /// moves from one of them into B are all moves from A into B.
    fn orbit(&self, _position: &Self::Position) -> u16 {
        1
    }

    /// Calls `each` with positions that share the slot of this one: for the [check](crate::check) of
    /// a game.
    fn images(&self, _position: &Self::Position, _each: impl FnMut(Self::Position)) {}

    /// Whether the position has a slot. One without a slot has moves, all of which leave its tier or
    /// end the game, and is looked up through them.
    fn has_slot(&self, _position: &Self::Position) -> bool {
        true
    }
}

/// The layout of a tier, [prepared](Game::prepare) for a pass over a whole table.
pub(crate) fn prepared<G: Game>(game: &G, tier: G::Tier) -> G::Layout {
    let layout = game.layout(tier);
    game.prepare(&layout);
    layout
}

/// The tiers that a tier depends on, and itself last: each after those it leads to.
pub fn closure<G: Game>(game: &G, tiers: impl IntoIterator<Item = G::Tier>) -> Vec<G::Tier> {
    let (mut order, mut opened) = (Vec::new(), BTreeSet::new());
    // The tier, and whether those it leads to are in the order.
    let mut waiting: Vec<(G::Tier, bool)> = tiers.into_iter().map(|tier| (tier, false)).collect();
    waiting.reverse();
    while let Some((tier, done)) = waiting.pop() {
        if done {
            order.push(tier);
            continue;
        }
        // A circle of tiers ends here; the check of the game refuses it.
        if !opened.insert(tier) {
            continue;
        }
        waiting.push((tier, true));
        let mut smaller = game.smaller(tier);
        smaller.sort_unstable();
        smaller.reverse();
        waiting.extend(smaller.into_iter().map(|smaller| (smaller, false)));
    }
    order
}

/// Calls `each` with every legal move and the position after it, or what the move does if it ends the
/// game.
pub fn legal_moves<G: Game>(
    game: &G,
    position: &G::Position,
    mut each: impl FnMut(G::Move, Result<G::Position, Effect>),
) {
    if game.is_illegal(position) || game.end(position).is_some() {
        return;
    }
    game.moves(position, |played, effect| match effect {
        Effect::Wins | Effect::Draws => each(played, Err(effect)),
        Effect::Stays | Effect::Leaves => {
            let after = game.play(position, played);
            if !game.is_illegal(&after) {
                each(played, Ok(after));
            }
        }
    });
}
