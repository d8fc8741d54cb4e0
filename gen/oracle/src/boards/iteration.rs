//! Values by the definition: all open positions look one ply ahead, round after round.
//!
//! It uses the moves of a game, its numbering, and the values of subtables; no un-moves, no planes and no
//! bounds.

use rayon::prelude::*;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::{Effect, successors};
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use sakmak_solve::boards::tables::Tables;

/// The codes of a material whose subtables are in `tables`.
///
/// # Panics
///
/// If a subtable is missing.
pub fn iterate<G: SolvableGame>(game: &G, material: G::Material, tables: &Tables<G>) -> Codes {
    let layout = game.layout(material);
    let size = game.size(&layout);
    // A draw until it is decided.
    let first = |slot| match game.unrank(&layout, slot) {
        Some(position) if !game.is_illegal(&position) => {
            game.end(&position).map_or(Value::Draw, |end| end.value())
        }
        _ => Value::Illegal,
    };
    let mut values: Vec<Value> = (0..size).into_par_iter().map(first).collect();
    let is_open = |&slot: &u64| {
        let position = game.unrank(&layout, slot);
        values[slot as usize] == Value::Draw
            && position.is_some_and(|position| game.end(&position).is_none())
    };
    let mut open: Vec<u64> = (0..size).into_par_iter().filter(is_open).collect();
    // The longest distance behind a move that leaves.
    let longest = |&slot: &u64| {
        let position = game.unrank(&layout, slot)?;
        let mut longest = None;
        game.moves(&position, |played, effect| {
            if effect == Effect::Leaves {
                let after = game.play(&position, played);
                longest = longest.max(tables.value(game, &after).and_then(Value::plies));
            }
        });
        longest
    };
    let last = open.par_iter().filter_map(longest).max().unwrap_or(0);
    for plies in 0..=Value::LONGEST {
        let found = |&slot: &u64| {
            let position = game.unrank(&layout, slot)?;
            let mut best = Value::Illegal;
            successors(game, &position, &mut |after| {
                let value = match after {
                    Err(Effect::Wins) => Value::Win(1),
                    Err(_) => Value::Draw,
                    Ok(after) if game.is_illegal(&after) => Value::Illegal,
                    Ok(after) if game.has_slot(&after) && game.material(&after) == material => {
                        values[game.rank(&layout, &after) as usize].before_move()
                    }
                    Ok(after) => tables.value(game, &after).expect("a subtable").before_move(),
                };
                best = best.better(value);
            });
            let value = match best {
                Value::Illegal => game.stuck(&position).value(),
                best => best,
            };
            // A quicker win or a draw may still be found.
            (value.plies() == Some(plies)).then_some((slot, value))
        };
        let found: Vec<(u64, Value)> = open.par_iter().filter_map(found).collect();
        if found.is_empty() && plies > last + 1 {
            break;
        }
        for (slot, value) in found {
            values[slot as usize] = value;
        }
        open.retain(|&slot| values[slot as usize] == Value::Draw);
    }
    let codes: Vec<u16> = values.into_iter().map(Value::code).collect();
    match codes.iter().all(|&code| code <= u8::MAX.into()) {
        true => Codes::Narrow(codes.into_iter().map(|code| code as u8).collect()),
        false => Codes::Wide(codes),
    }
}
