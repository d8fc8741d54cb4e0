//! The C border: the functions of `include/sakmak.h`. With [`variants`](crate::variants) and
//! [`pointer`](crate::pointer) the only module of this crate that uses `unsafe`.
//!
//! The header states what a caller must guarantee: a pointer is null or valid for its type,
//! and no other thread writes to its target during the call. A panic ends here and becomes
//! `SAKMAK_INTERNAL`.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "the header states it for all functions")]

use crate::batch;
use crate::error::{self, CallError};
use crate::pointer::{self, shared, shared_all, text, write, write_all, write_line};
use crate::position::{self, SakmakPosition};
use crate::reply::{self, SakmakCount, SakmakDistance, SakmakMove, moves_or_none};
use sakmak_probe::memory::ensure_available;
use sakmak_probe::process::OwnerProcess;
use sakmak_probe::{
    Access, Category, CountingRule, LookupBudget, MAKRUK, Position, ProbeError, Square,
    TableValues, Tablebase, variants,
};
use sakmak_tiers::games::open::GameTables;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// `sakmak_tablebase`.
pub struct SakmakTablebase {
    /// Probes share the lock; adding a directory takes it exclusively.
    tables: RwLock<Tablebase>,
    /// In the directories of `tables`.
    pub games: GameTables,
    owner: OwnerProcess,
}

impl SakmakTablebase {
    fn new(tables: Tablebase) -> SakmakTablebase {
        let games = GameTables::default();
        tables.directories().iter().for_each(|directory| games.add_directory(directory));
        SakmakTablebase { tables: RwLock::new(tables), games, owner: OwnerProcess::current() }
    }

    // A poisoned lock is safe: a directory is added completely or not at all.

    /// Waits only for threads of this process.
    fn read(&self) -> Result<RwLockReadGuard<'_, Tablebase>, CallError> {
        match self.tables.try_read() {
            Ok(tables) => Ok(tables),
            Err(TryLockError::Poisoned(tables)) => Ok(tables.into_inner()),
            Err(TryLockError::WouldBlock) => {
                self.in_own_process()?;
                Ok(self.tables.read().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    fn write(&self) -> Result<RwLockWriteGuard<'_, Tablebase>, CallError> {
        self.in_own_process()?;
        Ok(self.tables.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Checks that this is not a child of a fork.
    pub fn in_own_process(&self) -> Result<(), ProbeError> {
        if self.owner.is_current() { Ok(()) } else { Err(ProbeError::OtherProcess) }
    }
}

/// Runs a call. An error or a panic is noted for this thread and becomes its number.
pub fn call(work: impl FnOnce() -> Result<c_int, CallError>) -> c_int {
    // Unwind safety: the caller's memory is written last, by a batch part after part, and the
    // tablebase recovers its poisoned locks.
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(CallError::Internal(text.unwrap_or("no message").to_string()))
    });
    result.unwrap_or_else(error::noted)
}

/// The counting rule of this name, Makruk's for `None`.
fn counting_rule(name: Option<&str>) -> Result<&'static CountingRule, CallError> {
    name.map_or(Ok(MAKRUK.counting()), |name| Ok(variants::counting_rule(name)?))
}

/// The counting rule with this number.
fn numbered(counting: c_int) -> Result<&'static CountingRule, CallError> {
    let found = u8::try_from(counting).ok().and_then(position::counting_rule);
    found.ok_or(CallError::Argument("counting", counting))
}

/// A number that a tablebase has for a counting rule.
///
/// # Safety
///
/// The pointer is null, or valid for reads during the call.
unsafe fn number_of(
    tables: *const SakmakTablebase,
    counting: c_int,
    number: impl FnOnce(&Tablebase, &'static CountingRule) -> Result<usize, ProbeError>,
) -> c_int {
    call(|| {
        // SAFETY: guaranteed by the caller of this function.
        let tables = unsafe { shared(tables, "tables")? };
        // Of men or of tables, some thousand, so that the number fits.
        Ok(number(&*tables.read()?, numbered(counting)?)? as c_int)
    })
}

/// Probes a tablebase for a position.
///
/// # Safety
///
/// Both pointers are null, or valid for reads during the call.
unsafe fn probed<T>(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    probe: impl FnOnce(&Tablebase, &Position) -> Result<T, CallError>,
) -> Result<T, CallError> {
    // SAFETY: guaranteed by the caller of this function.
    let (tables, position) = unsafe { (shared(tables, "tables")?, shared(position, "position")?) };
    probe(&*tables.read()?, &position.position()?)
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
            Ok(reply::category(probe(tables, position)?).into())
        })
    })
}

/// Opens a tablebase; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_open(directory: *const c_char) -> *mut SakmakTablebase {
    // SAFETY: guaranteed by the caller; null is allowed.
    unsafe { sakmak_open_with(directory, ptr::null()) }
}

