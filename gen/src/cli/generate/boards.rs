//! `sakmak generate` and `sakmak plan` for board games.

use crate::cli::CommandError;
use crate::cli::batch_arguments::BatchArguments;
use crate::cli::batch_progress::{BatchProgress, Stream};
use crate::cli::generate::GenerateArguments;
use crate::cli::memory::within_machine;
use crate::cli::plan::{PlanArguments, one_thread, print_plan};
use crate::cli::selection::boards::materials;
use sakmak_boards::game::closure;
use sakmak_boards::list::Visitor;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_make::batch::boards::BoardBatch;
use sakmak_make::output::boards;
use sakmak_probe::file::board_game::file_name;
use sakmak_solve::boards::solver::solve;
use sakmak_solve::boards::tables::Tables;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Maximum slots of the table that is solved to measure the speed; it takes less than a second.
const TIMED_SLOTS: u64 = 1 << 22;

impl BatchArguments {
    /// Returns the batch in a directory of tables, and its materials.
    fn board_batch<'a, G: Notation + SolvableGame>(
        &self,
        game: &'a G,
        directory: &'a Path,
    ) -> Result<(BoardBatch<'a, G>, Vec<G::Material>), CommandError> {
        self.threads.apply()?;
        let materials = materials(game, self.selection.texts())?;
        let (memory, disk) = (self.memory.allowed(), self.memory.disk);
        Ok((BoardBatch { game, tables: directory, memory, disk }, materials))
    }
}

impl Visitor for &GenerateArguments {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Result<(), CommandError> {
        let directory = self.batch.tables.directory()?;
        let (batch, materials) = self.batch.board_batch(game, &directory)?;
        let batch = BoardBatch { memory: within_machine(batch.memory), ..batch };
        let progress = BatchProgress::new(&batch.directory(), Stream::Output);
        batch.run(materials, &progress)?;
        progress.end()
    }
}

impl Visitor for &PlanArguments {
    type Output = Result<(), CommandError>;

    fn visit<G: Notation + SolvableGame>(self, game: &G) -> Result<(), CommandError> {
        let directory = self.batch.tables.directory()?;
        let (batch, materials) = self.batch.board_batch(game, &directory)?;
        let plan = batch.plan(materials)?;
        let timed = timed(game);
        let (rate, measured) = match self.rate {
            Some(rate) => (rate, None),
            None => (one_thread(|| rate(game, timed))?, timed.map(|timed| timed.to_string())),
        };
        let file_name = |material| file_name(material);
        print_plan(&plan, &file_name, rate, measured.as_deref(), batch.disk(), self.json)
    }
}

/// Returns the largest material of at most [`TIMED_SLOTS`] slots and of two to five men; of several
/// materials, the last material, which has the most wins in Janggi.
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
    // The rate of the last material counts; it depends on all other materials.
    for material in closure(game, timed) {
        let start = Instant::now();
        let codes = solve(game, material, &tables, &|_| ())?;
        boards::write(game, material, &codes, &mut io::sink())?;
        rate = (codes.slots() as f64 / start.elapsed().as_secs_f64()).max(1.0) as u64;
        tables.insert(game, material, codes);
    }
    Ok(rate)
}
