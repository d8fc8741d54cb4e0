//! `sakmak verdicts`: makes the files a search asks at every node.

use crate::cli::meter::Meter;
use crate::cli::progress::Bars;
use crate::cli::selection::{allowed, materials, memory_amount};
use crate::cli::{Failure, ThreadsArgument};
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
use sakmak_tables::values::table::Table;
use sakmak_tables::variants;
use std::path::{Path, PathBuf};

/// What they are for.
const AFTER: &str = "\
A verdict file says of each position whether it is won, won too late, drawn, saved by the \
count or lost, with a count that starts there, and is looked up in place. It is made from \
the table of distances to mate and, where that does not decide, the one of counted distance; \
those of at most four men that are not in DIR are solved on the spot. Every verdict is \
compared with the tables before its file gets its name; 'sakmak verify' does that again.";

/// MaterialTables what to make them, and where.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// The directory of the tables
    #[arg(value_name = "DIR")]
    tables: PathBuf,
    /// Materials such as KSMvK, or a number of pieces: all of up to so many [default: those of
    /// all tables in DIR]
    #[arg(value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
    /// The way of counting: makruk, makruk-khon-first, ouk or ouk-traditional
    #[arg(long, default_value = "makruk", value_parser = crate::cli::counting_named)]
    counting: &'static CountingRule,
    /// Where the files go [default: DIR]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The most memory to take, such as 16G [default: 80 % of what is available]
    #[arg(long, value_name = "AMOUNT", value_parser = memory_amount)]
    memory: Option<ByteSize>,
    #[command(flatten)]
    threads: ThreadsArgument,
}

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let counting_rule = arguments.counting;
    let rules = &variants::counted_by(counting_rule).rules;
    let selected = match arguments.materials.is_empty() {
        true => tables_in(&arguments.tables)?,
        false => materials(&arguments.materials)?.materials,
    };
    arguments.threads.apply()?;
    let memory = allowed(arguments.memory);
    let output = arguments.output.as_deref().unwrap_or(&arguments.tables);
    std::fs::create_dir_all(output)?;
    let slots = |material: Material| Table::slots_of_sides(&Index::new(material, rules));
    let bars = Bars::new();
    let all = bars.slots("all", selected.iter().map(|&material| 2 * slots(material)).sum());
    let (mut made, mut there, mut bytes) = (0, 0, 0);
    for &material in &selected {
        let name = WdlName { material, counting_rule };
        if opened(output, name).is_ok() {
            all.dec_length(2 * slots(material));
            there += 1;
            continue;
        }
        // Nothing solved on the spot is kept for the next: it is small and quickly made.
        let store = TableStore::new(rules, &arguments.tables);
        let tables = WdlSources::bring(&store, material, counting_rule)?;
        let title = material.to_string();
        let meter = Meter::new(bars.slots(&title, 2 * slots(material)), &title, "slots");
        let progress = |slots| {
            meter.advance(slots);
            all.inc(slots);
        };
        let written = make(&tables, output, memory, &progress)?;
        meter.finish();
        let bits = written.length as f64 * f64::from(u8::BITS) / slots(material) as f64;
        let size = HumanBytes(written.length);
        bars.print(&format!("{title:<8} {size}, {bits:.4} bits a position\n"))?;
        made += 1;
        bytes += written.length;
    }
    all.finish_and_clear();
    let files = if made == 1 { "file" } else { "files" };
    let place = output.display();
    bars.print(&format!(
        "{made} verdict {files} made ({}), {there} already there, in {place}\n",
        HumanBytes(bytes)
    ))
}

/// The materials of all tables in a directory.
fn tables_in(directory: &Path) -> Result<Vec<Material>, Failure> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let name = entry?.file_name();
        found.extend(name.to_str().and_then(TableName::of_file_name));
    }
    let holds = |&material: &Material| found.contains(&TableName::to_mate(material));
    let found: Vec<Material> = id::materials().iter().copied().filter(holds).collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(Failure { message: format!("no tables in {}", directory.display()), code: 1 }),
    }
}
