//! `sakmak stats`: counts what is in tables.

mod overview;
mod text;

use crate::cli::progress::Bars;
use crate::cli::selection::materials;
use crate::cli::{CommandError, TablesArgument, ThreadsArgument, print, print_json};
use clap::Args;
use indicatif::ProgressBar;
use sakmak_gen::analysis::statistics::{Source, Statistics};
use sakmak_gen::store::table_store::{TableStore, TableStoreError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;

/// What comes of the counting.
const AFTER: &str = "\
Where pawns or men of both sides are about, a table of counted distance says what is in \
time, and is needed where a way of counting is named; else as much is said as can be said \
without it. Tables are read from their files; those of at most four men that have none are \
solved on the spot.";

/// What to count, and how.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct StatsArguments {
    /// A material such as KSMvK; of several, or of a number of pieces, which stands for all
    /// materials of up to so many, a line each
    #[arg(required = true, value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The way of counting that says what is in time: makruk, makruk-khon-first, ouk or
    /// ouk-traditional [default: makruk]
    #[arg(long, value_parser = crate::cli::counting_named)]
    counting: Option<&'static CountingRule>,
    /// Print JSON; of several materials, an object in a line for each
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: StatsArguments) -> Result<(), CommandError> {
    let selection = materials(&arguments.materials)?;
    let directory = arguments.tables.readable()?;
    arguments.threads.apply()?;
    let counting_rule = arguments.counting.unwrap_or(MAKRUK.counting());
    let mut counting = StatisticsSource {
        store: TableStore::new(&counting_rule.variant().rules, &directory),
        counting_rule,
        needed: arguments.counting.is_some(),
    };
    let bars = Bars::new();
    if let [material] = selection.materials[..]
        && !selection.by_number
    {
        let statistics = counting.statistics(material, &bars, None)?;
        return match arguments.json {
            true => print_json(&statistics),
            false => print(&text::text(&statistics, counting.name(material))),
        };
    }
    let slots = |&material: &Material| slots(material, counting_rule);
    let all = bars.slots("all", selection.materials.iter().map(slots).sum());
    if !arguments.json {
        bars.print(&overview::head(counting_rule))?;
    }
    for &material in &selection.materials {
        let statistics = counting.statistics(material, &bars, Some(&all))?;
        bars.print(&match arguments.json {
            true => serde_json::to_string(&statistics)? + "\n",
            false => overview::line(&statistics),
        })?;
    }
    all.finish_and_clear();
    Ok(())
}

/// Slots that are counted of a material, where all its tables are at hand.
fn slots(material: Material, counting_rule: &CountingRule) -> u64 {
    let index = Index::new(material, &counting_rule.variant().rules);
    let armies = Side::BOTH.map(|side| material.army(side));
    let tables = if counting_rule.is_decided_by_mate(armies) { 1 } else { 2 };
    Table::slots_of_sides(&index) * tables
}

/// StatisticsSource of tables as they are at hand.
struct StatisticsSource<'a> {
    store: TableStore<'a>,
    counting_rule: &'static CountingRule,
    /// Whether what is in time must be said.
    needed: bool,
}

impl StatisticsSource<'_> {
    /// The table that says what is in time.
    fn name(&self, material: Material) -> TableName {
        TableName::answering(material, Metric::Counted(self.counting_rule))
    }

    /// The statistics of a material.
    fn statistics(
        &mut self,
        material: Material,
        bars: &Bars,
        all: Option<&ProgressBar>,
    ) -> Result<Statistics, CommandError> {
        let mate = self.store.codes(TableName::to_mate(material))?;
        let name = self.name(material);
        let counted = match name == TableName::to_mate(material) {
            true => None,
            false => match self.store.codes(name) {
                Err(TableStoreError::Missing { .. }) if !self.needed => None,
                codes => Some(codes?),
            },
        };
        let bar = bars.slots(&material.to_string(), slots(material, self.counting_rule));
        let progress = |slots| {
            bar.inc(slots);
            all.inspect(|all| all.inc(slots));
        };
        let source = Source { mate: &*mate, counted: counted.as_deref() };
        let statistics = Statistics::of(source, self.counting_rule, &progress)?;
        bar.finish_and_clear();
        Ok(statistics)
    }
}
