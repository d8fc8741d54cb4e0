//! Values, moves and lines of positions.

use super::{SakmakTablebase, call};
use crate::batch;
use crate::error::CallError;
use crate::pointer::{shared, shared_all, write, write_all, write_line};
use crate::position::SakmakPosition;
use crate::reply::{self, SakmakCount, SakmakDistance, SakmakMove, moves_or_none};
use sakmak_probe::{Category, Position, ProbeError, Searcher, TableValues, Tablebase};
use std::ffi::{c_char, c_int};

/// Probes a tablebase for a position.
///
/// # Safety
///
/// Both pointers are null, or valid for reads during the call.
unsafe fn probed<T>(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    probe: impl FnOnce(Searcher<'_>, &Position) -> Result<T, CallError>,
) -> Result<T, CallError> {
    // SAFETY: guaranteed by the caller of this function.
    let (tables, position) = unsafe { (shared(tables, "tables")?, shared(position, "position")?) };
    probe(tables.open.read()?.searching(tables.budget), &position.position()?)
}

/// Probes a tablebase for the category of a position.
///
/// # Safety
///
/// As [`probed`].
unsafe fn category(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    probe: impl FnOnce(&Tablebase, &Position) -> Result<Category, ProbeError>,
) -> c_int {
    // SAFETY: guaranteed by the caller of this function.
    call(|| unsafe {
        probed(tables, position, |tables, position| {
            Ok(reply::category(probe(&tables, position)?).into())
        })
    })
}

/// The category of a position; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_category(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, and a position, or null.
    unsafe { category(tables, position, Tablebase::category) }
}

/// The category of a position at a fresh count; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_wdl(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, and a position, or null.
    unsafe { category(tables, position, Tablebase::wdl) }
}

/// The category of a position under its count, from a WDL file where possible; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_wdl_counted(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, and a position, or null.
    unsafe { category(tables, position, Tablebase::wdl_counted) }
}

/// The categories of many positions at a fresh count; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_wdl_batch(
    tables: *const SakmakTablebase,
    positions: *const SakmakPosition,
    count: usize,
    categories: *mut c_int,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and `count` positions, or
        // null.
        let (tables, positions) =
            unsafe { (shared(tables, "tables")?, shared_all(positions, count, "positions")?) };
        let mut written = 0;
        batch::wdl(&*tables.open.read()?, positions, |found| {
            let to = categories.wrapping_add(written);
            written += found.len();
            // SAFETY: the header requires room for `count` numbers, or null. These are the next of
            // them.
            unsafe { write_all(to, found.len(), "categories", found) }
        })?;
        Ok(0)
    })
}

/// The distances of a position; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_distance(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    distance: *mut SakmakDistance,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a position, or null.
        let found = unsafe {
            probed(tables, position, |tables, position| {
                let TableValues { dtm, counted } = tables.values(position)?;
                Ok(SakmakDistance::of(dtm, counted))
            })?
        };
        // SAFETY: the header requires a place to write a distance to, or null.
        unsafe { write(distance, "distance", found)? };
        Ok(0)
    })
}

/// The shortest mate in time; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_mate_in_time(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    moves: *mut i32,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a position, or null.
        let found = unsafe {
            probed(tables, position, |tables, position| {
                Ok(moves_or_none(tables.mate_in_time(position)?))
            })?
        };
        // SAFETY: the header requires a place to write a number to, or null.
        unsafe { write(moves, "moves", found)? };
        Ok(0)
    })
}

/// The count of a position; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_count(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    count: *mut SakmakCount,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a position, or null.
        let found =
            unsafe { probed(tables, position, |tables, position| Ok(tables.count(position)?))? };
        match found {
            None => Ok(0),
            // SAFETY: the header requires a place to write a count to, or null.
            Some(found) => unsafe { write(count, "count", SakmakCount::of(&found)).map(|()| 1) },
        }
    })
}

/// The best move; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_best_move(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    best: *mut SakmakMove,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a position, or null.
        let found = unsafe {
            probed(tables, position, |tables, position| Ok(tables.best_move(position)?))?
        };
        match found {
            None => Ok(0),
            // SAFETY: the header requires a place to write a move to, or null.
            Some(found) => unsafe { write(best, "move", SakmakMove::of(&found)).map(|()| 1) },
        }
    })
}

/// The legal moves, best first; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_moves(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    moves: *mut SakmakMove,
    capacity: usize,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a position, or null.
        let found =
            unsafe { probed(tables, position, |tables, position| Ok(tables.moves(position)?))? };
        let found: Vec<SakmakMove> = found.iter().map(SakmakMove::of).collect();
        // SAFETY: the header requires room for `capacity` moves, or null.
        unsafe { write_all(moves, capacity, "moves", &found)? };
        // At most 255 moves, so that the number fits.
        Ok(found.len() as c_int)
    })
}

/// Best play to mate; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_line(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    line: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, a position, and room for `size`
    // bytes, or null.
    call(|| unsafe {
        let moves = probed(tables, position, |tables, position| {
            Ok(reply::line(&tables.line(position)?, position))
        })?;
        write_line(line, size, &moves)
    })
}

/// Best play under the count; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_counted_line(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    line: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, a position, and room for `size`
    // bytes, or null.
    call(|| unsafe {
        let moves = probed(tables, position, |tables, position| {
            Ok(reply::line(&tables.counted_line(position)?.moves, position))
        })?;
        write_line(line, size, &moves)
    })
}