/// Opens a tablebase with an access; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_open_with(
    directory: *const c_char,
    access: *const c_char,
) -> *mut SakmakTablebase {
    let mut opened = ptr::null_mut();
    call(|| {
        // SAFETY: the header requires a path and text, or null.
        let (directory, access) =
            unsafe { (pointer::directory(directory)?, text(access, "access")?) };
        let access = access.map_or_else(Access::from_environment, str::parse)?;
        let tablebase = match directory {
            Some(directory) => Tablebase::open(directory)?,
            None => Tablebase::new(),
        };
        let tablebase = tablebase.with_access(access);
        opened = Box::into_raw(Box::new(SakmakTablebase::new(tablebase)));
        Ok(0)
    });
    opened
}

/// Adds a directory; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_add_directory(
    tables: *const SakmakTablebase,
    directory: *const c_char,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a path, or null.
        let (tables, directory) =
            unsafe { (shared(tables, "tables")?, pointer::directory(directory)?) };
        let directory = directory.ok_or(CallError::Null("directory"))?;
        let mut open = tables.write()?;
        open.add_directory(directory)?;
        tables.games.add_directory(directory);
        Ok(0)
    })
}

/// Sets the size of the caches; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_set_cache(tables: *const SakmakTablebase, bytes: usize) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, or null.
        let tables = unsafe { shared(tables, "tables")? };
        let mut open = tables.write()?;
        // Both caches are to have room; what the old ones have is free by then.
        let old = open.cached_bytes().saturating_add(tables.games.cached_bytes());
        ensure_available(bytes.saturating_mul(2).saturating_sub(old)).map_err(ProbeError::from)?;
        open.set_cache(bytes)?;
        tables.games.set_cache(bytes);
        Ok(0)
    })
}

/// The most men of a table; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_largest(tables: *const SakmakTablebase, counting: c_int) -> c_int {
    // SAFETY: the header requires a tablebase that is open, or null.
    unsafe { number_of(tables, counting, Tablebase::largest) }
}

/// The most men of a WDL file; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_largest_wdl(
    tables: *const SakmakTablebase,
    counting: c_int,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, or null.
    unsafe { number_of(tables, counting, Tablebase::largest_wdl) }
}

/// The most men of tables for the root; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_largest_root(
    tables: *const SakmakTablebase,
    counting: c_int,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, or null.
    unsafe { number_of(tables, counting, Tablebase::largest_root) }
}

/// Opens files ahead; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_prepare(
    tables: *const SakmakTablebase,
    counting: c_int,
    men: c_int,
) -> c_int {
    let men = usize::try_from(men).unwrap_or(0);
    // SAFETY: the header requires a tablebase that is open, or null.
    unsafe { number_of(tables, counting, |tables, rule| tables.prepare(rule, men)) }
}

/// The files of tables; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_table_files(
    tables: *const SakmakTablebase,
    lines: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, and room for `size` bytes, or null.
    call(|| unsafe {
        let files = shared(tables, "tables")?.read()?.table_files()?;
        let paths: Vec<_> = files.iter().map(|file| file.path.to_string_lossy()).collect();
        write_line(lines, size, &paths.join("\n"))
    })
}

/// Closes a tablebase; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_close(tables: *mut SakmakTablebase) {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, or null.
        let tablebase = unsafe { tables.as_ref() };
        // In a child of a fork a thread of the parent may have left it half changed for ever.
        if tablebase.is_some_and(|tablebase| tablebase.owner.is_current()) {
            // SAFETY: it came from `Box::into_raw` in `sakmak_open`, and the header requires
            // that it is closed once and not used during this call or later.
            drop(unsafe { Box::from_raw(tables) });
        }
        Ok(0)
    });
}

/// The number of a counting rule; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_counting_named(counting: *const c_char) -> c_int {
    call(|| {
        // SAFETY: the header requires text or null.
        let name = unsafe { text(counting, "counting")? };
        // The few rules are numbered from 1, so that the number fits.
        Ok(counting_rule(name)?.id as c_int)
    })
}

/// Parses a FEN; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_position_from_fen(
    fen: *const c_char,
    counting: *const c_char,
    position: *mut SakmakPosition,
) -> c_int {
    call(|| {
        // SAFETY: the header requires text or null.
        let (fen, counting) = unsafe { (text(fen, "fen")?, text(counting, "counting")?) };
        let fen = fen.ok_or(CallError::Null("fen"))?;
        let read = Position::from_fen_counted(counting_rule(counting)?, fen)?;
        if !read.leaps().is_empty() {
            return Err(ProbeError::LeapRights.into());
        }
        // SAFETY: the header requires a place to write a position to, or null.
        unsafe { write(position, "position", SakmakPosition::of(&read))? };
        Ok(0)
    })
}

