//! Packs solved tables: small files for distribution and probing.
//!
//! A packed table keeps one side to move; a probe derives the other by a look-ahead of one ply.
//! A square is *don't-care* if the best capture or promotion has the value of the position: any
//! code that is at most as good for the mover is allowed, since a probe reads those moves too.
//!
//! ```text
//! for each side to move, for each order of tiles:    encode a sample of blocks
//! the side and order with the fewest bytes
//!     -> a model, trained on more blocks -> all blocks, each decoded again -> the file
//! ```
//!
//! The file depends on the table and the options alone.

pub mod encoder;

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
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use source::PackSource;
use std::path::Path;
use std::sync::Arc;

/// Options of packing. None of them changes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackOptions {
    /// The number of tiles of a block, 1 to 64: more make the file smaller and probes slower.
    pub tiles: usize,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions { tiles: 2 }
    }
}

/// A packed table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedTable {
    /// The file.
    pub file: WrittenFile,
    /// The side to move whose codes the file keeps.
    pub kept: Side,
}

/// Packs a solved table into a directory, under the name of its material.
///
/// `smaller` are the tables of all materials one move leads to. `progress` is called from all
/// threads with the number of squares just written, including those without a slot.
///
/// # Errors
///
/// If the options are invalid, the directory cannot be written to or the disk is full. The error
/// names the file. No file is left behind, and an old one is not changed.
pub fn pack(
    table: &Table,
    variant: &'static Variant,
    smaller: &[Arc<Table>],
    directory: &Path,
    options: PackOptions,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<PackedTable, PackError> {
    let name = TableName::to_mate(table.index().material());
    let path = directory.join(name.packed_file_name());
    let packed = || -> Result<PackedTable, PackProblem> {
        let one_ply = OnePly::new(table, Metric::DistanceToMate, variant, smaller);
        let sides = Table::sides(table.index()).iter().filter_map(|&side| {
            let values = table.values(side)?;
            Some(PackSource::new(&one_ply, side, values))
        });
        let mut best: Option<(PackSource<'_>, PackPlan)> = None;
        for source in sides {
            let plan = PackPlan::new(&source, table.index(), variant, options.tiles)?;
            if best.as_ref().is_none_or(|(_, best)| plan.bytes < best.bytes) {
                best = Some((source, plan));
            }
        }
        let (source, plan) = best.ok_or(PackProblem::Empty)?;
        let (length, checksum) =
            write::write(&source, &plan, name, &variant.rules, directory, progress)?;
        let file = WrittenFile { path: path.clone(), length, checksum };
        Ok(PackedTable { file, kept: source.side() })
    };
    packed().map_err(|problem| PackError { path: path.clone(), problem })
}

#[cfg(test)]
mod tests;
