//! The C border: the functions of `include/sakmak.h`. With [`pointer`](crate::pointer) the
//! only room of this crate where `unsafe` may stand.
//!
//! What may be asked of a caller stands in the header: a pointer is null or what its type
//! says, and nobody writes to what it points to during the call. A panic ends here and
//! becomes `SAKMAK_INTERNAL`.
#![allow(unsafe_code)]

use crate::failure::{self, Failure};
use crate::many;
use crate::pointer::{shared, shared_all, text, write, write_all, write_line};
use crate::position::SakmakPosition;
use crate::reply::{self, SakmakDistance, SakmakMove};
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::{TableValues, Tablebase};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::Position;
use sakmak_tables::variants::{self, MAKRUK};
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// `sakmak_tablebase`. Look-ups share the lock; adding a directory has it alone.
pub struct SakmakTablebase(RwLock<Tablebase>);

impl SakmakTablebase {
    fn read(&self) -> RwLockReadGuard<'_, Tablebase> {
        // A directory is added whole or not at all.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does what is asked; a failure or a panic is noted for this thread and becomes a number.
fn answered(work: impl FnOnce() -> Result<c_int, Failure>) -> c_int {
    // After a panic nothing is used that it may have left half done: what the caller lends
    // is written last, and the tablebase mends its locks.
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(Failure::Internal(text.unwrap_or("no more is known").to_string()))
    });
    result.unwrap_or_else(|failure| failure::noted(&failure))
}

/// The way of counting of this name, Makruk's own for none.
fn counting_rule(name: Option<&str>) -> Result<&'static CountingRule, Failure> {
    name.map_or(Ok(MAKRUK.counting()), |name| Ok(variants::counting_rule(name)?))
}

/// Asks a tablebase about a position.
///
/// # Safety
///
/// Both pointers are null, or good for reading during the call.
unsafe fn asked<T>(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    ask: impl FnOnce(&Tablebase, &Position) -> Result<T, Failure>,
) -> Result<T, Failure> {
    // SAFETY: the caller of this function says so.
    let (tables, position) = unsafe { (shared(tables, "tables")?, shared(position, "position")?) };
    ask(&tables.read(), &position.position()?)
}

/// Opens a tablebase; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_open(directory: *const c_char) -> *mut SakmakTablebase {
    let mut opened = ptr::null_mut();
    answered(|| {
        // SAFETY: the header asks for text or null.
        let tablebase = match unsafe { text(directory, "directory")? } {
            Some(directory) => Tablebase::open(directory)?,
            None => Tablebase::new(),
        };
        opened = Box::into_raw(Box::new(SakmakTablebase(RwLock::new(tablebase))));
        Ok(0)
    });
    opened
}

/// Adds a directory; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_add_directory(
    tables: *const SakmakTablebase,
    directory: *const c_char,
) -> c_int {
    answered(|| {
        // SAFETY: the header asks for a tablebase that is open, and text, or null.
        let (tables, directory) =
            unsafe { (shared(tables, "tables")?, text(directory, "directory")?) };
        let directory = directory.ok_or(Failure::Null("directory"))?;
        tables.0.write().unwrap_or_else(PoisonError::into_inner).add_directory(directory)?;
        Ok(0)
    })
}

/// Closes a tablebase; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_close(tables: *mut SakmakTablebase) {
    answered(|| {
        if !tables.is_null() {
            // SAFETY: it came from `Box::into_raw` in `sakmak_open`, and the header asks
            // that it is closed once and that nobody uses it meanwhile or later.
            drop(unsafe { Box::from_raw(tables) });
        }
        Ok(0)
    });
}

/// The number of a way of counting; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_counting_named(counting: *const c_char) -> c_int {
    answered(|| {
        // SAFETY: the header asks for text or null.
        let name = unsafe { text(counting, "counting")? };
        // Numbers are given from 1 upwards, a few of them.
        Ok(counting_rule(name)?.number as c_int)
    })
}

/// Reads a FEN; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_position_from_fen(
    fen: *const c_char,
    counting: *const c_char,
    position: *mut SakmakPosition,
) -> c_int {
    answered(|| {
        // SAFETY: the header asks for text or null.
        let (fen, counting) = unsafe { (text(fen, "fen")?, text(counting, "counting")?) };
        let fen = fen.ok_or(Failure::Null("fen"))?;
        let read = Position::from_fen_counted(counting_rule(counting)?, fen)?;
        if !read.leaps().is_empty() {
            return Err(ProbeError::LeapRights.into());
        }
        // SAFETY: the header asks for a place to write a position to, or null.
        unsafe { write(position, "position", SakmakPosition::of(&read))? };
        Ok(0)
    })
}

