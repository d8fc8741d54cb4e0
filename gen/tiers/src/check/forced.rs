//! Checks the forced position of a board.

use crate::game::{Effect, Game};

/// A position behind a move, or what the move does if it ends the game.
type After<G> = Result<<G as Game>::Position, Effect>;

/// Whether the forced position with the number of one without a slot has its moves, and an un-move to a
/// slot.
pub fn is_forced<G: Game>(
    game: &G,
    tier: G::Tier,
    layout: &G::Layout,
    source: u64,
    after: &G::Position,
) -> bool {
    if game.has_slot(after) || game.tier(after) != tier {
        return false;
    }
    let position = game.unrank(layout, game.rank(layout, after));
    let Some(forced) = position.and_then(|position| game.forced(&position)) else { return false };
    let mut returns = false;
    game.sources(layout, &forced, |slot| returns |= slot == source);
    returns && are_among(game, &behind(game, after), &behind(game, &forced))
}

/// What lies behind the moves of a position without a slot.
fn behind<G: Game>(game: &G, position: &G::Position) -> Vec<After<G>> {
    let mut found = Vec::new();
    game.leaving(position, true, |after| found.push(after));
    found
}

/// Whether each of some positions is like one of others.
fn are_among<G: Game>(game: &G, some: &[After<G>], others: &[After<G>]) -> bool {
    some.iter().all(|one| others.iter().any(|other| are_alike(game, one, other)))
}

/// Whether two positions have the same slot, or without one moves to positions that are alike. One may be
/// an image of the other, so they are not compared themselves.
fn are_alike<G: Game>(game: &G, one: &After<G>, other: &After<G>) -> bool {
    let (Ok(one), Ok(other)) = (one, other) else { return one == other };
    let tier = game.tier(one);
    let has_slot = game.has_slot(one);
    if game.tier(other) != tier || game.has_slot(other) != has_slot {
        return false;
    }
    let layout = game.layout(tier);
    if game.rank(&layout, one) != game.rank(&layout, other) {
        return false;
    }
    if has_slot {
        return true;
    }
    let (one, other) = (behind(game, one), behind(game, other));
    are_among(game, &one, &other) && are_among(game, &other, &one)
}
