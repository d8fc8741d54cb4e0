//! Shows how tables are made: progress bars, and a line for each table.

use crate::cli::CommandError;
use crate::cli::progress::{Bars, TableBar, duration, rate_and_left};
use indicatif::{HumanBytes, HumanCount};
use sakmak_gen::build::batch::{Report, Watch};
use sakmak_gen::build::plan::{Layers, Plan, Step};
use sakmak_gen::solver::Effort;
use sakmak_gen::system::machine::free_disk;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The progress of a batch: a bar for all tables, one for the table at work, and a line
/// for each table when it is done.
pub struct BatchProgress {
    directory: PathBuf,
    lines: Stream,
    bars: Bars,
    all: TableBar,
    table: TableBar,
    tally: Mutex<BatchTotals>,
}

/// Where lines of what is made go.
#[derive(Clone, Copy)]
pub enum Stream {
    /// To standard output.
    Output,
    /// To standard error: something else is printed.
    Error,
}

#[derive(Default)]
struct BatchTotals {
    tables: usize,
    made: usize,
    elsewhere: usize,
    there: usize,
    bytes: u64,
    /// Slots to be made and made, and the time that took.
    slots: u64,
    made_slots: u64,
    working: Duration,
    /// Where that time went.
    effort: Effort,
    writing: Duration,
    /// The table at work: its slots and when it was begun.
    at_work: Option<(u64, Instant)>,
}

impl BatchProgress {
    /// The progress of a batch in this directory that has not begun.
    pub fn new(directory: &Path, lines: Stream) -> BatchProgress {
        let bars = Bars::new();
        let (all, table) = (bars.table("tables"), bars.table(""));
        let tally = Mutex::default();
        BatchProgress { directory: directory.to_path_buf(), lines, bars, all, table, tally }
    }

    /// Prints while the bars step aside.
    fn say(&self, text: &str) -> Result<(), CommandError> {
        match self.lines {
            Stream::Output => self.bars.print(text),
            Stream::Error => {
                self.bars.tell(text);
                Ok(())
            }
        }
    }

    fn tally(&self) -> MutexGuard<'_, BatchTotals> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bars go; what was made is told.
    pub fn end(&self) -> Result<(), CommandError> {
        self.all.clear();
        self.table.clear();
        let BatchTotals { made, elsewhere, there, bytes, effort, writing, .. } = *self.tally();
        let elsewhere = match elsewhere {
            0 => String::new(),
            some => format!("{some} by other processes, "),
        };
        self.say(&format!(
            "{made} {tables} made ({}), {elsewhere}{there} already there, in {}\n",
            HumanBytes(bytes),
            self.directory.display(),
            tables = if made == 1 { "table" } else { "tables" },
        ))?;
        if made > 0 {
            let seconds = |time: Duration| duration(time.as_secs_f64());
            self.say(&format!(
                "time: conversions {}, layers {}, gathering {}, writing {}\n",
                seconds(effort.conversions),
                seconds(effort.layers),
                seconds(effort.gathering),
                seconds(writing),
            ))?;
        }
        Ok(())
    }

    /// Shows how far all tables are.
    fn show_all(&self) {
        let tally = self.tally();
        let done = tally.made + tally.elsewhere;
        let mut message = format!("{done}/{} tables", tally.tables);
        if let Some(rate) = tally.rate() {
            let left = (tally.slots - tally.made_slots.min(tally.slots)) as f64 / rate;
            let left = (left - tally.elapsed().as_secs_f64()).max(0.0);
            message += &format!(", {}", rate_and_left(rate, left));
        }
        self.all.show(tally.made_slots, tally.slots, &message);
    }

    /// Shows what is done to the table at work, and how long it may still take if it goes
    /// as the tables before it went.
    fn show_table(&self, what: &str) {
        let tally = self.tally();
        let elapsed = tally.elapsed().as_secs_f64();
        let left = tally.rate().zip(tally.at_work).and_then(|(rate, (slots, _))| {
            Some(slots as f64 / rate - elapsed).filter(|&left| left >= 1.0)
        });
        let left = left.map(|left| format!(", {} left", duration(left))).unwrap_or_default();
        self.table.say(&format!("{what}{left}"));
    }
}

