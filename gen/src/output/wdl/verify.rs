//! Verdict files compared with the tables they were made from.

use crate::output::wdl::allowed::plain;
use crate::output::wdl::coding::Trusted;
use crate::output::wdl::section::{SectionError, Sections};
use crate::output::wdl::tables::Tables;
use crate::system::ByteSize;
use rayon::prelude::*;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::wdl::{Pattern, WdlFile};
use sakmak_tables::format::wdl::SHEET;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;

/// A verdict file that is not what its tables say.
#[derive(Debug, thiserror::Error)]
pub enum VerifyWdlError {
    /// The tables.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// The file cannot be read or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// A verdict is wrong.
    #[error("king tile {king_tile} of home {home} with {} to move is not what the tables say", side.name())]
    Wrong {
        /// The side to move.
        side: Side,
        /// The home.
        home: usize,
        /// The king tile, counted from the first of its home.
        king_tile: u64,
    },
}

/// Checks every verdict of a file, which is whole or it would not be open, against the
/// tables, within so much memory.
///
/// `progress` is called from all threads with the number of slots just done.
///
/// # Errors
///
/// The first thing found wrong.
pub fn verify_wdl(
    file: &WdlFile,
    tables: &Tables,
    memory: ByteSize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyWdlError> {
    let sections = &tables.sections();
    for &side in Table::sides(tables.index()) {
        let Some(king_tiles) = file.king_tiles(side) else { continue };
        let homes: Vec<usize> = (0..king_tiles.homes().squares().len()).collect();
        let slots = sections.index().slots() / homes.len() as u64;
        let groups = file.captures(side);
        let after = match groups {
            0 => Vec::new(),
            _ => tables.after(side, king_tiles.runner())?,
        };
        let captures = tables.captures(king_tiles, side, &after);
        let trusted = captures.as_ref().map(|captures| Trusted { captures, groups });
        for some in homes.chunks(sections.at_a_time(memory)) {
            let wrong = some.par_iter().find_map_first(|&home| {
                let result = compare_home(file, sections, trusted, side, home);
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

fn compare_home(
    file: &WdlFile,
    sections: &Sections<'_>,
    trusted: Option<Trusted<'_>>,
    side: Side,
    home: usize,
) -> Result<(), VerifyWdlError> {
    let Some(king_tiles) = file.king_tiles(side) else { return Ok(()) };
    let section = sections.section(king_tiles, side, home)?;
    let square = king_tiles.homes().squares()[home];
    for sheet in 0..king_tiles.per_home().div_ceil(SHEET) {
        for (king_tile, mut allowed) in (sheet * SHEET..).zip(section.sheet(sheet)) {
            if let Some(Trusted { captures, groups }) = trusted {
                let (relaxed, wrong) = captures.relax(allowed, groups, square, king_tile);
                if wrong != 0 {
                    return Err(VerifyWdlError::Wrong { side, home, king_tile });
                }
                allowed = relaxed;
            }
            let pattern = match file.pattern(side, home, king_tile)? {
                Some(Pattern::Plain(category)) => plain(category.index()),
                Some(Pattern::Mixed(masks)) => masks,
                None => continue,
            };
            if !allowed.holds(&pattern) {
                return Err(VerifyWdlError::Wrong { side, home, king_tile });
            }
        }
    }
    Ok(())
}
