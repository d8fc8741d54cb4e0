//! Compares a WDL file with the tables it is made from.

use crate::output::wdl::rows::first_wrong;
use crate::output::wdl::runs::{KingCategories, TrustedCaptures};
use crate::output::wdl::section::{SectionError, Sections};
use crate::output::wdl::sources::WdlSources;
use crate::system::ByteSize;
use rayon::prelude::*;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::wdl::WdlFile;
use sakmak_tables::format::wdl::GROUP_TILES;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;

/// A WDL file that is damaged or differs from its tables.
#[derive(Debug, thiserror::Error)]
pub enum VerifyWdlError {
    /// The tables cannot be used.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// The file cannot be read or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// A category is wrong.
    #[error("king tile {king_tile} of fixed king {fixed_king} with {} to move differs from the tables", side.name())]
    Wrong {
        /// The side to move.
        side: Side,
        /// The number of the fixed king.
        fixed_king: usize,
        /// The king tile, counted from the first of the fixed king.
        king_tile: u64,
    },
}

/// Compares every category of a file with the tables, in `memory`.
///
/// `progress` is called from all threads with the number of slots just compared.
///
/// # Errors
///
/// The first error found.
pub fn verify_wdl(
    file: &WdlFile,
    tables: &WdlSources,
    memory: ByteSize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyWdlError> {
    let sections = &tables.sections();
    for &side in Table::sides(tables.index()) {
        let Some(king_tiles) = file.king_tiles(side) else { continue };
        let fixed_kings: Vec<usize> = (0..king_tiles.fixed_kings().squares().len()).collect();
        let slots = sections.index().slots() / fixed_kings.len() as u64;
        let groups = file.captures(side);
        let after = match groups {
            0 => Vec::new(),
            _ => tables.after(side, king_tiles.swept())?,
        };
        let captures = tables.captures(king_tiles, side, &after);
        let trusted = captures.as_ref().map(|captures| TrustedCaptures { captures, groups });
        for some in fixed_kings.chunks(sections.at_a_time(memory)) {
            let wrong = some.par_iter().find_map_first(|&fixed_king| {
                let result = compare_fixed_king(file, sections, trusted, side, fixed_king);
                progress(slots);
                result.err()
            });
            if let Some(wrong) = wrong {
                return Err(wrong);
            }
        }
    }
    Ok(())
}

fn compare_fixed_king(
    file: &WdlFile,
    sections: &Sections<'_>,
    trusted: Option<TrustedCaptures<'_>>,
    side: Side,
    fixed_king: usize,
) -> Result<(), VerifyWdlError> {
    let Some(king_tiles) = file.king_tiles(side) else { return Ok(()) };
    let section = &sections.section(king_tiles, side, fixed_king, 1)?;
    let square = king_tiles.fixed_kings().squares()[fixed_king];
    let king = KingCategories { section, fixed_king: square, trusted };
    for tile_group in 0..king_tiles.per_fixed_king().div_ceil(GROUP_TILES) {
        let Some(patterns) = file.group_patterns(side, fixed_king, tile_group)? else { continue };
        let (allowed, wrong) = king.tile_group(tile_group);
        let place = if wrong == 0 { first_wrong(&allowed, &patterns) } else { Some(0) };
        if let Some(place) = place {
            let king_tile = tile_group * GROUP_TILES + place as u64;
            return Err(VerifyWdlError::Wrong { side, fixed_king, king_tile });
        }
    }
    Ok(())
}
