//! Progress of a batch of tables: bars or plain lines, and a line for each finished table.

use crate::cli::CommandError;
use crate::cli::duration::{duration, rate_and_left};
use crate::cli::progress::{Bars, TableBar};
use indicatif::{HumanBytes, HumanCount};
use sakmak_make::batch::need::Storage;
use sakmak_make::batch::plan::{Plan, PlanStep};
use sakmak_make::batch::solved_batch::{BatchObserver, TableReport};
use sakmak_make::system::machine::free_disk;
use sakmak_probe::file::open_file::FileError;
use sakmak_solve::solver::Effort;
use sakmak_solve::solver::saved_layers::SavedLayersError;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The progress of a batch: a bar for all tables, a bar for the current table, and a line for
/// each finished table.
pub struct BatchProgress {
    directory: PathBuf,
    stream: Stream,
    bars: Bars,
    all: TableBar,
    table: TableBar,
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
    /// Slots to make, slots made, and the time for the slots made.
    slots: u64,
    made_slots: u64,
    working: Duration,
    /// That time by phase.
    effort: Effort,
    writing: Duration,
    /// The slots and the start of the current table.
    current: Option<(u64, Instant)>,
}

impl BatchProgress {
    /// The progress of a batch that has not started.
    pub fn new(directory: &Path, stream: Stream) -> BatchProgress {
        let bars = Bars::new();
        let (all, table) = (bars.table("tables"), bars.table(""));
        let totals = Mutex::default();
        BatchProgress { directory: directory.to_path_buf(), stream, bars, all, table, totals }
    }

    /// Prints above the bars.
    fn print(&self, text: &str) -> Result<(), CommandError> {
        match self.stream {
            Stream::Output => self.bars.print(text),
            Stream::Error => {
                self.bars.tell(text);
                Ok(())
            }
        }
    }

    fn totals(&self) -> MutexGuard<'_, BatchTotals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the bars and prints the totals.
    pub fn end(&self) -> Result<(), CommandError> {
        self.all.clear();
        self.table.clear();
        let BatchTotals { made, elsewhere, there, bytes, effort, writing, .. } = *self.totals();
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
            self.print(&format!(
                "time: conversions {}, layers {}, gathering {}, writing {}\n",
                seconds(effort.conversions),
                seconds(effort.layers),
                seconds(effort.gathering),
                seconds(writing),
            ))?;
        }
        Ok(())
    }

    /// Updates the bar of all tables.
    fn show_all(&self) {
        let totals = self.totals();
        let done = totals.made + totals.elsewhere;
        let mut message = format!("{done}/{} tables", totals.tables);
        if let Some(rate) = totals.rate() {
            let left = (totals.slots - totals.made_slots.min(totals.slots)) as f64 / rate;
            let left = (left - totals.elapsed().as_secs_f64()).max(0.0);
            message += &format!(", {}", rate_and_left(rate, left));
        }
        self.all.show(totals.made_slots, totals.slots, &message);
    }

    /// Offers a plain line about the current table and all tables.
    fn offer_line(&self) {
        self.bars.lines().offer(|| format!("{}; {}", self.table.text(), self.all.text()));
    }

    /// Updates the bar of the current table; the time left is estimated from earlier tables.
    fn show_table(&self, what: &str) {
        let totals = self.totals();
        let elapsed = totals.elapsed().as_secs_f64();
        let left = totals.rate().zip(totals.current).and_then(|(rate, (slots, _))| {
            Some(slots as f64 / rate - elapsed).filter(|&left| left >= 1.0)
        });
        let left = left.map(|left| format!(", {} left", duration(left))).unwrap_or_default();
        self.table.say(&format!("{what}{left}"));
    }
}

impl BatchTotals {
    /// Slots per second so far, or `None` in the first second of work.
    fn rate(&self) -> Option<f64> {
        let seconds = self.working.as_secs_f64();
        (seconds >= 1.0).then(|| self.made_slots as f64 / seconds)
    }

    /// The time since the start of the current table.
    fn elapsed(&self) -> Duration {
        self.current.map_or(Duration::ZERO, |(_, start)| start.elapsed())
    }
}

impl BatchObserver for BatchProgress {
    fn planned(&self, plan: &Plan) {
        let mut totals = self.totals();
        totals.tables = plan.open().count();
        totals.there = plan.steps.len() - totals.tables;
        totals.slots = plan.slots();
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
        drop(totals);
        self.show_all();
    }

    fn waiting(&self, table: TableName) {
        self.table.begin(&table.to_string());
        self.table.say("another process is making it");
    }

    fn solving(&self, step: &PlanStep) {
        self.totals().current = Some((step.slots, Instant::now()));
        self.table.begin(&step.name.to_string());
        let disk = if step.storage == Storage::Disk { ", partly on disk" } else { "" };
        self.show_table(&format!("{} slots{disk}", HumanCount(step.slots)));
    }

    fn resumed(&self, step: &PlanStep) {
        self.totals().current = Some((step.slots, Instant::now()));
        self.table.begin(&step.name.to_string());
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

    fn layer(&self, attacker: Side, moves: Moves) {
        self.show_table(&format!("{} wins in {moves}", attacker.name()));
        self.show_all();
        self.offer_line();
    }

    fn writing(&self, step: &PlanStep) {
        self.table.show(0, step.slots, "writing");
    }

    fn counting(&self, step: &PlanStep) {
        self.table.show(0, step.slots, "counting");
    }

    fn packing(&self, _: &PlanStep, slots: u64) {
        self.table.show(0, slots, "packing");
    }

    fn written(&self, slots: u64) {
        self.table.advance(slots);
        self.show_all();
        self.offer_line();
    }

    fn finished(&self, report: &TableReport) {
        let mut totals = self.totals();
        totals.made += 1;
        totals.bytes += report.file.as_ref().map_or(0, |file| file.length);
        totals.made_slots += report.slots;
        totals.working += report.solving + report.writing;
        totals.effort.conversions += report.effort.conversions;
        totals.effort.layers += report.effort.layers;
        totals.effort.gathering += report.effort.gathering;
        totals.effort.moved += report.effort.moved;
        totals.writing += report.writing;
        totals.current = None;
        drop(totals);
        let _ = self.print(&table_line(report));
        self.table.begin("");
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
        match &report.file {
            Some(file) => HumanBytes(file.length).to_string(),
            None => "no file".to_string(),
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
