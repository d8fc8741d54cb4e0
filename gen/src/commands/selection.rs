//! Which tables to make, as the command line says it, and the memory they may take.

use super::{Failure, TablesArgument, ThreadsArgument};
use clap::Args;
use sakmak_gen::byte_count::ByteCount;
use sakmak_gen::machine::available_memory;
use sakmak_gen::plan::Demands;
use sakmak_gen::shelf::MAKEABLE;
use sakmak_gen::write::WriteOptions;
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
    /// The game, makruk or ouk; their tables are the same
    #[arg(long, default_value = "makruk", value_parser = super::variant_named)]
    variant: &'static Variant,
}

/// What these arguments come to.
pub struct Asked {
    /// The materials.
    pub materials: Vec<Material>,
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
    pub fn asked(&self, options: WriteOptions) -> Result<Asked, Failure> {
        let materials = self.selection.materials()?;
        self.threads.apply()?;
        Ok(Asked {
            materials,
            rules: &self.variant.rules,
            directory: self.tables.directory(),
            demands: self.memory.demands(options),
        })
    }
}

/// Which tables.
#[derive(Args)]
struct SelectionArgument {
    /// A material such as KRNvK, or a number of men: all materials of up to so many
    #[arg(required = true, value_name = "MATERIAL|MEN")]
    selections: Vec<String>,
}

impl SelectionArgument {
    /// The materials.
    fn materials(&self) -> Result<Vec<Material>, Failure> {
        let selections = self.selections.iter().map(|text| text.parse::<Selection>());
        let selections: Vec<Selection> =
            selections.collect::<Result<_, _>>().map_err(Failure::bad_input)?;
        Ok(selections.into_iter().flat_map(Selection::materials).collect())
    }
}

/// How much memory.
#[derive(Args)]
struct MemoryArgument {
    /// The most memory to take, such as 16G [default: 80 % of what is available]
    #[arg(long, value_name = "AMOUNT")]
    memory: Option<ByteCount>,
    /// Keep layers on disk even where memory would do
    #[arg(long)]
    spill: bool,
}

impl MemoryArgument {
    /// How tables are to be made, written like this.
    fn demands(&self, options: WriteOptions) -> Demands {
        Demands { options, memory: self.allowed(), spill: self.spill }
    }

    /// The memory that may be taken.
    fn allowed(&self) -> ByteCount {
        self.memory.unwrap_or_else(|| match available_memory() {
            Some(available) => ByteCount(available.0 / 100 * SHARE),
            None => UNKNOWN_MEMORY,
        })
    }
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
