//! `sakmak stats` for board games.

use crate::cli::progress::Bars;
use crate::cli::selection::boards::{board_tablebase, materials_with_tables};
use crate::cli::selection::parts;
use crate::cli::stats::StatsArguments;
use crate::cli::{CommandError, print};
use sakmak_analysis::board_statistics::{Results, results};
use sakmak_boards::list::Visitor;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::winner_moves;
use sakmak_probe::boards::tables::BoardTables;
use serde_json::json;

impl Visitor for &StatsArguments {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Result<(), CommandError> {
        self.source.threads.apply()?;
        let tablebase = board_tablebase(&self.source.tables, &self.source.access)?;
        let board_tables = BoardTables::new(game, &tablebase);
        let bars = Bars::new();
        let is_one = parts(self.materials.texts()).count() == 1;
        let materials = materials_with_tables(self.materials.texts(), &board_tables)?;
        board_tables.require(materials.iter().copied())?;
        for material in materials {
            let layout = game.layout(material);
            let counted = counted(&board_tables, material, &bars)?;
            for (side, results) in ["first", "second"].iter().zip(counted) {
                let Results { won, drawn, lost, .. } = results;
                if results.positions() == 0 {
                    continue;
                }
                let fen = |longest: Option<(u16, u64)>| {
                    longest
                        .and_then(|(_, slot)| game.unrank(&layout, slot))
                        .map(|position| game.fen(&position))
                };
                let longest = |longest: Option<(u16, u64)>| longest.map(|(plies, _)| plies);
                if self.json {
                    let line = json!({
                        "variant": game.name(), "material": material.to_string(), "to_move": side,
                        "won": won, "drawn": drawn, "lost": lost,
                        "longest_win_plies": longest(results.longest_win), "longest_win": fen(results.longest_win),
                        "longest_loss_plies": longest(results.longest_loss), "longest_loss": fen(results.longest_loss),
                    });
                    print(&(line.to_string() + "\n"))?;
                    continue;
                }
                let share = |part: u64| 100.0 * part as f64 / results.positions() as f64;
                let moves = longest(results.longest_win)
                    .map_or(String::new(), |plies| format!(" in at most {}", winner_moves(plies)));
                print(&format!(
                    "{:<12} {side:<6} to move: {:>7.3} % won{moves}, {:.3} % drawn, {:.3} % lost of {}\n",
                    material.to_string(),
                    share(won),
                    share(drawn),
                    share(lost),
                    results.positions(),
                ))?;
                if let (Some(fen), true) = (fen(results.longest_win), is_one) {
                    print(&format!("  {fen}\n"))?;
                }
            }
        }
        Ok(())
    }
}

/// Counts a table by results, for each side to move, and shows the progress.
pub fn counted<G: Notation + SolvableGame>(
    board_tables: &BoardTables<'_, G>,
    material: G::Material,
    bars: &Bars,
) -> Result<[Results; 2], CommandError> {
    let (game, codes) = (board_tables.game(), board_tables.codes(material)?);
    let meter = bars.slots(&material.to_string(), codes.slots());
    let mover = |position: &G::Position| game.mover(position);
    let counted = results(game, material, &codes, mover, &|slots| meter.advance(slots));
    meter.finish();
    Ok(counted)
}
