//! Makes the tables of a plan, several at once; skips those that have a file.
//!
//! Each table is a job. The thread that runs the batch starts jobs in the pool of
//! threads and does no work on tables itself:
//!
//! ```text
//! while a table of the plan has no file:
//!     in the order of the plan, as long as memory and disk last and there are fewer jobs than threads:
//!         the subtables are in memory or have files, and no process has claimed the table:
//!             claim it, start its job
//!     wait until a job is over, or other tables can be made from what it has solved
//!     remove what no table needs any more from memory and from the scratch folder
//! ```
//!
//! Jobs share the threads of the pool: one without work takes parts of any job. A small table is made by
//! one of these threads, side by side with others, since its phases are too short to be shared. The job
//! of a large table has a thread of its own, for what is done one after the other, and the pool does
//! its phases; meanwhile the pool has the phases of other jobs. A large job in the pool would stand still
//! as long as its thread, while it waits for others, makes another table.
//!
//! While one table is written or packed others are solved. The memory of all jobs together stays within
//! the memory allowed; a job gives back what solving takes when its table is solved.
//!
//! Several processes may work in one directory. A table that another one has claimed is left to it.
//!
//! Packed tables need the solved ones they depend on. These stay in memory as long as a table needs them,
//! if they fit; files of them are in a scratch folder of the directory. A packed table whose solved
//! table is needed and is not there is solved once more.

use crate::batch::claim::{Claim, sweep};
use crate::batch::job::{Job, SMALL, Workshop, bytes_of};
use crate::batch::need::PROGRAM;
use crate::batch::plan::{Batch, Plan, PlanError};
use crate::batch::planner::has_file;
use crate::batch::presence::{Presence, scratch_folder};
use crate::batch::report::{BatchError, BatchObserver, TableReport};
use crate::batch::step::PlanStep;
use crate::store::{TableStore, verify_checksums};
use crate::system::ByteSize;
use crate::system::atomic_file::prepare_directory;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_probe::file::solved::SolvedFile;
use sakmak_solve::solver::{BufferLimit, buffers_in_use};
use sakmak_tables::format::name::TableName;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// The time between two looks at whether another process has finished a table.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// Memory for the arrays of a table beyond those planned, if there is as much.
const MORE: ByteSize = ByteSize(64 << 20);

impl Batch<'_> {
    /// Makes these tables and all they depend on, each after those it depends on. To be called outside the
    /// pool of threads, which does the work.
    ///
    /// # Errors
    ///
    /// If the tables do not fit into memory or on the disk, before anything is written. After
    /// that, an error ends the batch as soon as the tables that are being made are finished.
    pub fn run(
        &self,
        names: impl IntoIterator<Item = TableName>,
        observer: &dyn BatchObserver,
    ) -> Result<(), BatchError> {
        let scratch = scratch_folder(self.directory);
        let mut store = TableStore::new(self.rules, self.directory);
        if self.settings.packed.is_some() {
            // What a killed process was writing takes room on the disk.
            sweep(&scratch).map_err(|source| BatchError::directory(&scratch, source))?;
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
        let mut workshop = Workshop { batch: self, store, scratch, observer, presence, limit };
        thread::scope(|threads| {
            rayon::in_place_scope(|pool| Schedule::new(&plan, &workshop).run(threads, pool))
        })?;
        if let Some(presence) = workshop.presence.take() {
            let steps = plan.steps.iter().map(|step| step.name);
            presence.end(steps, |table| workshop.remove_scratch(table));
        }
        if self.settings.packed.is_some() {
            let scratch = &workshop.scratch;
            sweep(scratch).map_err(|source| BatchError::directory(scratch, source))?;
        }
        // A process that was killed in the meantime has left its claims.
        sweep(self.directory).map_err(|source| BatchError::directory(self.directory, source))
    }

    /// Creates the directory, checks that it can be written to before hours of work, and removes
    /// what killed processes have left there.
    fn prepare_directory(&self) -> Result<(), BatchError> {
        prepare_directory(self.directory)
            .and_then(|()| sweep(self.directory))
            .map_err(|source| BatchError::directory(self.directory, source))
    }
}

/// What there is of each table of a plan, and what has to be made; by place in the plan.
struct BatchState {
    /// Whether the file of the table exists.
    has_file: Vec<bool>,
    /// Whether its files exist, the WDL file included.
    done: Vec<bool>,
    /// Whether the solved table is in memory or has a file.
    available: Vec<bool>,
    /// Whether it is read for a table that is to be made.
    needed: Vec<bool>,
}

