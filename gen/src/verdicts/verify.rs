//! Verdict files compared with the tables they were made from.

use super::make::at_a_time;
use super::section::{SectionError, Sections};
use crate::byte_count::ByteCount;
use crate::statistics::Source;
use rayon::prelude::*;
use sakmak_probe::table_file::FileError;
use sakmak_probe::verdict_file::{Pattern, VerdictFile};
use sakmak_tables::counting::Profile;
use sakmak_tables::format::verdict::SHEET;
use sakmak_tables::man::Side;
use sakmak_tables::table::Table;

use super::allowed::plain;

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

/// Checks a verdict file: its checksum, then every verdict against the tables, within so
/// much memory.
///
/// `progress` is called from all threads with the number of slots just done.
///
/// # Errors
///
/// The first thing found wrong.
pub fn verify_verdicts(
    file: &VerdictFile,
    source: Source<'_>,
    profile: &'static Profile,
    memory: ByteCount,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyVerdictsError> {
    file.verify_checksum()?;
    let sections = Sections::new(source, &profile.variant().rules, profile);
    compare(file, &sections, memory, progress)
}

/// Compares every legal slot.
pub fn compare(
    file: &VerdictFile,
    sections: &Sections<'_>,
    memory: ByteCount,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyVerdictsError> {
    for &side in Table::sides(sections.index()) {
        let Some(pictures) = file.pictures(side) else { continue };
        let homes: Vec<usize> = (0..pictures.homes().squares().len()).collect();
        let slots = sections.index().slots() / homes.len() as u64;
        for some in homes.chunks(at_a_time(sections, memory)) {
            let wrong = some.par_iter().find_map_first(|&home| {
                let result = compare_home(file, sections, side, home);
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
    side: Side,
    home: usize,
) -> Result<(), VerifyVerdictsError> {
    let Some(pictures) = file.pictures(side) else { return Ok(()) };
    let section = sections.section(pictures, side, home)?;
    for sheet in 0..pictures.per_home().div_ceil(SHEET) {
        for (picture, allowed) in (sheet * SHEET..).zip(section.sheet(sheet)) {
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