/// What a position is worth; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_category(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
) -> c_int {
    // SAFETY: the header asks for a tablebase that is open, and a position, or null.
    answered(|| unsafe {
        asked(tables, position, |tables, position| {
            Ok(reply::category(tables.category(position)?).into())
        })
    })
}

/// What a position is worth at a fresh count; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_verdict(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
) -> c_int {
    // SAFETY: the header asks for a tablebase that is open, and a position, or null.
    answered(|| unsafe {
        asked(tables, position, |tables, position| {
            Ok(reply::category(tables.verdict(position)?).into())
        })
    })
}

/// What many positions are worth at a fresh count; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_verdicts(
    tables: *const SakmakTablebase,
    positions: *const SakmakPosition,
    count: usize,
    verdicts: *mut c_int,
) -> c_int {
    answered(|| {
        // SAFETY: the header asks for a tablebase that is open, and so many positions, or
        // null.
        let (tables, positions) =
            unsafe { (shared(tables, "tables")?, shared_all(positions, count, "positions")?) };
        let found = many::verdicts(&tables.read(), positions);
        // SAFETY: the header asks for a place to write so many numbers to, or null.
        unsafe { write_all(verdicts, count, "verdicts", &found)? };
        Ok(0)
    })
}

/// How far the end is; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_distance(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    distance: *mut SakmakDistance,
) -> c_int {
    answered(|| {
        // SAFETY: the header asks for a tablebase that is open, and a position, or null.
        let found = unsafe {
            asked(tables, position, |tables, position| {
                let TableValues { mate, counted } = tables.values(position)?;
                Ok(SakmakDistance::of(mate, counted))
            })?
        };
        // SAFETY: the header asks for a place to write a distance to, or null.
        unsafe { write(distance, "distance", found)? };
        Ok(0)
    })
}

/// The move to make; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_best_move(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    best: *mut SakmakMove,
) -> c_int {
    answered(|| {
        // SAFETY: the header asks for a tablebase that is open, and a position, or null.
        let found =
            unsafe { asked(tables, position, |tables, position| Ok(tables.best_move(position)?))? };
        match found {
            None => Ok(0),
            // SAFETY: the header asks for a place to write a move to, or null.
            Some(found) => unsafe { write(best, "move", SakmakMove::of(&found)).map(|()| 1) },
        }
    })
}

/// The legal moves, best first; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_moves(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    moves: *mut SakmakMove,
    capacity: usize,
) -> c_int {
    answered(|| {
        // SAFETY: the header asks for a tablebase that is open, and a position, or null.
        let found =
            unsafe { asked(tables, position, |tables, position| Ok(tables.moves(position)?))? };
        let found: Vec<SakmakMove> = found.iter().map(SakmakMove::of).collect();
        // SAFETY: the header asks for room for `capacity` moves, or null.
        unsafe { write_all(moves, capacity, "moves", &found)? };
        // A list of moves has room for 256.
        Ok(found.len() as c_int)
    })
}

/// Best play to mate; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_line(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    line: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header asks for a tablebase that is open, a position, and room for `size`
    // bytes, or null.
    answered(|| unsafe {
        let moves = asked(tables, position, |tables, position| Ok(tables.line(position)?))?;
        write_line(line, size, &reply::line(&moves))
    })
}

/// Best play under the count; see the header.
///
/// # Safety
///
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_counted_line(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    line: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header asks for a tablebase that is open, a position, and room for `size`
    // bytes, or null.
    answered(|| unsafe {
        let found = asked(tables, position, |tables, position| Ok(tables.counted_line(position)?))?;
        write_line(line, size, &reply::line(&found.moves))
    })
}

/// What went wrong last in this thread; see the header.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_last_error() -> *const c_char {
    failure::last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn a_panic_becomes_a_number_and_words() {
        let code = answered(|| panic!("too bad"));
        // SAFETY: the text is kept until this thread fails again.
        let words = unsafe { CStr::from_ptr(sakmak_last_error()) };
        assert_eq!((code, words.to_str().unwrap()), (-9, "a fault of the library: too bad"));
    }
}
