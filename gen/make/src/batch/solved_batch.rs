//! Makes the tables of a plan, in order; skips those that have a file.
//!
//! Several processes may work in one directory:
//!
//! ```text
//! while a table of the plan has no file:
//!     take the first table whose smaller tables have files and that no process has claimed
//!     none:                      wait
//!     its file is there by now:  go on
//!     else:                      load the smaller tables, solve, write the file
//! ```

use crate::batch::claim::{Claim, sweep};
use crate::batch::need::Storage;
use crate::batch::plan::{BuildSettings, Plan, PlanError, PlanStep};
use crate::output::packed::error::PackError;
use crate::output::solved::{WriteError, WriteOptions, WrittenFile, write};
use crate::store::{TableStore, TableStoreError};
use crate::system::ByteSize;
use crate::system::clock;
use crate::system::directory;
use crate::system::machine::free_disk;
use crate::system::scratch_file::DiskFolder;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_solve::solver::saved_layers::SavedLayersError;
use sakmak_solve::solver::scratch::ScratchFolder;
use sakmak_solve::solver::{
    Effort, SolveError, SolvedTable, Solver, Spill, buffers_in_use, limit_buffers,
};
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time between two looks at whether another process has finished a table.
pub const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Tables to be made in one directory.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The rules that shape them.
    pub rules: &'a Rules,
    /// The directory for their files; created if missing.
    pub directory: &'a Path,
    /// How they are made.
    pub settings: BuildSettings,
}

/// Receives the progress of a batch, which is ignored by default. All calls come from one thread,
/// except those of `layer` and `written`.
pub trait BatchObserver: Sync {
    /// The plan fits and work begins.
    fn planned(&self, _plan: &Plan) {}
    /// Another process has made this table.
    fn made_elsewhere(&self, _step: &PlanStep) {}
    /// The batch waits for another process to make this table.
    fn waiting(&self, _table: TableName) {}
    /// Solving of this table begins.
    fn solving(&self, _step: &PlanStep) {}
    /// An earlier run has solved this table and saved its layers: they are packed.
    fn resumed(&self, _step: &PlanStep) {}
    /// The layers that an earlier run saved cannot be used: they are removed, and the table is solved.
    fn discarded(&self, _step: &PlanStep, _reason: &SavedLayersError) {}
    /// The solved file of this table that an earlier run left in the scratch folder is damaged: it is
    /// removed, and the table is solved again.
    fn discarded_file(&self, _table: TableName, _reason: &FileError) {}
    /// The attacker's mates of this length have been found.
    fn layer(&self, _attacker: Side, _moves: Moves) {}
    /// Writing of this table begins.
    fn writing(&self, _step: &PlanStep) {}
    /// Counting of this table begins.
    fn counting(&self, _step: &PlanStep) {}
    /// Packing of this table begins; about so many slots will be written.
    fn packing(&self, _step: &PlanStep, _slots: u64) {}
    /// The next `slots` slots have been written or counted.
    fn written(&self, _slots: u64) {}
    /// A table is finished.
    fn finished(&self, report: &TableReport);
}

/// How a table was made.
#[derive(Clone, Debug)]
pub struct TableReport {
    /// The table.
    pub name: TableName,
    /// Its slots, those of each side to move counted.
    pub slots: u64,
    /// Where it was planned to be worked on.
    pub storage: Storage,
    /// The longest win of White and of Black with that side to move.
    pub longest: [Option<Moves>; 2],
    /// The file; `None` if the table was solved once more for tables that lead to it.
    pub file: Option<WrittenFile>,
    /// The time to solve it.
    pub solving: Duration,
    /// The parts of that time.
    pub effort: Effort,
    /// The time to compress and write it.
    pub writing: Duration,
}

/// Why a batch ended early. The files of finished tables stay.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The plan cannot be carried out.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The directory cannot be used.
    #[error("cannot write tables to {path}: {source}", path = path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A table cannot be claimed: the directory can no longer be written to.
    #[error("cannot make {table}: cannot write to {path}: {source}", path = path.display())]
    Claim {
        /// The table to be made.
        table: TableName,
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A smaller table cannot be loaded.
    #[error("cannot make {table}: {source}")]
    Smaller {
        /// The table to be made.
        table: TableName,
        /// Why.
        source: TableStoreError,
    },
    /// A table could not be solved.
    #[error("cannot make {table} in {path}: {source}", path = path.display())]
    Solve {
        /// The table to be made.
        table: TableName,
        /// The directory, which also takes what does not fit into memory.
        path: PathBuf,
        /// Why.
        source: SolveError,
    },
    /// A table could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A table could not be counted.
    #[error("cannot count {table}: {problem}")]
    Census {
        /// The table.
        table: TableName,
        /// Why.
        problem: String,
    },
    /// A table could not be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
}

