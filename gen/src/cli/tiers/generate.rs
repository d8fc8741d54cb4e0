//! `sakmak generate` and `sakmak plan` for these games.

use crate::cli::CommandError;
use crate::cli::arguments::ThreadsArgument;
use crate::cli::batch_progress::{BatchProgress, Stream};
use crate::cli::memory::{MemoryLimitArgument, memory_amount, within_machine};
use crate::cli::plan::{one_thread, print_plan};
use crate::cli::tiers::selection::{SelectionArguments, tiers};
use clap::Args;
use sakmak_boards::game::closure;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_make::batch::boards::BoardBatch;
use sakmak_make::output::boards;
use sakmak_make::system::ByteSize;
use sakmak_probe::file::board_game::file_name;
use sakmak_solve::boards::solver::solve;
use sakmak_solve::boards::tables::Tables;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Maximum slots of the table that is solved to measure the speed; it takes less than a second.
const TIMED_SLOTS: u64 = 1 << 22;

/// Tables of one game.
#[derive(Args)]
pub struct BatchArguments {
    #[command(flatten)]
    pub tables: SelectionArguments,
    #[command(flatten)]
    memory: MemoryLimitArgument,
    /// Disk limit, such as 100G; sizes of files are estimated too high rather than too low
    /// [default: the free space]
    #[arg(long, value_name = "SIZE", value_parser = memory_amount)]
    disk: Option<ByteSize>,
    #[command(flatten)]
    pub threads: ThreadsArgument,
}

/// Tables of one game to plan.
#[derive(Args)]
pub struct PlanArguments {
    #[command(flatten)]
    pub batch: BatchArguments,
    /// Speed of one thread in slots per second [default: measured on a small table]
    #[arg(long, value_name = "SLOTS", value_parser = clap::value_parser!(u64).range(1..))]
    rate: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl BatchArguments {
    /// Returns the batch in a directory of tables, and its materials.
    fn batch<'a, G: Notation + SolvableGame>(
        &self,
        game: &'a G,
        directory: &'a Path,
    ) -> Result<(BoardBatch<'a, G>, Vec<G::Material>), CommandError> {
        let materials = tiers(game, &self.tables.materials)?;
        let (memory, disk) = (self.memory.allowed(), self.disk);
        Ok((BoardBatch { game, tables: directory, memory, disk }, materials))
    }
}

pub fn run<G: Notation + SolvableGame>(
    game: &G,
    arguments: &BatchArguments,
) -> Result<(), CommandError> {
    let directory = arguments.tables.directory.directory()?;
    let (batch, materials) = arguments.batch(game, &directory)?;
    let batch = BoardBatch { memory: within_machine(batch.memory), ..batch };
    let progress = BatchProgress::new(&batch.directory(), Stream::Output);
    batch.run(materials, &progress)?;
    progress.end()
}

pub fn plan<G: Notation + SolvableGame>(
    game: &G,
    arguments: &PlanArguments,
) -> Result<(), CommandError> {
    let directory = arguments.batch.tables.directory.directory()?;
    let (batch, materials) = arguments.batch.batch(game, &directory)?;
    let plan = batch.plan(materials)?;
    let timed = timed(game);
    let (rate, measured) = match arguments.rate {
        Some(rate) => (rate, None),
        None => (one_thread(|| rate(game, timed))?, timed.map(|timed| timed.to_string())),
    };
    let free = batch.disk();
    print_plan(
        &plan,
        &|material| file_name(material),
        rate,
        measured.as_deref(),
        free,
        arguments.json,
    )
}

/// Returns the largest material of at most [`TIMED_SLOTS`] slots and of two to five men; of
/// several, the last one, which has more wins than the others in Janggi.
fn timed<G: Notation>(game: &G) -> Option<G::Material> {
    let slots = |material: &G::Material| game.size(&game.layout(*material));
    let materials = (2..=5).flat_map(|men| game.materials_of_men(men));
    let small = materials.filter(|material| slots(material) <= TIMED_SLOTS);
    small.max_by_key(|material| (slots(material), *material))
}

/// Measures the slots per second at which a material is solved and written.
fn rate<G: Notation + SolvableGame>(
    game: &G,
    timed: Option<G::Material>,
) -> Result<u64, CommandError> {
    let (mut tables, mut rate) = (Tables::default(), 1);
    // The rate of the last material, which depends on the others, counts.
    for material in closure(game, timed) {
        let start = Instant::now();
        let codes = solve(game, material, &tables, &|_| ())?;
        boards::write(game, material, &codes, &mut io::sink())?;
        rate = (codes.slots() as f64 / start.elapsed().as_secs_f64()).max(1.0) as u64;
        tables.insert(game, material, codes);
    }
    Ok(rate)
}
