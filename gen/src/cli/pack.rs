//! `sakmak pack`: compresses solved tables to packed files.

use crate::cli::arguments::{ChessVariantArgument, SourceArguments};
use crate::cli::batch_arguments::{CountingArgument, PACKS, PackedFileArguments};
use crate::cli::duration::duration;
use crate::cli::progress::Bars;
use crate::cli::selection::MaterialsArgument;
use crate::cli::{CommandError, check_outputs};
use clap::{ArgGroup, Args};
use indicatif::HumanBytes;
use sakmak_make::output::packed::{PackOptions, PackedTable, pack};
use sakmak_make::store::TableStore;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::packed::PackedFile;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The help after the options.
const AFTER: &str = "\
A packed table gives the same answers as a solved table and takes a fifth of the space with five \
men, a third with four. A look-up is slower: the file holds one side to move, and the values of the other side are \
computed from it. 'probe' and the libraries read packed tables; 'stats', 'query' and 'wdl' read \
solved tables. The tables that they depend on are packed as well. Packed tables \
that already exist are kept.";

/// The tables to pack.
#[derive(Args)]
// 'pack' always makes packed files; 'generate' needs an option to do so.
#[command(after_help = AFTER, group = ArgGroup::new(PACKS).arg("materials"))]
pub struct PackArguments {
    #[command(flatten)]
    materials: MaterialsArgument,
    #[command(flatten)]
    source: SourceArguments,
    /// Output: directory for the packed tables [default: the directory of the tables]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    #[command(flatten)]
    file: PackedFileArguments,
    #[command(flatten)]
    variant: ChessVariantArgument,
    #[command(flatten)]
    counting: CountingArgument,
}

pub fn run(arguments: PackArguments) -> Result<(), CommandError> {
    let variant = arguments.variant.variant();
    let rules = &variant.rules;
    let selected = arguments.counting.names(&arguments.materials, variant)?;
    let (directory, access) = arguments.source.open(rules)?;
    let output = arguments.output.unwrap_or_else(|| directory.clone());
    let mut packing = Packing {
        store: TableStore::new(rules, &directory).with_access(access),
        variant,
        output,
        access,
        options: arguments.file.options(),
        bars: Bars::new(),
    };
    let all = TableName::closure(selected, rules).into_iter();
    let (missing, existing): (Vec<_>, Vec<_>) = all.partition(|&name| !packing.exists(name));
    let read = |name: &TableName| name.successors(rules).into_iter().chain([*name]);
    packing.store.require(missing.iter().flat_map(read))?;
    check_outputs(&packing.output, missing.iter().map(|name| name.packed_file_name()))?;
    let start = Instant::now();
    let mut bytes = 0;
    for &name in &missing {
        bytes += packing.pack(name)?.file.length;
    }
    packing.bars.print(&format!(
        "{} packed ({}) in {}, {} existed, in {}\n",
        match missing.len() {
            1 => "1 table".to_string(),
            tables => format!("{tables} tables"),
        },
        HumanBytes(bytes),
        duration(start.elapsed().as_secs_f64()),
        existing.len(),
        packing.output.display(),
    ))
}

/// The tables to pack and the state of the work.
struct Packing<'a> {
    store: TableStore<'a>,
    variant: &'static Variant,
    output: PathBuf,
    access: Access,
    options: PackOptions,
    bars: Bars,
}

impl Packing<'_> {
    /// Returns whether a packed table exists that was packed with these options.
    fn exists(&self, name: TableName) -> bool {
        let path = self.output.join(name.packed_file_name());
        PackedFile::open(&path, self.access, name, self.variant)
            .is_ok_and(|file| self.options.are_of(file.layout().header()))
    }

    fn pack(&mut self, name: TableName) -> Result<PackedTable, CommandError> {
        let start = Instant::now();
        let successors = name.successors(&self.variant.rules);
        self.store.memory.retain(|held| successors.contains(&held));
        let table = self.store.table(name)?;
        let subtables = self.store.subtables(name)?;
        let subtables: Vec<&dyn TableCodes> = subtables.iter().map(|table| &**table as _).collect();
        let bar = self.bars.slots(&name.to_string(), table.index().slots());
        let progress = |slots| bar.advance(slots);
        let (variant, output) = (self.variant, &self.output);
        let packed =
            pack(&*table, name.metric, variant, &subtables, output, self.options, &progress)?;
        bar.finish();
        self.bars.print(&line(name, table.index(), &packed, start.elapsed()))?;
        Ok(packed)
    }
}

/// Returns the line about a packed table, at most 80 columns.
fn line(name: TableName, index: &Index, packed: &PackedTable, time: Duration) -> String {
    let positions = Table::slots_of_sides(index);
    format!(
        "{:<7} {:>10} {:>6.3} bits a position {:>7}  {} to move kept\n",
        name.to_string(),
        HumanBytes(packed.file.length).to_string(),
        packed.file.length as f64 * 8.0 / positions as f64,
        duration(time.as_secs_f64()),
        packed.kept.name(),
    )
}
