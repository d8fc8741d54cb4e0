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

/// The packed tables of one directory.
struct PackedTables<'a> {
    variant: &'static Variant,
    store: TableStore<'a>,
    /// Answers from the packed files first, whatever else the directory has.
    tables: Tablebase,
    bars: Bars,
}

/// Verifies packed tables of a directory.
pub fn run(
    sample: Option<Sample>,
    variant: &'static Variant,
    directory: &Path,
    access: Access,
    names: &[TableName],
) -> Result<(), CommandError> {
    let verifier = PackedTables {
        variant,
        store: TableStore::new(&variant.rules, directory).with_access(access),
        tables: Tablebase::open(variant.rules.directory_of(directory))?
            .with_packed_first()
            .with_access(access)
            .with_cache(CACHE_BYTES)?,
        bars: Bars::new(),
    };
    for &name in names {
        let path = directory.join(name.packed_file_name());
        let file = PackedFile::open(&path, access, name, variant)?;
        let solved = verifier.store.file(name)?;
        file.verify_rows()?;
        file.verify_file_checksum()?;
        let found = match sample {
            None if solved.is_some() => verifier.compare(&file, name)?,
            None => {
                let wrong = |batch| file.decode_batch(batch, |_, _| ()).err();
                let first = (0..file.batches()).into_par_iter().find_map_first(wrong);
                first.map_or(Ok(()), Err)?;
                verifier.sample(&file, name, Sample { positions: POSITIONS, seed: 0 })?
            }
            Some(sample) => verifier.sample(&file, name, sample)?,
        };
        let (name, checksum) = (name.to_string(), file.checksum());
        verifier.bars.print(&format!("{name:<8} packed, {found}, checksum {checksum:016x}\n"))?;
    }
    Ok(())
}

impl PackedTables<'_> {
    /// Compares every code with the solved table, which decodes every block.
    fn compare(&self, file: &PackedFile, name: TableName) -> Result<String, CommandError> {
        self.store.memory.retain(|_| false);
        let table = self.store.table(name)?;
        let meter = self.bars.slots(&name.to_string(), file.index().slots());
        agree(file, &table, &|slots| meter.advance(slots)).map_err(|error| match error {
            Disagreement::File(error) => error.into(),
            error => CommandError::from(TargetError::Wrong(name, error.to_string())),
        })?;
        meter.finish();
        Ok("every code equals the solved table".to_string())
    }

    /// Verifies random positions against their successors.
    fn sample(
        &self,
        file: &PackedFile,
        name: TableName,
        sample: Sample,
    ) -> Result<String, CommandError> {
        let shown = name.to_string();
        let blocks = self.bars.meter(&shown, file.layout().blocks() * sample.passes(), "blocks");
        let meter = self.bars.meter(&shown, sample.positions, "positions");
        let verified = sample.verify_packed(
            file,
            name.metric,
            self.variant,
            &self.tables,
            &|passed| blocks.advance(passed),
            &|verified| meter.advance(verified),
        );
        let verified = verified.map_err(|error| match error {
            SampleError::Probe(error) => CommandError::from(error),
            error => TargetError::Wrong(name, error.to_string()).into(),
        })?;
        blocks.finish();
        meter.finish();
        Ok(format!("{verified} random positions correct, seed {}", sample.seed))
    }
}
