//! `sakmak stats` for these games.

use crate::cli::arguments::ThreadsArgument;
use crate::cli::progress::Bars;
use crate::cli::selection::parts;
use crate::cli::tiers::selection::{SelectionArguments, tiers_with_files};
use crate::cli::{CommandError, print};
use clap::Args;
use sakmak_analysis::board_statistics::{Results, results};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::winner_moves;
use sakmak_probe::Tablebase;
use sakmak_probe::boards::directory::Directory;
use serde_json::json;

/// The help after the options.
const AFTER: &str = "\
Every position that a table has is counted. In Rek these include positions in which men of the side \
to move are closed in, although the move before would have taken them. In Min Rek Chanh they are the \
positions without an order to reply.

  sakmak stats KMMvK --tables DIR --variant rek";

/// The tables to count.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct StatsArguments {
    #[command(flatten)]
    pub tables: SelectionArguments,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub threads: ThreadsArgument,
}

pub fn run<G: Notation + SolvableGame>(
    game: &G,
    arguments: &StatsArguments,
) -> Result<(), CommandError> {
    let tablebase = Tablebase::of_directory(&arguments.tables.directory.readable()?);
    let directory = Directory::new(game, &tablebase);
    let bars = Bars::new();
    let is_one = parts(&arguments.tables.materials).count() == 1;
    let tiers = tiers_with_files(&arguments.tables.materials, &directory)?;
    directory.require(tiers.iter().copied())?;
    for tier in tiers {
        let codes = directory.codes(tier)?;
        let layout = game.layout(tier);
        let meter = bars.slots(&tier.to_string(), codes.slots());
        let mover = |position: &G::Position| game.mover(position);
        let counted = results(game, tier, &codes, mover, &|slots| meter.advance(slots));
        meter.finish();
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
            if arguments.json {
                let line = json!({
                    "variant": game.name(), "material": tier.to_string(), "to_move": side,
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
                tier.to_string(),
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