impl BatchState {
    /// Whether a table is to be made, or to be solved for another one.
    fn is_open(&self, place: usize) -> bool {
        !self.done[place] || self.needed[place] && !self.available[place]
    }
}

/// What the job of a table reports to the schedule.
enum Message {
    /// Other tables can be made from it. Its arrays take this memory from now on.
    Available(usize, ByteSize),
    /// It is over, or has panicked.
    Over(usize, Box<thread::Result<Result<TableReport, BatchError>>>),
}

/// A job at work.
struct Running {
    _claim: Claim,
    /// The memory of its arrays.
    arrays: ByteSize,
    /// Whether its table is solved, and not read from a file.
    solves: bool,
    /// The number of discarded files when it began.
    discarded: usize,
}

/// The tables of a plan while they are made. Tables are places in the plan.
struct Schedule<'s, 'a> {
    plan: &'s Plan,
    workshop: &'s Workshop<'a>,
    /// The disk that may be used at any moment.
    disk: ByteSize,
    places: HashMap<TableName, usize>,
    /// By place: the tables it depends on by one move.
    subtables: Vec<Vec<usize>>,
    /// By place: all tables that it is made from.
    read: Vec<Vec<usize>>,
    /// The tables without a file.
    left: BTreeSet<usize>,
    running: BTreeMap<usize, Running>,
    /// The tables in memory that this run has solved. They are in arrays of the solver.
    solved: BTreeSet<usize>,
    /// The tables whose scratch files were damaged, and removed by this run, or missing.
    discarded: Vec<usize>,
    /// The error of the first table in the plan that has one.
    error: Option<(usize, BatchError)>,
}

impl<'s, 'a> Schedule<'s, 'a> {
    fn new(plan: &'s Plan, workshop: &'s Workshop<'a>) -> Schedule<'s, 'a> {
        let names = plan.steps.iter().enumerate();
        let places: HashMap<TableName, usize> =
            names.map(|(place, step)| (step.name, place)).collect();
        let place = |name: &TableName| places.get(name).copied();
        let steps = plan.steps.iter();
        let read = steps.clone().map(|step| step.read().filter_map(place).collect()).collect();
        let subtables =
            steps.map(|step| step.subtables.iter().filter_map(place).collect()).collect();
        Schedule {
            plan,
            workshop,
            disk: plan.disk(),
            subtables,
            read,
            places,
            left: BTreeSet::new(),
            running: BTreeMap::new(),
            solved: BTreeSet::new(),
            discarded: Vec::new(),
            error: None,
        }
    }

