//! Packs solved tables: small files for distribution and probing.
//!
//! A packed table keeps one side to move; a probe derives the other by a look-ahead of one ply.
//! A square is *don't-care* if the best capture or promotion has the value of the position: any
//! code that is at most as good for the mover is allowed, since a probe reads those moves too.
//!
//! ```text
//! each side to move, each order of tiles:      encode a small sample of blocks
//! the six with the fewest bytes:               encode a larger sample
//! the best one:      a model, trained on more blocks -> all blocks, each decoded again -> the file
//! ```
//!
//! The file depends on the table and the options alone.

mod options;

pub mod encoder;

mod square_progress;

mod block_group;

pub mod source;

pub mod tile_source;

mod sample;

pub mod agree;

pub mod error;

mod plan;

mod write;

use crate::output::solved::WrittenFile;
use error::{PackError, PackProblem};
pub use options::PackOptions;
use plan::PackPlan;
pub use plan::model_sample_bytes;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::variant::Variant;
use source::PackSource;
use std::path::Path;
use std::time::{Duration, Instant};

/// A packed table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedTable {
    /// The file.
    pub file: WrittenFile,
    /// The side to move whose codes the file keeps.
    pub kept: Side,
    /// The time to choose side, order and model, which hardly depends on the size of the table.
    pub choosing: Duration,
}

/// Packs a solved table into a directory, under its name.
///
/// Codes that are not in memory are read as they are needed: of the table four times, all of one
/// white king at once; of the subtables the king pairs that moves from positions of that white
/// king reach. `smaller` are the tables of this metric that it depends on. `progress` is called
/// from all threads with the number of slots just written, which add up to those of
/// the index.
///
/// # Errors
///
/// If the options are invalid, the directory cannot be written to or the disk is full. The error
/// names the file. No file is left behind, and an old one is not changed.
pub fn pack(
    codes: &dyn TableCodes,
    metric: Metric,
    variant: &'static Variant,
    smaller: &[&dyn TableCodes],
    directory: &Path,
    options: PackOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<PackedTable, PackError> {
    let name = TableName { material: codes.index().material(), metric };
    let path = directory.join(name.packed_file_name());
    let packed = || -> Result<PackedTable, PackProblem> {
        let table = PackSource { codes, metric, variant, smaller };
        let start = Instant::now();
        let plan = PackPlan::new(&table, options)?;
        let choosing = start.elapsed();
        let (length, checksum) = write::write(&table, &plan, name, directory, progress)?;
        let file = WrittenFile { path: path.clone(), length, checksum };
        Ok(PackedTable { file, kept: plan.source.side(), choosing })
    };
    packed().map_err(|problem| PackError { path: path.clone(), problem })
}

#[cfg(test)]
mod tests;
