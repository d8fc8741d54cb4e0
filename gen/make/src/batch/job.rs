//! Makes one table of a chess-like variant: its steps, from the subtables to the file.
//!
//! ```text
//! load the subtables, unless they are read from their files
//! solve, or take the layers that an earlier run saved, or the solved file
//! others need the codes and they are in memory: they are available from here on
//! solved tables:  write the file
//! packed tables:  a table with more men needs the codes, or any table if they are not in memory:
//!                     write the solved file into the scratch folder
//!                 count, if asked for; pack
//! ```
//!
//! The WDL file of a material is made with the table that decides under its counting rule, from the
//! codes in memory or the layers. It comes before packing, because a packed table is not solved
//! again for it.
//!
//! A packed table is made from the memory of the solver, or from its log of layers if the codes do
//! not fit into memory. The log is then saved in the scratch folder: solving takes at least as long
//! as packing, so a killed process should not have to repeat it. A table reads a table with the
//! same number of men only after a promotion. Such tables are close in the plan, so the codes stay
//! in memory and have no file; a killed process loses them and solves the table again.

use crate::batch::need::{Storage, with_surplus};
use crate::batch::plan::Batch;
use crate::batch::presence::Presence;
use crate::batch::report::{BatchError, BatchObserver, TablePhase, TableReport};
use crate::batch::settings::PackedOutput;
use crate::batch::step::PlanStep;
use crate::batch::workshop::{Job, Workshop};
use crate::census::Census;
use crate::census::file::write_censuses;
use crate::output::packed::pack;
use crate::output::solved::{WriteOptions, WrittenFile, write};
use crate::output::wdl::{WdlSources, make};
use crate::store::TableStore;
use crate::system::ByteSize;
use crate::system::clock;
use crate::system::directory;
use crate::system::scratch_file::DiskFolder;
use sakmak_probe::file::bytes::Access;
use sakmak_solve::solver::scratch::ScratchFolder;
use sakmak_solve::solver::{BufferLimit, ReservedMemory, SolveTimes, SolvedTable, Solver, Spill};
use sakmak_tables::distance::Value;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// State shared by the jobs of a batch.
pub(super) struct ChessWorkshop<'a> {
    pub batch: &'a Batch<'a>,
    pub store: TableStore<'a>,
    /// Folder of the scratch files of packed tables.
    pub scratch: PathBuf,
    pub observer: &'a dyn BatchObserver,
    /// `None` in a batch of solved files.
    pub presence: Option<Presence>,
    pub limit: BufferLimit,
}

/// A solved table.
struct SolvedCodes {
    codes: Arc<dyn TableCodes>,
    /// The table, if all codes are in memory.
    table: Option<Arc<Table>>,
    times: SolveTimes,
}

