//! `sakmak verify` for these games.

use crate::cli::CommandError;
use crate::cli::arguments::ThreadsArgument;
use crate::cli::progress::Bars;
use crate::cli::records::Records;
use crate::cli::tiers::selection::{SelectionArguments, load, tiers_with_files};
use clap::Args;
use sakmak_boards::game::closure;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_make::verify::ledger::Evidence;
use sakmak_probe::Tablebase;
use sakmak_probe::boards::directory::Directory;
use sakmak_probe::file::board_game::file_name;
use sakmak_solve::boards::tables::Tables;
use sakmak_solve::boards::verify::verify;

/// The tables to verify.
#[derive(Args)]
pub struct VerifyArguments {
    #[command(flatten)]
    pub tables: SelectionArguments,
    #[command(flatten)]
    pub threads: ThreadsArgument,
    /// Verify tables that you have verified before too
    #[arg(long)]
    again: bool,
}

pub fn run<G: Notation + SolvableGame>(
    game: &G,
    arguments: &VerifyArguments,
) -> Result<(), CommandError> {
    let tablebase = Tablebase::of_directory(&arguments.tables.directory.readable()?);
    let directory = Directory::new(game, &tablebase);
    let bars = Bars::new();
    let mut records = Records::of_user(&bars);
    let mut tables = Tables::default();
    let tiers = closure(game, tiers_with_files(&arguments.tables.materials, &directory)?);
    directory.require(tiers.iter().copied())?;
    for tier in tiers {
        let name = tier.to_string();
        let evidence = evidence(&directory, tier)?;
        let mut needed = game.subtables(tier);
        needed.push(tier);
        if !arguments.again && records.has(&evidence) {
            // Every checksum is tested.
            tables.retain(&needed);
            tables.insert(game, tier, directory.codes(tier)?);
            bars.print(&format!("{name:<12} every value verified before\n"))?;
            continue;
        }
        load(&directory, &mut tables, &needed)?;
        let meter = bars.slots(&name, game.size(&game.layout(tier)));
        verify(game, tier, &tables, &|slots| meter.advance(slots))?;
        meter.finish();
        bars.print(&format!("{name:<12} every value right\n"))?;
        records.add(evidence);
    }
    Ok(())
}

/// The files that a tier is verified with.
fn evidence<G: Notation + SolvableGame>(
    directory: &Directory<'_, G>,
    tier: G::Material,
) -> Result<Evidence, CommandError> {
    let game = directory.game();
    let files = [tier].into_iter().chain(game.subtables(tier)).map(|tier| {
        let file = directory.file(tier)?;
        let name = format!("{}/{}", game.name(), file_name(tier));
        Ok((name, file.map(|file| file.checksum())))
    });
    Ok(Evidence::of(files.collect::<Result<Vec<_>, CommandError>>()?))
}
