//! Arguments that select tables and limit memory.

use crate::cli::CommandError;
use crate::cli::arguments::{TablesArgument, ThreadsArgument, VariantArgument, counting_parser};
use clap::Args;
use sakmak_make::batch::plan::{BatchSettings, PackedOutput};
use sakmak_make::output::packed::PackOptions;
use sakmak_make::output::solved::WriteOptions;
use sakmak_make::store::MAKEABLE;
use sakmak_make::system::ByteSize;
use sakmak_make::system::machine::{available_memory, whole_memory};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::{TableName, TableNameError};
use sakmak_tables::material::{MAX_MEN, Material, MaterialError, OrientedMaterial};
use sakmak_tables::rules::Rules;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The memory limit if the system does not report its available memory.
const UNKNOWN_MEMORY: ByteSize = ByteSize(4 << 30);

/// The default memory limit in percent of the available memory.
const SHARE: u64 = 80;

/// The options that make packed files.
pub const PACKS: &str = "packs";

/// The arguments of the subcommands that make a batch of tables.
#[derive(Args)]
pub struct BatchArguments {
    #[command(flatten)]
    selection: MaterialsArgument,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    packed: PackedArgument,
    /// Also make WDL files, as 'sakmak wdl' does, under the counting rule given or else the usual one
    #[arg(long)]
    wdl: bool,
    /// Make the set for engines: packed distances, packed counted distances and WDL files, under the
    /// counting rule given or else the usual one; no mates in time
    #[arg(long, group = PACKS)]
    engine_set: bool,
    #[command(flatten)]
    variant: VariantArgument,
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
}