impl ChessWorkshop<'_> {
    /// Makes the missing files of a table, as [`Workshop::make`] describes.
    pub fn make_files(
        &self,
        job: &Job<'_, TableName>,
        available: &dyn Fn(ByteSize),
    ) -> Result<TableReport, BatchError> {
        let (step, table) = (job.step, job.step.name);
        if step.are_subtables_loaded() {
            let of_subtable = |source| BatchError::subtable(table, source);
            self.store.subtables(table).map_err(of_subtable)?;
        }
        let start = Instant::now();
        let solved = self.solved(job)?;
        let solving = start.elapsed();
        let codes = &*solved.codes;
        let in_memory = solved.table.is_some();
        if let Some(solved) = solved.table {
            let wdl = job.wdl.map_or(0, |(_, need)| need.memory.0);
            let arrays = with_surplus(bytes_of(&solved).0 + wdl);
            if job.is_needed {
                self.store.memory.insert(table, solved);
            }
            available(arrays);
        }
        let (file, wdl) = match self.batch.settings.packed {
            None => {
                let write = || self.write(step, codes, self.batch.directory);
                let file = (!job.has_file).then(write).transpose()?;
                (file, self.wdl(job, &solved.codes)?)
            }
            Some(output) => {
                let needs_file = if in_memory { job.is_needed_later } else { job.is_needed };
                if needs_file && self.store.path(table).is_none() {
                    self.write_scratch(step, codes)?;
                    if !in_memory {
                        available(job.arrays);
                    }
                }
                // The WDL file comes first, because a packed table is not made again.
                let wdl = self.wdl(job, &solved.codes)?;
                let pack = || self.packed_file(step, codes, output);
                ((!job.has_file).then(pack).transpose()?, wdl)
            }
        };
        let longest = |side: Side| {
            let coding = codes.coding(side).or_else(|| codes.coding(!side))?;
            let wins = Some(coding.wins).filter(|wins| wins.0 > 0)?;
            Some((side.name(), table.metric.in_moves(Value::Win(wins)).moves()?))
        };
        Ok(TableReport {
            name: table,
            slots: step.slots,
            storage: step.storage,
            longest: Side::BOTH.into_iter().filter_map(longest).collect(),
            bytes: file.iter().chain(&wdl).map(|file| file.length).sum(),
            solving,
            times: solved.times,
            writing: start.elapsed() - solving,
        })
    }

    /// Returns the solved table: from memory or from a file if available, otherwise solved now.
    fn solved(&self, job: &Job<'_, TableName>) -> Result<SolvedCodes, BatchError> {
        let (step, table) = (job.step, job.step.name);
        if job.is_available {
            let of_file = |source| BatchError::subtable(table, source);
            let times = SolveTimes::default();
            return Ok(match step.storage {
                Storage::Memory => {
                    let table = self.store.table(table).map_err(of_file)?;
                    SolvedCodes { codes: Arc::clone(&table) as _, table: Some(table), times }
                }
                Storage::Disk => {
                    let codes = self.store.codes_by(table, Access::Read).map_err(of_file)?;
                    SolvedCodes { codes, table: self.store.memory.get(table), times }
                }
            });
        }
        let solved = match self.batch.settings.packed {
            None => self.solve(job, None)?,
            Some(_) => match self.saved(step) {
                Some(solved) => solved,
                None if step.storage == Storage::Memory => self.solve(job, None)?,
                None => self.in_scratch(|| self.solve(job, Some(&self.scratch)))?,
            },
        };
        let times = solved.times();
        Ok(match solved.into_table().map(Arc::new) {
            Ok(table) => SolvedCodes { codes: Arc::clone(&table) as _, table: Some(table), times },
            Err(solved) => SolvedCodes { codes: Arc::from(solved as Box<_>), table: None, times },
        })
    }

    /// Solves a table. Saves its layers in the folder, if given, unless the codes are in memory.
    fn solve(
        &self,
        job: &Job<'_, TableName>,
        saved: Option<&Path>,
    ) -> Result<SolvedTable, BatchError> {
        let (step, table, batch) = (job.step, job.step.name, self.batch);
        let subtables: HashMap<TableName, Arc<dyn TableCodes>> =
            step.subtables.iter().copied().zip(self.subtables(step)?).collect();
        self.begins(step, TablePhase::Solving);
        let folder = DiskFolder(batch.directory);
        let saved = saved.map(DiskFolder);
        let saved = saved.as_ref().map(|folder| folder as &dyn ScratchFolder);
        // A table larger than planned is partly on disk.
        let spill = step.spill(job.arrays, batch.settings.spill, &folder);
        let spill = Some(Spill { saved, ..spill });
        let solver = Solver { spill, clock: clock::elapsed, ..Solver::default() };
        let subtable = |name| subtables.get(&name).cloned();
        let layer = |attacker, moves| self.observer.layer(step, Some(attacker), moves);
        solver.solve_with_progress(table, batch.rules, &subtable, &layer).map_err(|source| {
            let path = batch.directory.to_path_buf();
            BatchError::Solve { table: table.to_string(), path, source: source.into() }
        })
    }

    /// Returns the codes of the subtables, from memory or from their files.
    fn subtables(&self, step: &PlanStep) -> Result<Vec<Arc<dyn TableCodes>>, BatchError> {
        // Pages of a mapped file would count as memory of the program.
        let codes = |&name: &TableName| self.store.codes_by(name, Access::Read);
        let codes: Result<Vec<_>, _> = step.subtables.iter().map(codes).collect();
        codes.map_err(|source| BatchError::subtable(step.name, source))
    }

    /// Returns the table that an earlier run solved and saved; removes unusable layers.
    fn saved(&self, step: &PlanStep) -> Option<SolvedTable> {
        let (rules, in_memory) = (self.batch.rules, step.storage == Storage::Memory);
        let folder = DiskFolder(&self.scratch);
        match SolvedTable::saved(&folder, step.name, rules, in_memory, clock::elapsed) {
            Ok(solved) => {
                solved.inspect(|_| self.observer.note(step.name, "solved by an earlier run"))
            }
            Err(reason) => {
                let note = format!("the layers saved by an earlier run are removed: {reason}");
                self.observer.note(step.name, &note);
                self.remove_saved(step.name);
                None
            }
        }
    }

    /// Writes the solved file of a table into a directory.
    fn write(
        &self,
        step: &PlanStep,
        codes: &dyn TableCodes,
        directory: &Path,
    ) -> Result<WrittenFile, BatchError> {
        self.begins(step, TablePhase::Writing);
        let options = WriteOptions { metric: step.name.metric, ..self.batch.settings.options };
        let codes = ObservedCodes { codes, step, observer: self.observer };
        Ok(write(&codes, self.batch.rules, directory, &options)?)
    }

    /// Writes the solved file of a table into the scratch folder.
    pub fn write_scratch(&self, step: &PlanStep, codes: &dyn TableCodes) -> Result<(), BatchError> {
        self.in_scratch(|| self.write(step, codes, &self.scratch).map(|_| ()))
    }

    /// Counts a table and writes its census file.
    fn write_census(&self, step: &PlanStep, codes: &dyn TableCodes) -> Result<(), BatchError> {
        let (name, rules) = (step.name, self.batch.rules);
        self.begins(step, TablePhase::Counting);
        let wrong = |problem: String| BatchError::Census { table: name.to_string(), problem };
        let censuses = Census::of(codes, rules, &|slots| self.observer.written(step, slots));
        let censuses = censuses.map_err(|error| wrong(error.to_string()))?;
        write_censuses(self.batch.directory, name, rules, &censuses)
            .map_err(|error| wrong(format!("cannot write its census file: {error}")))
    }

    /// Makes the WDL file of a job, if any. The other tables are in memory or have files.
    fn wdl(
        &self,
        job: &Job<'_, TableName>,
        codes: &Arc<dyn TableCodes>,
    ) -> Result<Option<WrittenFile>, BatchError> {
        let Some((name, need)) = job.wdl else { return Ok(None) };
        let (step, table) = (job.step, job.step.name);
        let sources = WdlSources::from_codes(name, &|source| match source == table {
            true => Ok(Arc::clone(codes)),
            false => self.store.codes_by(source, Access::Read),
        });
        let sources = sources.map_err(|source| BatchError::subtable(table, source))?;
        let _reserved = ReservedMemory::new(need.memory.0);
        self.begins(step, TablePhase::EncodingWdl);
        let progress = |slots| self.observer.written(step, slots);
        let made = make(&sources, self.batch.directory, need.sections, &progress);
        made.map(Some).map_err(|source| BatchError::Wdl { name, source: Box::new(source) })
    }

    /// Counts a table if asked for, and packs it. The subtables are in memory or have files.
    fn packed_file(
        &self,
        step: &PlanStep,
        codes: &dyn TableCodes,
        output: PackedOutput,
    ) -> Result<WrittenFile, BatchError> {
        let PackedOutput { options, variant, census } = output;
        // The census comes first, because a packed table is not made again.
        if census {
            self.write_census(step, codes)?;
        }
        let subtables = self.subtables(step)?;
        let subtables: Vec<&dyn TableCodes> = subtables.iter().map(Arc::as_ref).collect();
        self.observer.begins(step, TablePhase::Packing, codes.index().slots());
        let progress = |slots| self.observer.written(step, slots);
        let (metric, directory) = (step.name.metric, self.batch.directory);
        Ok(pack(codes, metric, variant, &subtables, directory, options, &progress)?.file)
    }

    /// Reports the start of a phase that handles all slots of a table.
    fn begins(&self, step: &PlanStep, phase: TablePhase) {
        self.observer.begins(step, phase, step.slots);
    }

    /// Runs work that writes to the scratch folder; repeats it once if the folder was removed
    /// meanwhile.
    pub fn in_scratch<T>(&self, work: impl Fn() -> Result<T, BatchError>) -> Result<T, BatchError> {
        let of_folder = |source| BatchError::directory(&self.scratch, source);
        for _ in 0..2 {
            directory::make(&self.scratch).map_err(of_folder)?;
            let done = work();
            if done.is_ok() || directory::is_there(&self.scratch).map_err(of_folder)? {
                return done;
            }
        }
        Err(of_folder(io::ErrorKind::NotFound.into()))
    }
}

/// Returns the memory of a table in bytes.
pub fn bytes_of(table: &Table) -> ByteSize {
    let sides = Side::BOTH.into_iter().filter_map(|side| table.values(side));
    ByteSize(sides.map(|values| values.codes().len() as u64).sum())
}

/// Codes that report their slots when they are read.
struct ObservedCodes<'a> {
    codes: &'a dyn TableCodes,
    step: &'a PlanStep,
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
        self.observer.written(self.step, slots.end - slots.start);
        self.codes.window(side, slots)
    }
}