    /// Makes the tables.
    fn run<'t>(
        mut self,
        threads: &'t thread::Scope<'t, 's>,
        pool: &rayon::Scope<'s>,
    ) -> Result<(), BatchError> {
        self.discard_damaged((0..self.plan.steps.len()).collect(), |file| file.map(|_| ()))?;
        let (state, packed) = (self.state()?, self.workshop.batch.settings.packed.is_some());
        let open = self.plan.steps.iter().enumerate().filter(|(_, step)| !step.finished);
        // A table that is only solved once more has a packed file.
        let left = open.map(|(place, _)| place).filter(|&place| !packed || !state.done[place]);
        self.left = left.collect();
        let (sender, messages) = channel();
        loop {
            let mut waits = false;
            if self.error.is_none() {
                let state = self.state()?;
                self.clear(&state);
                waits = self.start(threads, pool, &sender, state)?;
            }
            if !self.running.is_empty() {
                self.receive(&messages, waits)?;
                continue;
            }
            if let Some((_, error)) = self.error {
                return Err(error);
            }
            let Some(&first) = self.left.first() else { return Ok(()) };
            if waits {
                self.workshop.observer.waiting(self.step(first).name);
                thread::sleep(LOOK_AGAIN);
            }
        }
    }

    fn step(&self, place: usize) -> &'s PlanStep {
        &self.plan.steps[place]
    }

    /// Finds out what there is.
    ///
    /// # Errors
    ///
    /// If the system cannot tell whether a file exists.
    fn state(&self) -> Result<BatchState, BatchError> {
        let Workshop { batch, store, .. } = self.workshop;
        let exists = |path: &Path| has_file(path).map_err(PlanError::from);
        let is_available = |step: &PlanStep| {
            store.memory.get(step.name).is_some() || store.path(step.name).is_some()
        };
        let steps = &self.plan.steps;
        let mut state = BatchState {
            has_file: Vec::new(),
            done: Vec::new(),
            available: steps.iter().map(is_available).collect(),
            needed: vec![false; steps.len()],
        };
        for step in steps {
            let wdl = step.wdl.map(|(wdl, _)| batch.directory.join(wdl.to_string()));
            let there = exists(&batch.path(step.name))?;
            state.has_file.push(there);
            state.done.push(there && wdl.map_or(Ok(true), |wdl| exists(&wdl))?);
        }
        // Tables come after those they are made from.
        for place in (0..steps.len()).rev() {
            if state.is_open(place) {
                for &read in &self.read[place] {
                    state.needed[read] = true;
                }
            }
        }
        Ok(state)
    }

    /// Drops what no table needs any more, and the tables that other processes have made.
    fn clear(&mut self, state: &BatchState) {
        let Workshop { store, observer, .. } = self.workshop;
        let running = &self.running;
        let is_made = |&place: &usize| state.done[place] && !running.contains_key(&place);
        for place in self.left.extract_if(.., |place| is_made(place)) {
            observer.made_elsewhere(&self.plan.steps[place]);
        }
        store
            .memory
            .retain(|name| self.places.get(&name).is_some_and(|&place| state.needed[place]));
        self.solved.retain(|&place| state.needed[place]);
        // Batches with other tables may need files that this one does not.
        if !self.workshop.presence.as_ref().is_some_and(Presence::is_of_all) {
            return;
        }
        for (place, step) in self.plan.steps.iter().enumerate() {
            if state.done[place] && !state.needed[place] {
                self.workshop.remove_scratch(step.name);
            } else if !state.is_open(place) {
                self.workshop.remove_saved(step.name);
            }
        }
    }

    /// Starts the jobs that can run now. Returns whether another process has claimed a table that
    /// could be made.
    fn start<'t>(
        &mut self,
        threads: &'t thread::Scope<'t, 's>,
        pool: &rayon::Scope<'s>,
        sender: &Sender<Message>,
        mut state: BatchState,
    ) -> Result<bool, BatchError> {
        // One more than threads: none waits for the next job.
        let most = rayon::current_num_threads() + 1;
        let mut claimed_elsewhere = false;
        let mut first_without_room = None;
        let places = 0..self.plan.steps.len();
        // Tables that are solved once more come last.
        let (again, new): (Vec<usize>, Vec<usize>) = places.partition(|&place| state.done[place]);
        for place in new.into_iter().chain(again) {
            if self.running.len() == most {
                break;
            }
            if self.running.contains_key(&place) || !self.is_makeable(place, &state) {
                continue;
            }
            if !self.running.is_empty() && !self.has_room(place, first_without_room, &state) {
                first_without_room.get_or_insert(place);
                continue;
            }
            let Some(claim) = self.claim(place)? else {
                claimed_elsewhere = true;
                continue;
            };
            // Another process may have made it before the claim.
            state = self.state()?;
            if !self.is_makeable(place, &state) {
                continue;
            }
            if self.running.is_empty() {
                self.make_room(place, &state)?;
            }
            let step = self.step(place);
            // A table may be larger than planned, in particular a small one.
            let free = left(self.plan.memory, self.memory(Some(place), &state));
            let more = MORE.min(ByteSize(free.0 / most as u64));
            let arrays = step.need.arrays + more;
            let reads_it = |other: usize| self.read[other].contains(&place);
            let job = Job {
                step,
                arrays,
                has_file: state.has_file[place],
                wdl: step.wdl.filter(|_| !state.done[place]),
                is_available: state.available[place],
                is_needed: state.needed[place],
                is_needed_later: (0..self.plan.steps.len()).any(|other| {
                    let men = self.step(other).name.material.men();
                    men > step.name.material.men() && state.is_open(other) && reads_it(other)
                }),
            };
            let (solves, discarded) = (!job.is_available, self.discarded.len());
            self.running.insert(place, Running { _claim: claim, arrays, solves, discarded });
            self.limit_arrays(&state);
            let (workshop, sender) = (self.workshop, sender.clone());
            let make = move || {
                // The batch has ended if nobody receives.
                let available = |arrays| {
                    let _ = sender.send(Message::Available(place, arrays));
                };
                let made = catch_unwind(AssertUnwindSafe(|| workshop.make(&job, &available)));
                let _ = sender.send(Message::Over(place, Box::new(made)));
            };
            match step.slots < SMALL {
                true => pool.spawn(move |_| make()),
                false => drop(threads.spawn(make)),
            }
        }
        Ok(claimed_elsewhere)
    }

    /// Whether a table is to be made or solved once more, and all that it depends on is available.
    fn is_makeable(&self, place: usize, state: &BatchState) -> bool {
        state.is_open(place) && self.read[place].iter().all(|&read| state.available[read])
    }

    /// Claims a table; `None` if another process has claimed it.
    fn claim(&self, place: usize) -> Result<Option<Claim>, BatchError> {
        let (table, directory) = (self.step(place).name, self.workshop.batch.directory);
        Claim::try_new(directory, table).map_err(|source| {
            let path = directory.to_path_buf();
            BatchError::Claim { table, path, source }
        })
    }

    /// Whether there is memory and disk for one more table beside those that are being made. One that
    /// comes earlier and has no room must find it beside this one when the others are finished.
    fn has_room(&self, place: usize, earlier: Option<usize>, state: &BatchState) -> bool {
        let need = |place: usize| self.step(place).need.memory();
        let both = earlier.map_or(ByteSize::default(), |earlier| need(earlier) + need(place));
        let is_done = |place: usize| state.done[place] && !self.running.contains_key(&place);
        let is_made = |other: usize| other == place || self.running.contains_key(&other);
        both.max(self.memory(Some(place), state)) <= self.plan.memory
            && self.plan.disk_with(is_done, is_made) <= self.disk
    }

    /// The memory of all jobs, with one more if it is started, and of the tables that are needed.
    fn memory(&self, more: Option<usize>, state: &BatchState) -> ByteSize {
        let running = self.running.iter().map(|(&place, running)| (place, running.arrays));
        let more = more.map(|place| (place, self.step(place).need.arrays));
        let jobs = running.chain(more);
        let jobs: ByteSize = jobs.map(|(place, arrays)| arrays + self.other(place)).sum();
        let held = self.held(more.map(|(place, _)| place), state).into_iter();
        let held: ByteSize = held.map(|place| self.codes(place)).sum();
        PROGRAM + jobs + held
    }

    /// The memory of a job that is neither in arrays nor in subtables.
    fn other(&self, place: usize) -> ByteSize {
        left(self.step(place).need.other, PROGRAM)
    }

    /// The memory of the codes of a table.
    fn codes(&self, place: usize) -> ByteSize {
        let table = self.workshop.store.memory.get(self.step(place).name);
        table.map_or(self.step(place).codes, |table| bytes_of(&table))
    }

    /// The tables in memory while these jobs run and one more, without those being made.
    fn held(&self, more: Option<usize>, state: &BatchState) -> BTreeSet<usize> {
        let is_in_memory =
            |place: usize| self.workshop.store.memory.get(self.step(place).name).is_some();
        let needed = (0..self.plan.steps.len()).filter(|&place| state.needed[place]);
        let jobs = self.running.keys().copied().chain(more);
        let loaded = jobs
            .filter(|&place| self.step(place).are_subtables_loaded())
            .flat_map(|place| self.subtables[place].iter().copied());
        let held = needed.filter(|&place| is_in_memory(place)).chain(loaded);
        held.filter(|place| !self.running.contains_key(place)).collect()
    }

    /// Limits the arrays of all solvers to the memory that is left to them.
    fn limit_arrays(&self, state: &BatchState) {
        let others: ByteSize = self.running.keys().map(|&place| self.other(place)).sum();
        let held = self.held(None, state).into_iter();
        let decoded = held.filter(|place| !self.solved.contains(place));
        let decoded: ByteSize = decoded.map(|place| self.codes(place)).sum();
        let arrays = left(self.plan.memory, PROGRAM + others + decoded);
        self.workshop.limit.set(arrays.0.max(buffers_in_use()));
    }

    /// Drops tables from memory for which there is no room while a table is made alone. One that is
    /// needed and has no file gets one.
    fn make_room(&mut self, place: usize, state: &BatchState) -> Result<(), BatchError> {
        let Workshop { batch, store, .. } = self.workshop;
        let step = self.step(place);
        let mut kept: BTreeSet<usize> = match step.are_subtables_loaded() {
            true => self.subtables[place].iter().copied().collect(),
            false => BTreeSet::new(),
        };
        let mut room = left(self.plan.memory, step.need.memory());
        let open = (0..self.plan.steps.len()).filter(|&other| state.is_open(other));
        for subtable in [place].into_iter().chain(open).flat_map(|place| &self.read[place]) {
            let bytes = self.codes(*subtable);
            if bytes <= room && kept.insert(*subtable) {
                room = left(room, bytes);
            }
        }
        for (name, table) in store.memory.tables() {
            let Some(&place) = self.places.get(&name) else { continue };
            if batch.settings.packed.is_some()
                && !kept.contains(&place)
                && store.path(name).is_none()
            {
                self.workshop.write_scratch(self.step(place), &*table)?;
            }
        }
        store
            .memory
            .retain(|name| self.places.get(&name).is_some_and(|place| kept.contains(place)));
        self.solved.retain(|place| kept.contains(place));
        Ok(())
    }

    /// Waits for a message of a job; if another process has claimed a table, not for long.
    fn receive(&mut self, messages: &Receiver<Message>, waits: bool) -> Result<(), BatchError> {
        let message = match waits {
            true => messages.recv_timeout(LOOK_AGAIN).ok(),
            false => messages.recv().ok(),
        };
        match message {
            None => {}
            Some(Message::Available(place, arrays)) => {
                let Some(running) = self.running.get_mut(&place) else { return Ok(()) };
                running.arrays = arrays;
                if running.solves {
                    self.solved.insert(place);
                }
            }
            Some(Message::Over(place, made)) => {
                let running = self.running.remove(&place);
                match (*made).unwrap_or_else(|panic| resume_unwind(panic)) {
                    Ok(report) => {
                        self.left.remove(&place);
                        self.workshop.observer.finished(&report);
                    }
                    Err(error) => {
                        let discarded = running.map_or(0, |running| running.discarded);
                        if !self.is_to_be_repeated(place, discarded, &error)?
                            && self.error.as_ref().is_none_or(|&(first, _)| place < first)
                        {
                            self.error = Some((place, error));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a table could not be made because of scratch files that were damaged or missing, and
    /// are missing by now: what was read is made again, and then this table. `discarded` of them were
    /// missing before the table was begun.
    fn is_to_be_repeated(
        &mut self,
        place: usize,
        discarded: usize,
        error: &BatchError,
    ) -> Result<bool, BatchError> {
        let read = [&[place], &self.read[place][..]].concat();
        self.discard_damaged(read.clone(), |file| verify_checksums(&file?))?;
        let store = &self.workshop.store;
        let is_missing = |table| store.memory.get(table).is_none() && store.path(table).is_none();
        for &place in &self.read[place] {
            if matches!(error, BatchError::Subtable { .. })
                && is_missing(self.step(place).name)
                && !self.discarded.contains(&place)
            {
                self.discarded.push(place);
            }
        }
        Ok(self.discarded[discarded..].iter().any(|removed| read.contains(removed)))
    }

    /// Checks the scratch files of tables and removes damaged ones.
    fn discard_damaged(
        &mut self,
        places: Vec<usize>,
        check: impl Fn(Result<SolvedFile, FileError>) -> Result<(), FileError>,
    ) -> Result<(), BatchError> {
        let Workshop { batch, store, scratch, observer, .. } = self.workshop;
        for place in places {
            let table = self.step(place).name;
            let path = scratch.join(table.file_name());
            // Its file in the directory of the tables comes first, and is never removed.
            let is_read = store.path(table).is_some_and(|read| read == path);
            if !is_read || self.discarded.contains(&place) {
                continue;
            }
            let file = SolvedFile::open(&path, Access::Read, table, batch.rules);
            let Err(error @ FileError { problem: FileProblem::Format(_), .. }) = check(file) else {
                continue;
            };
            match std::fs::remove_file(&path) {
                // Another process has removed it.
                Err(source) if source.kind() == io::ErrorKind::NotFound => {}
                removed => removed.map_err(|source| BatchError::directory(scratch, source))?,
            }
            observer.discarded_file(table, &error);
            self.discarded.push(place);
        }
        Ok(())
    }
}

/// What is left of an amount after another is taken away; zero if that is larger.
fn left(amount: ByteSize, taken: ByteSize) -> ByteSize {
    ByteSize(amount.0.saturating_sub(taken.0))
}

#[cfg(test)]
mod tests;
