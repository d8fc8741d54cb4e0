//! Makes the packed tables of a plan, straight from the solver: from its memory, or from its log of
//! layers if the codes do not fit into memory.
//!
//! Solved tables are needed as long as a table that leads to them is not packed. They stay in
//! memory if they fit; files of them are in a scratch folder of the directory, and are removed when
//! no table needs them any more.
//!
//! ```text
//! while a table of the plan has no packed file:
//!     take the first one whose smaller tables are in memory or have files and that no process
//!         has claimed; there is none: solve a table again that is needed; all claimed: wait
//!     load the smaller tables if there is memory; solve, or take the layers that an earlier run saved
//!     the codes are not in memory: save the layers in the scratch folder
//!     a table with more men needs it, or any table if its codes are not in memory:
//!         write its solved file into the scratch folder
//!     pack
//!     remove the saved layers, and the scratch files that no table needs any more
//! ```
//!
//! A table of as many men needs another one only if a promotion leads there. These tables stand
//! together in the plan, and the smaller one stays in memory. If there is no memory for it, it is
//! written before it is dropped. A process that is killed loses it; then it is solved again. A table
//! whose layers are saved is not: solving takes as long as packing and more, and the log of its layers
//! is on disk anyway.

use crate::batch::claim::{Claim, sweep};
use crate::batch::need::Storage;
use crate::batch::plan::{PackedOutput, PlanStep, scratch_folder};
use crate::batch::solved_batch::{
    Batch, BatchError, BatchObserver, LOOK_AGAIN, TableReport, longest,
};
use crate::census::Census;
use crate::census::file::write_censuses;
use crate::output::packed::pack;
use crate::output::solved::{WriteOptions, WrittenFile, write};
use crate::store::{TableStore, verify_checksums};
use crate::system::clock;
use crate::system::scratch_file::DiskFolder;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_probe::file::solved::SolvedFile;
use sakmak_solve::solver::saved_layers;
use sakmak_solve::solver::{Effort, SolvedTable};
use sakmak_tables::format::name::TableName;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Makes packed files of these tables and of all they lead to; see [`Batch::run`].
///
/// # Errors
///
/// As [`Batch::run`].
pub fn make_packed(
    batch: &Batch<'_>,
    output: PackedOutput,
    names: impl IntoIterator<Item = TableName>,
    observer: &dyn BatchObserver,
) -> Result<(), BatchError> {
    let scratch = scratch_folder(batch.directory);
    if scratch.is_dir() {
        // What a killed process was writing takes room on the disk.
        sweep(&scratch).map_err(|source| batch.unusable(source))?;
    }
    let plan = batch.plan(names)?;
    plan.fits(batch.disk())?;
    batch.prepare_directory()?;
    observer.planned(&plan);
    let store = TableStore::new(batch.rules, batch.directory).with_scratch(&scratch);
    let steps = &plan.steps;
    let mut packed =
        PackedBatch { batch, output, steps, scratch, store, observer, discarded: BTreeSet::new() };
    packed.discard_damaged((0..steps.len()).collect(), |file| file.map(|_| ()))?;
    packed.run()?;
    // A process that was killed in the meantime has left its claims.
    sweep(batch.directory).map_err(|source| batch.unusable(source))
}

/// The packed tables of a plan, to be made in one directory.
struct PackedBatch<'a> {
    batch: &'a Batch<'a>,
    output: PackedOutput,
    steps: &'a [PlanStep],
    scratch: PathBuf,
    store: TableStore<'a>,
    observer: &'a dyn BatchObserver,
    /// The tables whose damaged scratch files this run has removed.
    discarded: BTreeSet<TableName>,
}

/// A solved table that is to be packed.
struct SolvedCodes {
    codes: Arc<dyn TableCodes>,
    /// The same codes as a table if they are all in memory.
    table: Option<Arc<Table>>,
    effort: Effort,
}

/// What there is of each table of a plan, and what has to be made; by place in the plan.
struct Survey {
    /// Whether the packed file exists.
    packed: Vec<bool>,
    /// Whether the solved table is in memory or has a file.
    available: Vec<bool>,
    /// Whether a table that is to be made leads there.
    needed: Vec<bool>,
    /// By place: the places of the tables one move leads to.
    smaller: Vec<Vec<usize>>,
}

