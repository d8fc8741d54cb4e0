//! Makes the tables of a plan, several at once; skips tables that have a file.
//!
//! Each table is a job. The thread that runs the batch starts jobs in the thread pool and does no
//! work on tables itself:
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
//! Jobs share the threads of the pool: a thread without work takes parts of any job. A small table
//! is made by one thread of the pool, beside others, since its phases are too short to be shared.
//! The job of a large table has a thread of its own for its sequential work, and the pool runs its
//! phases; meanwhile the pool has the phases of other jobs. A large job must not run inside the
//! pool: while it waits, rayon could start another job on its thread and block it.
//!
//! While one table is written or packed, others are solved. The memory of all jobs together stays
//! within the memory limit; a job releases the memory for solving once its table is solved.
//!
//! Several processes may work in one directory. A table claimed by another process is left to the
//! other process.
//!
//! Packed tables need the solved tables they depend on. Solved tables stay in memory as long as a
//! table needs them, if they fit; their files are in a scratch folder of the directory. A packed
//! table whose solved table is needed and missing is solved once more.

use crate::batch::claim::Claim;
use crate::batch::need::PROGRAM;
use crate::batch::plan::Plan;
use crate::batch::report::{BatchError, TablePhase, TableReport};
use crate::batch::step::PlanStep;
use crate::batch::workshop::{Job, SMALL, StepFiles, Workshop};
use crate::system::ByteSize;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// Poll interval for tables that another process has claimed.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Extra memory for the arrays of a job, if the memory limit has room for it.
const SPARE_ARRAYS: ByteSize = ByteSize(64 << 20);

/// Makes the tables of a plan. Must be called outside the thread pool, which does the work.
///
/// # Errors
///
/// The error of the first table in the plan that failed, once the running jobs have ended.
pub(super) fn run<W: Workshop>(plan: &Plan<W::Name>, workshop: &W) -> Result<(), BatchError> {
    thread::scope(|threads| {
        rayon::in_place_scope(|pool| Schedule::new(plan, workshop).run(threads, pool))
    })
}

/// Report of a job to the schedule.
enum Message<N> {
    /// Other tables can be made from this step. The arrays of the job take this memory from now on.
    Available(usize, ByteSize),
    /// The job has ended, or has panicked.
    Over(usize, Box<thread::Result<Result<TableReport<N>, BatchError>>>),
}

/// A job at work.
struct RunningJob {
    _claim: Claim,
    /// Memory of the arrays.
    arrays: ByteSize,
    /// The table is solved, and not read from a file.
    solves: bool,
    /// Number of discarded files when the job started.
    discarded: usize,
}

/// Progress of a batch. Tables are indices of steps of the plan.
///
/// The file system is asked about a table only when its files may have changed: after its job has
/// reported, after a claim succeeded, and, every [`POLL_INTERVAL`], while another process holds the
/// claim.
pub(super) struct Schedule<'s, W: Workshop> {
    plan: &'s Plan<W::Name>,
    workshop: &'s W,
    /// Disk limit at any moment.
    disk: ByteSize,
    indices: BTreeMap<W::Name, usize>,
    /// Tables that each table depends on by one move.
    subtables: Vec<Vec<usize>>,
    /// All tables that each table is made from.
    read: Vec<Vec<usize>>,
    files: Vec<StepFiles>,
    /// Each table: whether an open table is made from it.
    needed: Vec<bool>,
    /// Tables without a file.
    unfinished: BTreeSet<usize>,
    running: BTreeMap<usize, RunningJob>,
    /// Tables that another process may finish: tables claimed by other processes, and the first
    /// table without room.
    polled: BTreeSet<usize>,
    /// Tables in memory that this run has solved. The tables are in arrays of the solver.
    solved: BTreeSet<usize>,
    /// Tables that may have saved layers in the scratch folder.
    with_layers: BTreeSet<usize>,
    /// Tables that may have any file in the scratch folder.
    with_scratch: BTreeSet<usize>,
    /// Tables whose scratch files were damaged and removed by this run, or missing.
    discarded: Vec<usize>,
    /// Error of the first table in the plan that has an error.
    error: Option<(usize, BatchError)>,
}

