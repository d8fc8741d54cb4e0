//! `sakmak verify`: checksums, then every value against its successors, or a sample of values.

mod boards;
mod packed;
mod sample;
mod target;
mod wdl;

use crate::cli::arguments::{SourceArguments, VariantArgument};
use crate::cli::progress::Bars;
use crate::cli::records::Records;
use crate::cli::selection::SomeMaterialsArgument;
use crate::cli::{CommandError, Tone, eprint, message};
use clap::Args;
use sakmak_make::output::wdl::open;
use sakmak_make::store::{TableStore, TableStoreError, verify_checksums};
use sakmak_make::system::directory;
use sakmak_make::verify::ledger::Evidence;
use sakmak_make::verify::order::{needed, order};
use sakmak_make::verify::sample::Sample;
use sakmak_make::verify::{slots_to_verify, verify};
use sakmak_probe::Access;
use sakmak_probe::file::packed::PackedFile;
use sakmak_probe::variant::Variant as ChosenVariant;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use std::path::Path;
use target::{Target, TargetError, target};

/// The help after the options.
const AFTER: &str = "\
Solved tables: all checksums, then every value against the values of its successors, found by \
plain move generation. Each verified table is recorded, by its checksum, in the file \
sakmak/verified.txt in the user's state directory. The same command resumes after an \
interruption: a recorded table is not verified again unless it, or a table that it depends on, has \
changed; only its checksum is read.

Packed tables: all checksums, then every value against the solved table if that is in the same \
directory, else a random sample of positions against their successors.

WDL files: all checksums, then every category against the tables that it was made from, if they \
exist or can be solved on the spot (at most four men).

Tables of Janggi, Rek and Min Rek Chanh are verified like solved tables, with all tables that they depend \
on.

  sakmak verify --tables DIR
  sakmak verify KRvKN --sample 100000";

/// The tables to verify.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct VerifyArguments {
    #[command(flatten)]
    materials: SomeMaterialsArgument,
    #[command(flatten)]
    source: SourceArguments,
    /// Verify recorded tables again
    #[arg(long)]
    again: bool,
    /// Sample: N random positions of each table instead of all; needs little memory (packed
    /// tables: a kilobyte for each, at most 1 GiB), and records nothing
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    sample: Option<u64>,
    /// Seed of the sample: the same seed draws the same positions [default: 0]
    #[arg(long, value_name = "N", requires = "sample")]
    seed: Option<u64>,
    #[command(flatten)]
    variant: VariantArgument,
}

pub fn run(arguments: VerifyArguments) -> Result<(), CommandError> {
    let variant = match arguments.variant.variant() {
        ChosenVariant::Chess(variant) => variant,
        ChosenVariant::Board(game) => return game.visit(&arguments),
    };
    let Target { directory, solved, packed, wdl, others } =
        target(&arguments.materials, &arguments.source.tables, variant)?;
    for other in others {
        let name = other.name;
        let note = format!("tables of {name} are left out: '--variant {name}' verifies them");
        eprint(&message(Tone::Doubtful, &note));
    }
    let access = arguments.source.access.access()?;
    arguments.source.threads.apply()?;
    // Smaller tables come first, so that an error names the smallest wrong table.
    let rules = &variant.rules;
    let (solved, packed) = (order(solved, rules), order(packed, rules));
    let sample =
        arguments.sample.map(|positions| Sample { positions, seed: arguments.seed.unwrap_or(0) });
    check_files(variant, &directory, access, (&solved, &packed, &wdl), sample.is_some())?;
    match sample {
        Some(sample) => sample::run(sample, variant, &directory, access, &solved)?,
        None => every_value(variant, &directory, access, &solved, arguments.again)?,
    }
    packed::run(sample, variant, &directory, access, &packed)?;
    wdl::run(sample.is_some(), &directory, access, &wdl)
}

