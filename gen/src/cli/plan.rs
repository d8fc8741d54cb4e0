//! `sakmak plan`: the tables that `sakmak generate` would make, and their needs.

use crate::cli::batch_arguments::{BatchArguments, BatchRequest};
use crate::cli::duration::duration;
use crate::cli::{CommandError, print, print_json};
use clap::Args;
use indicatif::HumanCount;
use sakmak_make::batch::need::Storage;
use sakmak_make::batch::plan::{Batch, Plan, PlanStage};
use sakmak_make::batch::settings::{BatchSettings, PackedOutput};
use sakmak_make::batch::step::{PlanStep, StepName};
use sakmak_make::output::packed::pack;
use sakmak_make::output::solved::{WriteOptions, write_to};
use sakmak_make::store::TableStore;
use sakmak_make::system::ByteSize;
use sakmak_make::system::temporary_directory::TemporaryDirectory;
use sakmak_probe::variant::Variant;
use sakmak_solve::solver::Solver;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::codes::TableCodes;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The help after the options.
const AFTER: &str = "\
Takes the arguments of 'generate' and makes nothing. Prints the tables in the order in which \
'generate' makes them, with their slots (positions stored, for both sides to move), peak memory, \
size of its files at most, and estimated time: that of each table alone on all threads, and of the \
batch, whose schedule is simulated on as many cores as threads.";

/// The tables to plan.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct PlanArguments {
    #[command(flatten)]
    pub batch: BatchArguments,
    /// Speed of one thread in slots per second [default: measured on a small table]
    #[arg(long, value_name = "SLOTS", value_parser = clap::value_parser!(u64).range(1..))]
    pub rate: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The table that is solved to measure the speed: with four men, and as fast per slot as five men.
const TIMED: &str = "KSMvK";

pub fn run(arguments: PlanArguments) -> Result<(), CommandError> {
    let variant = match arguments.batch.variant.variant() {
        Variant::Chess(variant) => variant,
        Variant::Board(game) => return game.visit(&arguments),
    };
    let request = arguments.batch.request(variant, WriteOptions::default())?;
    let BatchRequest { names, rules, directory, settings, .. } = request;
    let batch = Batch { rules, directory: &directory, settings };
    let plan = batch.plan(names)?;
    let rate = match arguments.rate {
        Some(rate) => rate,
        None => measured_rate(rules, &settings)?,
    };
    let file_name = |name: TableName| match settings.packed {
        Some(_) => name.packed_file_name(),
        None => name.file_name(),
    };
    let measured = arguments.rate.is_none().then_some(TIMED);
    print_plan(&plan, &file_name, rate, measured, batch.disk(), arguments.json)
}

/// Prints a plan as text or as JSON. `measured` is the table on which the rate was measured, and
/// `free` is the disk limit.
pub fn print_plan<N: StepName>(
    plan: &Plan<N>,
    file_name: &dyn Fn(N) -> String,
    rate: u64,
    measured: Option<&str>,
    free: Option<ByteSize>,
    json: bool,
) -> Result<(), CommandError> {
    let shown = PlanJson::new(plan, file_name, rate, free);
    match json {
        true => print_json(&shown),
        false => print(&text(&shown, plan, measured)),
    }
}

/// Measures the slots per second of one thread that solves and writes [`TIMED`], or packs it.
pub fn measured_rate(rules: &Rules, settings: &BatchSettings) -> Result<u64, CommandError> {
    one_thread(|| rate(rules, settings))
}

/// Runs work on one thread.
pub fn one_thread<T: Send>(
    work: impl FnOnce() -> Result<T, CommandError> + Send,
) -> Result<T, CommandError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool =
        pool.map_err(|error| CommandError::failure(format!("cannot start a thread: {error}")))?;
    pool.install(work)
}

fn rate(rules: &Rules, settings: &BatchSettings) -> Result<u64, CommandError> {
    let material: Material = TIMED.parse().map_err(CommandError::bad_input)?;
    let name = TableName::of_distance(material, rules);
    // Without a directory, subtables are solved on the spot.
    let store = TableStore::new(rules, Path::new(""));
    let subtables = store.subtables(name)?;
    let start = Instant::now();
    let table = Solver::default().solve(name, rules, &|smaller| store.memory.get(smaller))?;
    let choosing = match settings.packed {
        None => {
            write_to(&table, rules, &mut std::io::sink(), &settings.options)?;
            Duration::ZERO
        }
        Some(PackedOutput { options, variant, .. }) => {
            let directory = TemporaryDirectory::new().map_err(CommandError::failure)?;
            let subtables: Vec<&dyn TableCodes> =
                subtables.iter().map(|table| &**table as _).collect();
            let (directory, metric) = (directory.path(), name.metric);
            pack(&table, metric, variant, &subtables, directory, options, &|_| ())?.choosing
        }
    };
    // The choice for a large table takes hardly longer than for this table.
    let seconds = (start.elapsed() - choosing).as_secs_f64();
    let slots = 2 * table.index().slots();
    Ok((slots as f64 / seconds).max(1.0) as u64)
}

/// A plan as JSON; amounts in bytes.
#[derive(Serialize)]
struct PlanJson {
    tables: Vec<TableJson>,
    /// Unfinished tables by number of men.
    stages: Vec<StageJson>,
    to_make: usize,
    slots: u64,
    /// Speed of one thread.
    slots_per_second: u64,
    threads: usize,
    /// Time of the simulated schedule.
    seconds: f64,
    memory: u64,
    memory_allowed: u64,
    /// Includes the scratch files of packed tables.
    disk: u64,
    disk_free: Option<u64>,
    /// The reason why the plan is refused, or `None`.
    problem: Option<String>,
}

