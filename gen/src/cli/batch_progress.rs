//! Progress of a batch of tables: bars or plain lines, and a line for each finished table.

use crate::cli::CommandError;
use crate::cli::duration::duration;
use crate::cli::progress::{Bars, Meter};
use indicatif::{HumanBytes, HumanCount};
use sakmak_make::batch::need::Storage;
use sakmak_make::batch::plan::Plan;
use sakmak_make::batch::report::{BatchObserver, TablePhase, TableReport};
use sakmak_make::batch::step::{PlanStep, StepName};
use sakmak_make::system::clock::processor_time;
use sakmak_make::system::machine::free_disk;
use sakmak_solve::solver::SolveTimes;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The progress of a batch: a bar for all tables, a bar for each table at work, and a line for each
/// finished table, in the order of the plan.
pub struct BatchProgress<N: StepName = TableName> {
    directory: PathBuf,
    stream: Stream,
    start: Instant,
    bars: Bars,
    all: Meter,
    tables: Mutex<BTreeMap<N, Meter>>,
    totals: Mutex<BatchTotals<N>>,
}

/// The stream for the lines about finished tables.
#[derive(Clone, Copy)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error, if standard output has other content.
    Error,
}

/// Sums over the tables of a batch.
struct BatchTotals<N> {
    tables: usize,
    made: usize,
    elsewhere: usize,
    existing: usize,
    bytes: u64,
    /// Solving times by phase.
    times: SolveTimes,
    writing: Duration,
    /// Lines to print, in the order of the plan; `None` for a table that is not finished.
    lines: VecDeque<(N, Option<String>)>,
}

impl<N: StepName> BatchProgress<N> {
    /// Returns the progress of a batch that has not started.
    pub fn new(directory: &Path, stream: Stream) -> BatchProgress<N> {
        let bars = Bars::new();
        let totals = BatchTotals {
            tables: 0,
            made: 0,
            elsewhere: 0,
            existing: 0,
            bytes: 0,
            times: SolveTimes::default(),
            writing: Duration::ZERO,
            lines: VecDeque::new(),
        };
        BatchProgress {
            directory: directory.to_path_buf(),
            stream,
            start: Instant::now(),
            all: bars.spinner("tables", "slots"),
            bars,
            tables: Mutex::default(),
            totals: Mutex::new(totals),
        }
    }

    /// Prints above the bars.
    fn print(&self, text: &str) -> Result<(), CommandError> {
        match self.stream {
            Stream::Output => self.bars.print(text),
            Stream::Error => {
                self.bars.eprint(text);
                Ok(())
            }
        }
    }

    /// Prints above the bars, if possible: a failure to print does not stop the work.
    fn try_print(&self, text: &str) {
        let _ = self.print(text);
    }

    fn totals(&self) -> MutexGuard<'_, BatchTotals<N>> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the bars and prints the totals.
    pub fn end(&self) -> Result<(), CommandError> {
        self.print_other_lines();
        self.all.finish();
        let totals = self.totals();
        let BatchTotals { made, existing, bytes, times, writing, .. } = &*totals;
        let elsewhere = match totals.elsewhere {
            0 => String::new(),
            some => format!("{some} by other processes, "),
        };
        self.print(&format!(
            "{made} {} made ({}), {elsewhere}{existing} existed, in {}\n",
            plural(*made),
            HumanBytes(*bytes),
            self.directory.display(),
        ))?;
        if *made > 0 {
            let seconds = |time: Duration| duration(time.as_secs_f64());
            let processor = match processor_time() {
                Some(time) => format!(", {} of processor time", seconds(time)),
                None => String::new(),
            };
            // Sums over tables that are made at once can exceed the elapsed time.
            self.print(&format!(
                "time: {}{processor}\n\
                 summed: conversions {}, layers {}, gathering {}, writing {}\n",
                seconds(self.start.elapsed()),
                seconds(times.conversions),
                seconds(times.layers),
                seconds(times.gathering),
                seconds(*writing),
            ))?;
        }
        Ok(())
    }

    /// Ends the bar of a table, and prints its line as soon as all earlier lines are printed. The
    /// line of a table that is made once more is printed at once.
    fn end_table(&self, name: N, line: String) {
        if let Some(bar) = self.bars_of_tables().remove(&name) {
            bar.finish();
        }
        let mut totals = self.totals();
        match totals.lines.iter_mut().find(|(planned, _)| *planned == name) {
            Some((_, planned)) => *planned = Some(line),
            None => self.try_print(&line),
        }
        while let Some((_, Some(line))) = totals.lines.front() {
            self.try_print(line);
            totals.lines.pop_front();
        }
        drop(totals);
        self.update_all();
    }

    /// Prints the lines of tables that come after unfinished tables.
    fn print_other_lines(&self) {
        let lines = std::mem::take(&mut self.totals().lines);
        lines.iter().filter_map(|(_, line)| line.as_ref()).for_each(|line| self.try_print(line));
    }

    /// Updates the number of tables.
    fn update_all(&self) {
        let totals = self.totals();
        let done = totals.made + totals.elsewhere;
        self.all.set_message(&format!("{done}/{} tables", totals.tables));
    }