impl Survey {
    fn new(steps: &[PlanStep], packed: Vec<bool>, available: Vec<bool>) -> Survey {
        let places: HashMap<TableName, usize> =
            steps.iter().enumerate().map(|(place, step)| (step.name, place)).collect();
        let smaller = steps.iter().map(|step| {
            step.smaller.iter().filter_map(|smaller| places.get(smaller).copied()).collect()
        });
        let needed = vec![false; steps.len()];
        let mut survey = Survey { packed, available, needed, smaller: smaller.collect() };
        // Tables come after those they lead to.
        for place in (0..steps.len()).rev() {
            if survey.is_open(place) {
                for &smaller in &survey.smaller[place] {
                    survey.needed[smaller] = true;
                }
            }
        }
        survey
    }

    /// Whether a table is to be packed, or to be solved for another one.
    fn is_open(&self, place: usize) -> bool {
        !self.packed[place] || self.needed[place] && !self.available[place]
    }

    /// Whether all tables that one leads to are available.
    fn is_makeable(&self, place: usize) -> bool {
        self.smaller[place].iter().all(|&smaller| self.available[smaller])
    }

    /// The tables that can be made, in the order in which they should be: those to be packed, then
    /// those to be solved once more.
    fn makeable(&self) -> impl Iterator<Item = usize> {
        let open = |packed: bool| {
            let places = 0..self.packed.len();
            places.filter(move |&place| {
                self.packed[place] == packed && self.is_open(place) && self.is_makeable(place)
            })
        };
        open(false).chain(open(true))
    }
}

