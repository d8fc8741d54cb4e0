//! Arguments that describe a batch of tables and how its files are made.

use crate::cli::CommandError;
use crate::cli::arguments::{
    CountingName, TablesArgument, ThreadsArgument, VariantArgument, counting_parser,
};
use crate::cli::memory::MemoryArgument;
use crate::cli::selection::MaterialsArgument;
use clap::Args;
use sakmak_make::batch::settings::{BatchSettings, PackedOutput};
use sakmak_make::output::packed::PackOptions;
use sakmak_make::output::solved::WriteOptions;
use sakmak_make::store::ON_THE_SPOT;
use sakmak_make::system::directory;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::{MAX_MEN, Material};
use sakmak_tables::rules::Rules;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, MAKRUK};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The options that make packed files.
pub const PACKS: &str = "packs";

/// The arguments of the subcommands that make a batch of tables.
#[derive(Args)]
pub struct BatchArguments {
    #[command(flatten)]
    pub selection: MaterialsArgument,
    #[command(flatten)]
    pub tables: TablesArgument,
    #[command(flatten)]
    pub threads: ThreadsArgument,
    #[command(flatten)]
    pub memory: MemoryArgument,
    #[command(flatten)]
    packed: PackedArgument,
    /// Also make WDL files, as 'sakmak wdl' does, under the counting rule given or else the usual
    /// rule
    #[arg(long)]
    wdl: bool,
    /// Make the set for engines: packed distances, packed counted distances and WDL files, under
    /// the counting rule given or else the usual rule; no mates in time
    #[arg(long, group = PACKS)]
    engine_set: bool,
    #[command(flatten)]
    pub variant: VariantArgument,
    #[command(flatten)]
    counting: CountingArgument,
}

/// A batch as the arguments describe it.
pub struct BatchRequest {
    /// The tables.
    pub names: Vec<TableName>,
    /// The rules of their variant.
    pub rules: &'static Rules,
    /// The directory of the tables.
    pub directory: PathBuf,
    /// The options and limits for making them.
    pub settings: BatchSettings,
    /// Counted distances that were not requested.
    pub left_out: Option<LeftOutCounts>,
}

/// Counted distances that a batch does not make because no counting rule was given.
pub struct LeftOutCounts {
    counting_rule: &'static CountingRule,
    /// The materials.
    materials: BTreeSet<Material>,
    /// The command that makes the counted distances, without the counting rule.
    command: String,
}

impl LeftOutCounts {
    /// Returns the line about counted distances that are missing in the directory; `None` if all
    /// exist or are solved on the spot.
    pub fn line(&self, directory: &Path) -> Option<String> {
        let LeftOutCounts { counting_rule, materials, command } = self;
        let is_missing = |&&material: &&Material| {
            let name = TableName::deciding(material, Metric::Counted(counting_rule));
            let is_there = |file: String| directory::exists(&directory.join(file)).unwrap_or(true);
            material.men() > ON_THE_SPOT
                && name.metric.counting_rule().is_some()
                && !is_there(name.file_name())
                && !is_there(name.packed_file_name())
        };
        let missing: Vec<&Material> = materials.iter().filter(is_missing).collect();
        let named = match missing[..] {
            [] => return None,
            [one] => format!("{one} has no counted distances"),
            _ => format!("{} materials have no counted distances", missing.len()),
        };
        Some(format!(
            "{named}, and look-ups leave the count out: '{command} --counting {}' makes them\n",
            counting_rule.name
        ))
    }
}

impl BatchArguments {
    /// Returns the batch of a variant for files with these options. Starts the thread pool.
    pub fn request(
        &self,
        variant: &'static Variant,
        options: WriteOptions,
    ) -> Result<BatchRequest, CommandError> {
        let rules = &variant.rules;
        let wdl = match self.counting.counting[..] {
            _ if !self.wdl && !self.engine_set => None,
            [] => Some(variant.counting()),
            [CountingName::Rule(rule)] => Some(rule),
            _ => return Err(CommandError::bad_input(BatchArgumentsError::SomeWdl)),
        };
        let names = match wdl.filter(|_| self.engine_set) {
            Some(rule) => {
                let counting = CountingArgument { counting: vec![CountingName::Rule(rule)] };
                counting.names_of(&self.selection, variant, &[Metric::Counted])?
            }
            None => self.counting.names(&self.selection, variant)?,
        };
        self.threads.apply()?;
        Ok(BatchRequest {
            left_out: self.left_out(variant, &names),
            names,
            rules,
            directory: rules.files_in(&self.tables.directory()?),
            settings: BatchSettings {
                packed: self.packed.output(self.engine_set, variant),
                wdl,
                ..self.memory.settings(options)
            },
        })
    }
}

impl BatchArguments {
    /// Returns the counted distances that are left out because no option is about counting.
    fn left_out(&self, variant: &'static Variant, names: &[TableName]) -> Option<LeftOutCounts> {
        let counting_rule = variant.counting();
        let is_silent = self.counting.counting.is_empty() && !self.wdl && !self.engine_set;
        let is_counted = |name: &TableName| name.metric.counting_rule().is_some();
        if !is_silent || !counting_rule.has_counted_tables() || names.iter().any(is_counted) {
            return None;
        }
        let mut command = format!("sakmak generate {}", self.selection.texts().join(" "));
        if *variant != *MAKRUK {
            command += &format!(" --variant {}", variant.name);
        }
        if self.packed.packed {
            command += " --packed";
        }
        command += &self.tables.option();
        let materials = names.iter().map(|name| name.material).collect();
        Some(LeftOutCounts { counting_rule, materials, command })
    }
}

