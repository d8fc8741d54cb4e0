//! Batches of a board game.
//!
//! ```text
//! load the subtables that are not in memory
//! solve; others can be made from the codes in memory from here on
//! write the file
//! ```
//!
//! There are solved files only, in the folder of the game. The whole solver is in memory.

use crate::batch::claim::{Claim, sweep};
use crate::batch::need::{Need, PROGRAM, SolverArrays, Storage, THREAD};
use crate::batch::plan::{Plan, PlanError};
use crate::batch::planner::has_file;
use crate::batch::report::{BatchError, BatchObserver, TablePhase, TableReport};
use crate::batch::schedule;
use crate::batch::step::PlanStep;
use crate::batch::workshop::{Job, StepFiles, Workshop};
use crate::output::boards;
use crate::output::solved::{WriteError, WriteProblem};
use crate::system::ByteSize;
use crate::system::atomic_file::{prepare_directory, write_atomically};
use crate::system::machine::free_disk;
use rayon::prelude::*;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::closure;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::{Value, winner_moves};
use sakmak_probe::Tablebase;
use sakmak_probe::boards::tables::BoardTables;
use sakmak_probe::file::board_game::{file_name, material_of};
use sakmak_solve::boards::progress::Progress;
use sakmak_solve::boards::solver::{memory, solve};
use sakmak_solve::boards::tables::{BLOCK, Table, Tables, blocks};
use sakmak_solve::solver::SolveTimes;
use sakmak_tables::distance::Moves;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, BufWriter};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::Instant;

/// Bits per slot of the worst-compressing files, and length of small files. Files of Janggi have up
/// to 1.8 bits per slot.
const FILE_BITS: u64 = 3;
const SMALL_FILE: u64 = 4 << 10;

/// Tables of a board game to be made in one directory of tables.
#[derive(Clone, Copy, Debug)]
pub struct BoardBatch<'a, G> {
    /// The game.
    pub game: &'a G,
    /// Directory of tables, which has the folder of the game.
    pub tables: &'a Path,
    /// Memory limit.
    pub memory: ByteSize,
    /// Disk limit; `None` means all free space.
    pub disk: Option<ByteSize>,
}

impl<G: Notation + SolvableGame> BoardBatch<'_, G> {
    /// Plans tables and all their dependencies. A plan may exceed the limits; see [`Plan::fits`].
    ///
    /// # Errors
    ///
    /// If a table has more slots than the solver supports, or the file of a table is broken.
    pub fn plan(
        &self,
        materials: impl IntoIterator<Item = G::Material>,
    ) -> Result<Plan<G::Material>, PlanError> {
        let tables = Tablebase::of_directory(self.tables);
        let files = BoardTables::new(self.game, &tables);
        let mut order = closure(self.game, materials);
        // A stable sort: materials with the same number of men stay behind their subtables.
        order.sort_by_cached_key(|&material| men::<G>(material));
        let step = |material| self.step(material, &files);
        let steps = order.into_iter().map(step).collect::<Result<_, _>>()?;
        Ok(Plan { steps, memory: self.memory, packed: None })
    }

    /// Plans a table.
    fn step(
        &self,
        name: G::Material,
        files: &BoardTables<'_, G>,
    ) -> Result<PlanStep<G::Material>, PlanError> {
        let (game, slots_of) = (self.game, |name| self.game.size(&self.game.layout(name)));
        let (slots, subtables) = (slots_of(name), game.subtables(name));
        let finished = files.file(name)?.is_some();
        // A table with a file needs no solver.
        let arrays = if finished { 0 } else { memory(game, name)? };
        let threads = rayon::current_num_threads() as u64;
        // Nearly all tables have codes of one byte.
        let need = Need {
            arrays: ByteSize(arrays),
            subtables: ByteSize(subtables.iter().copied().map(slots_of).sum()),
            other: PROGRAM + ByteSize(threads * THREAD.0),
            spilled: ByteSize::default(),
            file: ByteSize(slots * FILE_BITS / u64::from(u8::BITS) + SMALL_FILE),
            wdl: ByteSize::default(),
            scratch: ByteSize::default(),
        };
        Ok(PlanStep {
            name,
            men: men::<G>(name),
            slots,
            finished,
            saved: false,
            subtables,
            wdl: None,
            wdl_sources: Vec::new(),
            storage: Storage::Memory,
            need,
            in_memory: need,
            on_disk: need,
            present: ByteSize::default(),
            codes: ByteSize(slots),
            threads: [slots.div_ceil(BLOCK as u64) as usize, 1],
            arrays: SolverArrays::default(),
        })
    }

    /// Returns the directory of the files.
    pub fn directory(&self) -> PathBuf {
        self.tables.join(self.game.name())
    }

    /// Returns the disk limit: the limit given, or else the free space; `None` if neither is known.
    pub fn disk(&self) -> Option<ByteSize> {
        self.disk.or_else(|| free_disk(self.tables))
    }

    /// Makes tables and their dependencies, in order. Must be called outside the thread pool, which
    /// does the work.
    ///
    /// # Errors
    ///
    /// Fails if the tables exceed the memory or disk limit, before anything is written. A later
    /// error ends the batch once the running jobs have ended.
    pub fn run(
        &self,
        materials: impl IntoIterator<Item = G::Material>,
        observer: &dyn BatchObserver<G::Material>,
    ) -> Result<(), BatchError> {
        let plan = self.plan(materials)?;
        plan.fits(self.disk())?;
        let tables = Tablebase::of_directory(self.tables);
        let files = BoardTables::new(self.game, &tables);
        let (path, held) = (self.directory(), Mutex::default());
        let workshop = BoardWorkshop { memory: self.memory, files, path, held, observer };
        let of_directory = |source| BatchError::directory(&workshop.path, source);
        prepare_directory(&workshop.path).and_then(|()| workshop.sweep()).map_err(of_directory)?;
        observer.planned(&plan);
        schedule::run(&plan, &workshop)?;
        // A process that was killed in the meantime has left its claims.
        workshop.sweep().map_err(of_directory)
    }
}