/// Checks, before any work, that all files can be opened and that no table needed for verification
/// is missing.
fn check_files(
    variant: &'static Variant,
    directory: &Path,
    access: Access,
    (solved, packed, wdl): (&[TableName], &[TableName], &[WdlName]),
    is_sampled: bool,
) -> Result<(), CommandError> {
    let rules = &variant.rules;
    let store = TableStore::new(rules, directory).with_access(access);
    let mut missing = Vec::new();
    for &name in solved {
        if store.file(name)?.is_none() {
            missing.push(name.file_name());
        }
    }
    if !missing.is_empty() {
        return Err(TargetError::Missing(missing, directory.to_path_buf()).into());
    }
    let path = |name: &TableName| directory.join(name.packed_file_name());
    // A sample is probed in packed files too.
    let is_packed = |name: &TableName| directory::exists(&path(name)).unwrap_or(true);
    let read = solved.iter().flat_map(|&name| needed(name, rules));
    store.require(read.filter(|name| !is_sampled || !is_packed(name)))?;
    let mut read = Vec::new();
    for name in packed {
        PackedFile::open(&path(name), access, *name, variant)?;
        // Without its solved file, a sample is verified.
        if is_sampled || store.file(*name)?.is_none() {
            read.extend(name.successors(rules));
        }
    }
    read.retain(|name| name.material != Material::BARE_KINGS && !is_packed(name));
    store.without_solving().require(read)?;
    wdl.iter().try_for_each(|&name| open(directory, name, access).map(drop))?;
    Ok(())
}

/// Verifies every value of these tables. With `again`, verifies recorded tables too.
fn every_value(
    variant: &'static Variant,
    directory: &Path,
    access: Access,
    order: &[TableName],
    again: bool,
) -> Result<(), CommandError> {
    let rules = &variant.rules;
    let store = TableStore::new(rules, directory).with_access(access);
    let bars = Bars::new();
    let mut records = Records::of_user(&bars);
    let mut recorded = 0;
    let slots = |name: &TableName| Table::slots_of_sides(&Index::new(name.material, rules));
    let all = (order.len() > 1).then(|| bars.slots("all", order.iter().map(slots).sum()));
    for &table_name in order {
        let Some(file) = store.file(table_name)? else {
            let missing = vec![table_name.file_name()];
            return Err(TargetError::Missing(missing, directory.to_path_buf()).into());
        };
        let name = table_name.to_string();
        all.as_ref().inspect(|all| all.set_message(&name));
        let report = |result: &str| {
            bars.print(&format!("{name:<8} {result}, checksum {:016x}\n", file.checksum()))
        };
        let evidence = Evidence::now(table_name, &store, rules)?;
        if !again && records.has(&evidence) {
            file.verify_file_checksum()?;
            // The slots of a recorded table would distort the rate.
            all.as_ref().inspect(|all| all.leave_out(slots(&table_name)));
            report("every value verified before")?;
            recorded += 1;
            continue;
        }
        verify_checksums(&file)?;
        // Keep only the tables that this table needs.
        let needed = needed(table_name, rules);
        store.memory.retain(|held| needed.contains(&held));
        let wrong = |error: String| TargetError::Wrong(table_name, error);
        let table = store.table(table_name)?;
        store.subtables(table_name).map_err(|error: TableStoreError| wrong(error.to_string()))?;
        let meter = bars.slots(&name, slots_to_verify(&table));
        let progress = |slots| {
            all.as_ref().inspect(|all| all.advance(slots));
            meter.advance(slots);
        };
        verify(&table, table_name.metric, variant, &|smaller| store.memory.get(smaller), &progress)
            .map_err(|error| wrong(error.to_string()))?;
        meter.finish();
        report("every value correct")?;
        records.add(evidence);
    }
    if let Some(all) = all {
        all.finish();
    }
    match recorded {
        0 => Ok(()),
        _ => bars.print(&format!("{recorded} verified before, by your records\n")),
    }
}
