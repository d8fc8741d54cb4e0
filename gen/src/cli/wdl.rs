//! `sakmak wdl`: writes the files that an engine probes at every node of a search.

use crate::cli::CommandError;
use crate::cli::arguments::{AccessArgument, ThreadsArgument, counting_parser};
use crate::cli::progress::Bars;
use crate::cli::selection::{allowed, materials, memory_amount};
use clap::Args;
use indicatif::HumanBytes;
use sakmak_gen::output::wdl::{WdlSources, make, opened};
use sakmak_gen::store::TableStore;
use sakmak_gen::system::ByteSize;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::material::id;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::{self, MAKRUK};
use std::path::{Path, PathBuf};

/// What comes after the options in the help.
const AFTER: &str = "\
A WDL file gives the category of each position when a count starts in it: win, cursed-win, draw, \
blessed-loss or loss. A look-up takes less than a microsecond. The file is made from the table \
of distance to mate and, if that does not decide, the table of counted distance. Tables of at \
most four men that are not in DIR are solved on the spot. Every category is compared with the \
tables before the file gets its name; 'sakmak verify' repeats that. Files that already exist \
are kept.";

/// The WDL files to write.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct WdlArguments {
    /// Directory of the tables
    #[arg(value_name = "DIR")]
    tables: PathBuf,
    /// Materials such as KSMvK, or a number: all of up to that many men [default: the materials
    /// of all tables in DIR]
    #[arg(value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
    /// Counting rule
    #[arg(long, value_name = "RULE", default_value = MAKRUK.counting().name, value_parser = counting_parser())]
    counting: &'static CountingRule,
    /// Directory for the WDL files [default: DIR]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Memory limit, such as 16G [default: 80 % of the available memory]
    #[arg(long, value_name = "SIZE", value_parser = memory_amount)]
    memory: Option<ByteSize>,
    #[command(flatten)]
    access: AccessArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
}

pub fn run(arguments: WdlArguments) -> Result<(), CommandError> {
    let counting_rule = arguments.counting;
    let variant = variants::counted_by(counting_rule);
    let rules = &variant.rules;
    let selected = match arguments.materials.is_empty() {
        true => tables_in(&arguments.tables, rules)?,
        false => materials(&arguments.materials, variant)?.without_colours(),
    };
    let access = arguments.access.access()?;
    arguments.threads.apply()?;
    let memory = allowed(arguments.memory);
    let output = arguments.output.as_deref().unwrap_or(&arguments.tables);
    std::fs::create_dir_all(output)?;
    let slots = |material: Material| Table::slots_of_sides(&Index::new(material, rules));
    let bars = Bars::new();
    let all = bars.slots("all", selected.iter().map(|&material| 2 * slots(material)).sum());
    let (mut made, mut existing, mut bytes) = (0, 0, 0);
    for &material in &selected {
        let name = WdlName { material, counting_rule };
        if opened(output, name, access).is_ok() {
            all.leave_out(2 * slots(material));
            existing += 1;
            continue;
        }
        // Tables solved on the spot are small and are not kept for the next material.
        let store = TableStore::new(rules, &arguments.tables).with_access(access);
        let tables = WdlSources::bring(&store, material, counting_rule)?;
        let title = material.to_string();
        all.say(&title);
        let meter = bars.slots(&title, 2 * slots(material));
        let progress = |slots| {
            all.advance(slots);
            meter.advance(slots);
        };
        let written = make(&tables, output, memory, &progress)?;
        meter.finish();
        let bits = written.length as f64 * f64::from(u8::BITS) / slots(material) as f64;
        let size = HumanBytes(written.length);
        bars.print(&format!("{title:<8} {size}, {bits:.4} bits a position\n"))?;
        made += 1;
        bytes += written.length;
    }
    all.finish();
    let files = if made == 1 { "file" } else { "files" };
    let place = output.display();
    bars.print(&format!(
        "{made} WDL {files} made ({}), {existing} existed, in {place}\n",
        HumanBytes(bytes)
    ))
}

/// The materials of all tables in a directory.
fn tables_in(directory: &Path, rules: &Rules) -> Result<Vec<Material>, CommandError> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let name = entry?.file_name();
        found.extend(name.to_str().and_then(TableName::of_file_name));
    }
    let holds = |&material: &Material| found.contains(&TableName::of_distance(material, rules));
    let found: Vec<Material> = id::materials().iter().copied().filter(holds).collect();
    match found.is_empty() {
        false => Ok(found),
        true => {
            Err(CommandError { message: format!("no tables in {}", directory.display()), code: 1 })
        }
    }
}
