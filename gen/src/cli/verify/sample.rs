//! `sakmak verify --sample`: random positions, probed in the files.

use crate::cli::progress::Bars;
use crate::cli::verify::target::TargetError;
use crate::cli::{CommandError, tablebase};
use sakmak_make::store::{TableStore, TableStoreError};
use sakmak_make::verify::sample::{Sample, SampleError};
use sakmak_probe::{Access, ProbeError};
use sakmak_tables::format::name::TableName;
use sakmak_tables::variant::Variant;
use std::path::Path;

/// The cache of decoded blocks, in bytes: neighbouring positions of a sample share blocks.
pub const CACHE_BYTES: usize = 512 << 20;

/// Verifies a sample of each table.
pub fn run(
    sample: Sample,
    variant: &'static Variant,
    directory: &Path,
    access: Access,
    order: &[TableName],
) -> Result<(), CommandError> {
    let store = TableStore::new(&variant.rules, directory).with_access(access);
    let tables =
        tablebase(variant.rules.directory_of(directory), access)?.with_cache(CACHE_BYTES)?;
    let bars = Bars::new();
    for &table in order {
        let Some(file) = store.file(table)? else {
            return Err(
                TargetError::Missing(vec![table.file_name()], directory.to_path_buf()).into()
            );
        };
        let name = table.to_string();
        let meter = bars.meter(&name, sample.positions, "positions");
        let progress = |positions| meter.advance(positions);
        let verified = sample.verify(file.index(), table.metric, variant, &tables, &progress);
        let verified = verified.map_err(|error| -> CommandError {
            let wrong = |error: String| TargetError::Wrong(table, error).into();
            match error {
                SampleError::Probe(ProbeError::Missing { table, .. }) => {
                    let (variant, directory) = (Some(variant), directory.to_path_buf());
                    let tables = vec![table];
                    wrong(TableStoreError::Missing { tables, variant, directory }.to_string())
                }
                SampleError::Probe(ProbeError::File(error)) => error.into(),
                error => wrong(error.to_string()),
            }
        })?;
        meter.finish();
        let seed = sample.seed;
        bars.print(&format!("{name:<8} {verified} random positions correct, seed {seed}\n"))?;
    }
    Ok(())
}
