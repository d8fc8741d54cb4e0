//! The C border: the functions of `include/sakmak.h`. With [`pointer`](crate::pointer) the only module of
//! this crate that uses `unsafe`.
//!
//! ```text
//! tablebase   opening, directories, caches, files
//! probes      values, moves and lines of positions
//! variants    the same for games with tiers
//! ```
//!
//! The header states what a caller must guarantee: a pointer is null or valid for its type,
//! and no other thread writes to its target during the call. A panic ends here and becomes
//! `SAKMAK_INTERNAL`.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc, reason = "the header states it for all functions")]

mod probes;
mod tablebase;
mod variants;

use crate::error::{self, CallError};
use crate::pointer::{shared, text, write, write_line};
use crate::position::{self, SakmakPosition};
use sakmak_probe::process::OwnerProcess;
use sakmak_probe::{
    CountingRule, LookupBudget, MAKRUK, Position, ProbeError, Square, Tablebase, variants as rules,
};
use sakmak_tiers::games::open::GameTables;
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// `sakmak_tablebase`: open tables, and the budget of lookups of each call.
pub struct SakmakTablebase {
    open: Arc<OpenTables>,
    budget: LookupBudget,
}

impl SakmakTablebase {
    fn new(tables: Tablebase) -> SakmakTablebase {
        SakmakTablebase { open: Arc::new(OpenTables::new(tables)), budget: LookupBudget::NONE }
    }
}

/// The tables of some directories, shared by handles with different budgets.
struct OpenTables {
    /// Probes share the lock; adding a directory takes it exclusively.
    tables: RwLock<Tablebase>,
    /// In the directories of `tables`.
    games: GameTables,
    owner: OwnerProcess,
}

impl OpenTables {
    fn new(tables: Tablebase) -> OpenTables {
        let games = GameTables::default();
        tables.directories().iter().for_each(|directory| games.add_directory(directory));
        OpenTables { tables: RwLock::new(tables), games, owner: OwnerProcess::current() }
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
    fn in_own_process(&self) -> Result<(), ProbeError> {
        if self.owner.is_current() { Ok(()) } else { Err(ProbeError::OtherProcess) }
    }
}

/// Runs a call. An error or a panic is noted for this thread and becomes its number.
fn call(work: impl FnOnce() -> Result<c_int, CallError>) -> c_int {
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
    name.map_or(Ok(MAKRUK.counting()), |name| Ok(rules::any_counting_rule(name)?))
}

/// The counting rule with this number.
fn numbered(counting: c_int) -> Result<&'static CountingRule, CallError> {
    let found = u8::try_from(counting).ok().and_then(position::counting_rule);
    found.ok_or(CallError::Argument("counting", counting))
}

/// The number of a counting rule; see the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_counting_named(counting: *const c_char) -> c_int {
    call(|| {
        // SAFETY: the header requires text or null.
        let name = unsafe { text(counting, "counting")? };
        // All numbers are below 256.
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