/// The FEN of a position; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_fen(
    position: *const SakmakPosition,
    fen: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a position and room for `size` bytes, or null.
    call(|| unsafe {
        let position = shared(position, "position")?.position()?;
        write_line(fen, size, &position.fen())
    })
}

/// The square of a name; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_square_named(name: *const c_char) -> c_int {
    call(|| {
        // SAFETY: the header requires text or null.
        let name = unsafe { text(name, "name")? }.ok_or(CallError::Null("name"))?;
        Ok(name.parse::<Square>()?.index() as c_int)
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
        batch::wdl(&*tables.read()?, positions, |found| {
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
    // SAFETY: guaranteed by the caller.
    unsafe { sakmak_probe_mate_in_time_within(tables, position, 0, moves) }
}

/// The shortest mate in time, searched; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_probe_mate_in_time_within(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    lookups: u32,
    moves: *mut i32,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a position, or null.
        let found = unsafe {
            probed(tables, position, |tables, position| {
                Ok(moves_or_none(tables.mate_in_time_within(position, LookupBudget(lookups))?))
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
    // SAFETY: guaranteed by the caller.
    unsafe { sakmak_best_move_within(tables, position, 0, best) }
}

/// The best move, with a search; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_best_move_within(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    lookups: u32,
    best: *mut SakmakMove,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a position, or null.
        let found = unsafe {
            probed(tables, position, |tables, position| {
                Ok(tables.best_move_within(position, LookupBudget(lookups))?)
            })?
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
    // SAFETY: guaranteed by the caller.
    unsafe { sakmak_moves_within(tables, position, 0, moves, capacity) }
}

/// The legal moves, best first, with a search; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_moves_within(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    lookups: u32,
    moves: *mut SakmakMove,
    capacity: usize,
) -> c_int {
    call(|| {
        // SAFETY: the header requires a tablebase that is open, and a position, or null.
        let found = unsafe {
            probed(tables, position, |tables, position| {
                Ok(tables.moves_within(position, LookupBudget(lookups))?)
            })?
        };
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
    // SAFETY: guaranteed by the caller.
    unsafe { sakmak_counted_line_within(tables, position, 0, line, size) }
}

/// Best play under the count, with a search; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_counted_line_within(
    tables: *const SakmakTablebase,
    position: *const SakmakPosition,
    lookups: u32,
    line: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, a position, and room for `size`
    // bytes, or null.
    call(|| unsafe {
        let moves = probed(tables, position, |tables, position| {
            let line = tables.counted_line_within(position, LookupBudget(lookups))?;
            Ok(reply::line(&line.moves, position))
        })?;
        write_line(line, size, &moves)
    })
}

/// The refused files; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_refused_files(
    tables: *const SakmakTablebase,
    lines: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the header requires a tablebase that is open, and room for `size` bytes, or null.
    call(|| unsafe {
        let errors = shared(tables, "tables")?.read()?.refused_files();
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        write_line(lines, size, &errors.join("\n"))
    })
}

/// The version of the library; see the header.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// The message of the last error in this thread; see the header.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_last_error() -> *const c_char {
    error::last()
}

/// A copy of that message; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_error_text(text: *mut c_char, size: usize) -> c_int {
    // SAFETY: the header requires room for `size` bytes, or null.
    call(|| unsafe { write_line(text, size, &error::last_text()) })
}

/// The name of a category; see the header.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_category_name(category: c_int) -> *const c_char {
    const NAMES: [&CStr; 5] = [c"loss", c"blessed-loss", c"draw", c"cursed-win", c"win"];
    let name = usize::try_from(category).ok().and_then(|category| NAMES.get(category));
    name.map_or(ptr::null(), |name| name.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_a_message() {
        let code = call(|| panic!("too bad"));
        // SAFETY: the text stays until this thread has another error.
        let message = unsafe { CStr::from_ptr(sakmak_last_error()) };
        assert_eq!((code, message.to_str().unwrap()), (-9, "internal error of libsakmak: too bad"));
    }

    #[test]
    fn two_caches_that_do_not_fit_side_by_side_are_refused() {
        let Some(available) = sakmak_probe::memory::available_memory() else { return };
        let tables = SakmakTablebase::new(Tablebase::new());
        for (bytes, code) in [(available / 4 * 3, -12), (available / 4, 0)] {
            // SAFETY: the tablebase lives on.
            let result = unsafe { sakmak_set_cache(&raw const tables, bytes as usize) };
            assert_eq!(result, code, "{bytes} of {available}");
        }
    }

    #[test]
    fn a_counting_rule_that_does_not_exist_is_named_with_its_sign() {
        for number in [-1, 0, 11, 257] {
            let error = numbered(number).unwrap_err();
            assert_eq!(
                (error.code(), error.to_string()),
                (-1, format!("counting cannot be {number}"))
            );
        }
    }
}
