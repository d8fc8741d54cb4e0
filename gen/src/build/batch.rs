//! Making many tables: in order, each once, the finished ones skipped.
//!
//! Several processes may work on one directory. Each goes through the plan and takes the
//! first table that nobody has claimed and whose smaller tables are there; when there is
//! none it waits.

use crate::build::claim::{Claim, sweep};
use crate::build::plan::{BuildSettings, LayerStorage, Plan, PlanError, PlanStep};
use crate::output::solved::{WriteError, WriteOptions, WrittenFile, write};
use crate::slots::codes::TableCodes;
use crate::solver::{Effort, SolveError, SolvedTable, Solver, buffers_in_use, limit_buffers};
use crate::store::{TableStore, TableStoreError};
use crate::system::ByteSize;
use crate::system::machine::free_disk;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::table::Table;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long to wait before looking again whether another process is done with a table.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Tables to be made in one directory.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The rules that shape them.
    pub rules: &'a Rules,
    /// Where they go; made if it is not there.
    pub directory: &'a Path,
    /// How they are made.
    pub settings: BuildSettings,
}

/// What a batch says while it works. All calls come from one thread, except for `layer` and
/// `written`.
pub trait BatchObserver: Sync {
    /// The plan fits; work begins.
    fn planned(&self, plan: &Plan);
    /// Another process has made a table meanwhile.
    fn made_elsewhere(&self, step: &PlanStep);
    /// Nothing can be done until another process has made this table.
    fn waiting(&self, table: TableName);
    /// A table is being solved, its layers kept here.
    fn solving(&self, step: &PlanStep, layers: LayerStorage);
    /// The mates of so many moves have been found.
    fn layer(&self, attacker: Side, moves: Moves);
    /// The table is being written.
    fn writing(&self, step: &PlanStep);
    /// So many slots of it more are being written.
    fn written(&self, slots: u64);
    /// The table is done.
    fn finished(&self, report: &TableReport);
}

/// A table that was made.
#[derive(Clone, Debug)]
pub struct TableReport {
    /// The table.
    pub name: TableName,
    /// Slots, those of each side to move counted.
    pub slots: u64,
    /// Where its layers were kept.
    pub layers: LayerStorage,
    /// The longest win of White and of Black with that side to move.
    pub longest: [Option<Moves>; 2],
    /// The file.
    pub file: WrittenFile,
    /// How long solving took.
    pub solving: Duration,
    /// Where the time of solving went.
    pub effort: Effort,
    /// How long compressing and writing took.
    pub writing: Duration,
}

