//! `sakmak stats`: statistics of tables.

pub mod boards;
mod text;

use crate::cli::arguments::{RulesArguments, SourceArguments};
use crate::cli::progress::{Bars, Meter};
use crate::cli::selection::MaterialsArgument;
use crate::cli::{CommandError, print, print_json};
use clap::Args;
use sakmak_analysis::statistics::Statistics;
use sakmak_make::census::file::{if_available, require_censuses, stored_censuses};
use sakmak_make::store::TableStore;
use sakmak_probe::variant::Variant;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;

/// The help after the options.
const AFTER: &str = "\
Wins and losses are counted with no count, and then by whether they are in time when a count \
starts in the position. If pawns or pieces of both sides are on the board, a table of counted \
distance decides what is in time. Without --counting, those numbers are omitted if that table is \
missing; with it, a missing table is an error. Tables of at most four men that are missing are \
solved on the spot. Of a packed table the numbers come from its census file, which 'sakmak \
generate --packed --census' writes.

White is the side that the material names first. One material is printed in full. Several materials, or a number of men, are printed one per line.

Of Janggi, Rek and Min Rek Chanh every position that a table has is counted. In Rek these include positions \
in which men of the side to move are closed in, although the move before would have taken them. In Min Rek \
Chanh they are the positions without an order to reply.

  sakmak stats KSMvK
  sakmak stats 4 --variant ouk";

/// The materials to count.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct StatsArguments {
    #[command(flatten)]
    materials: MaterialsArgument,
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    rules: RulesArguments,
    /// Print JSON; for several materials, one object per line
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: StatsArguments) -> Result<(), CommandError> {
    let variant = match arguments.rules.variant() {
        Variant::Chess(variant) => variant,
        Variant::Board(game) => return game.visit(&arguments),
    };
    let counting_rule = arguments.rules.counting_rule(variant)?;
    let selection = arguments.materials.materials(variant)?;
    let (directory, access) = arguments.source.open(&variant.rules)?;
    let mut source = StatisticsSource {
        store: TableStore::new(&variant.rules, &directory).with_access(access),
        counting_rule,
        requires_counted: arguments.rules.names_counting(),
    };
    source.require(&selection.materials)?;
    let bars = Bars::new();
    if let [material] = selection.materials[..]
        && !selection.by_number
    {
        let statistics = source.statistics(material, &bars, None)?;
        return match arguments.json {
            true => print_json(&statistics),
            false => {
                let goal = variants::counted_by(counting_rule).rules.end.goal();
                print(&text::text(&statistics, source.name(material.material), goal))
            }
        };
    }
    let slots = |material: &OrientedMaterial| slots(material.material, counting_rule);
    let all = bars.slots("all", selection.materials.iter().map(slots).sum());
    if !arguments.json {
        bars.print(&text::head(counting_rule))?;
    }
    for &material in &selection.materials {
        all.set_message(&material.to_string());
        let statistics = source.statistics(material, &bars, Some(&all))?;
        bars.print(&match arguments.json {
            true => serde_json::to_string(&statistics)? + "\n",
            false => text::line(&statistics),
        })?;
    }
    all.finish();
    Ok(())
}

/// Returns the number of slots to read for a material if no table is missing.
fn slots(material: Material, counting_rule: &CountingRule) -> u64 {
    let index = Index::new(material, &variants::counted_by(counting_rule).rules);
    let armies = Side::BOTH.map(|side| material.army(side));
    let tables = if counting_rule.is_decided_by_mate(armies) { 1 } else { 2 };
    Table::slots_of_sides(&index) * tables
}

/// The source of statistics: a store of tables and a counting rule.
struct StatisticsSource<'a> {
    store: TableStore<'a>,
    counting_rule: &'static CountingRule,
    /// A missing table of counted distance is an error.
    requires_counted: bool,
}

impl StatisticsSource<'_> {
    /// Returns the table that decides which wins are in time.
    fn name(&self, material: Material) -> TableName {
        TableName::deciding(material, Metric::Counted(self.counting_rule))
    }

    /// Checks that no table of these materials is missing or refused.
    fn require(&self, materials: &[OrientedMaterial]) -> Result<(), CommandError> {
        let rules = &variants::counted_by(self.counting_rule).rules;
        let materials = materials.iter().map(|oriented| oriented.material);
        let distances = materials.clone().map(|material| TableName::of_distance(material, rules));
        let counted = materials.map(|material| self.name(material));
        if self.requires_counted {
            return Ok(require_censuses(&self.store, distances.chain(counted), rules)?);
        }
        require_censuses(&self.store, distances, rules)?;
        for name in counted {
            self.store.file(name)?;
        }
        Ok(())
    }

    /// Returns the statistics of a material.
    fn statistics(
        &mut self,
        oriented: OrientedMaterial,
        bars: &Bars,
        all: Option<&Meter>,
    ) -> Result<Statistics, CommandError> {
        let OrientedMaterial { material, .. } = oriented;
        let bar = bars.slots(&oriented.to_string(), slots(material, self.counting_rule));
        let progress = |slots| {
            all.inspect(|all| all.advance(slots));
            bar.advance(slots);
        };
        let rules = &variants::counted_by(self.counting_rule).rules;
        let censuses = |name| stored_censuses(&self.store, name, rules, &progress);
        let distance = TableName::of_distance(material, rules);
        let mate = censuses(distance)?;
        let name = self.name(material);
        let counted = match name == distance {
            true => None,
            false if self.requires_counted => Some(censuses(name)?),
            false => if_available(censuses(name))?,
        };
        let index = Index::new(material, rules);
        let (counted, counting_rule) = (counted.as_ref(), self.counting_rule);
        let statistics = Statistics::of_censuses(&index, oriented, &mate, counted, counting_rule)?;
        bar.finish();
        Ok(statistics)
    }
}
