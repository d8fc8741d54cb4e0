//! Errors of calls: the number that a call returns, and the message kept for its thread.

use sakmak_probe::ProbeError;
use sakmak_probe::file::bytes::AccessError;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_tables::position::fen::FenError;
use sakmak_tables::position::{IllegalPosition, PlacementError};
use sakmak_tables::variants::CountingRuleError;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// A null pointer where one is not allowed.
    #[error("{0} is null")]
    Null(&'static str),
    /// Text that is not UTF-8.
    #[error("{0} is not UTF-8")]
    Text(&'static str),
    /// A field with a value that is not allowed.
    #[error("the field `{0}` of the position cannot be {1}")]
    Number(&'static str, u64),
    /// A counting rule that does not exist.
    #[error(transparent)]
    Counting(#[from] CountingRuleError),
    /// A way to access files that does not exist.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// Pieces that cannot be placed on a board.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// Bitboards that do not agree on a square.
    #[error(
        "square {square} is in {sides} bitboards of sides and {kinds} of kinds: it must be in \
         one of each, or in none"
    )]
    Bitboards {
        /// 0 for a1 to 63 for h8.
        square: u32,
        /// Bitboards of sides that contain it.
        sides: usize,
        /// Bitboards of kinds that contain it.
        kinds: usize,
    },
    /// An illegal position.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
    /// A count that these pieces cannot have.
    #[error("with these pieces {counting} has no count of {count} out of {limit} plies")]
    Count {
        /// The name of the counting rule.
        counting: &'static str,
        /// In plies.
        limit: u16,
        /// In plies.
        count: u16,
    },
    /// Text that is not a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// An error of the tablebase.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A panic of this library.
    #[error("internal error of libsakmak: {0}")]
    Internal(String),
}

impl CallError {
    /// The number in `enum sakmak_error`.
    pub fn code(&self) -> c_int {
        match self {
            CallError::Null(_)
            | CallError::Text(_)
            | CallError::Number(..)
            | CallError::Counting(_)
            | CallError::Access(_) => -1,
            CallError::Count { .. } => -2,
            CallError::Fen(FenError::Illegal(_) | FenError::Placement(_)) => -3,
            CallError::Fen(_) => -2,
            CallError::Placement(_) | CallError::Bitboards { .. } | CallError::Illegal(_) => -3,
            CallError::Probe(error) => match error {
                ProbeError::Illegal(_) => -3,
                ProbeError::LeapRights => -4,
                ProbeError::TooManyMen { .. } => -5,
                ProbeError::Missing { .. } => -6,
                ProbeError::Directory { .. } => -7,
                ProbeError::File(FileError { problem: FileProblem::Changed, .. }) => -11,
                ProbeError::File(_) | ProbeError::Contradiction { .. } => -8,
                // A tablebase of this crate has no solver.
                ProbeError::Solver { .. } => -9,
                ProbeError::OtherProcess => -10,
            },
            CallError::Internal(_) => -9,
        }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Keeps the message of an error for this thread, and returns the error's number.
pub fn noted(error: &CallError) -> c_int {
    // Text from C may be part of it. Without control characters it is one line, and has no zero.
    let mut text = String::new();
    for letter in error.to_string().chars() {
        match letter.is_control() {
            true => text.extend(letter.escape_default()),
            false => text.push(letter),
        }
    }
    let text = CString::new(text).unwrap_or_default();
    // A thread that is ending has no thread-local storage any more.
    let _ = LAST.try_with(|last| last.replace(text));
    error.code()
}

/// The last message, empty if there was no error. Valid until the thread's next error.
pub fn last() -> *const c_char {
    let kept = LAST.try_with(|last| last.borrow().as_ptr());
    kept.unwrap_or(<&CStr>::default().as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line() {
        noted(&CallError::Internal("one\r\nother\0 line\u{1b}[31m".to_string()));
        let message = LAST.with(|last| last.borrow().to_str().unwrap().to_string());
        assert_eq!(message, "internal error of libsakmak: one\\r\\nother\\u{0} line\\u{1b}[31m");
    }
}
