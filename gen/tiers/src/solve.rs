//! Solves a tier whose smaller tiers are solved.
//!
//! ```text
//! backwards, a number n of plies after the other:
//!     lost in n:  every position with a move into it is won in n + 1
//!     won in n:   a position all of whose moves lead to wins in at most n is lost in n + 1
//!     illegal:    a position all of whose moves lead there is stuck
//!     a move that leaves counts when n is the distance behind it
//! ```
//!
//! Five methods find the same values, by the same definition, in any number of threads:
//!
//! | method | for | memory |
//! |---|---|---|
//! | [`Method::Pass`] | tiers without loops | 3 bytes a slot |
//! | [`Method::Planes`] | games with [planes](crate::planes): many positions at once | 4 bytes a slot |
//! | [`Method::Backward`] | games with un-moves | 3 bytes a slot |
//! | [`Method::Graph`] | games without: their moves, turned round | 11 bytes a slot, 4 a move |
//! | [`Method::Iterate`] | the same: all open positions look ahead in all layers | 3 bytes a slot |
//!
//! Two bytes a slot are the states, which are there until the end. The third is that of the codes; codes of
//! two bytes take the place of the states. By planes, codes take
//! one byte, moves that leave up to half a byte, and the planes 1.2, or 2.3 where both sides have the same
//! men, as they hold both sides to move. When a distance needs codes of two bytes, both are there for a
//! moment.
//!
//! The order within a layer does not matter: layer `n` asks for positions that are decided in at most `n`
//! plies and writes longer distances only, and in a layer all positions are won or all are lost.

mod looks;

mod backward;
mod events;
mod graph;
mod planes;
mod progress;

use crate::game::{Game, prepared};
use crate::table::{BLOCK, Codes, Tables};
use crate::value::Value;
use graph::Graph;
use looks::{DECIDED, DRAWN, ILLEGAL, Looks, NOTHING};
pub use progress::Progress;
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// How a tier is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// One look ahead for each slot.
    Pass,
    /// Backward induction by planes.
    Planes,
    /// Backward induction by un-moves.
    Backward,
    /// The same by a graph in memory.
    Graph,
    /// Value iteration.
    Iterate,
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Method::Pass => "in one pass",
            Method::Planes => "backwards, by planes",
            Method::Backward => "backwards",
            Method::Graph => "backwards, by a graph in memory",
            Method::Iterate => "by value iteration",
        })
    }
}

/// Why a tier is not solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A tier that it depends on is not solved.
    #[error("{0} depends on {1}, which is not solved")]
    Missing(String, String),
    /// A move leads to a tier that [`Game::smaller`] does not name.
    #[error("a move of {0} leads to a tier that is not among its smaller ones")]
    Unnamed(String),
    /// More slots than numbers.
    #[error("{0} has {1} slots; at most {max} can be solved", max = u32::MAX)]
    TooLarge(String, u64),
    /// No method fits.
    #[error("{0} needs {1} bytes of memory, and {2} are allowed")]
    Memory(String, u64, u64),
    /// A distance without a code.
    #[error("a win of {0} takes more than {max} plies", max = Value::LONGEST)]
    TooLong(String),
}

/// The bytes that a method needs for a tier of this many slots. `moves` is the number of moves of an
/// average slot.
pub fn memory(method: Method, slots: u64, moves: u64) -> u64 {
    slots
        * match method {
            Method::Pass | Method::Iterate | Method::Backward => 3,
            Method::Planes => 4,
            Method::Graph => 11 + 4 * moves,
        }
}

/// The fastest method for a tier within this memory.
///
/// # Errors
///
/// If the tier has too many slots, or not enough memory for any method.
pub fn method<G: Game>(game: &G, tier: G::Tier, allowed: u64) -> Result<Method, SolveError> {
    let layout = game.layout(tier);
    let slots = game.size(&layout);
    if slots > u64::from(u32::MAX) {
        return Err(SolveError::TooLarge(tier.to_string(), slots));
    }
    let order = match (game.is_loop_free(tier), game.planes(), G::UNMOVES) {
        (true, ..) => [Method::Pass].as_slice(),
        (false, Some(_), _) => &[Method::Planes],
        (false, None, true) => &[Method::Backward],
        (false, None, false) => &[Method::Graph, Method::Iterate],
    };
    let moves = if order[0] == Method::Graph { moves_of_a_slot(game, &layout) } else { 0 };
    let needed = |method| memory(method, slots, moves);
    let fits = order.iter().copied().find(|&method| needed(method) <= allowed);
    fits.ok_or_else(|| {
        let least = order.iter().map(|&method| needed(method)).min().unwrap_or_default();
        SolveError::Memory(tier.to_string(), least, allowed)
    })
}

/// The moves of a slot on average, from some slots, rounded up.
fn moves_of_a_slot<G: Game>(game: &G, layout: &G::Layout) -> u64 {
    let (size, samples) = (game.size(layout), 1000.min(game.size(layout)));
    let mut moves = 0;
    for sample in 0..samples {
        if let Some(position) = game.unrank(layout, sample * size / samples)
            && !game.is_illegal(&position)
            && game.end(&position).is_none()
        {
            game.moves(&position, |_, _| moves += 1);
        }
    }
    moves / samples.max(1) + 1
}

/// Solves a tier. `progress` is called from many threads, with each part of the work that is done.
///
/// # Errors
///
/// If a smaller tier is not in `tables`, if the tier is too large, or if a distance has no code.
pub fn solve<G: Game>(
    game: &G,
    tier: G::Tier,
    tables: &Tables<G>,
    method: Method,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Codes, SolveError> {
    let name = || tier.to_string();
    let layout = prepared(game, tier);
    let looks = Looks::new(game, tier, &layout, tables, progress)
        .map_err(|missing| SolveError::Missing(name(), missing.to_string()))?;
    let size = game.size(&layout);
    if size > u64::from(u32::MAX) {
        return Err(SolveError::TooLarge(name(), size));
    }
    let found = match (method, game.planes()) {
        (Method::Planes, Some(by)) => planes::solve(&looks, by, size),
        (Method::Pass, _) => looks.pass(size).and_then(codes),
        (Method::Iterate, _) => looks.iterate(size).and_then(codes),
        (Method::Backward, _) if G::UNMOVES => {
            backward::solve(&looks, size, &looks).and_then(codes)
        }
        // Also by a method that the game has no part for.
        (Method::Graph | Method::Backward | Method::Planes, _) => {
            backward::solve(&looks, size, &Graph::new(&looks, size)).and_then(codes)
        }
    };
    if looks.is_unnamed() {
        return Err(SolveError::Unnamed(name()));
    }
    found.ok_or_else(|| SolveError::TooLong(name()))
}

/// The codes of all slots.
fn codes(state: Vec<AtomicU16>) -> Option<Codes> {
    let code = |state: u16| match state {
        NOTHING | ILLEGAL => Value::Illegal.code(),
        decided if decided >= DECIDED && decided != DRAWN => (decided & !DECIDED) + 2,
        _ => Value::Draw.code(),
    };
    let all = state.par_iter().with_min_len(BLOCK).map(|state| code(state.load(Relaxed)));
    match all.clone().max().unwrap_or_default() {
        0..=255 => Some(Codes::Narrow(all.map(|code| code as u8).collect())),
        most if most > Value::LONGEST => None,
        // Not in parallel, so that they are written in place.
        _ => Some(Codes::Wide(state.into_iter().map(|state| code(state.into_inner())).collect())),
    }
}
