//! Counts what soldiers of Janggi win by their ranks: `soldiers TABLES MATERIAL...`.
//!
//! For each variant and material with the attacker to move: the ranks of its soldiers, counted from the
//! defender's home as published statements do, the share of positions won, and the longest win in moves.

use sakmak_boards::game::BoardGame;
use sakmak_boards::janggi::Janggi;
use sakmak_boards::notation::{Notation, fields};
use sakmak_boards::value::{Value, winner_moves};
use sakmak_probe::Tablebase;
use sakmak_probe::boards::tables::BoardTables;
use std::collections::BTreeMap;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let tables = Tablebase::open(arguments.next().ok_or("usage: soldiers TABLES MATERIAL...")?)?;
    let materials: Vec<String> = arguments.collect();
    for game in [Janggi::casual(), Janggi::standard(), Janggi::seed()] {
        let board_tables = BoardTables::new(&game, &tables);
        for name in &materials {
            let material = game.material_of_name(name)?;
            if board_tables.file(material)?.is_none() {
                println!("{} {name}: no table", game.name());
                continue;
            }
            let codes = board_tables.codes(material)?;
            let layout = game.layout(material);
            // Positions won, all positions, plies of the longest win.
            let mut results: BTreeMap<Vec<u8>, (u64, u64, u16)> = BTreeMap::new();
            for slot in 0..codes.slots() {
                let value = codes.value(slot).unwrap_or(Value::Illegal);
                let Some(position) = game.unrank(&layout, slot) else { continue };
                if value == Value::Illegal || game.mover(&position) != 0 {
                    continue;
                }
                let fen = game.fen(&position);
                let letters = fields(&fen, 9, 10)?.letters;
                let soldiers = letters.iter().filter(|&&(letter, ..)| letter == 'P');
                let mut ranks: Vec<u8> = soldiers.map(|&(_, _, rank)| 10 - rank).collect();
                ranks.sort_unstable();
                let weight = u64::from(game.orbit(&position));
                let (won, all, longest) = results.entry(ranks).or_default();
                *all += weight;
                if let Value::Win(plies) = value {
                    *won += weight;
                    *longest = plies.max(*longest);
                }
            }
            println!("{} {name}", game.name());
            for (ranks, (won, all, longest)) in results {
                let share = 100.0 * won as f64 / all as f64;
                println!("  {ranks:?}: {share:.2} % won in at most {}", winner_moves(longest));
            }
        }
    }
    Ok(())
}
