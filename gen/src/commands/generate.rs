//! `sakmak generate`: makes tables.

use super::progress::Bars;
use super::{Failure, TablesArgument, ThreadsArgument};
use clap::Args;
use indicatif::ProgressBar;
use sakmak_gen::batch::{Batch, Report, Watch};
use sakmak_gen::shelf::MAKEABLE;
use sakmak_gen::write::WriteOptions;
use sakmak_tables::distance::Moves;
use sakmak_tables::man::Side;
use sakmak_tables::material::{Material, MaterialError};
use sakmak_tables::variant::Variant;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// What to make and where.
#[derive(Args)]
pub struct Arguments {
    /// A material such as KRNvK, or a number of men: all materials of up to so many
    #[arg(required = true, value_name = "MATERIAL|MEN")]
    selections: Vec<String>,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The game, makruk or ouk; their tables are the same
    #[arg(long, default_value = "makruk", value_parser = super::variant_named)]
    variant: &'static Variant,
    /// The level of compression: higher is smaller and slower
    #[arg(long, default_value_t = WriteOptions::default().level, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
}

/// Materials asked for.
enum Selection {
    One(Material),
    UpTo(usize),
}

/// The text selects no material.
#[derive(Debug, thiserror::Error)]
enum SelectionError {
    #[error("tables of '{0}' men: those of {least} to {most} can be made", least = MAKEABLE.start(), most = MAKEABLE.end())]
    Men(String),
    #[error("{0} has {men} men: tables of {least} to {most} can be made", men = .0.men(), least = MAKEABLE.start(), most = MAKEABLE.end())]
    Size(Material),
    #[error("{0}, or a number of men from {least} to {most}", least = MAKEABLE.start(), most = MAKEABLE.end())]
    Neither(MaterialError),
    #[error(transparent)]
    Material(MaterialError),
}

impl FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Selection, SelectionError> {
        if text.chars().all(|letter| letter.is_ascii_digit()) && !text.is_empty() {
            let men = text.parse().ok().filter(|men| MAKEABLE.contains(men));
            return men.map(Selection::UpTo).ok_or_else(|| SelectionError::Men(text.to_string()));
        }
        let material: Material = text.parse().map_err(|error| match error {
            MaterialError::Form(_) => SelectionError::Neither(error),
            _ => SelectionError::Material(error),
        })?;
        if !MAKEABLE.contains(&material.men()) {
            return Err(SelectionError::Size(material));
        }
        Ok(Selection::One(material))
    }
}

impl Selection {
    fn materials(self) -> Vec<Material> {
        match self {
            Selection::One(material) => vec![material],
            Selection::UpTo(men) => (*MAKEABLE.start()..=men).flat_map(Material::all_of).collect(),
        }
    }
}

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let selections = arguments.selections.iter().map(|text| text.parse::<Selection>());
    let selections: Vec<Selection> =
        selections.collect::<Result<_, _>>().map_err(Failure::bad_input)?;
    arguments.threads.apply()?;
    let batch = Batch {
        rules: &arguments.variant.rules,
        directory: &arguments.tables.directory(),
        options: WriteOptions { level: arguments.level, ..WriteOptions::default() },
    };
    let shown = Shown::new();
    batch.run(selections.into_iter().flat_map(Selection::materials), &shown)?;
    shown.end(&batch)
}

/// The progress of a batch: a bar for all tables, one for the table at work, and a line
/// for each table when it is done.
struct Shown {
    bars: Bars,
    all: ProgressBar,
    table: ProgressBar,
    tally: Mutex<Tally>,
}

#[derive(Default)]
struct Tally {
    made: usize,
    skipped: usize,
    bytes: u64,
}

impl Shown {
    fn new() -> Shown {
        let bars = Bars::new();
        let (all, table) = (bars.counted("tables", 0), bars.spinner(""));
        Shown { bars, all, table, tally: Mutex::default() }
    }

    fn tally(&self) -> std::sync::MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, batch: &Batch<'_>) -> Result<(), Failure> {
        self.all.finish_and_clear();
        self.table.finish_and_clear();
        let Tally { made, skipped, bytes } = *self.tally();
        super::print(&format!(
            "{made} {tables} made ({}), {skipped} already there, in {}\n",
            indicatif::HumanBytes(bytes),
            batch.directory.display(),
            tables = if made == 1 { "table" } else { "tables" },
        ))
    }
}

impl Watch for Shown {
    fn planned(&self, tables: usize) {
        self.all.set_length(tables as u64);
    }

    fn skipped(&self, _: Material) {
        self.all.inc(1);
        self.tally().skipped += 1;
    }

    fn solving(&self, material: Material, slots: u64) {
        self.table.set_prefix(material.to_string());
        self.table.set_message(format!("{} slots", indicatif::HumanCount(slots)));
    }

    fn layer(&self, attacker: Side, moves: Moves) {
        self.table.set_message(format!("{} mates in {moves}", attacker.name()));
        self.table.tick();
    }

    fn writing(&self, _: Material) {
        self.table.set_message("writing");
        self.table.tick();
    }

    fn finished(&self, report: &Report) {
        self.all.inc(1);
        let mut tally = self.tally();
        tally.made += 1;
        tally.bytes += report.file.length;
        // That these lines cannot be printed does not stop the work.
        let _ = self.bars.print(&line(report));
    }
}

/// One table in one line of 80 columns.
fn line(report: &Report) -> String {
    let longest = |side: Side| {
        let moves = report.longest[side.index()]?;
        Some(format!("{} in {}", side.name(), moves.0))
    };
    let wins: Vec<String> = Side::BOTH.into_iter().filter_map(longest).collect();
    format!(
        "{:<7} {:>11} slots {:>10} {:>6.1} s  {}\n",
        report.material.to_string(),
        indicatif::HumanCount(report.slots).to_string(),
        indicatif::HumanBytes(report.file.length).to_string(),
        (report.solving + report.writing).as_secs_f64(),
        if wins.is_empty() {
            "no wins".to_string()
        } else {
            "wins: ".to_string() + &wins.join(", ")
        },
    )
}