impl BatchArguments {
    /// The batch for files with these options. Starts the thread pool.
    pub fn request(&self, options: WriteOptions) -> Result<BatchRequest, CommandError> {
        let variant = self.variant.variant();
        let rules = &variant.rules;
        let wdl = match self.counting.counting[..] {
            _ if !self.wdl && !self.engine_set => None,
            [] => Some(variant.counting()),
            [rule] => Some(rule),
            _ => return Err(CommandError::bad_input(SelectionError::SomeWdl)),
        };
        let names = match wdl.filter(|_| self.engine_set) {
            Some(rule) => {
                let counting = CountingArgument { counting: vec![rule] };
                counting.names_of(&self.selection, variant, &[Metric::Counted])?
            }
            None => self.counting.names(&self.selection, variant)?,
        };
        self.threads.apply()?;
        Ok(BatchRequest {
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

/// The counting rules whose tables are made.
#[derive(Args)]
pub struct CountingArgument {
    /// Counting rule; its tables of counted distance and of mates in time are made too; may be
    /// repeated [default: none]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Vec<&'static CountingRule>,
}

impl CountingArgument {
    /// The selected tables, the distances of their materials, and those of the counting rules.
    pub fn names(
        &self,
        selection: &MaterialsArgument,
        variant: &Variant,
    ) -> Result<Vec<TableName>, CommandError> {
        self.names_of(selection, variant, &[Metric::Counted, Metric::MateInTime])
    }

    /// The selected tables, the distances of their materials, and these metrics of the counting rules.
    fn names_of(
        &self,
        selection: &MaterialsArgument,
        variant: &Variant,
        metrics: &[fn(&'static CountingRule) -> Metric],
    ) -> Result<Vec<TableName>, CommandError> {
        let rules = &variant.rules;
        let named = selection.names(variant)?;
        let other = |rule: &&&'static CountingRule| !Metric::Counted(rule).is_of(rules);
        if let Some(&rule) = self.counting.iter().find(other) {
            return Err(CommandError::bad_input(SelectionError::OtherCounting(rule)));
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
                .chain(self.counting.iter().flat_map(counted))
                .collect::<Vec<_>>()
        };
        Ok(named.iter().flat_map(counted).collect())
    }
}

/// Whether packed files are made.
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
    /// The output of packed files if they are asked for, here or as part of a set.
    fn output(&self, in_set: bool, variant: &'static Variant) -> Option<PackedOutput> {
        let PackedArgument { packed, census, file } = self;
        (*packed || in_set).then(|| PackedOutput {
            options: file.options(),
            variant,
            census: *census,
        })
    }
}

/// How packed files are written.
#[derive(Args)]
pub struct PackedFileArguments {
    /// Tiles of 64 positions per block of a packed file: more tiles take less space and slower
    /// look-ups
    #[arg(long, value_name = "N", requires = PACKS, default_value_t = PackOptions::default().tiles as u8, value_parser = clap::value_parser!(u8).range(1..=64))]
    tiles: u8,
    /// Make packed files for probes from a slow disk: larger files, of which a probe with the
    /// stronger side to move reads one page or two
    #[arg(long, requires = PACKS)]
    cold: bool,
    /// Pack tables of up to this many men for look-ups after captures from larger ones: their files
    /// are larger, look-ups in the larger tables faster. Packed files that exist are kept as they are
    #[arg(long, value_name = "MEN", requires = PACKS, conflicts_with = "cold", default_value_t = PackOptions::default().converted_men as u8, value_parser = clap::value_parser!(u8).range(0..=MAX_MEN as i64))]
    converted_men: u8,
}

impl PackedFileArguments {
    /// The options of packing.
    pub fn options(&self) -> PackOptions {
        let PackedFileArguments { tiles, cold, converted_men } = *self;
        PackOptions { tiles: tiles.into(), cold, converted_men: converted_men.into() }
    }
}

/// The materials of a command.
#[derive(Args)]
pub struct MaterialsArgument {
    /// Materials such as KRNvK, or a number: all materials of up to that many men
    #[arg(required = true, value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
}

impl MaterialsArgument {
    /// The materials of a variant.
    pub fn materials(&self, variant: &Variant) -> Result<Materials, CommandError> {
        materials(&self.materials, variant)
    }

    /// The tables.
    fn names(&self, variant: &Variant) -> Result<Vec<TableName>, CommandError> {
        let mut names = Vec::new();
        for selection in selections(&self.materials)? {
            names.extend(selection.names(variant).map_err(CommandError::bad_input)?);
        }
        Ok(names)
    }
}

/// The materials of a command that takes all tables if none is given.
#[derive(Args)]
pub struct SomeMaterialsArgument {
    /// Materials such as KRNvK, or a number: all materials of up to that many men [default: those
    /// of all tables]
    #[arg(value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
}

impl SomeMaterialsArgument {
    /// The materials of a variant; `None` for all.
    pub fn materials(&self, variant: &Variant) -> Result<Option<Materials>, CommandError> {
        match self.materials.is_empty() {
            true => Ok(None),
            false => Ok(Some(materials(&self.materials, variant)?)),
        }
    }

    /// The arguments as tables or numbers of men; `None` for all.
    pub fn tables(&self, variant: &Variant) -> Result<Option<Vec<TablesOf>>, CommandError> {
        if self.materials.is_empty() {
            return Ok(None);
        }
        let of = |selection: Selection| match selection {
            Selection::UpTo(men) => Ok(TablesOf::UpTo(men)),
            // One table each.
            named => Ok(TablesOf::Name(named.names(variant).map_err(CommandError::bad_input)?[0])),
        };
        selections(&self.materials)?.into_iter().map(of).collect::<Result<_, _>>().map(Some)
    }
}

/// Tables that exist: one of them, or all of up to a number of men.
pub enum TablesOf {
    Name(TableName),
    UpTo(usize),
}

/// The selections of arguments, with blanks or commas between them.
fn selections(texts: &[String]) -> Result<Vec<Selection>, CommandError> {
    let parse = |text: &str| {
        text.parse::<Selection>().map_err(|error| {
            match text.contains('/') || Path::new(text).is_dir() {
                // Directories had this place in earlier versions.
                true => {
                    let directory = Excerpt::of(text);
                    CommandError::bad_input(format!(
                        "'{directory}' is not a material: is it '--tables {directory}'?"
                    ))
                }
                false => CommandError::bad_input(error),
            }
        })
    };
    parts(texts).map(parse).collect()
}

/// The materials and numbers in arguments that have commas between them.
pub fn parts(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().flat_map(|text| text.split(','))
}

/// Whether an argument is meant as materials or a number of men.
pub fn is_like_materials(text: &str) -> bool {
    let is_like = |part: &str| {
        let is_number = !part.is_empty() && part.bytes().all(|letter| letter.is_ascii_digit());
        let sides = part.split_once('v').is_some_and(|(white, black)| {
            let is_side = |side: &str| {
                side.starts_with(['K', 'k']) && side.chars().all(|letter| letter.is_alphabetic())
            };
            is_side(white) && is_side(black.split('.').next().unwrap_or(black))
        });
        is_number || sides
    };
    text.split(',').all(is_like)
}

/// A selection of materials.
pub struct Materials {
    /// Each material once, in the order of the arguments; White has the pieces that the argument
    /// names first.
    pub materials: Vec<OrientedMaterial>,
    /// Whether a number of men is among the arguments.
    pub by_number: bool,
}

impl Materials {
    /// Each material once, whichever side the argument names first: those of the tables.
    pub fn without_colours(&self) -> Vec<Material> {
        let mut found = Vec::new();
        for OrientedMaterial { material, .. } in &self.materials {
            if !found.contains(material) {
                found.push(*material);
            }
        }
        found
    }
}

/// Parses arguments that are materials of a variant or numbers of men.
pub fn materials(texts: &[String], variant: &Variant) -> Result<Materials, CommandError> {
    let mut selected = Materials { materials: Vec::new(), by_number: false };
    for selection in selections(texts)? {
        match selection {
            Selection::Material(_) => {}
            Selection::Table(name) => {
                return Err(CommandError::bad_input(SelectionError::Table(name)));
            }
            Selection::UpTo(_) => selected.by_number = true,
        }
        for material in selection.materials(variant).map_err(CommandError::bad_input)? {
            if !selected.materials.contains(&material) {
                selected.materials.push(material);
            }
        }
    }
    Ok(selected)
}

/// The limit on memory.
#[derive(Args)]
pub struct MemoryLimitArgument {
    /// Memory limit for making tables, such as 16G [default: 80 % of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = memory_amount)]
    memory: Option<ByteSize>,
}

impl MemoryLimitArgument {
    /// The limit.
    pub fn allowed(&self) -> ByteSize {
        allowed(self.memory)
    }
}

/// The limits on memory and disk.
#[derive(Args)]
pub struct MemoryArgument {
    #[command(flatten)]
    memory: MemoryLimitArgument,
    /// Disk limit, such as 100G; sizes of files are estimated too high rather than too low
    /// [default: the free space]
    #[arg(long, value_name = "SIZE", value_parser = memory_amount)]
    disk: Option<ByteSize>,
    /// Keep conversions and layers on disk even if they fit in memory
    #[arg(long)]
    spill: bool,
}

impl MemoryArgument {
    /// The options and limits for making tables.
    pub fn settings(&self, options: WriteOptions) -> BatchSettings {
        let (memory, disk, spill) = (self.memory.allowed(), self.disk, self.spill);
        BatchSettings { options, packed: None, wdl: None, memory, disk, spill }
    }
}

/// The settings with no more memory than the machine has: a greater limit would be no limit.
pub fn within_machine(settings: BatchSettings) -> BatchSettings {
    let memory = whole_memory().map_or(settings.memory, |whole| settings.memory.min(whole));
    BatchSettings { memory, ..settings }
}

/// Parses an amount of memory such as `16G`; K, M, G and T are powers of 1,024.
///
/// # Errors
///
/// If the text is not an amount.
pub fn memory_amount(text: &str) -> Result<ByteSize, String> {
    let unit = if text.ends_with(['k', 'K', 'm', 'M', 'g', 'G', 't', 'T']) { "iB" } else { "" };
    format!("{text}{unit}").parse().map_err(|_| {
        format!(
            "'{}' is not an amount of memory: a number and K, M, G or T expected, such as 16G",
            Excerpt::of(text)
        )
    })
}

/// The memory limit in bytes: `limit` if given, else a share of the available memory.
pub fn allowed(limit: Option<ByteSize>) -> ByteSize {
    limit.unwrap_or_else(|| match available_memory() {
        Some(available) => ByteSize(available.0 / 100 * SHARE),
        None => UNKNOWN_MEMORY,
    })
}

/// One argument that selects materials.
enum Selection {
    Material(OrientedMaterial),
    /// A table of another metric than distance to mate.
    Table(TableName),
    UpTo(usize),
}

/// An argument that selects no material.
#[derive(Debug, thiserror::Error)]
enum SelectionError {
    #[error("no tables of {0} men: tables of {least} to {most} men can be made", least = MAKEABLE.start(), most = MAKEABLE.end())]
    Men(Excerpt),
    #[error("{0} has {men} men: tables of {least} to {most} men can be made", men = .0.men(), least = MAKEABLE.start(), most = MAKEABLE.end())]
    Size(Material),
    #[error("{0}, or a number of men from {least} to {most}", least = MAKEABLE.start(), most = MAKEABLE.end())]
    Neither(MaterialError),
    #[error(transparent)]
    Name(TableNameError),
    #[error("WDL files are made for one counting rule: give '--counting' once with '--wdl'")]
    SomeWdl,
    #[error("no tables of {variant} with pawns, as in {material}: {reason}")]
    Pawns { variant: &'static str, material: Material, reason: &'static str },
    #[error("no table {0}: the table {answering} has its values", answering = TableName::deciding(.0.material, .0.metric))]
    Decided(TableName),
    #[error("{0} is the name of a table: give the material {material} and '{options}'", material = .0.material, options = rule_options(.0.metric))]
    Table(TableName),
    #[error("{0} is a table of {variant}: add '--variant {variant}'", variant = variant_of(.0.metric).name)]
    OtherGame(TableName),
    #[error("{rule} is a counting rule of {variant}: add '--variant {variant}'", rule = .0.name, variant = variants::counted_by(.0).name)]
    OtherCounting(&'static CountingRule),
}

/// The options that select the game of a metric and its counting rule.
fn rule_options(metric: Metric) -> String {
    let variant = metric.counting_rule().map_or(variant_of(metric), variants::counted_by);
    let variant = (variant != variants::all()[0]).then(|| format!("--variant {}", variant.name));
    let counting = metric.counting_rule().map(|rule| format!("--counting {}", rule.name));
    variant.into_iter().chain(counting).collect::<Vec<_>>().join(" ")
}

/// The first variant that has tables of this metric.
fn variant_of(metric: Metric) -> &'static Variant {
    let all = variants::all();
    // Every metric is that of a variant.
    all.into_iter().find(|variant| metric.is_of(&variant.rules)).unwrap_or(all[0])
}

impl FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Selection, SelectionError> {
        if text.chars().all(|letter| letter.is_ascii_digit()) && !text.is_empty() {
            let men = text.parse().ok().filter(|men| MAKEABLE.contains(men));
            return men.map(Selection::UpTo).ok_or_else(|| SelectionError::Men(Excerpt::of(text)));
        }
        let name: TableName = text.parse().map_err(|error| match error {
            TableNameError::Material(error @ MaterialError::Form(_)) => {
                SelectionError::Neither(error)
            }
            error => SelectionError::Name(error),
        })?;
        let material = name.material;
        if !MAKEABLE.contains(&material.men()) {
            return Err(SelectionError::Size(material));
        }
        if TableName::deciding(material, name.metric) != name {
            return Err(SelectionError::Decided(name));
        }
        Ok(match name.metric {
            Metric::DistanceToMate => {
                let sides = text.split('.').next().unwrap_or(text).parse();
                Selection::Material(sides.unwrap_or_else(|_| material.into()))
            }
            _ => Selection::Table(name),
        })
    }
}

impl Selection {
    /// The materials, which must be of the variant if they are named.
    fn materials(&self, variant: &Variant) -> Result<Vec<OrientedMaterial>, SelectionError> {
        let named = match *self {
            Selection::Material(oriented) => oriented,
            Selection::Table(TableName { material, .. }) => material.into(),
            Selection::UpTo(men) => {
                let all = (*MAKEABLE.start()..=men).flat_map(Material::all_of);
                let of_variant = all.filter(|&material| !variant.refuses(material));
                return Ok(of_variant.map(OrientedMaterial::from).collect());
            }
        };
        let material = named.material;
        match variant.refuses_pawns.filter(|_| variant.refuses(material)) {
            Some(reason) => Err(SelectionError::Pawns { variant: variant.name, material, reason }),
            None => Ok(vec![named]),
        }
    }

    /// The tables of a variant.
    fn names(&self, variant: &Variant) -> Result<Vec<TableName>, SelectionError> {
        let materials = self.materials(variant)?;
        match *self {
            Selection::Table(name) if !name.metric.is_of(&variant.rules) => {
                Err(SelectionError::OtherGame(name))
            }
            Selection::Table(name) => Ok(vec![name]),
            Selection::Material(_) | Selection::UpTo(_) => {
                let name = |named: OrientedMaterial| {
                    TableName::of_distance(named.material, &variant.rules)
                };
                Ok(materials.into_iter().map(name).collect())
            }
        }
    }
}
