//! Progress of a batch of tables: bars or plain lines, and a line for each finished table.

use crate::cli::CommandError;
use crate::cli::duration::{duration, rate_and_left};
use crate::cli::progress::{Bars, TableBar};
use indicatif::{HumanBytes, HumanCount};
use sakmak_make::batch::need::Storage;
use sakmak_make::batch::plan::Plan;
use sakmak_make::batch::report::{BatchObserver, TableReport};
use sakmak_make::batch::step::PlanStep;
use sakmak_make::system::clock::processor_time;
use sakmak_make::system::machine::free_disk;
use sakmak_probe::file::open_file::FileError;
use sakmak_solve::solver::SolveTimes;
use sakmak_solve::solver::saved_layers::SavedLayersError;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The progress of a batch: a bar for all tables, a bar for each table that is being made, and a line
/// for each finished table. The lines come in the order of the plan.
pub struct BatchProgress {
    directory: PathBuf,
    stream: Stream,
    bars: Bars,
    all: TableBar,
    tables: Mutex<BTreeMap<TableName, TableBar>>,
    totals: Mutex<BatchTotals>,
}

/// The stream for the lines about finished tables.
#[derive(Clone, Copy)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error, if standard output has other content.
    Error,
}

/// The sums over the tables of a batch.
#[derive(Default)]
struct BatchTotals {
    tables: usize,
    made: usize,
    elsewhere: usize,
    there: usize,
    bytes: u64,
    /// Slots to make, slots made, the start of the work, and when the last table was finished.
    slots: u64,
    made_slots: u64,
    start: Option<Instant>,
    finished: Option<Instant>,
    /// The times of the tables by phase.
    times: SolveTimes,
    writing: Duration,
    /// The tables of the plan whose lines are still to be printed, and the lines there are.
    order: VecDeque<TableName>,
    lines: HashMap<TableName, String>,
}

impl BatchProgress {
    /// The progress of a batch that has not started.
    pub fn new(directory: &Path, stream: Stream) -> BatchProgress {
        let bars = Bars::new();
        let (directory, all) = (directory.to_path_buf(), bars.table("tables"));
        let (tables, totals) = (Mutex::default(), Mutex::default());
        BatchProgress { directory, stream, bars, all, tables, totals }
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

    fn totals(&self) -> MutexGuard<'_, BatchTotals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the bars and prints the totals.
    pub fn end(&self) -> Result<(), CommandError> {
        self.print_lines(true);
        self.all.clear();
        let BatchTotals { made, elsewhere, there, bytes, times, writing, start, .. } =
            *self.totals();
        let elsewhere = match elsewhere {
            0 => String::new(),
            some => format!("{some} by other processes, "),
        };
        self.print(&format!(
            "{made} {tables} made ({}), {elsewhere}{there} existed, in {}\n",
            HumanBytes(bytes),
            self.directory.display(),
            tables = if made == 1 { "table" } else { "tables" },
        ))?;
        if made > 0 {
            let seconds = |time: Duration| duration(time.as_secs_f64());
            let elapsed = start.map_or(Duration::ZERO, |start| start.elapsed());
            let processor = match processor_time() {
                Some(time) => format!(", {} of processor time", seconds(time)),
                None => String::new(),
            };
            // Sums over tables that are made at once can exceed the elapsed time.
            self.print(&format!(
                "time: {}{processor}\n\
                 summed: conversions {}, layers {}, gathering {}, writing {}\n",
                seconds(elapsed),
                seconds(times.conversions),
                seconds(times.layers),
                seconds(times.gathering),
                seconds(writing),
            ))?;
        }
        Ok(())
    }

    /// Prints the lines about finished tables that come next in the order of the plan, or all.
    fn print_lines(&self, all: bool) {
        let mut totals = self.totals();
        let BatchTotals { order, lines, .. } = &mut *totals;
        while let Some(name) = order.front()
            && (all || lines.contains_key(name))
        {
            // A failure to print does not stop the work.
            let _ = self.print(&lines.remove(name).unwrap_or_default());
            order.pop_front();
        }
    }

    /// Updates the bar of all tables.
    fn show_all(&self) {
        let totals = self.totals();
        let done = totals.made + totals.elsewhere;
        let mut message = format!("{done}/{} tables", totals.tables);
        if let Some((rate, left)) = totals.pace(Instant::now()) {
            message += &format!(", {}", rate_and_left(rate, left));
        }
        self.all.show(totals.made_slots, totals.slots, &message);
    }

    /// Updates the bar of a table, which is added if there is none.
    fn show(&self, name: TableName, update: impl FnOnce(&TableBar)) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        update(tables.entry(name).or_insert_with(|| self.bars.table(&name.to_string())));
    }

