//! `sakmak wdl`: writes the files that an engine probes at every node of a search.

use crate::cli::arguments::{
    CountingName, SourceArguments, chess_variant_parser, counting_parser, counting_rule,
};
use crate::cli::memory::MemoryLimitArgument;
use crate::cli::progress::Bars;
use crate::cli::selection::SomeMaterialsArgument;
use crate::cli::{CommandError, check_outputs, file_names};
use clap::Args;
use indicatif::HumanBytes;
use sakmak_make::output::wdl::{WdlSources, make, opened};
use sakmak_make::store::TableStore;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::material::id;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::path::{Path, PathBuf};

/// The help after the options.
const AFTER: &str = "\
A WDL file gives the category of each position when a count starts in it: win, cursed-win, draw, \
blessed-loss or loss. A look-up takes less than a microsecond. The file is made from the table \
of distance to mate and, if that does not decide, the table of counted distance. Tables of at \
most four men that are missing are solved on the spot. Every category is compared with the \
tables before the file gets its name; 'sakmak verify' repeats that. Files that already exist \
are kept; damaged ones and those of another version are made again.

  sakmak wdl --tables DIR
  sakmak wdl 5 --variant ouk";

/// The WDL files to write.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct WdlArguments {
    #[command(flatten)]
    materials: SomeMaterialsArgument,
    #[command(flatten)]
    source: SourceArguments,
    /// Variant [default: makruk]
    #[arg(long, value_name = "NAME", value_parser = chess_variant_parser())]
    variant: Option<&'static Variant>,
    /// Counting rule [default: the usual rule of the variant]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Option<CountingName>,
    /// Output: directory for the WDL files [default: the directory of the tables]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    memory: MemoryLimitArgument,
}

pub fn run(arguments: WdlArguments) -> Result<(), CommandError> {
    let variant = arguments.variant.unwrap_or(variants::default());
    let named = counting_rule(Some(variant), arguments.counting)?;
    let counting_rule = named.unwrap_or(variant.counting());
    if counting_rule.is_uncounted() {
        let message = "WDL files hold results under a count: '--counting none' makes none";
        return Err(CommandError::bad_input(message));
    }
    let rules = &variant.rules;
    let selected = arguments.materials.materials(variant)?;
    let (directory, access) = arguments.source.open(rules)?;
    let selected = match selected {
        Some(selected) => selected.without_colours(),
        None => tables_in(&directory, rules)?,
    };
    let memory = arguments.memory.allowed();
    let output = arguments.output.as_deref().unwrap_or(&directory);
    let store = || TableStore::new(rules, &directory).with_access(access);
    let name = |material: Material| WdlName { material, counting_rule };
    let (kept, missing): (Vec<Material>, Vec<Material>) =
        selected.into_iter().partition(|&material| opened(output, name(material), access).is_ok());
    store().require(missing.iter().flat_map(|&material| WdlSources::names(name(material))))?;
    check_outputs(output, missing.iter().map(|&material| name(material).to_string()))?;
    let slots = |material: Material| Table::slots_of_sides(&Index::new(material, rules));
    let bars = Bars::new();
    let all = bars.slots("all", missing.iter().map(|&material| slots(material)).sum());
    let mut bytes = 0;
    for &material in &missing {
        // Tables solved on the spot are small and are not kept for the next material.
        let tables = WdlSources::load(&store(), material, counting_rule)?;
        let title = material.to_string();
        all.set_message(&title);
        let meter = bars.slots(&title, slots(material));
        let progress = |slots| {
            all.advance(slots);
            meter.advance(slots);
        };
        let written = make(&tables, output, memory, &progress)?;
        meter.finish();
        let bits = written.length as f64 * f64::from(u8::BITS) / slots(material) as f64;
        let size = HumanBytes(written.length);
        bars.print(&format!("{title:<8} {size}, {bits:.4} bits a position\n"))?;
        bytes += written.length;
    }
    all.finish();
    let (made, existing) = (missing.len(), kept.len());
    let files = if made == 1 { "file" } else { "files" };
    let place = output.display();
    bars.print(&format!(
        "{made} WDL {files} made ({}), {existing} existed, in {place}\n",
        HumanBytes(bytes)
    ))
}

/// Returns the materials of all tables in a directory.
fn tables_in(directory: &Path, rules: &Rules) -> Result<Vec<Material>, CommandError> {
    let found: Vec<TableName> = file_names(directory)?
        .iter()
        .filter_map(|name| TableName::of_file_name(name, rules))
        .collect();
    let holds = |&material: &Material| found.contains(&TableName::of_distance(material, rules));
    let found = id::materials().iter().filter(|material| holds(material));
    let letters = rules.material_letters;
    let found: Vec<Material> = found.map(|material| material.written_in(letters)).collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(CommandError::failure(format!("no solved tables in {}", directory.display()))),
    }
}