impl<'s, W: Workshop> Schedule<'s, W> {
    pub fn new(plan: &'s Plan<W::Name>, workshop: &'s W) -> Schedule<'s, W> {
        let names = plan.steps.iter().enumerate();
        let indices: BTreeMap<W::Name, usize> =
            names.map(|(index, step)| (step.name, index)).collect();
        let index = |name: &W::Name| indices.get(name).copied();
        let steps = plan.steps.iter();
        let read = steps.clone().map(|step| step.read().filter_map(index).collect()).collect();
        let subtables =
            steps.map(|step| step.subtables.iter().filter_map(index).collect()).collect();
        let all = 0..plan.steps.len();
        Schedule {
            plan,
            workshop,
            disk: plan.disk(),
            subtables,
            read,
            indices,
            files: vec![StepFiles::default(); all.len()],
            needed: vec![false; all.len()],
            unfinished: BTreeSet::new(),
            running: BTreeMap::new(),
            polled: BTreeSet::new(),
            solved: BTreeSet::new(),
            with_layers: all.clone().collect(),
            with_scratch: all.collect(),
            discarded: Vec::new(),
            error: None,
        }
    }

    /// Makes the tables.
    pub fn run<'t>(
        mut self,
        threads: &'t thread::Scope<'t, 's>,
        pool: &rayon::Scope<'s>,
    ) -> Result<(), BatchError> {
        self.discard_damaged((0..self.files.len()).collect(), false)?;
        for index in 0..self.files.len() {
            self.look_for_files(index)?;
        }
        let solves_again = self.workshop.solves_again();
        let open = self.plan.steps.iter().enumerate().filter(|(_, step)| !step.finished);
        // A table that is only solved once more has its files.
        let is_unfinished = |&index: &usize| !solves_again || !self.files[index].are_complete();
        self.unfinished = open.map(|(index, _)| index).filter(is_unfinished).collect();
        let (sender, messages) = channel();
        loop {
            let mut waits = false;
            if self.error.is_none() {
                for index in std::mem::take(&mut self.polled) {
                    self.look_for_files(index)?;
                }
                self.update_needed();
                self.drop_unneeded()?;
                waits = self.start_jobs(threads, pool, &sender)?;
            }
            if !self.running.is_empty() {
                self.receive(&messages, waits)?;
                continue;
            }
            if let Some((_, error)) = self.error {
                return Err(error);
            }
            let Some(&first) = self.unfinished.first() else { return Ok(()) };
            if waits {
                let first = self.step(first);
                self.workshop.observer().begins(first, TablePhase::Waiting, first.slots);
                thread::sleep(POLL_INTERVAL);
            }
        }
    }

    fn step(&self, index: usize) -> &'s PlanStep<W::Name> {
        &self.plan.steps[index]
    }

    /// Updates the files of a table.
    ///
    /// # Errors
    ///
    /// If the system cannot report whether a file exists.
    fn look_for_files(&mut self, index: usize) -> Result<(), BatchError> {
        self.files[index] = self.workshop.files(self.step(index))?;
        Ok(())
    }

    /// Whether the solved table is in memory or has a file.
    fn is_available(&self, index: usize) -> bool {
        self.files[index].solved || self.is_in_memory(index)
    }

    fn is_in_memory(&self, index: usize) -> bool {
        self.workshop.held(self.step(index).name).is_some()
    }

    /// Whether a table is to be made, or to be solved for another table.
    fn is_open(&self, index: usize) -> bool {
        !self.files[index].are_complete() || self.needed[index] && !self.is_available(index)
    }

    /// Whether a table is open and all its sources are available.
    fn is_makeable(&self, index: usize) -> bool {
        self.is_open(index) && self.read[index].iter().all(|&read| self.is_available(read))
    }

    /// Finds the tables that open tables are made from.
    fn update_needed(&mut self) {
        self.needed.fill(false);
        // Tables come after their sources.
        for index in (0..self.needed.len()).rev() {
            if self.is_open(index) {
                for &read in &self.read[index] {
                    self.needed[read] = true;
                }
            }
        }
    }

    /// Drops tables and scratch files that no open table needs, and reports the tables that other
    /// processes have made.
    fn drop_unneeded(&mut self) -> Result<(), BatchError> {
        let workshop = self.workshop;
        let (files, running, needed) = (&self.files, &self.running, &self.needed);
        let is_made = |&index: &usize| files[index].are_complete() && !running.contains_key(&index);
        for index in self.unfinished.extract_if(.., |index| is_made(index)) {
            workshop.observer().made_elsewhere(&self.plan.steps[index]);
        }
        workshop.retain(&|name| self.indices.get(&name).is_some_and(|&index| needed[index]));
        self.solved.retain(|&index| needed[index]);

        let of = |set: &BTreeSet<usize>, is_useless: &dyn Fn(usize) -> bool| -> Vec<usize> {
            set.iter().copied().filter(|&index| is_useless(index)).collect()
        };
        let layers = of(&self.with_layers, &|index| !self.is_open(index));
        let scratch =
            of(&self.with_scratch, &|index| files[index].are_complete() && !needed[index]);
        // Batches with other tables may need files that this batch does not need.
        if layers.is_empty() && scratch.is_empty() || !workshop.may_remove_scratch() {
            return Ok(());
        }
        for index in layers {
            workshop.remove_saved(self.step(index).name);
            self.with_layers.remove(&index);
        }
        for index in scratch {
            workshop.remove_scratch(self.step(index).name);
            self.with_scratch.remove(&index);
            self.look_for_files(index)?;
        }
        Ok(())
    }

    /// Starts the jobs that can run now. Returns whether another process has claimed a table that
    /// could be made.
    fn start_jobs<'t>(
        &mut self,
        threads: &'t thread::Scope<'t, 's>,
        pool: &rayon::Scope<'s>,
        sender: &Sender<Message<W::Name>>,
    ) -> Result<bool, BatchError> {
        // One job more than threads, so that no thread waits for the next job.
        let max_jobs = rayon::current_num_threads() + 1;
        let mut claimed_elsewhere = false;
        let mut first_without_room = None;
        // Tables that are solved once more come last.
        let (again, new): (Vec<usize>, Vec<usize>) =
            (0..self.files.len()).partition(|&index| self.files[index].are_complete());
        for index in new.into_iter().chain(again) {
            if self.running.len() == max_jobs {
                break;
            }
            if self.running.contains_key(&index) || !self.is_makeable(index) {
                continue;
            }
            if !self.running.is_empty() && !self.has_room(index, first_without_room) {
                first_without_room.get_or_insert(index);
                continue;
            }
            let Some(claim) = self.claim(index)? else {
                claimed_elsewhere = true;
                self.polled.insert(index);
                continue;
            };
            // Another process may have made the table before the claim.
            self.look_for_files(index)?;
            self.update_needed();
            if !self.is_makeable(index) {
                continue;
            }
            if self.running.is_empty() {
                self.make_room(index)?;
            }
            let job = self.job(index, max_jobs);
            self.add_running(index, &job, claim);
            let (workshop, sender) = (self.workshop, sender.clone());
            let make = move || run_job(workshop, index, &job, &sender);
            match self.step(index).slots < SMALL {
                true => pool.spawn(move |_| make()),
                false => drop(threads.spawn(make)),
            }
        }
        self.polled.extend(first_without_room);
        Ok(claimed_elsewhere)
    }

    /// Adds a job that is about to run.
    fn add_running(&mut self, index: usize, job: &Job<'_, W::Name>, claim: Claim) {
        let (arrays, solves) = (job.arrays, !job.is_available);
        let discarded = self.discarded.len();
        self.running.insert(index, RunningJob { _claim: claim, arrays, solves, discarded });
        self.with_layers.insert(index);
        self.with_scratch.insert(index);
        self.limit_arrays();
    }

    /// Returns the job that makes a table, beside others.
    fn job(&self, index: usize, max_jobs: usize) -> Job<'s, W::Name> {
        let (step, files) = (self.step(index), self.files[index]);
        // A table may be larger than planned, in particular a small one.
        let free = saturating_sub(self.plan.memory, self.memory(Some(index)));
        let spare = SPARE_ARRAYS.min(ByteSize(free.0 / max_jobs as u64));
        let reads_it = |other: usize| self.read[other].contains(&index);
        Job {
            step,
            arrays: step.need.arrays + spare,
            has_file: files.table,
            wdl: step.wdl.filter(|_| !files.are_complete()),
            is_available: self.is_available(index),
            is_needed: self.needed[index],
            is_needed_later: (0..self.files.len()).any(|other| {
                self.step(other).men > step.men && self.is_open(other) && reads_it(other)
            }),
        }
    }

    /// Claims a table; `None` if another process has claimed it.
    fn claim(&self, index: usize) -> Result<Option<Claim>, BatchError> {
        let (table, workshop) = (self.step(index).name, self.workshop);
        workshop.claim(table).map_err(|source| {
            let (table, path) = (table.to_string(), workshop.directory().to_path_buf());
            BatchError::Claim { table, path, source }
        })
    }

    /// Whether memory and disk have room for one more job. If an earlier table had no room, the new
    /// job must leave room for the earlier table once the running jobs have ended.
    fn has_room(&self, index: usize, earlier: Option<usize>) -> bool {
        let need = |index: usize| self.step(index).need.memory();
        let both = earlier.map_or(ByteSize::default(), |earlier| need(earlier) + need(index));
        let is_running = |index: usize| self.running.contains_key(&index);
        let is_done = |index: usize| self.files[index].are_complete() && !is_running(index);
        let is_made = |other: usize| other == index || is_running(other);
        both.max(self.memory(Some(index))) <= self.plan.memory
            && self.plan.disk_with(is_done, is_made) <= self.disk
    }

    /// Memory of all jobs, including the job to start, if any, and of the tables that are needed.
    fn memory(&self, more: Option<usize>) -> ByteSize {
        let running = self.running.iter().map(|(&index, running)| (index, running.arrays));
        let more = more.map(|index| (index, self.step(index).need.arrays));
        let jobs = running.chain(more);
        let jobs: ByteSize = jobs.map(|(index, arrays)| arrays + self.other(index)).sum();
        let held = self.held(more.map(|(index, _)| index)).into_iter();
        let held: ByteSize = held.map(|index| self.codes(index)).sum();
        PROGRAM + jobs + held
    }

    /// Memory of a job besides arrays and subtables.
    fn other(&self, index: usize) -> ByteSize {
        saturating_sub(self.step(index).need.other, PROGRAM)
    }

    /// Memory of the codes of a table.
    fn codes(&self, index: usize) -> ByteSize {
        self.workshop.held(self.step(index).name).unwrap_or(self.step(index).codes)
    }

    /// Tables in memory while the running jobs and one more run, without the tables being made.
    fn held(&self, more: Option<usize>) -> BTreeSet<usize> {
        let needed = (0..self.files.len()).filter(|&index| self.needed[index]);
        let jobs = self.running.keys().copied().chain(more);
        let loaded = jobs
            .filter(|&index| self.step(index).are_subtables_loaded())
            .flat_map(|index| self.subtables[index].iter().copied());
        let held = needed.filter(|&index| self.is_in_memory(index)).chain(loaded);
        held.filter(|index| !self.running.contains_key(index)).collect()
    }

    /// Limits the arrays of all solvers to the memory available to them.
    fn limit_arrays(&self) {
        let others: ByteSize = self.running.keys().map(|&index| self.other(index)).sum();
        let held = self.held(None).into_iter();
        let decoded = held.filter(|index| !self.solved.contains(index));
        let decoded: ByteSize = decoded.map(|index| self.codes(index)).sum();
        self.workshop.limit_arrays(saturating_sub(self.plan.memory, PROGRAM + others + decoded));
    }

    /// Drops tables from memory that have no room while a table is made alone. A needed table
    /// without a file is written to the scratch folder first.
    fn make_room(&mut self, index: usize) -> Result<(), BatchError> {
        let step = self.step(index);
        let mut kept: BTreeSet<usize> = match step.are_subtables_loaded() {
            true => self.subtables[index].iter().copied().collect(),
            false => BTreeSet::new(),
        };
        let mut room = saturating_sub(self.plan.memory, step.need.memory());
        let open = (0..self.files.len()).filter(|&other| self.is_open(other));
        for subtable in [index].into_iter().chain(open).flat_map(|index| &self.read[index]) {
            let bytes = self.codes(*subtable);
            if bytes <= room && kept.insert(*subtable) {
                room = saturating_sub(room, bytes);
            }
        }
        for other in 0..self.files.len() {
            if self.is_in_memory(other)
                && !kept.contains(&other)
                && self.workshop.save(self.step(other))?
            {
                self.look_for_files(other)?;
            }
        }
        let is_kept = |name| self.indices.get(&name).is_some_and(|index| kept.contains(index));
        self.workshop.retain(&is_kept);
        self.solved.retain(|index| kept.contains(index));
        Ok(())
    }

    /// Waits for a message of a job, at most for [`POLL_INTERVAL`] if another process has claimed a
    /// table.
    fn receive(
        &mut self,
        messages: &Receiver<Message<W::Name>>,
        waits: bool,
    ) -> Result<(), BatchError> {
        let message = match waits {
            true => messages.recv_timeout(POLL_INTERVAL).ok(),
            false => messages.recv().ok(),
        };
        match message {
            None => Ok(()),
            Some(Message::Available(index, arrays)) => {
                if let Some(running) = self.running.get_mut(&index) {
                    running.arrays = arrays;
                    if running.solves {
                        self.solved.insert(index);
                    }
                }
                self.look_for_files(index)
            }
            Some(Message::Over(index, made)) => {
                let running = self.running.remove(&index);
                match (*made).unwrap_or_else(|panic| resume_unwind(panic)) {
                    Ok(report) => {
                        self.unfinished.remove(&index);
                        self.workshop.observer().finished(&report);
                    }
                    Err(error) => {
                        let discarded = running.map_or(0, |running| running.discarded);
                        if !self.is_to_be_repeated(index, discarded, &error)?
                            && self.error.as_ref().is_none_or(|&(first, _)| index < first)
                        {
                            self.error = Some((index, error));
                        }
                    }
                }
                self.look_for_files(index)
            }
        }
    }

    /// Whether a job failed because of damaged or missing scratch files that are missing by now.
    /// The tables that the job read are then made again, and its own table after them. `discarded`
    /// files were missing before the job started.
    fn is_to_be_repeated(
        &mut self,
        index: usize,
        discarded: usize,
        error: &BatchError,
    ) -> Result<bool, BatchError> {
        let read = [&[index], &self.read[index][..]].concat();
        self.discard_damaged(read.clone(), true)?;
        for &index in &read[1..] {
            self.look_for_files(index)?;
            if matches!(error, BatchError::Subtable { .. })
                && !self.is_available(index)
                && !self.discarded.contains(&index)
            {
                self.discarded.push(index);
            }
        }
        Ok(self.discarded[discarded..].iter().any(|removed| read.contains(removed)))
    }

    /// Removes damaged scratch files of tables.
    fn discard_damaged(&mut self, indices: Vec<usize>, whole: bool) -> Result<(), BatchError> {
        for index in indices {
            if !self.discarded.contains(&index)
                && self.workshop.discard_damaged(self.step(index).name, whole)?
            {
                self.discarded.push(index);
            }
        }
        Ok(())
    }
}

/// Makes a table, and reports to the schedule.
fn run_job<W: Workshop>(
    workshop: &W,
    index: usize,
    job: &Job<'_, W::Name>,
    sender: &Sender<Message<W::Name>>,
) {
    // Nobody receives after the end of the batch.
    let send = |message| drop(sender.send(message));
    let available = |arrays| send(Message::Available(index, arrays));
    let made = catch_unwind(AssertUnwindSafe(|| workshop.make(job, &available)));
    send(Message::Over(index, Box::new(made)));
}

/// Difference of two sizes, or zero if the second one is larger.
fn saturating_sub(size: ByteSize, taken: ByteSize) -> ByteSize {
    ByteSize(size.0.saturating_sub(taken.0))
}

#[cfg(test)]
mod tests;
