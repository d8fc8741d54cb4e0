//! Packing solved tables: the small files that are handed out and probed.
//!
//! A packed table keeps one side to move; the other follows by a look-ahead of one ply.
//! Where the best move that takes or promotes is worth as much as the position, any code
//! will do that the mover likes at most as much, for a reader looks at those moves too.
//!
//! ```text
//! for each side to move, for each arrangement:    a sample of blocks is written
//! the side and arrangement that took the least
//!     -> a model, from more blocks -> all blocks, each read back -> the file
//! ```
//!
//! What comes out depends on the table and the options alone.

pub mod encoder;

pub mod source;

pub mod agree;

pub mod error;

mod chosen;

mod write;

use crate::output::solved::WrittenFile;
use crate::slots::one_ply::Quick;
use chosen::Chosen;
use error::{PackError, PackProblem};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use source::Source;
use std::path::Path;
use std::sync::Arc;

/// Choices in packing a table, none of which changes a value in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackOptions {
    /// Tiles of a block, 1 to 64: more is smaller, and slower to look up.
    pub tiles: usize,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions { tiles: 16 }
    }
}

/// A table that was packed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedTable {
    /// The file.
    pub file: WrittenFile,
    /// The side to move whose codes it keeps.
    pub kept: Side,
}

/// Packs a solved table into a directory, under the name of its material.
///
/// `smaller` are the tables of all materials one move leads to. `progress` is called from
/// all threads with the number of slots just written, those that are none counted.
///
/// # Errors
///
/// When the directory cannot be written to or the disk is full. The error names the file;
/// none is left behind, nor is an old one changed.
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
        let quick = Quick::new(table, Metric::DistanceToMate, variant, smaller);
        let sides = Table::sides(table.index()).iter().filter_map(|&side| {
            let values = table.values(side)?;
            Some(Source::new(&quick, side, values))
        });
        let mut best: Option<(Source<'_>, Chosen)> = None;
        for source in sides {
            let chosen = Chosen::of(&source, table.index(), variant, options.tiles)?;
            if best.as_ref().is_none_or(|(_, best)| chosen.bytes < best.bytes) {
                best = Some((source, chosen));
            }
        }
        let (source, chosen) = best.ok_or(PackProblem::Empty)?;
        let (length, checksum) =
            write::write(&source, &chosen, name, &variant.rules, directory, progress)?;
        let file = WrittenFile { path: path.clone(), length, checksum };
        Ok(PackedTable { file, kept: source.side() })
    };
    packed().map_err(|problem| PackError { path: path.clone(), problem })
}

#[cfg(test)]
mod tests;