    fn bars_of_tables(&self) -> MutexGuard<'_, BTreeMap<N, Meter>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the bar of a table, and adds it if it is missing. Returns the bars.
    fn update(&self, name: N, update: impl FnOnce(&Meter)) -> MutexGuard<'_, BTreeMap<N, Meter>> {
        let mut tables = self.bars_of_tables();
        update(tables.entry(name).or_insert_with(|| self.bars.spinner(&name.to_string(), "slots")));
        tables
    }

    /// Updates the bar of a table, and offers a plain line about the table and all tables.
    fn advance(&self, name: N, update: impl FnOnce(&Meter)) {
        let tables = self.update(name, update);
        let table = || tables.get(&name).map_or_else(String::new, Meter::line);
        self.bars.lines().offer(|| format!("{}; {}", table(), self.all.line()));
    }
}

/// A batch that ends early has lines as well.
impl<N: StepName> Drop for BatchProgress<N> {
    fn drop(&mut self) {
        self.print_other_lines();
    }
}

impl<N: StepName> BatchObserver<N> for BatchProgress<N> {
    fn planned(&self, plan: &Plan<N>) {
        let mut totals = self.totals();
        totals.tables = plan.open().count();
        totals.existing = plan.steps.len() - totals.tables;
        totals.lines = plan.open().map(|step| (step.name, None)).collect();
        drop(totals);
        self.all.begin(plan.slots(), "");
        self.try_print(&plan_lines(plan));
        let (needed, free) = (plan.disk(), free_disk(&self.directory));
        if let Some(free) = free.filter(|&free| free < needed) {
            self.try_print(&format!(
                "The disk may fill up: at most {needed} needed, {free} free\n"
            ));
        }
        self.update_all();
    }

    fn made_elsewhere(&self, step: &PlanStep<N>) {
        self.totals().elsewhere += 1;
        self.all.leave_out(step.slots);
        self.end_table(step.name, String::new());
    }

    fn note(&self, table: N, note: &str) {
        self.try_print(&format!("{table}: {note}\n"));
    }

    fn begins(&self, step: &PlanStep<N>, phase: TablePhase, slots: u64) {
        drop(self.update(step.name, |bar| match phase {
            TablePhase::Waiting => bar.set_message("another process is making it"),
            TablePhase::Starting => bar.begin(slots, ""),
            TablePhase::Solving => {
                bar.begin_unknown();
                let disk = if step.storage == Storage::Disk { ", partly on disk" } else { "" };
                bar.set_message(&format!("{} slots{disk}", HumanCount(slots)));
            }
            TablePhase::Writing => bar.begin(slots, "writing"),
            TablePhase::Counting => bar.begin(slots, "counting"),
            TablePhase::EncodingWdl => bar.begin(slots, "encoding WDL"),
            TablePhase::Packing => bar.begin(slots, "packing"),
        }));
    }

    fn layer(&self, step: &PlanStep<N>, attacker: Option<Side>, moves: Moves) {
        let attacker = attacker.map_or(String::new(), |side| format!("{} ", side.name()));
        let message = format!("{attacker}wins in {moves}");
        self.advance(step.name, |bar| bar.set_message(&message));
    }

    fn written(&self, step: &PlanStep<N>, slots: u64) {
        self.advance(step.name, |bar| bar.add(slots));
    }

    fn finished(&self, report: &TableReport<N>) {
        let mut totals = self.totals();
        totals.made += 1;
        totals.bytes += report.bytes;
        totals.times.conversions += report.times.conversions;
        totals.times.layers += report.times.layers;
        totals.times.gathering += report.times.gathering;
        totals.writing += report.writing;
        drop(totals);
        self.all.add(report.slots);
        self.end_table(report.name, table_line(report));
    }
}

fn plural(tables: usize) -> &'static str {
    if tables == 1 { "table" } else { "tables" }
}

/// Returns the lines about the work ahead; empty if no table is to be made.
fn plan_lines<N: StepName>(plan: &Plan<N>) -> String {
    let Some(greatest) = plan.greatest() else { return String::new() };
    let count = plan.open().count();
    let mut text = format!(
        "{count} {} to make: {} slots, memory {}, disk about {}\n",
        plural(count),
        HumanCount(plan.slots()),
        greatest.need.memory(),
        plan.disk(),
    );
    for step in plan.open().filter(|step| step.storage == Storage::Disk && !step.saved) {
        text += &format!(
            "{}: partly on disk, because it needs {} of memory\n",
            step.name,
            step.in_memory.memory()
        );
    }
    text
}

/// Returns the line about a finished table, at most 80 columns.
fn table_line<N: StepName>(report: &TableReport<N>) -> String {
    let wins = report.longest.iter().map(|(side, moves)| format!("{side} in {}", moves.0));
    let wins: Vec<String> = wins.collect();
    format!(
        "{:<7} {:>11} slots {:>10} {:>6.1} s  {}{}\n",
        report.name.to_string(),
        HumanCount(report.slots).to_string(),
        match report.bytes {
            0 => "no file".to_string(),
            bytes => HumanBytes(bytes).to_string(),
        },
        (report.solving + report.writing).as_secs_f64(),
        if wins.is_empty() {
            "no wins".to_string()
        } else {
            "wins: ".to_string() + &wins.join(", ")
        },
        if report.storage == Storage::Disk { "; partly on disk" } else { "" },
    )
}
