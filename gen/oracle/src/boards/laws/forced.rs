//! Checks the forced position of a board.

use sakmak_boards::game::{BoardGame, Effect};
use sakmak_boards::solvable::SolvableGame;

/// A position behind a move, or what the move does if it ends the game.
type After<G> = Result<<G as BoardGame>::Position, Effect>;

/// Whether the forced position with the number of one without a slot has its moves, and an un-move to a
/// slot.
pub fn is_forced<G: SolvableGame>(
    game: &G,
    material: G::Material,
    layout: &G::Layout,
    source: u64,
    after: &G::Position,
) -> bool {
    if game.has_slot(after) || game.material(after) != material {
        return false;
    }
    let position = game.unrank(layout, game.rank(layout, after));
    let Some(forced) = position.and_then(|position| game.forced(&position)) else { return false };
    let mut returns = false;
    game.sources(layout, &forced, |slot| returns |= slot == source);
    returns && are_among(game, &behind(game, after), &behind(game, &forced))
}

/// What lies behind the moves of a position without a slot.
fn behind<G: SolvableGame>(game: &G, position: &G::Position) -> Vec<After<G>> {
    let mut found = Vec::new();
    game.leaving(position, true, |after| found.push(after));
    found
}

/// Whether each of some positions is like one of others.
fn are_among<G: SolvableGame>(game: &G, some: &[After<G>], others: &[After<G>]) -> bool {
    some.iter().all(|one| others.iter().any(|other| are_alike(game, one, other)))
}

/// Whether two positions have the same slot, or without one moves to positions that are alike. One may be
/// an image of the other, so they are not compared themselves.
fn are_alike<G: SolvableGame>(game: &G, one: &After<G>, other: &After<G>) -> bool {
    let (Ok(one), Ok(other)) = (one, other) else { return one == other };
    let material = game.material(one);
    let has_slot = game.has_slot(one);
    if game.material(other) != material || game.has_slot(other) != has_slot {
        return false;
    }
    let layout = game.layout(material);
    if game.rank(&layout, one) != game.rank(&layout, other) {
        return false;
    }
    if has_slot {
        return true;
    }
    let (one, other) = (behind(game, one), behind(game, other));
    are_among(game, &one, &other) && are_among(game, &other, &one)
}
