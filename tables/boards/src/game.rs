//! The rules of a game: materials, positions, moves, ends and the numbering of positions.
//!
//! Moves may be *pseudo-legal*: a move into a position that [`BoardGame::is_illegal`] is not legal,
//! so a game with kings need not test whether a move leaves the own king attacked. The solver finds
//! the positions without a legal move and asks [`BoardGame::stuck`] about them.

use crate::value::Value;
use std::collections::BTreeSet;
use std::fmt::{Debug, Display};

/// The effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The move leads to a position of the same material.
    Stays,
    /// The move leads to a position of a subtable, or to a position without a slot.
    Leaves,
    /// The move wins at once.
    Wins,
    /// The move ends the game in a draw.
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
    /// The value of a position where the game has this end.
    #[inline]
    pub fn value(self) -> Value {
        match self {
            End::Loss => Value::Loss(0),
            End::Draw => Value::Draw,
        }
    }
}

/// A game of two players, without chance.
pub trait BoardGame: Sync + 'static {
    /// A class of positions that are solved together: the men of both sides, and all else that no
    /// move can undo.
    type Material: Copy + Ord + Debug + Display + Send + Sync;
    /// The numbering of the positions of a material.
    type Layout: Send + Sync;
    /// A position, with the side to move.
    type Position: Copy + PartialEq + Debug + Send + Sync;
    /// A move.
    type Move: Copy + PartialEq + Debug;

    /// The name of the game with its options. The folder of the game has this name, and its files
    /// hold it.
    fn name(&self) -> String;

    /// The rules that shape the values, in one line. A table of other rules is refused.
    fn rules(&self) -> String;

    /// The materials to which a move from a material may lead, without the material itself.
    fn subtables(&self, material: Self::Material) -> Vec<Self::Material>;

    /// The material of a position.
    fn material(&self, position: &Self::Position) -> Self::Material;

    /// The numbering of the positions of a material.
    fn layout(&self, material: Self::Material) -> Self::Layout;

    /// The number of slots of a material, for both sides to move.
    fn size(&self, layout: &Self::Layout) -> u64;

    /// The slot of a position of this material.
    fn rank(&self, layout: &Self::Layout, position: &Self::Position) -> u64;

    /// The position of a slot. Returns `None` if the slot has none.
    fn unrank(&self, layout: &Self::Layout, slot: u64) -> Option<Self::Position>;

    /// Whether the position has a slot. A position without a slot has moves, and each move leaves
    /// its material or ends the game. It is looked up through its moves.
    fn has_slot(&self, _position: &Self::Position) -> bool {
        true
    }

    /// Calls `each` with every move and its effect. Called where [`BoardGame::end`] is `None` and
    /// the position is legal.
    fn moves(&self, position: &Self::Position, each: impl FnMut(Self::Move, Effect));

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

    /// The weight of a position: the number of positions in its slot, up to a factor that is the
    /// same for the whole material. Statistics count positions by weight, and the laws compare
    /// moves with un-moves by weight.
    ///
    /// Two moves of a position may lead to mirror images, which share a slot, where only one
    /// un-move leads back. With the weight, moves and un-moves are equal in number: for two slots A
    /// and B, the positions of A times the moves from one position of A into B are all moves from A
    /// into B.
    fn orbit(&self, _position: &Self::Position) -> u16 {
        1
    }

    /// Calls `each` with positions that share the slot of a position.
    fn images(&self, _position: &Self::Position, _each: impl FnMut(Self::Position)) {}
}

/// Some materials and all their dependencies: each material after its subtables.
pub fn closure<G: BoardGame>(
    game: &G,
    materials: impl IntoIterator<Item = G::Material>,
) -> Vec<G::Material> {
    let (mut order, mut opened) = (Vec::new(), BTreeSet::new());
    // The material, and whether its subtables are in the order.
    let mut waiting: Vec<(G::Material, bool)> =
        materials.into_iter().map(|material| (material, false)).collect();
    waiting.reverse();
    while let Some((material, done)) = waiting.pop() {
        if done {
            order.push(material);
            continue;
        }
        // A cycle of materials ends here; the laws refuse cycles.
        if !opened.insert(material) {
            continue;
        }
        waiting.push((material, true));
        let mut subtables = game.subtables(material);
        subtables.sort_unstable();
        subtables.reverse();
        waiting.extend(subtables.into_iter().map(|subtable| (subtable, false)));
    }
    order
}

/// Calls `each` with every legal move, and the position after the move or the effect of a move that
/// ends the game.
pub fn legal_moves<G: BoardGame>(
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

/// The value of a position without a slot, by the values behind its moves. `list` calls its
/// argument with the position behind each move, or with the effect of a move that ends the game;
/// `value` returns the value of a position.
///
/// # Errors
///
/// The first error of `value`.
pub fn value_by_moves<G: BoardGame, E>(
    game: &G,
    position: &G::Position,
    list: impl FnOnce(&mut dyn FnMut(Result<G::Position, Effect>)),
    mut value: impl FnMut(&G::Position) -> Result<Value, E>,
) -> Result<Value, E> {
    if game.is_illegal(position) {
        return Ok(Value::Illegal);
    }
    if let Some(end) = game.end(position) {
        return Ok(end.value());
    }
    let mut best = Ok(Value::Illegal);
    list(&mut |after| {
        let Ok(known) = best else { return };
        let rated = match after {
            Err(Effect::Wins) => Ok(Value::Win(1)),
            Err(_) => Ok(Value::Draw),
            Ok(after) => value(&after).map(Value::before_move),
        };
        best = rated.map(|rated| known.better(rated));
    });
    Ok(match best? {
        Value::Illegal => game.stuck(position).value(),
        best => best,
    })
}

/// Calls `each` with the position behind every move, or with the effect of a move that ends the
/// game.
pub fn successors<G: BoardGame>(
    game: &G,
    position: &G::Position,
    each: &mut dyn FnMut(Result<G::Position, Effect>),
) {
    game.moves(position, |played, effect| match effect {
        Effect::Stays | Effect::Leaves => each(Ok(game.play(position, played))),
        effect => each(Err(effect)),
    });
}