impl PackedBatch<'_> {
    /// Makes the tables.
    ///
    /// # Errors
    ///
    /// The first error ends the batch. The packed files of finished tables stay.
    fn run(&mut self) -> Result<(), BatchError> {
        let packed = self.survey().packed;
        let mut left: BTreeSet<usize> =
            (0..self.steps.len()).filter(|&place| !packed[place]).collect();
        loop {
            let survey = self.survey();
            self.remove_scratch(&survey);
            let made_elsewhere = left.extract_if(.., |&place| survey.packed[place]);
            made_elsewhere.for_each(|place| self.observer.made_elsewhere(&self.steps[place]));
            let Some(&first) = left.first() else { break };
            let Some((place, claim)) = self.claim(&survey)? else {
                self.observer.waiting(self.steps[first].name);
                std::thread::sleep(LOOK_AGAIN);
                continue;
            };
            // Another process may have made it before the claim.
            let survey = self.survey();
            if survey.is_open(place) && survey.is_makeable(place) {
                match self.make(place, &survey) {
                    Ok(()) => {
                        left.remove(&place);
                    }
                    Err(error) if self.discard_damaged_for(place, &survey)? == 0 => {
                        return Err(error);
                    }
                    // What was read is made again, and then this table.
                    Err(_) => {}
                }
            }
            drop(claim);
        }
        if self.scratch.is_dir() {
            sweep(&self.scratch).map_err(|source| self.batch.unusable(source))?;
            // Files of other plans may be in it.
            let _ = std::fs::remove_dir(&self.scratch);
        }
        Ok(())
    }

    /// Looks at what there is.
    fn survey(&self) -> Survey {
        let is_packed = |step: &PlanStep| {
            self.batch.directory.join(step.name.packed_file_name()).try_exists().unwrap_or(true)
        };
        let is_available = |step: &PlanStep| {
            self.store.memory.get(step.name).is_some() || self.store.path(step.name).is_some()
        };
        Survey::new(
            self.steps,
            self.steps.iter().map(is_packed).collect(),
            self.steps.iter().map(is_available).collect(),
        )
    }

    /// Claims a table that can be made; `None` if all are claimed by other processes.
    fn claim(&self, survey: &Survey) -> Result<Option<(usize, Claim)>, BatchError> {
        for place in survey.makeable() {
            let table = self.steps[place].name;
            let claim = Claim::try_new(self.batch.directory, table);
            let claim = claim.map_err(|source| BatchError::Claim {
                table,
                path: self.batch.directory.to_path_buf(),
                source,
            })?;
            if let Some(claim) = claim {
                return Ok(Some((place, claim)));
            }
        }
        Ok(None)
    }

    /// Makes what a table lacks.
    fn make(&self, place: usize, survey: &Survey) -> Result<(), BatchError> {
        let step = &self.steps[place];
        let name = step.name;
        self.load_smaller(place, survey)?;
        let start = Instant::now();
        let SolvedCodes { codes, table, effort } = self.solved(step, survey.available[place])?;
        let solving = start.elapsed();
        // A table that cannot stay in memory is read from its file by all others.
        let needs_file = |other: &PlanStep| {
            let larger = other.name.material.men() > name.material.men();
            (larger || table.is_none()) && other.smaller.contains(&name)
        };
        if self.open(survey).any(needs_file) && self.store.path(name).is_none() {
            self.observer.writing(step);
            self.write_scratch(name, &*codes)?;
        }
        let packed = match survey.packed[place] {
            true => None,
            false => {
                // First: a table that is packed is not made again.
                if self.output.census {
                    self.write_census(step, &*codes)?;
                }
                Some(self.pack(step, &*codes)?)
            }
        };
        let longest = longest(&*codes);
        if let Some(table) = table.filter(|_| survey.needed[place]) {
            self.store.memory.insert(name, table);
        }
        let writing = start.elapsed() - solving;
        self.observer.finished(&TableReport {
            name,
            slots: step.slots,
            storage: step.storage,
            longest,
            file: packed,
            solving,
            effort,
            writing,
        });
        Ok(())
    }

    /// The tables of the plan that are still to be made.
    fn open<'s>(&'s self, survey: &'s Survey) -> impl Iterator<Item = &'s PlanStep> {
        let open = (0..self.steps.len()).filter(|&place| survey.is_open(place));
        open.map(|place| &self.steps[place])
    }

    /// The solved table: that of memory or of a file if it is available, else solved now.
    fn solved(&self, step: &PlanStep, available: bool) -> Result<SolvedCodes, BatchError> {
        if available {
            let table = step.name;
            let of_file = |source| BatchError::Smaller { table, source };
            let effort = Effort::default();
            return Ok(match step.storage {
                Storage::Memory => {
                    let table = self.store.table(table).map_err(of_file)?;
                    SolvedCodes { codes: Arc::clone(&table) as _, table: Some(table), effort }
                }
                Storage::Disk => {
                    let codes = self.store.codes_by(table, Access::Read).map_err(of_file)?;
                    SolvedCodes { codes, table: self.store.memory.get(table), effort }
                }
            });
        }
        let solved = match self.saved(step) {
            Some(solved) => solved,
            None => self.solve(step)?,
        };
        let effort = solved.effort();
        Ok(match solved.into_table().map(Arc::new) {
            Ok(table) => SolvedCodes { codes: Arc::clone(&table) as _, table: Some(table), effort },
            Err(solved) => SolvedCodes { codes: Arc::from(solved as Box<_>), table: None, effort },
        })
    }

    /// The table that an earlier run solved and saved. What cannot be used is removed.
    fn saved(&self, step: &PlanStep) -> Option<SolvedTable> {
        let (rules, in_memory) = (self.batch.rules, step.storage == Storage::Memory);
        match SolvedTable::saved(
            &DiskFolder(&self.scratch),
            step.name,
            rules,
            in_memory,
            clock::elapsed,
        ) {
            Ok(solved) => solved.inspect(|_| self.observer.resumed(step)),
            Err(reason) => {
                self.observer.discarded(step, &reason);
                self.remove_saved(step);
                None
            }
        }
    }

    /// Solves a table; saves its layers if it is worked on on disk.
    fn solve(&self, step: &PlanStep) -> Result<SolvedTable, BatchError> {
        let saved = match step.storage {
            Storage::Memory => None,
            Storage::Disk => {
                self.make_scratch()?;
                Some(&*self.scratch)
            }
        };
        self.batch.solve(step, &self.store, saved, self.observer)
    }

    /// Makes the scratch folder.
    fn make_scratch(&self) -> Result<(), BatchError> {
        std::fs::create_dir_all(&self.scratch).map_err(|source| self.batch.unusable(source))
    }

    /// Packs a table. The smaller tables are in memory or have files.
    fn pack(&self, step: &PlanStep, codes: &dyn TableCodes) -> Result<WrittenFile, BatchError> {
        let PackedOutput { options, variant, .. } = self.output;
        let table = step.name;
        let smaller: Vec<Arc<dyn TableCodes>> = (step.smaller.iter())
            .map(|&smaller| self.store.codes_by(smaller, Access::Read))
            .collect::<Result<_, _>>()
            .map_err(|source| BatchError::Smaller { table, source })?;
        let smaller: Vec<&dyn TableCodes> = smaller.iter().map(Arc::as_ref).collect();
        self.observer.packing(step, codes.index().slots());
        let (directory, progress) = (self.batch.directory, |slots| self.observer.written(slots));
        let packed = pack(codes, table.metric, variant, &smaller, directory, options, &progress)?;
        Ok(packed.file)
    }

    /// Counts a table and writes its census file.
    fn write_census(&self, step: &PlanStep, codes: &dyn TableCodes) -> Result<(), BatchError> {
        let (name, rules) = (step.name, self.batch.rules);
        self.observer.counting(step);
        let wrong = |problem: String| BatchError::Census { table: name, problem };
        let censuses = Census::of(codes, rules, &|slots| self.observer.written(slots));
        let censuses = censuses.map_err(|error| wrong(error.to_string()))?;
        write_censuses(self.batch.directory, name, rules, &censuses)
            .map_err(|error| wrong(format!("cannot write its census file: {error}")))
    }

    /// Loads the tables that one leads to. Drops those that no table needs, and those for which
    /// there is no memory now; one of these that has no file gets one.
    fn load_smaller(&self, place: usize, survey: &Survey) -> Result<(), BatchError> {
        let step = &self.steps[place];
        let others = self.open(survey).filter(|other| other.name != step.name);
        let open: Vec<&PlanStep> = [step].into_iter().chain(others).collect();
        let kept = self.batch.kept(&open, &self.store);
        for (name, table) in self.store.memory.tables() {
            let needed = || open.iter().any(|step| step.smaller.contains(&name));
            if !kept.contains(&name) && needed() && self.store.path(name).is_none() {
                self.write_scratch(name, &*table)?;
            }
        }
        self.store.memory.retain(|table| kept.contains(&table));
        self.batch.load(step, &self.store)
    }

    /// Checks every byte of the scratch files from which a table is made. Removes damaged ones and
    /// returns their number.
    fn discard_damaged_for(&mut self, place: usize, survey: &Survey) -> Result<usize, BatchError> {
        let places = [&[place], &survey.smaller[place][..]].concat();
        self.discard_damaged(places, |file| verify_checksums(&file?))
    }

    /// Checks the scratch files of tables. Removes damaged ones and returns their number.
    fn discard_damaged(
        &mut self,
        places: Vec<usize>,
        check: impl Fn(Result<SolvedFile, FileError>) -> Result<(), FileError>,
    ) -> Result<usize, BatchError> {
        let mut removed = 0;
        for place in places {
            let table = self.steps[place].name;
            let path = self.scratch.join(table.file_name());
            // Its file in the directory of the tables comes first, and is never removed.
            let is_read = self.store.path(table).is_some_and(|read| read == path);
            if !is_read || self.discarded.contains(&table) {
                continue;
            }
            let file = SolvedFile::open(&path, Access::Read, table, self.batch.rules);
            let Err(error @ FileError { problem: FileProblem::Format(_), .. }) = check(file) else {
                continue;
            };
            std::fs::remove_file(&path).map_err(|source| self.batch.unusable(source))?;
            self.observer.discarded_file(table, &error);
            self.discarded.insert(table);
            removed += 1;
        }
        Ok(removed)
    }

    /// Writes the solved file of a table into the scratch folder.
    fn write_scratch(&self, name: TableName, table: &dyn TableCodes) -> Result<(), BatchError> {
        let batch = self.batch;
        let options = WriteOptions { metric: name.metric, ..batch.settings.options };
        let written = || -> Result<(), BatchError> {
            self.make_scratch()?;
            write(table, batch.rules, &self.scratch, &options)?;
            Ok(())
        };
        // A process that has finished removes the folder if it is empty.
        match written() {
            Err(BatchError::Write(_)) if !self.scratch.is_dir() => written(),
            written => written,
        }
    }

    /// Removes the saved layers of a table.
    fn remove_saved(&self, step: &PlanStep) {
        // A file that is not there, or cannot be removed now, does no harm.
        let _ = std::fs::remove_file(self.scratch.join(saved_layers::file_name(step.name)));
    }

    /// Removes the saved layers of tables that exist, and the solved files that no table needs any more.
    fn remove_scratch(&self, survey: &Survey) {
        for (place, step) in self.steps.iter().enumerate() {
            if !survey.is_open(place) {
                self.remove_saved(step);
            }
            if survey.packed[place] && !survey.needed[place] {
                // A file that is not there, or cannot be removed now, does no harm.
                let _ = std::fs::remove_file(self.scratch.join(step.name.file_name()));
            }
        }
    }
}