impl Batch<'_> {
    /// The plan for these tables and all they lead to. A plan that does not fit the machine is no
    /// error yet; see [`Plan::fits`].
    ///
    /// # Errors
    ///
    /// If the file of one of these tables is broken.
    pub fn plan(&self, names: impl IntoIterator<Item = TableName>) -> Result<Plan, PlanError> {
        Plan::new(names, self.rules, self.directory, &self.settings)
    }

    /// The disk that may be used. `None` if no limit is known.
    pub fn disk(&self) -> Option<ByteSize> {
        self.settings.disk.or_else(|| free_disk(self.directory))
    }

    /// Makes these tables and all they lead to, each after those it leads to.
    ///
    /// # Errors
    ///
    /// If the tables do not fit into memory or on the disk, before anything is written. After
    /// that, the first error ends the batch.
    pub fn run(
        &self,
        names: impl IntoIterator<Item = TableName>,
        observer: &dyn BatchObserver,
    ) -> Result<(), BatchError> {
        let plan = self.plan(names)?;
        plan.fits(self.disk())?;
        self.prepare_directory()?;
        observer.planned(&plan);
        let store = TableStore::new(self.rules, self.directory);
        let mut open: Vec<&PlanStep> = plan.open().collect();
        while !open.is_empty() {
            match self.next(&open, &store)? {
                Action::Make(place, claim) => {
                    self.load_smaller(&open[place..], &store)?;
                    let table = self.make(open[place], &store, observer)?;
                    drop(claim);
                    if let Some(table) = table {
                        store.memory.insert(open[place].name, Arc::new(table));
                    }
                    open.remove(place);
                }
                Action::MadeElsewhere(place) => {
                    observer.made_elsewhere(open[place]);
                    open.remove(place);
                }
                Action::Wait(table) => {
                    observer.waiting(table);
                    std::thread::sleep(LOOK_AGAIN);
                }
            }
        }
        // A process that was killed in the meantime has left its claims.
        sweep(self.directory).map_err(|source| self.unusable(source))
    }

    /// The next action, given the tables that are not made yet.
    fn next(&self, open: &[&PlanStep], store: &TableStore<'_>) -> Result<Action, BatchError> {
        let missing: BTreeSet<TableName> = open.iter().map(|step| step.name).collect();
        let mut wait = None;
        for (place, step) in open.iter().enumerate() {
            let table = step.name;
            if step.smaller.iter().any(|smaller| missing.contains(smaller)) {
                continue;
            }
            let claim = Claim::try_new(self.directory, table).map_err(|source| {
                BatchError::Claim { table, path: self.directory.to_path_buf(), source }
            })?;
            let Some(claim) = claim else {
                wait.get_or_insert(table);
                continue;
            };
            return Ok(match store.file(table).map_err(PlanError::File)? {
                Some(_) => Action::MadeElsewhere(place),
                None => Action::Make(place, claim),
            });
        }
        // The first of them has no smaller table to wait for.
        Ok(Action::Wait(wait.unwrap_or(open[0].name)))
    }

    /// Loads the tables that the first of these leads to, unless they are read from their files.
    /// Drops those that none of these leads to, and those for which there is no memory now.
    fn load_smaller(&self, open: &[&PlanStep], store: &TableStore<'_>) -> Result<(), BatchError> {
        let kept = self.kept(open, store);
        store.memory.retain(|table| kept.contains(&table));
        open.first().map_or(Ok(()), |step| self.load(step, store))
    }

    /// The tables to keep in memory while the first of these is made: those it leads to, unless
    /// they are read from their files, and of the tables in memory those to which others of these
    /// lead and for which there is room.
    pub fn kept(&self, open: &[&PlanStep], store: &TableStore<'_>) -> BTreeSet<TableName> {
        let Some((step, later)) = open.split_first() else { return BTreeSet::new() };
        let mut kept: BTreeSet<TableName> = match step.are_smaller_loaded() {
            true => step.smaller.iter().copied().collect(),
            false => BTreeSet::new(),
        };
        let mut room = left(self.settings.memory, step.need.memory());
        for &smaller in step.smaller.iter().chain(later.iter().flat_map(|step| &step.smaller)) {
            let Some(table) = store.memory.get(smaller).filter(|_| !kept.contains(&smaller)) else {
                continue;
            };
            let bytes = bytes_of(&table);
            if bytes <= room {
                room = left(room, bytes);
                kept.insert(smaller);
            }
        }
        kept
    }

    /// Loads the tables that one leads to, unless they are read from their files.
    pub fn load(&self, step: &PlanStep, store: &TableStore<'_>) -> Result<(), BatchError> {
        let (table, need) = (step.name, step.need);
        // The tables loaded now cannot use the memory that the pool of arrays keeps.
        let arrays = left(self.settings.memory, need.smaller + need.other);
        limit_buffers(arrays.0.max(buffers_in_use()));
        match step.are_smaller_loaded() {
            true => {
                store.load_successors(table).map_err(|source| BatchError::Smaller { table, source })
            }
            false => Ok(()),
        }
    }

    /// Makes a table. Returns it if its codes are in memory.
    fn make(
        &self,
        step: &PlanStep,
        store: &TableStore<'_>,
        observer: &dyn BatchObserver,
    ) -> Result<Option<Table>, BatchError> {
        let start = Instant::now();
        let solved = self.solve(step, store, None, observer)?;
        let solving = start.elapsed();
        observer.writing(step);
        let watched = ObservedCodes { codes: &solved, observer };
        let options = WriteOptions { metric: step.name.metric, ..self.settings.options };
        let file = write(&watched, self.rules, self.directory, &options)?;
        let writing = start.elapsed() - solving;
        let longest = longest(&solved);
        let (name, slots) = (step.name, step.slots);
        let effort = solved.effort();
        observer.finished(&TableReport {
            name,
            slots,
            storage: step.storage,
            longest,
            file: Some(file),
            solving,
            effort,
            writing,
        });
        Ok(solved.into_table().ok())
    }

    /// Solves a table in the memory that is left. Its layers are saved in a folder if there is one and
    /// the codes are not in memory.
    pub fn solve(
        &self,
        step: &PlanStep,
        store: &TableStore<'_>,
        saved: Option<&Path>,
        observer: &dyn BatchObserver,
    ) -> Result<SolvedTable, BatchError> {
        let arrays = buffers_in_use();
        let held: ByteSize = store.memory.tables().iter().map(|(_, table)| bytes_of(table)).sum();
        let loaded = left(held, ByteSize(arrays));
        let room = left(self.settings.memory, step.need.other + loaded);
        limit_buffers(room.0.max(arrays));
        let table = step.name;
        // Pages of a mapped file would count as memory of the program.
        let codes = |&name: &TableName| Ok((name, store.codes_by(name, Access::Read)?));
        let smaller: HashMap<TableName, Arc<dyn TableCodes>> = (step.smaller.iter().map(codes))
            .collect::<Result<_, _>>()
            .map_err(|source| BatchError::Smaller { table, source })?;
        observer.solving(step);
        // What a larger table than planned does not find in memory goes to disk.
        let arrays = left(room, ByteSize(arrays));
        let folder = DiskFolder(self.directory);
        let saved = saved.map(DiskFolder);
        let saved = saved.as_ref().map(|folder| folder as &dyn ScratchFolder);
        let spill = step.spill(arrays, self.settings.spill, &folder);
        let spill = Some(Spill { saved, ..spill });
        let solver = Solver { spill, clock: clock::elapsed, ..Solver::default() };
        let smaller = |name| smaller.get(&name).cloned();
        let layer = |attacker, moves| observer.layer(attacker, moves);
        solver.solve_watched(table, self.rules, &smaller, &layer).map_err(|source| {
            BatchError::Solve { table, path: self.directory.to_path_buf(), source }
        })
    }

    /// Creates the directory, checks that it can be written to before hours of work, and removes
    /// what killed processes have left there.
    pub fn prepare_directory(&self) -> Result<(), BatchError> {
        directory::make(self.directory)
            .and_then(|()| tempfile::tempfile_in(self.directory))
            .and_then(|_| sweep(self.directory))
            .map_err(|source| self.unusable(source))
    }

    /// The error of a directory that cannot be used.
    pub fn unusable(&self, source: io::Error) -> BatchError {
        BatchError::Directory { path: self.directory.to_path_buf(), source }
    }
}

