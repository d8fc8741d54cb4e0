//! Compares a WDL file with the tables it is made from.

use crate::output::wdl::captures::TrustedCaptures;
use crate::output::wdl::king_cells::cells as cells_of;
use crate::output::wdl::section::{KingTiles, SectionError, Sections};
use crate::output::wdl::sources::WdlSources;
use crate::system::ByteSize;
use rayon::prelude::*;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::wdl::{RowSymbols, WdlFile};
use sakmak_tables::format::wdl::model::SymbolStrings;
use sakmak_tables::format::wdl::{ROW_CELLS, rows_per_fixed_king};
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
    #[error("cell {cell} of fixed king {fixed_king} with {} to move differs from the tables", side.name())]
    Wrong {
        /// The side to move.
        side: Side,
        /// The number of the fixed king.
        fixed_king: usize,
        /// The cell, counted from the first of the fixed king.
        cell: u64,
    },
}

/// Checks every byte of a file and compares every category with the tables, in `memory`.
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
    file.verify_bytes()?;
    let sections = &tables.sections();
    for &side in Table::sides(tables.index()) {
        let Some(cells) = file.cells(side) else { continue };
        let (Some(order), Some(strings)) = (file.order(side), file.strings(side)) else { continue };
        let fixed_kings: Vec<usize> = (0..cells.fixed_kings().squares().len()).collect();
        let slots = sections.index().slots() / fixed_kings.len() as u64;
        let groups = file.captures(side);
        let after = match groups {
            0 => Vec::new(),
            _ => tables.after(side, cells.swept())?,
        };
        let captures = tables.captures(order, side, &after);
        let trusted = captures.as_ref().map(|captures| TrustedCaptures { captures, groups });
        for some in fixed_kings.chunks(sections.at_a_time(memory)) {
            let wrong = some.par_iter().find_map_first(|&fixed_king| {
                let result = compare(file, sections, trusted, &strings, side, fixed_king);
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

/// Compares the cells of a fixed king.
fn compare(
    file: &WdlFile,
    sections: &Sections<'_>,
    trusted: Option<TrustedCaptures<'_>>,
    strings: &SymbolStrings,
    side: Side,
    fixed_king: usize,
) -> Result<(), VerifyWdlError> {
    let (Some(cells), Some(order)) = (file.cells(side), file.order(side)) else { return Ok(()) };
    let tiles = KingTiles::new(sections.index(), order);
    let section = sections.section(cells, &tiles, side, fixed_king)?;
    let square = cells.fixed_kings().squares()[fixed_king];
    let (allowed, better) = cells_of(&section, &tiles, trusted, square);
    let wrong = |cell: u64| VerifyWdlError::Wrong { side, fixed_king, cell };
    if better != 0 {
        return Err(wrong(0));
    }
    let rows = rows_per_fixed_king(cells);
    for (row, allowed) in (0..).zip(allowed.chunks(ROW_CELLS as usize)) {
        let first = row * ROW_CELLS;
        let is_allowed = |category: u8, set: u8| set >> category & 1 != 0;
        match file.row_symbols(side, fixed_king as u64 * rows + row)? {
            None => {}
            Some(RowSymbols::Alike(category)) => {
                let category = category.index() as u8;
                if let Some(at) = allowed.iter().position(|&set| !is_allowed(category, set)) {
                    return Err(wrong(first + at as u64));
                }
            }
            Some(RowSymbols::Symbols(symbols)) => {
                let mut rest = allowed;
                for symbol in symbols {
                    let at = first + (allowed.len() - rest.len()) as u64;
                    let string = strings.of(symbol);
                    let sets = rest.split_off(..string.len()).ok_or_else(|| wrong(at))?;
                    if !string.iter().zip(sets).all(|(&category, &set)| is_allowed(category, set)) {
                        return Err(wrong(at));
                    }
                }
            }
        }
    }
    Ok(())
}
