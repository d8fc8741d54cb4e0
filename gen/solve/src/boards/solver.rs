//! Solves a material whose subtables are solved.
//!
//! ```text
//! backwards, a number n of plies after the other:
//!     lost in n:  every position with a move into it is won in n + 1
//!     won in n:   a position all of whose moves lead to wins in at most n is lost in n + 1
//!     illegal:    a position all of whose moves lead there is stuck
//!     a move that leaves counts when n is the distance behind it
//! ```
//!
//! | a game with | is solved | memory |
//! |---|---|---|
//! | [planes](sakmak_boards::planes) | many positions at once | 4 bytes a slot |
//! | [sources](SolvableGame::sources) | slot by slot | 3 bytes a slot |
//!
//! Slot by slot, the states take two bytes a slot until the end. The third byte is the code; codes
//! of two bytes replace the states. By planes, codes take one byte, moves that leave up to half a
//! byte, and the planes 1.2, or 2.3 if both sides have the same men, because the planes hold both
//! sides to move. When a distance needs codes of two bytes, codes of both widths exist for a
//! moment.
//!
//! The order within a layer does not matter. Layer `n` reads positions decided in at most `n` plies
//! and writes longer distances only. All positions of a layer are won, or all are lost. So any
//! number of threads finds the same values.

use crate::boards::backward;
use crate::boards::lookahead::{DECIDED, DRAWN, ILLEGAL, Lookahead, NOTHING};
use crate::boards::planes;
use crate::boards::progress::Progress;
use crate::boards::tables::{BLOCK, Tables};
use crate::parallel::*;
use sakmak_boards::codes::Codes;
use sakmak_boards::solvable::{SolvableGame, prepared};
use sakmak_boards::value::Value;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// The reason why a material is not solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// A subtable is not solved.
    #[error("{0} depends on {1}, which is not solved")]
    Missing(String, String),
    /// A move leads to a material that
    /// [`BoardGame::subtables`](sakmak_boards::game::BoardGame::subtables) does not name.
    #[error("a move of {0} leads to a material that is not among its subtables")]
    Unnamed(String),
    /// More slots than numbers.
    #[error("{0} has {1} slots; at most {max} can be solved", max = u32::MAX)]
    TooLarge(String, u64),
    /// A distance without a code.
    #[error("a win of {0} takes more than {max} plies", max = Value::LONGEST)]
    TooLong(String),
}

/// Memory needed to solve a material, in bytes, without its subtables.
///
/// # Errors
///
/// If the material has too many slots.
pub fn memory<G: SolvableGame>(game: &G, material: G::Material) -> Result<u64, SolveError> {
    let slots = game.size(&game.layout(material));
    if slots > u64::from(u32::MAX) {
        return Err(SolveError::TooLarge(material.to_string(), slots));
    }
    Ok(slots * if game.planes().is_some() { 4 } else { 3 })
}

/// Solves a material. `progress` is called from many threads, with each finished part of the work.
///
/// # Errors
///
/// If a subtable is not in `tables`, if the material has too many slots, or if a distance has no
/// code.
pub fn solve<G: SolvableGame>(
    game: &G,
    material: G::Material,
    tables: &Tables<G>,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Codes, SolveError> {
    memory(game, material)?;
    let name = || material.to_string();
    let layout = prepared(game, material);
    let lookahead = Lookahead::new(game, material, &layout, tables, progress)
        .map_err(|missing| SolveError::Missing(name(), missing.to_string()))?;
    let size = game.size(&layout);
    let found = match game.planes() {
        Some(planes) => planes::solve(&lookahead, planes, size),
        None => backward::solve(&lookahead, size).and_then(codes),
    };
    if lookahead.is_unnamed() {
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
        // Sequential, so that the codes are written in place.
        _ => Some(Codes::Wide(state.into_iter().map(|state| code(state.into_inner())).collect())),
    }
}