/// Returns the number of men of a material.
fn men<G: Notation>(material: G::Material) -> usize {
    material.to_string().chars().filter(|&letter| G::LETTERS.contains(letter)).count()
}

/// Returns the winner's moves in this number of plies.
fn moves(plies: u16) -> Moves {
    Moves(winner_moves(plies).into())
}

/// State shared by the jobs of a batch.
struct BoardWorkshop<'a, G: SolvableGame> {
    memory: ByteSize,
    files: BoardTables<'a, G>,
    /// Folder of the game.
    path: PathBuf,
    /// Tables in memory. A poisoned lock is safe: a table is inserted or not.
    held: Mutex<BTreeMap<G::Material, Arc<Table<G>>>>,
    observer: &'a dyn BatchObserver<G::Material>,
}

impl<G: Notation + SolvableGame> BoardWorkshop<'_, G> {
    fn held_tables(&self) -> MutexGuard<'_, BTreeMap<G::Material, Arc<Table<G>>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the locks and temporary files that killed processes left.
    fn sweep(&self) -> io::Result<()> {
        sweep(&self.path, |name| {
            let material = self.files.game().material_of_name(material_of(name)?).ok()?;
            Some(vec![file_name(material)])
        })
    }

    /// Returns a solved table: from memory, or else from its file.
    fn table(&self, material: G::Material) -> Result<Arc<Table<G>>, BatchError> {
        if let Some(table) = self.held_tables().get(&material) {
            return Ok(Arc::clone(table));
        }
        let codes = self.files.codes(material);
        let codes = codes.map_err(|source| BatchError::subtable(material, source))?;
        let table = Arc::new(Table::new(self.files.game(), material, codes));
        // Another job may have loaded the table meanwhile: all jobs use the first one loaded.
        Ok(Arc::clone(self.held_tables().entry(material).or_insert(table)))
    }

    /// Solves a material.
    fn solve(&self, step: &PlanStep<G::Material>) -> Result<Codes, BatchError> {
        let mut subtables = Tables::default();
        for &subtable in &step.subtables {
            subtables.share(subtable, self.table(subtable)?);
        }
        // Codes of two bytes need more memory than planned.
        let needed = step.need.arrays + ByteSize(subtables.bytes()) + step.need.other;
        if needed > self.memory {
            let (table, allowed) = (step.name.to_string(), self.memory);
            return Err(PlanError::Memory { table, needed, allowed }.into());
        }
        self.observer.begins(step, TablePhase::Starting, step.slots);
        let layers = Once::new();
        let progress = |progress| match progress {
            Progress::Slots(slots) => self.observer.written(step, slots),
            Progress::Plies(plies) => {
                layers.call_once(|| self.observer.begins(step, TablePhase::Solving, step.slots));
                self.observer.layer(step, None, moves(plies));
            }
        };
        solve(self.files.game(), step.name, &subtables, &progress).map_err(|source| {
            let (table, path) = (step.name.to_string(), self.path.clone());
            BatchError::Solve { table, path, source: source.into() }
        })
    }

    /// Writes the file of a table. Returns its length.
    fn write(&self, step: &PlanStep<G::Material>, codes: &Codes) -> Result<u64, BatchError> {
        self.observer.begins(step, TablePhase::Writing, step.slots);
        let name = file_name(step.name);
        let length = write_atomically(&self.path, &name, |file| {
            boards::write(self.files.game(), step.name, codes, &mut BufWriter::new(file))
        });
        length.map(|(length, _)| length).map_err(|error: io::Error| {
            let path = self.path.join(&name);
            WriteError { path, problem: WriteProblem::Io(error) }.into()
        })
    }

    /// Returns the longest win of the table, with the name of its side.
    fn longest(&self, table: &Table<G>) -> Option<(&'static str, Moves)> {
        let game = self.files.game();
        let plies = |slot: &u64| match table.codes.value(*slot) {
            Some(Value::Win(plies)) => plies,
            _ => 0,
        };
        let longest = |slots: Range<u64>| slots.max_by_key(|slot| (plies(slot), Reverse(*slot)));
        // The first slot of several slots.
        let slot = blocks(table.codes.slots()).filter_map(longest);
        let slot = slot.max_by_key(|slot| (plies(slot), Reverse(*slot)))?;
        let position = game.unrank(&table.layout, slot).filter(|_| plies(&slot) > 0)?;
        Some((game.board().sides[game.mover(&position)], moves(plies(&slot))))
    }
}