/// What a batch does next.
enum Action {
    /// Make the table at this place, which is claimed.
    Make(usize, Claim),
    /// Drop the table at this place: another process has made it.
    MadeElsewhere(usize),
    /// Wait for another process to make this table.
    Wait(TableName),
}

/// Codes that report their slots when they are read.
struct ObservedCodes<'a> {
    codes: &'a SolvedTable,
    observer: &'a dyn BatchObserver,
}

impl TableCodes for ObservedCodes<'_> {
    fn index(&self) -> &Index {
        self.codes.index()
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        self.codes.coding(side)
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        self.observer.written(slots.end - slots.start);
        self.codes.window(side, slots)
    }
}

/// What is left of an amount after another is taken away; zero if that is larger.
fn left(amount: ByteSize, taken: ByteSize) -> ByteSize {
    ByteSize(amount.0.saturating_sub(taken.0))
}

/// The memory that a table takes.
fn bytes_of(table: &Table) -> ByteSize {
    let sides = Side::BOTH.into_iter().filter_map(|side| table.values(side));
    ByteSize(sides.map(|values| values.codes().len() as u64).sum())
}

/// The longest win of White and of Black with that side to move.
pub fn longest(solved: &dyn TableCodes) -> [Option<Moves>; 2] {
    Side::BOTH.map(|side| {
        let coding = solved.coding(side).or_else(|| solved.coding(!side))?;
        Some(coding.wins).filter(|&wins| wins > Moves(0))
    })
}
