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

pub mod encoder;

mod transposed;

mod block_group;

pub mod source;

pub mod agree;

pub mod error;

mod plan;

mod write;

use crate::output::solved::WrittenFile;
use crate::slots::one_ply::OnePly;
use error::{PackError, PackProblem};
use plan::PackPlan;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use source::PackSource;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Options of packing. None of them changes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackOptions {
    /// The number of tiles of a block, 1 to 64: more make the file smaller and probes slower.
    pub tiles: usize,
    /// Whether the file is for probes from a slow disk: it keeps White, the stronger side, without
    /// don't-care squares, so that a probe with White to move reads one row of the file.
    pub cold: bool,
}

impl PackOptions {
    /// Whether a file was packed with these options, or answers as well.
    pub fn are_of(self, header: &PackedHeader) -> bool {
        let cold = header.kept == Side::White && !header.dont_care;
        usize::from(header.block_tiles) == self.tiles && (cold || !self.cold)
    }
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions { tiles: 2, cold: false }
    }
}

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
/// `smaller` are the tables of this metric of all materials one move leads to. `progress` is called from all
/// threads with the number of squares just written, including those without a slot.
///
/// # Errors
///
/// If the options are invalid, the directory cannot be written to or the disk is full. The error
/// names the file. No file is left behind, and an old one is not changed.
pub fn pack(
    table: &Table,
    metric: Metric,
    variant: &'static Variant,
    smaller: &[Arc<Table>],
    directory: &Path,
    options: PackOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<PackedTable, PackError> {
    let name = TableName { material: table.index().material(), metric };
    let path = directory.join(name.packed_file_name());
    let packed = || -> Result<PackedTable, PackProblem> {
        let one_ply = OnePly::new(table, metric, variant, smaller);
        let sides = Table::sides(table.index()).iter();
        let sides = sides.filter(|&&side| !options.cold || side == Side::White);
        let sources = sides.filter_map(|&side| {
            let values = table.values(side)?;
            Some(PackSource::new(&one_ply, side, values))
        });
        let sources: Vec<PackSource<'_>> = sources.collect();
        let start = Instant::now();
        let plan = PackPlan::new(&sources, table.index(), variant, options)?;
        let choosing = start.elapsed();
        let (length, checksum) = write::write(&plan, name, &variant.rules, directory, progress)?;
        let file = WrittenFile { path: path.clone(), length, checksum };
        Ok(PackedTable { file, kept: plan.source.source().side(), choosing })
    };
    packed().map_err(|problem| PackError { path: path.clone(), problem })
}

#[cfg(test)]
mod tests;
