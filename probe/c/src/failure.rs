//! Why a call failed: the number it returns, and the words kept for the caller's thread.

use sakmak_probe::ProbeError;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::position::{IllegalPosition, PlacementError};
use sakmak_tables::variants::CountingRuleError;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A null pointer where there must be something.
    #[error("{0} is null")]
    Null(&'static str),
    /// Text in no encoding that is known.
    #[error("{0} is not UTF-8")]
    Text(&'static str),
    /// A number that stands for nothing.
    #[error("{0} cannot be {1}")]
    Number(&'static str, u64),
    /// No such way of counting.
    #[error(transparent)]
    Counting(#[from] CountingRuleError),
    /// A position that fits no board.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// Sets that do not say who stands where.
    #[error(
        "square {square} is in {sides} sets of sides and {kinds} of kinds: 1 of each, or none, \
         is expected"
    )]
    Sets {
        /// 0 for a1 to 63 for h8.
        square: u32,
        /// Sets of sides that have it.
        sides: usize,
        /// Sets of kinds that have it.
        kinds: usize,
    },
    /// A position no game has.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
    /// A count these pieces cannot have.
    #[error("with these men no count of {counting} stands at {count} plies of {limit}")]
    Count {
        /// The way of counting.
        counting: &'static str,
        /// In plies.
        limit: u16,
        /// In plies.
        count: u16,
    },
    /// No FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// No answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A fault of this library.
    #[error("a fault of the library: {0}")]
    Internal(String),
}

impl Failure {
    /// As `enum sakmak_error` has it.
    pub fn code(&self) -> c_int {
        match self {
            Failure::Null(_) | Failure::Text(_) | Failure::Number(..) | Failure::Counting(_) => -1,
            Failure::Count { .. } => -2,
            Failure::Fen(FenError::Illegal(_) | FenError::Placement(_)) => -3,
            Failure::Fen(_) => -2,
            Failure::Placement(_) | Failure::Sets { .. } | Failure::Illegal(_) => -3,
            Failure::Probe(error) => match error {
                ProbeError::Illegal(_) => -3,
                ProbeError::LeapRights => -4,
                ProbeError::TooManyMen { .. } => -5,
                ProbeError::Missing { .. } => -6,
                ProbeError::Directory { .. } => -7,
                ProbeError::File(_) | ProbeError::Contradiction { .. } => -8,
                // Tables are never solved here.
                ProbeError::Solver { .. } => -9,
            },
            Failure::Internal(_) => -9,
        }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Keeps the words of a failure for this thread; its number.
pub fn noted(failure: &Failure) -> c_int {
    let mut text = failure.to_string();
    // No path or FEN that came from C has a zero in it, but other words might.
    text.retain(|letter| letter != '\0');
    let text = CString::new(text).unwrap_or_default();
    // A thread that is ending keeps nothing.
    let _ = LAST.try_with(|last| last.replace(text));
    failure.code()
}

/// The words kept last, empty if nothing failed; good until the thread's next failure.
pub fn last() -> *const c_char {
    let kept = LAST.try_with(|last| last.borrow().as_ptr());
    kept.unwrap_or(<&CStr>::default().as_ptr())
}
