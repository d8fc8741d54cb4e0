//! `sakmak verify` of packed tables: every byte, then every code against the solved table if it
//! is in the directory, else a sample.

use crate::cli::CommandError;
use crate::cli::progress::Bars;
use crate::cli::verify::sample::CACHE_BYTES;
use crate::cli::verify::target::TargetError;
use rayon::prelude::*;
use sakmak_make::output::packed::agree::{Disagreement, agree};
use sakmak_make::store::TableStore;
use sakmak_make::verify::sample::{Sample, SampleError};
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::packed::PackedFile;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::format::name::TableName;
use sakmak_tables::variant::Variant;
use std::path::Path;

/// The default number of positions in a sample.
const POSITIONS: u64 = 10_000;

/// Verifies packed tables of a directory.
pub fn run(
    sample: Option<Sample>,
    variant: &'static Variant,
    directory: &Path,
    access: Access,
    names: &[TableName],
) -> Result<(), CommandError> {
    let bars = Bars::new();
    // The values of a sample are those of the packed file, whatever else the directory has.
    let tables = Tablebase::open(directory)?
        .with_packed_first()
        .with_access(access)
        .with_cache(CACHE_BYTES)?;
    let store = TableStore::new(&variant.rules, directory).with_access(access);
    for &name in names {
        let path = directory.join(name.packed_file_name());
        let file = PackedFile::open(&path, access, name, variant)?;
        let shown = name.to_string();
        let solved = store.file(name)?;
        file.verify_rows()?;
        file.verify_file_checksum()?;
        let found = match (sample, solved) {
            (None, Some(_)) => {
                // Comparing decodes every block.
                store.memory.retain(|_| false);
                let table = store.table(name)?;
                let meter = bars.slots(&shown, file.index().slots());
                agree(&file, &table, &|slots| meter.advance(slots)).map_err(
                    |error| match error {
                        Disagreement::File(error) => error.into(),
                        error => CommandError::from(TargetError::Wrong(name, error.to_string())),
                    },
                )?;
                meter.finish();
                "every code equals the solved table".to_string()
            }
            (sample, _) => {
                if sample.is_none() {
                    let wrong = |batch| file.decode_batch(batch, |_, _| ()).err();
                    let first = (0..file.batches()).into_par_iter().find_map_first(wrong);
                    first.map_or(Ok(()), Err)?;
                }
                let sample = sample.unwrap_or(Sample { positions: POSITIONS, seed: 0 });
                let blocks = bars.meter(&shown, file.layout().blocks() * sample.passes(), "blocks");
                let meter = bars.meter(&shown, sample.positions, "positions");
                let verified = sample.verify_packed(
                    &file,
                    name.metric,
                    variant,
                    &tables,
                    &|passed| blocks.advance(passed),
                    &|verified| meter.advance(verified),
                );
                let verified = verified.map_err(|error| match error {
                    SampleError::Probe(error) => CommandError::from(error),
                    error => TargetError::Wrong(name, error.to_string()).into(),
                })?;
                blocks.finish();
                meter.finish();
                format!("{verified} random positions right, seed {}", sample.seed)
            }
        };
        bars.print(&format!("{shown:<8} packed, {found}, checksum {:016x}\n", file.checksum()))?;
    }
    Ok(())
}
