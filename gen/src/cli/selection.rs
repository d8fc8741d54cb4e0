//! Which tables to make, as the command line says it, and the memory they may take.

use crate::cli::{CommandError, TablesArgument, ThreadsArgument};
use clap::Args;
use sakmak_gen::build::plan::Demands;
use sakmak_gen::output::solved::WriteOptions;
use sakmak_gen::store::table_store::MAKEABLE;
use sakmak_gen::system::byte_count::ByteCount;
use sakmak_gen::system::machine::available_memory;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::{TableName, TableNameError};
use sakmak_tables::material::{Material, MaterialError};
use sakmak_tables::rules::Rules;
use sakmak_tables::variant::Variant;
use std::path::PathBuf;
use std::str::FromStr;

/// What is taken where the system does not say how much memory it has.
const UNKNOWN_MEMORY: ByteCount = ByteCount(4 << 30);

/// The part of the available memory that is taken where nothing is said, in a hundred.
const SHARE: u64 = 80;

/// What every command about a batch is told.
#[derive(Args)]
pub struct BatchArguments {
    #[command(flatten)]
    selection: SelectionArgument,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    memory: MemoryArgument,
    /// Tables of counted distance too, under this way of counting: makruk,
    /// makruk-khon-first, ouk or ouk-traditional; may be given more than once
    #[arg(long, value_name = "COUNTING", value_parser = crate::cli::counting_named)]
    counting: Vec<&'static CountingRule>,
    /// The game, makruk or ouk; their tables of distance to mate are the same
    #[arg(long, default_value = "makruk", value_parser = crate::cli::variant_named)]
    variant: &'static Variant,
}

/// What these arguments come to.
pub struct BatchRequest {
    /// The tables.
    pub names: Vec<TableName>,
    /// The rules that shape them.
    pub rules: &'static Rules,
    /// Where they go.
    pub directory: PathBuf,
    /// How they are made.
    pub demands: Demands,
}

impl BatchArguments {
    /// What they come to for files written like this; from now on all work is done by as
    /// many threads as they say.
    pub fn request(&self, options: WriteOptions) -> Result<BatchRequest, CommandError> {
        let named = self.selection.names()?;
        let counted = |name: &TableName| {
            let material = name.material;
            let counted = |&counting_rule: &&'static CountingRule| {
                TableName::answering(material, Metric::Counted(counting_rule))
            };
            [*name, TableName::to_mate(material)]
                .into_iter()
                .chain(self.counting.iter().map(counted))
                .collect::<Vec<_>>()
        };
        let names = named.iter().flat_map(counted).collect();
        self.threads.apply()?;
        Ok(BatchRequest {
            names,
            rules: &self.variant.rules,
            directory: self.tables.directory(),
            demands: self.memory.demands(options),
        })
    }
}

/// Which tables.
#[derive(Args)]
struct SelectionArgument {
    /// A material such as KRNvK, or a number of pieces: all materials of up to so many
    #[arg(required = true, value_name = "MATERIAL|MEN")]
    selections: Vec<String>,
}

impl SelectionArgument {
    /// The tables.
    fn names(&self) -> Result<Vec<TableName>, CommandError> {
        let selections = self.selections.iter().map(|text| text.parse::<Selection>());
        let selections: Vec<Selection> =
            selections.collect::<Result<_, _>>().map_err(CommandError::bad_input)?;
        Ok(selections.into_iter().flat_map(Selection::names).collect())
    }
}

/// Materials to be looked at.
pub struct Materials {
    /// Each once, in the order asked for.
    pub materials: Vec<Material>,
    /// Whether a number of pieces was among what was asked for.
    pub by_number: bool,
}

/// The materials named by these texts: materials, or numbers of pieces.
pub fn materials(texts: &[String]) -> Result<Materials, CommandError> {
    let mut found = Materials { materials: Vec::new(), by_number: false };
    for text in texts {
        let selection: Selection = text.parse().map_err(CommandError::bad_input)?;
        match selection {
            Selection::One(name) if name.metric != Metric::DistanceToMate => {
                return Err(CommandError::bad_input(SelectionError::Counted(name)));
            }
            Selection::One(_) => {}
            Selection::UpTo(_) => found.by_number = true,
        }
        for TableName { material, .. } in selection.names() {
            if !found.materials.contains(&material) {
                found.materials.push(material);
            }
        }
    }
    Ok(found)
}

/// How much memory.
#[derive(Args)]
pub struct MemoryArgument {
    /// The most memory to take, such as 16G [default: 80 % of what is available]
    #[arg(long, value_name = "AMOUNT")]
    memory: Option<ByteCount>,
    /// Keep layers on disk even where memory would do
    #[arg(long)]
    spill: bool,
}

impl MemoryArgument {
    /// How tables are to be made, written like this.
    pub fn demands(&self, options: WriteOptions) -> Demands {
        Demands { options, memory: allowed(self.memory), spill: self.spill }
    }
}

/// The memory that may be taken where so much was asked for.
pub fn allowed(asked: Option<ByteCount>) -> ByteCount {
    asked.unwrap_or_else(|| match available_memory() {
        Some(available) => ByteCount(available.0 / 100 * SHARE),
        None => UNKNOWN_MEMORY,
    })
}

/// Materials asked for.
enum Selection {
    One(TableName),
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
    Name(TableNameError),
    #[error("there is no table {0}: in {material} distance to mate decides", material = .0.material)]
    Decided(TableName),
    #[error("{0} is a table: name the material, {material}, and the counting by '--counting {word}'", material = .0.material, word = .0.metric)]
    Counted(TableName),
}

impl FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Selection, SelectionError> {
        if text.chars().all(|letter| letter.is_ascii_digit()) && !text.is_empty() {
            let men = text.parse().ok().filter(|men| MAKEABLE.contains(men));
            return men.map(Selection::UpTo).ok_or_else(|| SelectionError::Men(text.to_string()));
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
        if TableName::answering(material, name.metric) != name {
            return Err(SelectionError::Decided(name));
        }
        Ok(Selection::One(name))
    }
}

impl Selection {
    fn names(self) -> Vec<TableName> {
        match self {
            Selection::One(name) => vec![name],
            Selection::UpTo(men) => {
                let materials = (*MAKEABLE.start()..=men).flat_map(Material::all_of);
                materials.map(TableName::to_mate).collect()
            }
        }
    }
}