    /// Removes the bar of a table.
    fn remove(&self, name: TableName) {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bar) = tables.remove(&name) {
            bar.clear();
        }
    }

    /// Updates all bars, and offers a plain line about a table and all tables.
    fn advance(&self, name: TableName, update: impl FnOnce(&TableBar)) {
        self.show(name, update);
        self.show_all();
        self.show(name, |bar| {
            self.bars.lines().offer(|| format!("{}; {}", bar.text(), self.all.text()));
        });
    }
}

/// A batch that ends early has lines as well.
impl Drop for BatchProgress {
    fn drop(&mut self) {
        self.print_lines(true);
    }
}

impl BatchTotals {
    /// Slots per second until the last table was finished, and the seconds left at that rate; none if the
    /// tables at work take longer. `None` in the first second and without a finished table.
    fn pace(&self, now: Instant) -> Option<(f64, Option<f64>)> {
        let (start, finished) = (self.start?, self.finished?);
        let seconds = (finished - start).as_secs_f64();
        let rate = self.made_slots as f64 / seconds;
        let slots = self.slots.saturating_sub(self.made_slots);
        let left = slots as f64 / rate - (now - finished).as_secs_f64();
        let left = (left >= 0.0 && slots > 0).then_some(left);
        (seconds >= 1.0).then_some((rate, left))
    }
}

impl BatchObserver for BatchProgress {
    fn planned(&self, plan: &Plan) {
        let mut totals = self.totals();
        totals.tables = plan.open().count();
        totals.there = plan.steps.len() - totals.tables;
        totals.slots = plan.slots();
        totals.start = Some(Instant::now());
        totals.order = plan.open().map(|step| step.name).collect();
        drop(totals);
        // A failure to print does not stop the work.
        let _ = self.print(&plan_lines(plan));
        let (needed, free) = (plan.disk(), free_disk(&self.directory));
        if let Some(free) = free.filter(|&free| free < needed) {
            let _ = self
                .print(&format!("The disk may fill up: at most {needed} needed, {free} free\n"));
        }
        self.show_all();
    }

    fn made_elsewhere(&self, step: &PlanStep) {
        let mut totals = self.totals();
        totals.elsewhere += 1;
        totals.slots -= step.slots;
        totals.lines.insert(step.name, String::new());
        drop(totals);
        self.remove(step.name);
        self.print_lines(false);
        self.show_all();
    }

    fn waiting(&self, table: TableName) {
        self.show(table, |bar| bar.set_message("another process is making it"));
    }

    fn solving(&self, step: &PlanStep) {
        let disk = if step.storage == Storage::Disk { ", partly on disk" } else { "" };
        self.show(step.name, |bar| {
            bar.set_message(&format!("{} slots{disk}", HumanCount(step.slots)));
        });
    }

    fn resumed(&self, step: &PlanStep) {
        // A failure to print does not stop the work.
        let _ = self.print(&format!("{}: solved by an earlier run\n", step.name));
    }

    fn discarded(&self, step: &PlanStep, reason: &SavedLayersError) {
        let name = step.name;
        let _ = self
            .print(&format!("{name}: the layers saved by an earlier run are removed: {reason}\n"));
    }

    fn discarded_file(&self, table: TableName, reason: &FileError) {
        let _ = self.print(&format!(
            "{table}: the solved file left by an earlier run is removed and made again: {reason}\n"
        ));
    }

