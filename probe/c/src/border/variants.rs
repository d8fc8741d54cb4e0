//! Values, moves and lines of positions of games with tiers.

use super::{SakmakTablebase, call};
use crate::error::CallError;
use crate::pointer::{shared, text, write, write_all, write_line};
use crate::reply::{self, SakmakVariantMove};
use sakmak_tiers::answer::AnswerError;
use sakmak_tiers::games::open::OpenGame;
use std::ffi::{c_char, c_int};

/// Probes the tables of a game with tiers for the position of a FEN.
///
/// # Safety
///
/// The first pointer is null, or valid for reads during the call; the others are null, or point to text.
unsafe fn game_probed<T>(
    tables: *const SakmakTablebase,
    variant: *const c_char,
    fen: *const c_char,
    probe: impl FnOnce(&dyn OpenGame, &str) -> Result<T, AnswerError>,
) -> Result<T, CallError> {
    // SAFETY: guaranteed by the caller of this function.
    let (tables, variant, fen) =
        unsafe { (shared(tables, "tables")?, text(variant, "variant")?, text(fen, "fen")?) };
    let variant = variant.ok_or(CallError::Null("variant"))?;
    let fen = fen.ok_or(CallError::Null("fen"))?;
    // In a child of a fork a thread of the parent may have locked a block for ever.
    tables.open.in_own_process()?;
    Ok(probe(&*tables.open.games.game(variant)?, fen)?)
}

/// The category and the plies of a position of another game; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_variant(
    tables: *const SakmakTablebase,
    variant: *const c_char,
    fen: *const c_char,
    plies: *mut i32,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and text, or null.
        let value = unsafe { game_probed(tables, variant, fen, |game, fen| game.value_of(fen))? };
        if !plies.is_null() {
            // SAFETY: it is not null, and the header requires a place to write a number to.
            unsafe { write(plies, "plies", reply::plies_of(value))? };
        }
        Ok(reply::category(reply::category_of(value)).into())
    })
}

/// The legal moves of another game, best first; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_variant_moves(
    tables: *const SakmakTablebase,
    variant: *const c_char,
    fen: *const c_char,
    moves: *mut SakmakVariantMove,
    capacity: usize,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and text, or null.
        let found = unsafe { game_probed(tables, variant, fen, |game, fen| game.moves_of(fen))? };
        let found: Vec<SakmakVariantMove> = found.iter().map(SakmakVariantMove::of).collect();
        // SAFETY: the header requires room for `capacity` moves, or null.
        unsafe { write_all(moves, capacity, "moves", &found)? };
        // Some hundred moves at most, so that the number fits.
        Ok(found.len() as c_int)
    })
}

/// Best play of another game; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_variant_line(
    tables: *const SakmakTablebase,
    variant: *const c_char,
    fen: *const c_char,
    line: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, text, and room for `size` bytes, or
    // null.
    call(|| unsafe {
        let played = game_probed(tables, variant, fen, |game, fen| game.line_of(fen))?;
        write_line(line, size, &played.join(" "))
    })
}
