//! Batches of a chess-like variant.

use crate::batch::claim::{Claim, sweep};
use crate::batch::job::{ChessWorkshop, bytes_of};
use crate::batch::plan::{Batch, PlanError};
use crate::batch::planner::has_file;
use crate::batch::presence::{Presence, scratch_folder};
use crate::batch::report::{BatchError, BatchObserver, TableReport};
use crate::batch::schedule;
use crate::batch::step::PlanStep;
use crate::batch::workshop::{Job, StepFiles, Workshop};
use crate::store::{TableStore, verify_checksums};
use crate::system::ByteSize;
use crate::system::atomic_file::prepare_directory;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_probe::file::solved::SolvedFile;
use sakmak_solve::solver::{BufferLimit, buffers_in_use, saved_layers};
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use std::io;
use std::path::Path;

impl Batch<'_> {
    /// Makes tables and their dependencies, in order. Must be called outside the thread pool, which
    /// does the work.
    ///
    /// # Errors
    ///
    /// Fails before anything is written if the tables exceed the memory or disk limit. A later
    /// error ends the batch once the running jobs have ended.
    pub fn run(
        &self,
        names: impl IntoIterator<Item = TableName>,
        observer: &dyn BatchObserver,
    ) -> Result<(), BatchError> {
        let scratch = scratch_folder(self.directory);
        let mut store = TableStore::new(self.rules, self.directory);
        if self.settings.packed.is_some() {
            // Temporary files of killed processes take space on the disk.
            sweep_tables(&scratch, self.rules)
                .map_err(|source| BatchError::directory(&scratch, source))?;
            store = store.with_scratch(&scratch);
        }
        let plan = self.plan(names)?;
        plan.fits(self.disk())?;
        self.prepare_directory()?;
        observer.planned(&plan);
        let presence = self.settings.packed.map(|_| {
            let tables = plan.steps.iter().map(|step| step.name.to_string());
            let wdl = self.settings.wdl.map(|rule| rule.name.to_string());
            let tables: Vec<String> = tables.chain(wdl).collect();
            let presence = Presence::new(&scratch, &tables.join(" "));
            presence.map_err(|source| BatchError::directory(&scratch, source))
        });
        let (presence, limit) = (presence.transpose()?, BufferLimit::none());
        let mut workshop = ChessWorkshop { batch: self, store, scratch, observer, presence, limit };
        schedule::run(&plan, &workshop)?;
        if let Some(presence) = workshop.presence.take() {
            let steps = plan.steps.iter().map(|step| step.name);
            presence.end(steps, |table| workshop.remove_scratch(table));
        }
        if self.settings.packed.is_some() {
            let scratch = &workshop.scratch;
            sweep_tables(scratch, self.rules)
                .map_err(|source| BatchError::directory(scratch, source))?;
        }
        // A process that was killed in the meantime has left its claims.
        sweep_tables(self.directory, self.rules)
            .map_err(|source| BatchError::directory(self.directory, source))
    }

    /// Creates the directory, checks before hours of work that it is writable, and removes the
    /// leftovers of killed processes.
    fn prepare_directory(&self) -> Result<(), BatchError> {
        prepare_directory(self.directory)
            .and_then(|()| sweep_tables(self.directory, self.rules))
            .map_err(|source| BatchError::directory(self.directory, source))
    }
}

/// Returns the names of the files of a table that a claim covers.
fn file_names(table: TableName) -> [String; 3] {
    [table.file_name(), table.packed_file_name(), saved_layers::file_name(table)]
}

/// Removes the locks and temporary files that killed processes left in a directory.
fn sweep_tables(directory: &Path, rules: &Rules) -> io::Result<()> {
    sweep(directory, |name| {
        let table = TableName::of_file_name(name, rules)
            .or_else(|| TableName::of_packed_file_name(name, rules))
            .or_else(|| saved_layers::table_of_file_name(name, rules))?;
        Some(file_names(table).to_vec())
    })
}

impl Workshop for ChessWorkshop<'_> {
    type Name = TableName;

    fn observer(&self) -> &dyn BatchObserver {
        self.observer
    }

    fn directory(&self) -> &Path {
        self.batch.directory
    }

    fn claim(&self, table: TableName) -> io::Result<Option<Claim>> {
        Claim::try_new(self.batch.directory, &file_names(table))
    }

    fn files(&self, step: &PlanStep) -> Result<StepFiles, BatchError> {
        let exists = |path: &Path| has_file(path).map_err(PlanError::from);
        let table = exists(&self.batch.path(step.name))?;
        Ok(StepFiles {
            table,
            wdl: match step.wdl {
                Some((wdl, _)) => exists(&self.batch.directory.join(wdl.to_string()))?,
                None => true,
            },
            solved: match self.batch.settings.packed {
                Some(_) => self.store.path(step.name).is_some(),
                None => table,
            },
        })
    }

    fn held(&self, table: TableName) -> Option<ByteSize> {
        self.store.memory.get(table).map(|table| bytes_of(&table))
    }

    fn retain(&self, is_kept: &dyn Fn(TableName) -> bool) {
        self.store.memory.retain(is_kept);
    }

    fn make(
        &self,
        job: &Job<'_, TableName>,
        available: &dyn Fn(ByteSize),
    ) -> Result<TableReport, BatchError> {
        self.make_files(job, available)
    }

    fn limit_arrays(&self, memory: ByteSize) {
        self.limit.set(memory.0.max(buffers_in_use()));
    }

    fn solves_again(&self) -> bool {
        self.batch.settings.packed.is_some()
    }

    fn save(&self, step: &PlanStep) -> Result<bool, BatchError> {
        let table = self.store.memory.get(step.name).filter(|_| self.solves_again());
        let Some(table) = table.filter(|_| self.store.path(step.name).is_none()) else {
            return Ok(false);
        };
        self.write_scratch(step, &*table).map(|()| true)
    }

    fn discard_damaged(&self, table: TableName, whole: bool) -> Result<bool, BatchError> {
        let path = self.scratch.join(table.file_name());
        // A file in the directory of the tables takes precedence, and is never removed.
        if self.store.path(table).is_none_or(|read| read != path) {
            return Ok(false);
        }
        let file = SolvedFile::open(&path, Access::Read, table, self.batch.rules);
        let checked = file.and_then(|file| if whole { verify_checksums(&file) } else { Ok(()) });
        let Err(error @ FileError { problem: FileProblem::Format(_), .. }) = checked else {
            return Ok(false);
        };
        match std::fs::remove_file(&path) {
            // Another process has removed the file.
            Err(source) if source.kind() == io::ErrorKind::NotFound => {}
            removed => removed.map_err(|source| BatchError::directory(&self.scratch, source))?,
        }
        let note =
            format!("the solved file left by an earlier run is removed and made again: {error}");
        self.observer.note(table, &note);
        Ok(true)
    }

    fn may_remove_scratch(&self) -> bool {
        self.presence.as_ref().is_some_and(Presence::is_of_all)
    }

    fn remove_saved(&self, table: TableName) {
        // A file that is missing or cannot be removed does no harm.
        let _ = std::fs::remove_file(self.scratch.join(saved_layers::file_name(table)));
    }

    fn remove_scratch(&self, table: TableName) {
        self.remove_saved(table);
        let _ = std::fs::remove_file(self.scratch.join(table.file_name()));
    }
}
