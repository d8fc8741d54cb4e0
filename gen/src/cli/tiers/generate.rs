//! `sakmak generate` and `sakmak plan` for these games.

use crate::cli::arguments::ThreadsArgument;
use crate::cli::memory::MemoryLimitArgument;
use crate::cli::progress::Bars;
use crate::cli::tiers::selection::{SelectionArguments, load, tiers};
use crate::cli::{CommandError, check_outputs, print};
use clap::Args;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::closure;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::winner_moves;
use sakmak_make::output::boards;
use sakmak_make::system::ByteSize;
use sakmak_make::system::atomic_file::write_atomically;
use sakmak_probe::Tablebase;
use sakmak_probe::boards::directory::Directory;
use sakmak_probe::file::board_game::file_name;
use sakmak_solve::boards::progress::Progress;
use sakmak_solve::boards::solver::{SolveError, memory, solve};
use sakmak_solve::boards::tables::Tables;
use std::fmt::Display;
use std::sync::OnceLock;
use std::time::Instant;

/// Tables of one game.
#[derive(Args)]
pub struct BatchArguments {
    #[command(flatten)]
    pub tables: SelectionArguments,
    #[command(flatten)]
    memory: MemoryLimitArgument,
    #[command(flatten)]
    pub threads: ThreadsArgument,
}

/// A tier to make.
struct Step<T> {
    tier: T,
    slots: u64,
    /// Bytes of memory, with the tables that it depends on.
    memory: Result<u64, SolveError>,
}

/// The tiers to make, each after those it depends on.
fn steps<G: Notation + SolvableGame>(
    directory: &Directory<'_, G>,
    arguments: &BatchArguments,
) -> Result<Vec<Step<G::Material>>, CommandError> {
    let game = directory.game();
    let slots_of = |tier| game.size(&game.layout(tier));
    let mut steps = Vec::new();
    for tier in closure(game, tiers(game, &arguments.tables.materials)?) {
        if directory.file(tier)?.is_some() {
            continue;
        }
        let slots = slots_of(tier);
        // Subtables stay in memory; nearly all have codes of a byte.
        let subtables: u64 = game.subtables(tier).into_iter().map(slots_of).sum();
        let memory = memory(game, tier).map(|bytes| bytes + subtables);
        steps.push(Step { tier, slots, memory });
    }
    Ok(steps)
}

/// Checks that a tier fits into the memory limit.
fn expect_fits(
    tier: impl Display,
    needed: &Result<u64, SolveError>,
    limit: u64,
) -> Result<(), CommandError> {
    let needed = *needed.as_ref().map_err(CommandError::failure)?;
    if needed <= limit {
        return Ok(());
    }
    let [needed, limit] = [needed, limit].map(ByteSize);
    Err(CommandError::failure(format!(
        "{tier} needs {needed} of memory with the tables it depends on, and the limit is {limit}; \
         --memory sets another"
    )))
}

/// Solves a tier, with its progress.
fn solved<G: Notation + SolvableGame>(
    game: &G,
    tier: G::Material,
    tables: &Tables<G>,
    bars: &Bars,
) -> Result<Codes, CommandError> {
    let name = tier.to_string();
    let first = bars.slots(&name, game.size(&game.layout(tier)));
    let plies_bar = OnceLock::new();
    let progress = |progress| match progress {
        Progress::Slots(slots) => first.advance(slots),
        Progress::Plies(plies) => {
            let bar = plies_bar.get_or_init(|| {
                first.finish();
                bars.spinner(&name, "slots")
            });
            bar.set_message(&format!("wins in {}", winner_moves(plies)));
            bars.lines().offer(|| bar.line());
        }
    };
    let codes = solve(game, tier, tables, &progress)?;
    first.finish();
    if let Some(bar) = plies_bar.get() {
        bar.finish();
    }
    Ok(codes)
}

pub fn run<G: Notation + SolvableGame>(
    game: &G,
    arguments: &BatchArguments,
) -> Result<(), CommandError> {
    let tables_directory = arguments.tables.directory.directory()?;
    let tablebase = Tablebase::of_directory(&tables_directory);
    let directory = Directory::new(game, &tablebase);
    let steps = steps(&directory, arguments)?;
    let limit = arguments.memory.allowed().0;
    steps.iter().try_for_each(|step| expect_fits(step.tier, &step.memory, limit))?;
    let names = steps.iter().map(|step| file_name(step.tier));
    check_outputs(&directory.path(), names)?;
    let bars = Bars::new();
    let mut tables = Tables::default();
    for Step { tier, .. } in steps {
        let started = Instant::now();
        load(&directory, &mut tables, &game.subtables(tier))?;
        // Tables with codes of two bytes take more than planned.
        expect_fits(tier, &memory(game, tier).map(|bytes| bytes + tables.bytes()), limit)?;
        let codes = solved(game, tier, &tables, &bars)?;
        let seconds = started.elapsed().as_secs_f64();
        let name = file_name(tier);
        let fill = |out: &mut std::fs::File| {
            boards::write(game, tier, &codes, &mut std::io::BufWriter::new(out))
        };
        write_atomically(&directory.path(), &name, fill).map_err(|error| {
            let path = directory.path().join(&name);
            CommandError::failure(format!("cannot write {}: {error}", path.display()))
        })?;
        let slots = codes.slots();
        let rate = slots as f64 / seconds.max(1e-9) / 1e6;
        bars.print(&format!(
            "{:<12} {slots:>13} slots {seconds:>9.2} s {rate:>7.1} M slots/s\n",
            tier.to_string()
        ))?;
        tables.insert(game, tier, codes);
    }
    Ok(())
}

pub fn plan<G: Notation + SolvableGame>(
    game: &G,
    arguments: &BatchArguments,
) -> Result<(), CommandError> {
    let tablebase = Tablebase::of_directory(&arguments.tables.directory.directory()?);
    let directory = Directory::new(game, &tablebase);
    let (mut all, mut refused) = (0, Ok(()));
    let limit = arguments.memory.allowed().0;
    for Step { tier, slots, memory } in steps(&directory, arguments)? {
        let bytes = match &memory {
            Ok(bytes) => ByteSize(*bytes).display().iec().to_string(),
            Err(_) => "-".to_string(),
        };
        print(&format!("{:<12} {slots:>13} slots {bytes:>11}\n", tier.to_string()))?;
        refused = refused.and(expect_fits(tier, &memory, limit));
        all += slots;
    }
    print(&format!("{:<12} {all:>13} slots\n", "to make"))?;
    refused
}