impl<G: Notation + SolvableGame> Workshop for BoardWorkshop<'_, G> {
    type Name = G::Material;

    fn observer(&self) -> &dyn BatchObserver<G::Material> {
        self.observer
    }

    fn directory(&self) -> &Path {
        &self.path
    }

    fn claim(&self, table: G::Material) -> io::Result<Option<Claim>> {
        Claim::try_new(&self.path, &[file_name(table)])
    }

    fn files(&self, step: &PlanStep<G::Material>) -> Result<StepFiles, BatchError> {
        let path = self.path.join(file_name(step.name));
        let exists = has_file(&path).map_err(PlanError::from)?;
        Ok(StepFiles { table: exists, wdl: true, solved: exists })
    }

    fn held(&self, table: G::Material) -> Option<ByteSize> {
        self.held_tables().get(&table).map(|table| ByteSize(table.codes.bytes()))
    }

    fn retain(&self, is_kept: &dyn Fn(G::Material) -> bool) {
        self.held_tables().retain(|&material, _| is_kept(material));
    }

    fn make(
        &self,
        job: &Job<'_, G::Material>,
        available: &dyn Fn(ByteSize),
    ) -> Result<TableReport<G::Material>, BatchError> {
        let (step, start) = (job.step, Instant::now());
        let codes = self.solve(step)?;
        let solving = start.elapsed();
        let table = Arc::new(Table::new(self.files.game(), step.name, codes));
        if job.is_needed {
            self.held_tables().insert(step.name, Arc::clone(&table));
        }
        // The blocks of the file are compressed in memory.
        available(ByteSize(table.codes.bytes()) + step.need.file);
        let bytes = self.write(step, &table.codes)?;
        Ok(TableReport {
            name: step.name,
            slots: step.slots,
            storage: step.storage,
            longest: self.longest(&table).into_iter().collect(),
            bytes,
            solving,
            times: SolveTimes { layers: solving, ..SolveTimes::default() },
            writing: start.elapsed() - solving,
        })
    }
}