/// A batch that came to an end before all was done; finished tables stay.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// What is planned cannot be done.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The directory cannot be used.
    #[error("cannot write tables to {path}: {source}", path = path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A table cannot be claimed: the directory cannot be used any more.
    #[error("cannot make {table}: cannot write to {path}: {source}", path = path.display())]
    Claim {
        /// The table to be made.
        table: TableName,
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A smaller table cannot be had.
    #[error("cannot make {table}: {source}")]
    Smaller {
        /// The table to be made.
        table: TableName,
        /// Why not.
        source: TableStoreError,
    },
    /// A table could not be solved.
    #[error("cannot make {table}: {source}")]
    Solve {
        /// The table to be made.
        table: TableName,
        /// Why not.
        source: SolveError,
    },
    /// A table could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Batch<'_> {
    /// The plan for these tables and all they lead to.
    ///
    /// # Errors
    ///
    /// When a table there already is broken; a plan that does not fit is a plan.
    pub fn plan(&self, names: impl IntoIterator<Item = TableName>) -> Result<Plan, PlanError> {
        let store = TableStore::new(self.rules, self.directory);
        Plan::new(names, self.rules, &store, &self.settings)
    }

    /// Makes these tables and all they lead to, each after those it leads to.
    ///
    /// # Errors
    ///
    /// When they do not fit into memory or on the disk, before anything is written. Then
    /// the first thing that goes wrong ends the batch.
    pub fn run(
        &self,
        names: impl IntoIterator<Item = TableName>,
        observer: &dyn BatchObserver,
    ) -> Result<(), BatchError> {
        let plan = self.plan(names)?;
        plan.fits(free_disk(self.directory))?;
        self.prepare_directory()?;
        observer.planned(&plan);
        let store = TableStore::new(self.rules, self.directory);
        let mut open: Vec<&PlanStep> = plan.open().collect();
        while !open.is_empty() {
            match self.next(&open, &store)? {
                Action::Make(place, claim) => {
                    self.bring_smaller(&open[place..], &store)?;
                    let table = self.make(open[place], &store, observer)?;
                    drop(claim);
                    if let Some(table) = table {
                        store.insert(open[place].name, Arc::new(table));
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
        // A process that was killed meanwhile left its claims.
        sweep(self.directory).map_err(|source| self.unusable(source))
    }

    /// What to do next of all that is not there yet.
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
        // The first of all has no smaller table to wait for.
        Ok(Action::Wait(wait.unwrap_or(open[0].name)))
    }

    /// Brings what the first of these tables leads to; lets go of what none of them leads
    /// to, and of what there is no room for now.
    fn bring_smaller(&self, open: &[&PlanStep], store: &TableStore<'_>) -> Result<(), BatchError> {
        let Some((step, later)) = open.split_first() else { return Ok(()) };
        let mut keep: BTreeSet<TableName> = step.smaller.iter().copied().collect();
        let mut room = left(self.settings.memory, step.need().memory());
        for &smaller in later.iter().flat_map(|step| &step.smaller) {
            let Some(table) = store.get(smaller).filter(|_| !keep.contains(&smaller)) else {
                continue;
            };
            let bytes = bytes_of(&table);
            if bytes <= room {
                room = left(room, bytes);
                keep.insert(smaller);
            }
        }
        store.retain(|table| keep.contains(&table));
        let (table, need) = (step.name, step.need());
        // What is loaded now takes no memory that arrays let go of.
        let arrays = left(self.settings.memory, need.smaller + need.other);
        limit_buffers(arrays.0.max(buffers_in_use()));
        store.load_successors(table).map_err(|source| BatchError::Smaller { table, source })
    }

    fn make(
        &self,
        step: &PlanStep,
        store: &TableStore<'_>,
        observer: &dyn BatchObserver,
    ) -> Result<Option<Table>, BatchError> {
        let start = Instant::now();
        let (solved, layers) = self.solve(step, store, observer)?;
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
            layers,
            longest,
            file,
            solving,
            effort,
            writing,
        });
        Ok(solved.into_table().ok())
    }

    /// Solves a table; on disk where it turns out that memory will not do.
    fn solve(
        &self,
        step: &PlanStep,
        store: &TableStore<'_>,
        observer: &dyn BatchObserver,
    ) -> Result<(SolvedTable, LayerStorage), BatchError> {
        let arrays = buffers_in_use();
        let held: ByteSize = store.tables().iter().map(|(_, table)| bytes_of(table)).sum();
        let loaded = left(held, ByteSize(arrays));
        limit_buffers(left(self.settings.memory, step.need().other + loaded).0.max(arrays));
        let mut layers = step.layers;
        loop {
            observer.solving(step, layers);
            let spill = (layers == LayerStorage::Disk).then_some(self.directory);
            let solver = Solver { spill, ..Solver::default() };
            let smaller = |smaller| store.get(smaller);
            let layer = |attacker, moves| observer.layer(attacker, moves);
            match solver.solve_watched(step.name, self.rules, &smaller, &layer) {
                Ok(solved) => return Ok((solved, layers)),
                Err(SolveError::Room(error))
                    if error.kind() == io::ErrorKind::OutOfMemory
                        && layers == LayerStorage::Memory =>
                {
                    layers = LayerStorage::Disk;
                }
                Err(source) => return Err(BatchError::Solve { table: step.name, source }),
            }
        }
    }

    /// Makes the directory, finds out now, not after hours, whether it can be written to,
    /// and takes away what was left half done there.
    fn prepare_directory(&self) -> Result<(), BatchError> {
        std::fs::create_dir_all(self.directory)
            .and_then(|()| tempfile::tempfile_in(self.directory))
            .and_then(|_| sweep(self.directory))
            .map_err(|source| self.unusable(source))
    }

    fn unusable(&self, source: io::Error) -> BatchError {
        BatchError::Directory { path: self.directory.to_path_buf(), source }
    }
}

/// What to do next.
enum Action {
    /// Make the table at this place, which is claimed.
    Make(usize, Claim),
    /// Nothing at this place: another process has made the table.
    MadeElsewhere(usize),
    /// Wait for another process to make this.
    Wait(TableName),
}

/// Codes that are counted as they are asked for.
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

/// The memory a table takes.
fn bytes_of(table: &Table) -> ByteSize {
    let sides = Side::BOTH.into_iter().filter_map(|side| table.values(side));
    ByteSize(sides.map(|values| values.codes().len() as u64).sum())
}

/// The longest win of each side with that side to move.
fn longest(solved: &SolvedTable) -> [Option<Moves>; 2] {
    Side::BOTH.map(|side| {
        let coding = solved.coding(side).or_else(|| solved.coding(!side))?;
        Some(coding.wins).filter(|&wins| wins > Moves(0))
    })
}