/// The unfinished tables with one number of men.
#[derive(Serialize)]
struct StageJson {
    men: usize,
    tables: usize,
    slots: u64,
    seconds: f64,
    memory: u64,
    disk: u64,
}

/// One table of a plan.
#[derive(Serialize)]
struct TableJson {
    table: String,
    file_name: String,
    /// Tables that the table depends on.
    subtables: Vec<String>,
    finished: bool,
    /// An earlier run solved the table, so that it is only packed.
    solved: bool,
    slots: u64,
    memory: u64,
    memory_least: u64,
    memory_all: u64,
    on_disk: bool,
    file: u64,
    /// Length of the WDL file to make with the table.
    wdl: u64,
    wdl_name: Option<String>,
    /// Length of the solved file of a packed table, as long as a table with more men needs it.
    scratch: u64,
    spilled: u64,
    disk: u64,
    threads: usize,
    seconds: f64,
}

impl PlanJson {
    fn new<N: StepName>(
        plan: &Plan<N>,
        file_name: &dyn Fn(N) -> String,
        rate: u64,
        free: Option<ByteSize>,
    ) -> PlanJson {
        let threads = rayon::current_num_threads();
        let seconds = |step: &PlanStep<N>| plan.seconds(step, rate as f64) / threads as f64;
        let table = |step: &PlanStep<N>| TableJson {
            table: step.name.to_string(),
            file_name: file_name(step.name),
            subtables: step.subtables.iter().map(N::to_string).collect(),
            finished: step.finished,
            solved: step.saved,
            slots: step.slots,
            memory: step.need.memory().0,
            memory_least: step.on_disk.memory().0,
            memory_all: step.in_memory.memory().0,
            on_disk: step.storage == Storage::Disk,
            file: step.need.file.0,
            wdl: step.need.wdl.0,
            wdl_name: step.wdl.map(|(name, _)| name.to_string()),
            scratch: step.need.scratch.0,
            spilled: step.need.spilled.0,
            disk: (step.need.file + step.need.wdl + step.need.scratch + step.need.spilled).0,
            threads,
            seconds: seconds(step),
        };
        let of_stage = |stage: PlanStage| plan.open().filter(move |step| step.men == stage.men);
        let stage = |stage: PlanStage| StageJson {
            men: stage.men,
            tables: stage.tables,
            slots: stage.slots,
            seconds: of_stage(stage).map(seconds).sum(),
            memory: stage.memory.0,
            disk: stage.disk.0,
        };
        PlanJson {
            tables: plan.steps.iter().map(table).collect(),
            stages: plan.stages().into_iter().map(stage).collect(),
            to_make: plan.open().count(),
            slots: plan.slots(),
            slots_per_second: rate,
            threads,
            seconds: plan.time(threads, rate as f64).as_secs_f64(),
            memory: plan.greatest().map_or(0, |step| step.need.memory().0),
            memory_allowed: plan.memory.0,
            disk: plan.disk().0,
            disk_free: free.map(|free| free.0),
            problem: plan.fits(free).err().map(|problem| problem.to_string()),
        }
    }
}

/// Returns the plan as text, at most 80 columns wide.
fn text<N: StepName>(shown: &PlanJson, plan: &Plan<N>, measured: Option<&str>) -> String {
    let mut text = "table                slots      memory        file       time\n".to_string();
    for (table, step) in shown.tables.iter().zip(&plan.steps) {
        let note = match step.storage {
            _ if step.finished => "  exists",
            _ if step.need.memory() > plan.memory => "  too much memory",
            _ if step.has_file() => "  exists without its WDL file",
            _ if step.saved => "  to be packed",
            Storage::Disk => "  partly on disk",
            Storage::Memory => "",
        };
        let _ = writeln!(
            text,
            "{:<8} {:>17} {:>11} {:>11} {:>10}{note}",
            table.table,
            HumanCount(table.slots).to_string(),
            step.need.memory(),
            step.need.file + step.need.wdl,
            duration(table.seconds),
        );
    }
    if shown.stages.len() > 1 {
        text += &stage_lines(&shown.stages);
    }
    let _ = write!(
        text,
        "\nTo make: {} of {} tables, {} slots, {}\n\
         Memory:  {} at most, {} allowed\n\
         Disk:    {} at most{}\n\
         Times are for {} thread{}, each {} slots per second{}.\n",
        shown.to_make,
        shown.tables.len(),
        HumanCount(shown.slots),
        duration(shown.seconds),
        ByteSize(shown.memory),
        ByteSize(shown.memory_allowed),
        ByteSize(shown.disk),
        shown.disk_free.map_or(String::new(), |free| format!(", {} free", ByteSize(free))),
        shown.threads,
        if shown.threads == 1 { "" } else { "s" },
        HumanCount(shown.slots_per_second),
        match measured {
            Some(table) => format!(", measured on {table}"),
            None => String::new(),
        },
    );
    if let Some(problem) = &shown.problem {
        let _ = writeln!(text, "The plan cannot be carried out: {problem}");
    }
    text
}

/// Returns the lines about the numbers of men.
fn stage_lines(stages: &[StageJson]) -> String {
    let mut text = "\nmen  tables           slots      memory        disk       time\n".to_string();
    for stage in stages {
        let _ = writeln!(
            text,
            "{:>3} {:>7} {:>15} {:>11} {:>11} {:>10}",
            stage.men,
            stage.tables,
            HumanCount(stage.slots).to_string(),
            ByteSize(stage.memory),
            ByteSize(stage.disk),
            duration(stage.seconds),
        );
    }
    text
}
