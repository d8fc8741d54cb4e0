//! Verdict files compared with the tables they were made from.

use crate::output::wdl::allowed::plain;
use crate::output::wdl::coding::Trusted;
use crate::output::wdl::section::{SectionError, Sections};
use crate::output::wdl::tables::Tables;
use crate::system::byte_count::ByteCount;
use rayon::prelude::*;
use sakmak_probe::file::solved::FileError;
use sakmak_probe::file::wdl::{Pattern, VerdictFile};
use sakmak_tables::format::wdl::SHEET;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;

/// A verdict file that is not what its tables say.
#[derive(Debug, thiserror::Error)]
pub enum VerifyVerdictsError {
    /// The tables.
    #[error(transparent)]
    Section(#[from] SectionError),
    /// The file cannot be read or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// A verdict is wrong.
    #[error("picture {picture} of home {home} with {} to move is not what the tables say", side.name())]
    Wrong {
        /// The side to move.
        side: Side,
        /// The home.
        home: usize,
        /// The picture, counted from the first of its home.
        picture: u64,
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
pub fn verify_verdicts(
    file: &VerdictFile,
    tables: &Tables,
    memory: ByteCount,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyVerdictsError> {
    let sections = &tables.sections();
    for &side in Table::sides(tables.index()) {
        let Some(pictures) = file.pictures(side) else { continue };
        let homes: Vec<usize> = (0..pictures.homes().squares().len()).collect();
        let slots = sections.index().slots() / homes.len() as u64;
        let groups = file.captures(side);
        let after = match groups {
            0 => Vec::new(),
            _ => tables.after(side, pictures.runner())?,
        };
        let captures = tables.captures(pictures, side, &after);
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
    file: &VerdictFile,
    sections: &Sections<'_>,
    trusted: Option<Trusted<'_>>,
    side: Side,
    home: usize,
) -> Result<(), VerifyVerdictsError> {
    let Some(pictures) = file.pictures(side) else { return Ok(()) };
    let section = sections.section(pictures, side, home)?;
    let square = pictures.homes().squares()[home];
    for sheet in 0..pictures.per_home().div_ceil(SHEET) {
        for (picture, mut allowed) in (sheet * SHEET..).zip(section.sheet(sheet)) {
            if let Some(Trusted { captures, groups }) = trusted {
                let (relaxed, wrong) = captures.relax(allowed, groups, square, picture);
                if wrong != 0 {
                    return Err(VerifyVerdictsError::Wrong { side, home, picture });
                }
                allowed = relaxed;
            }
            let pattern = match file.pattern(side, home, picture)? {
                Some(Pattern::Plain(category)) => plain(category.index()),
                Some(Pattern::Mixed(masks)) => masks,
                None => continue,
            };
            if !allowed.holds(&pattern) {
                return Err(VerifyVerdictsError::Wrong { side, home, picture });
            }
        }
    }
    Ok(())
}