impl BatchTotals {
    /// Slots a second so far; the first few tables are too small to tell.
    fn rate(&self) -> Option<f64> {
        let seconds = self.working.as_secs_f64();
        (seconds >= 1.0).then(|| self.made_slots as f64 / seconds)
    }

    /// How long the table at work has been.
    fn elapsed(&self) -> Duration {
        self.at_work.map_or(Duration::ZERO, |(_, start)| start.elapsed())
    }
}

impl Watch for BatchProgress {
    fn planned(&self, plan: &Plan) {
        let mut tally = self.tally();
        tally.tables = plan.open().count();
        tally.there = plan.steps.len() - tally.tables;
        tally.slots = plan.slots();
        drop(tally);
        // That these lines cannot be printed does not stop the work.
        let _ = self.say(&plan_lines(plan));
        let (needed, free) = (plan.disk(), free_disk(&self.directory));
        if let Some(free) = free.filter(|&free| free < needed) {
            let _ = self.say(&format!(
                "The disk may fill: {needed} are needed at a cautious guess, {free} are free\n"
            ));
        }
        self.show_all();
    }

    fn made_elsewhere(&self, step: &Step) {
        let mut tally = self.tally();
        tally.elsewhere += 1;
        tally.slots -= step.slots;
        drop(tally);
        self.show_all();
    }

    fn waiting(&self, table: TableName) {
        self.table.begin(&table.to_string());
        self.table.say("another process is batch_progress it");
    }

    fn solving(&self, step: &Step, layers: Layers) {
        self.tally().at_work = Some((step.slots, Instant::now()));
        self.table.begin(&step.name.to_string());
        let disk = if layers == Layers::Disk { ", layers on disk" } else { "" };
        self.show_table(&format!("{} slots{disk}", HumanCount(step.slots)));
    }

    fn layer(&self, attacker: Side, moves: Moves) {
        self.show_table(&format!("{} mates in {moves}", attacker.name()));
        self.show_all();
    }

    fn writing(&self, step: &Step) {
        self.table.show(0, step.slots, "writing");
    }

    fn written(&self, slots: u64) {
        self.table.advance(slots);
        self.show_all();
    }

    fn finished(&self, report: &Report) {
        let mut tally = self.tally();
        tally.made += 1;
        tally.bytes += report.file.length;
        tally.made_slots += report.slots;
        tally.working += report.solving + report.writing;
        tally.effort.conversions += report.effort.conversions;
        tally.effort.layers += report.effort.layers;
        tally.effort.gathering += report.effort.gathering;
        tally.effort.moved += report.effort.moved;
        tally.writing += report.writing;
        tally.at_work = None;
        drop(tally);
        let _ = self.say(&line(report));
        self.table.begin("");
        self.show_all();
    }
}

/// What is about to be done; nothing when there is nothing to do.
fn plan_lines(plan: &Plan) -> String {
    let Some(greatest) = plan.greatest() else { return String::new() };
    let count = plan.open().count();
    let mut text = format!(
        "{count} {tables} to make: {} slots, memory {}, disk about {}\n",
        HumanCount(plan.slots()),
        greatest.need().memory(),
        plan.disk(),
        tables = if count == 1 { "table" } else { "tables" },
    );
    for step in plan.open().filter(|step| step.layers == Layers::Disk) {
        text += &format!(
            "{} with its layers on disk: in memory it would need {}\n",
            step.name,
            step.in_memory.memory()
        );
    }
    text
}

/// One table in one line of 80 columns.
fn line(report: &Report) -> String {
    let longest = |side: Side| {
        let moves = report.longest[side.index()]?;
        Some(format!("{} in {}", side.name(), moves.0))
    };
    let wins: Vec<String> = Side::BOTH.into_iter().filter_map(longest).collect();
    format!(
        "{:<7} {:>11} slots {:>10} {:>6.1} s  {}{}\n",
        report.name.to_string(),
        HumanCount(report.slots).to_string(),
        HumanBytes(report.file.length).to_string(),
        (report.solving + report.writing).as_secs_f64(),
        if wins.is_empty() {
            "no wins".to_string()
        } else {
            "wins: ".to_string() + &wins.join(", ")
        },
        if report.layers == Layers::Disk { "; layers on disk" } else { "" },
    )
}
