//! Errors of calls: the number that a call returns, and the message kept for its thread.

use sakmak_probe::ProbeError;
use sakmak_probe::boards::answer::AnswerError;
use sakmak_probe::boards::tables::BoardProbeError;
use sakmak_probe::file::bytes::AccessError;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_probe::variant::VariantError;
use sakmak_tables::board::square::SquareError;
use sakmak_tables::position::IllegalPosition;
use sakmak_tables::position::bitboards::{BitboardError, ImpossibleCount};
use sakmak_tables::position::fen::FenError;
use sakmak_tables::variants::CountingRuleError;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int};

/// Maximum number of positions of one batch, `SAKMAK_BATCH_MAX`. A batch is looked up in chunks of
/// 32, so a longer batch saves nothing. An impossibly large count fails with an error instead of an
/// invalid read.
pub const BATCH_MAX: usize = 1 << 24;

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// A null pointer where null is not allowed.
    #[error("{0} is null")]
    Null(&'static str),
    /// Text that is not UTF-8.
    #[error("{0} is not UTF-8")]
    Text(&'static str),
    /// A batch of more values than one call accepts.
    #[error("count is {1}; expected at most {BATCH_MAX} {0}")]
    TooMany(&'static str, usize),
    /// A field with a value that is not allowed.
    #[error("the field `{0}` of the position cannot be {1}")]
    Number(&'static str, u64),
    /// An argument with a value that is not allowed.
    #[error("{0} cannot be {1}")]
    Argument(&'static str, c_int),
    /// An unknown counting rule.
    #[error(transparent)]
    Counting(#[from] CountingRuleError),
    /// An unknown access to files.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// Text that does not name a square.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// Bitboards that form no position.
    #[error(transparent)]
    Bitboards(#[from] BitboardError),
    /// An illegal position.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
    /// A count that these pieces cannot have.
    #[error(transparent)]
    Count(#[from] ImpossibleCount),
    /// Text that is not a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// An error of the tablebase.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The name of no board game.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A position of a board game has no answer.
    #[error(transparent)]
    Answer(#[from] AnswerError),
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
            | CallError::Argument(..)
            | CallError::Counting(_)
            | CallError::Access(_)
            | CallError::Square(_)
            | CallError::Variant(_)
            | CallError::TooMany(..) => -1,
            CallError::Count(_) => -2,
            CallError::Fen(error) => match error.without_likeness() {
                FenError::Illegal(_) | FenError::Placement(_) => -3,
                _ => -2,
            },
            CallError::Answer(error) => match error {
                AnswerError::Fen(_) => -2,
                AnswerError::Illegal => -3,
                AnswerError::Probe(BoardProbeError::Missing { .. }) => -6,
                AnswerError::Probe(BoardProbeError::Probe(error)) => probe_code(error),
            },
            CallError::Bitboards(_) | CallError::Illegal(_) => -3,
            CallError::Probe(error) => probe_code(error),
            CallError::Internal(_) => -9,
        }
    }
}

/// The number of an error of the tablebase.
fn probe_code(error: &ProbeError) -> c_int {
    match error {
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
        ProbeError::Memory(_) => -12,
    }
}

/// The last error of a thread. Its message is made on request, because a search that continues
/// without a missing table needs no message.
#[derive(Default)]
struct LastError {
    /// `None` once the message is made.
    error: Option<CallError>,
    message: CString,
}

thread_local! {
    static LAST: RefCell<LastError> = RefCell::default();
}

/// Keeps an error for this thread, and returns its number.
pub fn noted(error: CallError) -> c_int {
    let code = error.code();
    // A thread that is ending no longer has thread-local storage.
    let _ = LAST.try_with(|last| last.borrow_mut().error = Some(error));
    code
}

/// The message of an error: one line without a zero. Text from C may be part of it.
fn message(error: &CallError) -> CString {
    let mut text = String::new();
    for letter in error.to_string().chars() {
        match letter.is_control() {
            true => text.extend(letter.escape_default()),
            false => text.push(letter),
        }
    }
    CString::new(text).unwrap_or_default()
}

/// Calls `read` with the last message of this thread, empty if there was no error.
fn with_last<T>(read: impl Fn(&CStr) -> T) -> T {
    let kept = LAST.try_with(|last| {
        let last = &mut *last.borrow_mut();
        if let Some(error) = last.error.take() {
            last.message = message(&error);
        }
        read(&last.message)
    });
    kept.unwrap_or_else(|_| read(<&CStr>::default()))
}

/// The last message. Valid until the message of the next error of the thread is requested.
pub fn last() -> *const c_char {
    with_last(CStr::as_ptr)
}

/// A copy of the last message.
pub fn last_text() -> String {
    with_last(|message| message.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_line() {
        noted(CallError::Internal("one\r\nother\0 line\u{1b}[31m".to_string()));
        assert_eq!(
            last_text(),
            "internal error of libsakmak: one\\r\\nother\\u{0} line\\u{1b}[31m"
        );
    }
}