/// Counting rules whose tables are made.
#[derive(Args)]
pub struct CountingArgument {
    /// Counting rule; its tables of counted distance and of mates in time are made too; may be
    /// repeated; none makes distances only [default: none]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Vec<CountingName>,
}

impl CountingArgument {
    /// Returns the selected tables, the distances of their materials, and the tables of the
    /// counting rules.
    pub fn names(
        &self,
        selection: &MaterialsArgument,
        variant: &Variant,
    ) -> Result<Vec<TableName>, CommandError> {
        self.names_of(selection, variant, &[Metric::Counted, Metric::MateInTime])
    }

    /// Returns the counting rules that have tables.
    fn rules(&self) -> Result<Vec<&'static CountingRule>, CommandError> {
        let rule = |name: &CountingName| match *name {
            CountingName::Rule(rule) => Some(rule).filter(|rule| !rule.is_uncounted()),
            CountingName::Nobody => None,
        };
        let rules: Vec<&'static CountingRule> = self.counting.iter().filter_map(rule).collect();
        match rules.len() {
            0 => Ok(rules),
            some if some == self.counting.len() => Ok(rules),
            _ => Err(CommandError::bad_input(BatchArgumentsError::NoneAndOthers)),
        }
    }

    /// Returns the selected tables, the distances of their materials, and tables of these metrics
    /// under the counting rules.
    fn names_of(
        &self,
        selection: &MaterialsArgument,
        variant: &Variant,
        metrics: &[fn(&'static CountingRule) -> Metric],
    ) -> Result<Vec<TableName>, CommandError> {
        let rules = &variant.rules;
        let named = selection.names(variant)?;
        let counting = self.rules()?;
        let other = |rule: &&&'static CountingRule| !Metric::Counted(rule).is_of(rules);
        if let Some(&rule) = counting.iter().find(other) {
            return Err(CommandError::bad_input(BatchArgumentsError::OtherCounting(rule)));
        }
        let counted = |name: &TableName| {
            let material = name.material;
            let counted = |&counting_rule: &&'static CountingRule| {
                let deciding =
                    move |metric: &fn(_) -> _| TableName::deciding(material, metric(counting_rule));
                metrics.iter().map(deciding)
            };
            [*name, TableName::of_distance(material, rules)]
                .into_iter()
                .chain(counting.iter().flat_map(counted))
                .collect::<Vec<_>>()
        };
        Ok(named.iter().flat_map(counted).collect())
    }
}

/// Options of packed files in a batch.
#[derive(Args)]
struct PackedArgument {
    /// Make packed files; solved files exist only as long as a larger table needs them
    #[arg(long, group = PACKS)]
    packed: bool,
    /// Also write a census file for each packed table that is made: 'stats' and 'report' read it
    /// in place of the solved table
    #[arg(long, requires = PACKS)]
    census: bool,
    #[command(flatten)]
    file: PackedFileArguments,
}

impl PackedArgument {
    /// Returns the output of packed files if requested, here or as part of a set.
    fn output(&self, in_set: bool, variant: &'static Variant) -> Option<PackedOutput> {
        let PackedArgument { packed, census, file } = self;
        (*packed || in_set).then(|| PackedOutput {
            options: file.options(),
            variant,
            census: *census,
        })
    }
}

/// Options of packing.
#[derive(Args)]
pub struct PackedFileArguments {
    /// Tiles of 64 positions per block of a packed file: more tiles take less space and slower
    /// look-ups
    #[arg(long, value_name = "N", requires = PACKS, default_value_t = PackOptions::default().tiles as u8, value_parser = clap::value_parser!(u8).range(1..=64))]
    tiles: u8,
    /// Make packed files for probes from a slow disk: the files are larger, and a probe with the
    /// stronger side to move reads one page or two
    #[arg(long, requires = PACKS)]
    cold: bool,
    /// Pack tables of up to this many men for look-ups after captures from larger tables: the
    /// packed files are larger, look-ups in the larger tables faster. Packed files that exist are
    /// kept as they are
    #[arg(long, value_name = "MEN", requires = PACKS, conflicts_with = "cold", default_value_t = PackOptions::default().converted_men as u8, value_parser = clap::value_parser!(u8).range(0..=MAX_MEN as i64))]
    converted_men: u8,
}

impl PackedFileArguments {
    /// Returns the options of packing.
    pub fn options(&self) -> PackOptions {
        let PackedFileArguments { tiles, cold, converted_men } = *self;
        PackOptions { tiles: tiles.into(), cold, converted_men: converted_men.into() }
    }
}

/// Combinations of counting rules that no batch can make.
#[derive(Debug, thiserror::Error)]
enum BatchArgumentsError {
    #[error(
        "WDL files are made for one counting rule: give '--counting' once with '--wdl', not none"
    )]
    SomeWdl,
    #[error("'--counting none' makes distances only: give it alone, or leave it out")]
    NoneAndOthers,
    #[error("{rule} is a counting rule of {variant}: add '--variant {variant}'", rule = .0.name, variant = variants::counted_by(.0).name)]
    OtherCounting(&'static CountingRule),
}
