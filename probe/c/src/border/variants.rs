//! Values, moves and lines of positions of board games.

use super::{Tables, call};
use crate::error::CallError;
use crate::pointer::{Out, Text};
use crate::reply::{self, SakmakVariantMove};
use sakmak_probe::boards::answer::AnswerError;
use sakmak_probe::boards::open::OpenGame;
use sakmak_probe::variant::board_game;
use sakmak_tables::counting::Category;
use std::ffi::{c_char, c_int};

/// Probes the tables of a board game for the position of a FEN.
fn game_probed<T>(
    tables: &Tables,
    variant: &Text,
    fen: &Text,
    probe: impl FnOnce(&dyn OpenGame, &str) -> Result<T, AnswerError>,
) -> Result<T, CallError> {
    let open = &tables.value("tables")?.open;
    let (variant, fen) = (variant.text("variant")?, fen.text("fen")?);
    Ok(probe(&*open.read()?.board_game(board_game(variant)?)?, fen)?)
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_probe_variant(
    tables: Tables,
    variant: Text,
    fen: Text,
    plies: Out<i32>,
) -> c_int {
    call(|| {
        let value = game_probed(&tables, &variant, &fen, |game, fen| game.value_of(fen))?;
        if !plies.is_null() {
            plies.write("plies", reply::plies_of(value))?;
        }
        Ok(reply::category(Category::of(value, true)).into())
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_variant_moves(
    tables: Tables,
    variant: Text,
    fen: Text,
    moves: Out<SakmakVariantMove>,
    capacity: usize,
) -> c_int {
    call(|| {
        let found = game_probed(&tables, &variant, &fen, |game, fen| game.moves_of(fen))?;
        let found: Vec<SakmakVariantMove> = found.iter().map(SakmakVariantMove::of).collect();
        moves.write_all(capacity, "moves", &found)?;
        // Some hundred moves at most, so that the number fits.
        Ok(found.len() as c_int)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_variant_line(
    tables: Tables,
    variant: Text,
    fen: Text,
    line: Out<c_char>,
    size: usize,
) -> c_int {
    call(|| {
        let moves = game_probed(&tables, &variant, &fen, |game, fen| game.line_of(fen))?;
        line.write_text(size, &moves.join(" "))
    })
}
