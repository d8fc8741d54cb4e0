//! The C border: the functions of `include/sakmak.h`, which documents them. With
//! [`pointer`](crate::pointer) the only module of this crate that uses `unsafe`.
//!
//! ```text
//! tablebase   opening, directories, caches, files
//! probes      values, moves and lines of positions
//! variants    the same for board games
//! ```
//!
//! The header states what a caller must guarantee: a pointer is null or valid for its type,
//! and no other thread writes to its target during the call. A panic ends here and becomes
//! `SAKMAK_INTERNAL`.
#![allow(unsafe_code)]

mod probes;
mod tablebase;
mod variants;

use crate::error::{self, CallError};
use crate::pointer::{In, Out, Text};
use crate::position::{self, SakmakPosition};
use sakmak_probe::process::OwnerProcess;
use sakmak_probe::{
    CountingRule, LookupBudget, MAKRUK, Position, ProbeError, Square, Tablebase, variants as rules,
};
use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// `sakmak_tablebase`: open tables, and the budget of lookups of each call.
pub struct SakmakTablebase {
    open: Arc<OpenTables>,
    budget: LookupBudget,
}

/// The argument of most functions.
type Tables = In<SakmakTablebase>;

/// The tables of some directories, shared by handles with different budgets.
struct OpenTables {
    /// Probes share the lock; adding a directory takes it exclusively.
    tables: RwLock<Tablebase>,
    owner: OwnerProcess,
}

impl OpenTables {
    fn new(tables: Tablebase) -> OpenTables {
        OpenTables { tables: RwLock::new(tables), owner: OwnerProcess::current() }
    }

    // A poisoned lock is safe: a directory is added completely or not at all.

    /// Locks the tables for a probe. Waits only for threads of this process.
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

/// Runs a call. Returns the number of an error or a panic, which is kept for this thread.
fn call(work: impl FnOnce() -> Result<c_int, CallError>) -> c_int {
    // Unwind safety: the caller's memory is written last, by a batch chunk by chunk, and the
    // tablebase recovers its poisoned locks.
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(CallError::Internal(text.unwrap_or("no message").to_string()))
    });
    result.unwrap_or_else(error::noted)
}

/// The counting rule of this name; `None` means the rule of Makruk.
fn counting_rule(name: Option<&str>) -> Result<&'static CountingRule, CallError> {
    name.map_or(Ok(MAKRUK.counting()), |name| Ok(rules::any_counting_rule(name)?))
}

/// The counting rule with this number.
fn numbered(counting: c_int) -> Result<&'static CountingRule, CallError> {
    let found = u8::try_from(counting).ok().and_then(position::counting_rule);
    found.ok_or(CallError::Argument("counting", counting))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_counting_named(counting: Text) -> c_int {
    // All numbers are below 256.
    call(|| Ok(counting_rule(counting.optional("counting")?)?.id as c_int))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_position_from_fen(
    fen: Text,
    counting: Text,
    position: Out<SakmakPosition>,
) -> c_int {
    call(|| {
        let (fen, counting) = (fen.text("fen")?, counting.optional("counting")?);
        let read = Position::from_fen_counted(counting_rule(counting)?, fen)?;
        if !read.leaps().is_empty() {
            return Err(ProbeError::LeapRights.into());
        }
        position.write("position", SakmakPosition::of(&read)).map(|()| 0)
    })
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_fen(position: In<SakmakPosition>, fen: Out<c_char>, size: usize) -> c_int {
    call(|| fen.write_text(size, &position.value("position")?.position()?.fen()))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_square_named(name: Text) -> c_int {
    call(|| Ok(name.text("name")?.parse::<Square>()?.index() as c_int))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_last_error() -> *const c_char {
    error::last()
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_error_text(text: Out<c_char>, size: usize) -> c_int {
    call(|| text.write_text(size, &error::last_text()))
}

#[unsafe(no_mangle)]
extern "C" fn sakmak_category_name(category: c_int) -> *const c_char {
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
        for number in [-1, 0, 127, 257] {
            let error = numbered(number).unwrap_err();
            assert_eq!(
                (error.code(), error.to_string()),
                (-1, format!("counting cannot be {number}"))
            );
        }
    }
}
