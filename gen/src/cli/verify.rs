//! `sakmak verify`: checksums, then every value against its successors, or a sample.

mod packed;
mod sample;
mod target;
mod wdl;

use crate::cli::meter::Meter;
use crate::cli::progress::Bars;
use crate::cli::{Failure, TablesArgument, ThreadsArgument};
use clap::Args;
use sakmak_gen::store::verify_checksums;
use sakmak_gen::store::{TableStore, TableStoreError};
use sakmak_gen::verify::ledger::{Evidence, FILE_NAME, Ledger};
use sakmak_gen::verify::order::{needed, order};
use sakmak_gen::verify::sample::Sample;
use sakmak_gen::verify::{slots_to_verify, verify};
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use std::path::Path;
use target::{Target, TargetError, target};

/// Where finished tables are put down.
const AFTER: &str = "\
Every table found right is put down in the file verified.txt beside the tables, with the \
checksums of its file and of those it was verified by. The same command after an \
interruption goes on behind the last of them: a table that stands there and has not changed \
since, nor those it leads to, is only read through for its checksum. Of packed tables all \
bytes are checked, and every code against the solved table where that is in the same \
directory, else random positions by their successors. Of verdict files all bytes are \
checked, and every verdict where the tables it was made from are there or have at most four \
men and can be solved on the spot.";

/// What to verify.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// A directory of tables, or one material from the directory of tables
    #[arg(value_name = "DIR|MATERIAL")]
    target: String,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Verify again what verified.txt says was verified
    #[arg(long)]
    again: bool,
    /// Verify N random positions of each table instead of all, with no whole table in
    /// memory; nothing is put down
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    sample: Option<u64>,
    /// The number the random positions begin with: the same one, the same positions
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// The game, makruk or ouk; their tables are the same
    #[arg(long, default_value = "makruk", value_parser = crate::cli::variant_named)]
    variant: &'static Variant,
}

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let Target { directory, solved, packed, verdicts } =
        target(&arguments.target, &arguments.tables)?;
    arguments.threads.apply()?;
    // Smaller tables come first, so that the smallest wrong one is the one named.
    let rules = &arguments.variant.rules;
    let (solved, packed) = (order(solved, rules), order(packed, rules));
    let sample = arguments.sample.map(|positions| Sample { positions, seed: arguments.seed });
    match sample {
        Some(sample) => sample::run(sample, arguments.variant, &directory, &solved)?,
        None => every_value(&arguments, &directory, &solved)?,
    }
    packed::run(sample, arguments.variant, &directory, &packed)?;
    wdl::run(sample.is_some(), &directory, &verdicts)
}

/// Verifies every value of these tables.
fn every_value(
    arguments: &Arguments,
    directory: &Path,
    order: &[TableName],
) -> Result<(), Failure> {
    let rules = &arguments.variant.rules;
    let store = TableStore::new(rules, directory);
    let mut ledger = Ledger::read(directory);
    let mut writable = true;
    let bars = Bars::new();
    let slots = |name: &TableName| Table::slots_of_sides(&Index::new(name.material, rules));
    let all = (order.len() > 1).then(|| bars.slots("all", order.iter().map(slots).sum()));
    for &table_name in order {
        let Some(file) = store.file(table_name)? else {
            return Err(TargetError::Missing(table_name, directory.to_path_buf()).into());
        };
        let name = table_name.to_string();
        let report = |found: &str| {
            bars.print(&format!("{name:<8} {found}, checksum {:016x}\n", file.checksum()))
        };
        let evidence = Evidence::now(table_name, &store, rules)?;
        let known = |evidence: &Evidence| ledger.holds(table_name, evidence);
        if !arguments.again && evidence.as_ref().is_some_and(known) {
            file.verify_file_checksum()?;
            // Its slots are no measure of the rate.
            all.as_ref().inspect(|all| all.dec_length(slots(&table_name)));
            report("every value found right before")?;
            continue;
        }
        verify_checksums(&file)?;
        // The table before was let go but for what this one needs.
        let now = needed(table_name, rules);
        store.retain(|held| now.contains(&held));
        let wrong = |error: String| TargetError::Wrong(table_name, error);
        let table = store.table(table_name)?;
        store
            .load_successors(table_name)
            .map_err(|error: TableStoreError| wrong(error.to_string()))?;
        let meter = Meter::new(bars.slots(&name, slots_to_verify(&table)), &name, "slots");
        let progress = |slots| {
            meter.advance(slots);
            all.as_ref().inspect(|all| all.inc(slots));
        };
        verify(
            &table,
            table_name.metric,
            arguments.variant,
            &|smaller| store.get(smaller),
            &progress,
        )
        .map_err(|error| wrong(error.to_string()))?;
        meter.finish();
        report("every value right")?;
        let put_down = evidence.filter(|_| writable).map(|now| ledger.add(table_name, now));
        if let Some(Err(error)) = put_down {
            // Verifying goes on; said once.
            writable = false;
            let path = directory.join(FILE_NAME);
            bars.warn(&format!("cannot write {}: {error}; going on", path.display()));
        }
    }
    if let Some(all) = all {
        all.finish_and_clear();
    }
    Ok(())
}