    fn layer(&self, step: &PlanStep, attacker: Side, moves: Moves) {
        self.advance(step.name, |bar| {
            bar.set_message(&format!("{} wins in {moves}", attacker.name()))
        });
    }

    fn writing(&self, step: &PlanStep) {
        self.show(step.name, |bar| bar.show(0, step.slots, "writing"));
    }

    fn counting(&self, step: &PlanStep) {
        self.show(step.name, |bar| bar.show(0, step.slots, "counting"));
    }

    fn encoding(&self, step: &PlanStep) {
        self.show(step.name, |bar| bar.show(0, step.slots, "encoding WDL"));
    }

    fn packing(&self, step: &PlanStep, slots: u64) {
        self.show(step.name, |bar| bar.show(0, slots, "packing"));
    }

    fn written(&self, step: &PlanStep, slots: u64) {
        self.advance(step.name, |bar| bar.advance(slots));
    }

    fn finished(&self, report: &TableReport) {
        let mut totals = self.totals();
        totals.made += 1;
        totals.bytes += bytes(report);
        totals.made_slots += report.slots;
        totals.finished = Some(Instant::now());
        totals.times.conversions += report.times.conversions;
        totals.times.layers += report.times.layers;
        totals.times.gathering += report.times.gathering;
        totals.times.moved += report.times.moved;
        totals.writing += report.writing;
        let line = table_line(report);
        let is_planned = totals.order.contains(&report.name);
        if is_planned {
            totals.lines.insert(report.name, line.clone());
        }
        drop(totals);
        self.remove(report.name);
        if !is_planned {
            let _ = self.print(&line);
        }
        self.print_lines(false);
        self.show_all();
    }
}

/// The lines about the work ahead; empty if there is none.
fn plan_lines(plan: &Plan) -> String {
    let Some(greatest) = plan.greatest() else { return String::new() };
    let count = plan.open().count();
    let mut text = format!(
        "{count} {tables} to make: {} slots, memory {}, disk about {}\n",
        HumanCount(plan.slots()),
        greatest.need.memory(),
        plan.disk(),
        tables = if count == 1 { "table" } else { "tables" },
    );
    for step in plan.open().filter(|step| step.storage == Storage::Disk && !step.saved) {
        text += &format!(
            "{}: a part is kept on disk, as all would need {} of memory\n",
            step.name,
            step.in_memory.memory()
        );
    }
    text
}

/// The bytes of the files of a table.
fn bytes(report: &TableReport) -> u64 {
    report.file.iter().chain(&report.wdl).map(|file| file.length).sum()
}

/// The line about a finished table, at most 80 columns.
fn table_line(report: &TableReport) -> String {
    let longest = |side: Side| {
        let moves = report.longest[side.index()]?;
        Some(format!("{} in {}", side.name(), moves.0))
    };
    let wins: Vec<String> = Side::BOTH.into_iter().filter_map(longest).collect();
    format!(
        "{:<7} {:>11} slots {:>10} {:>6.1} s  {}{}\n",
        report.name.to_string(),
        HumanCount(report.slots).to_string(),
        match bytes(report) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_of_finished_tables() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs_f64(seconds);
        let mut totals = BatchTotals { slots: 1000, start: Some(start), ..BatchTotals::default() };
        assert_eq!(totals.pace(after(5.0)), None);
        (totals.made_slots, totals.finished) = (100, Some(after(0.5)));
        assert_eq!(totals.pace(after(5.0)), None, "too soon");
        (totals.made_slots, totals.finished) = (200, Some(after(4.0)));
        assert_eq!(totals.pace(after(4.0)), Some((50.0, Some(16.0))));
        // A large table is at work.
        assert_eq!(totals.pace(after(14.0)), Some((50.0, Some(6.0))));
        assert_eq!(totals.pace(after(30.0)), Some((50.0, None)), "it takes longer");
        (totals.made_slots, totals.finished) = (1000, Some(after(40.0)));
        assert_eq!(totals.pace(after(40.0)), Some((25.0, None)), "all are made");
    }
}
