//! Errors, and the Python exceptions they become.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sakmak_boards::list::{GameName, names};
use sakmak_probe::ProbeError;
use sakmak_probe::boards::answer::AnswerError;
use sakmak_probe::boards::tables::BoardProbeError;
use sakmak_probe::file::bytes::AccessError;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_probe::variant::VariantError;
use sakmak_tables::position::bitboards::{BitboardError, ImpossibleCount};
use sakmak_tables::position::fen::FenError;
use sakmak_tables::variants::CountingRuleError;

create_exception!(sakmak, SakmakError, PyException, "A position has no answer.");
create_exception!(
    sakmak,
    BadFen,
    SakmakError,
    "Not a FEN, or a count that these pieces cannot have."
);
create_exception!(sakmak, IllegalPosition, SakmakError, "The position is illegal.");
create_exception!(
    sakmak,
    LeapRights,
    SakmakError,
    "A first-move leap is still allowed. Tables are made without such moves."
);
create_exception!(
    sakmak,
    TooManyMen,
    SakmakError,
    "The position has more men than any table, kings included."
);
create_exception!(sakmak, MissingTable, SakmakError, "The table is in no directory.");
create_exception!(
    sakmak,
    BrokenFile,
    SakmakError,
    "A table is damaged, or contradicts another one."
);
create_exception!(
    sakmak,
    ChangedFile,
    BrokenFile,
    "A file was written to while it was open. Open the tables again."
);

/// Bitboards and a count that form no position.
#[derive(Debug, thiserror::Error)]
pub enum BoardsError {
    /// Bitboards that form no position.
    #[error(transparent)]
    Bitboards(#[from] BitboardError),
    /// A count that these pieces cannot have.
    #[error(transparent)]
    Count(#[from] ImpossibleCount),
}

/// An error of a method.
#[derive(Debug, thiserror::Error)]
pub enum PyFailure {
    /// An unknown counting rule.
    #[error(transparent)]
    Counting(#[from] CountingRuleError),
    /// Neither a counting rule nor a board game, for a method that takes both.
    #[error("{0}; games without counts are {games}", games = names())]
    Rules(CountingRuleError),
    /// The name of a board game, for a method that needs a counting rule.
    #[error(
        "{0} has no counts: use probe_variant(), or a method with category, wdl or dtm in its name"
    )]
    Uncounted(GameName),
    /// A name that is not a board game, or a board game without tables.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A position of a board game has no answer.
    #[error(transparent)]
    Answer(AnswerError),
    /// An unknown access to files.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// Text that is not a FEN, or an illegal position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// An error of the tablebase.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Bitboards and a count that form no position.
    #[error(transparent)]
    Boards(#[from] BoardsError),
    /// An error in a row of arrays.
    #[error("row {row}: {error}")]
    Row {
        /// The row, from 0.
        row: usize,
        /// The error in that row.
        error: BoardsError,
    },
    /// A position with another counting rule than requested.
    #[error("the position is counted by {own}, not {asked}: give the rule to Position instead")]
    OtherCounting {
        /// The rule of the position.
        own: &'static str,
        /// The rule requested.
        asked: &'static str,
    },
    /// The tablebase is closed.
    #[error("the tablebase is closed")]
    Closed,
    /// A thread of a batch panicked.
    #[error("a thread of the batch panicked")]
    Thread,
}

impl From<AnswerError> for PyFailure {
    fn from(error: AnswerError) -> PyFailure {
        match error {
            AnswerError::Probe(BoardProbeError::Probe(error)) => PyFailure::Probe(error),
            error => PyFailure::Answer(error),
        }
    }
}

impl From<PyFailure> for PyErr {
    fn from(failure: PyFailure) -> PyErr {
        let message = failure.to_string();
        match failure {
            PyFailure::Counting(_)
            | PyFailure::Rules(_)
            | PyFailure::Uncounted(_)
            | PyFailure::Variant(_)
            | PyFailure::Access(_)
            | PyFailure::Boards(_)
            | PyFailure::Row { .. }
            | PyFailure::OtherCounting { .. }
            | PyFailure::Closed => PyValueError::new_err(message),
            PyFailure::Answer(error) => match error {
                AnswerError::Fen(_) => BadFen::new_err(message),
                AnswerError::Illegal => IllegalPosition::new_err(message),
                AnswerError::Probe(_) => MissingTable::new_err(message),
            },
            PyFailure::Fen(error) => match error.without_likeness() {
                FenError::Illegal(_) | FenError::Placement(_) => IllegalPosition::new_err(message),
                _ => BadFen::new_err(message),
            },
            PyFailure::Probe(error) => match error {
                ProbeError::Illegal(_) => IllegalPosition::new_err(message),
                ProbeError::LeapRights => LeapRights::new_err(message),
                ProbeError::TooManyMen { .. } => TooManyMen::new_err(message),
                ProbeError::Missing { .. } => MissingTable::new_err(message),
                ProbeError::Directory { source, .. } => match source.raw_os_error() {
                    // From the number of the system Python derives FileNotFoundError.
                    Some(number) => PyOSError::new_err((number, message)),
                    None => PyOSError::new_err(message),
                },
                ProbeError::File(FileError { problem: FileProblem::Changed, .. }) => {
                    ChangedFile::new_err(message)
                }
                ProbeError::Memory(_) => PyMemoryError::new_err(message),
                ProbeError::File(_) | ProbeError::Contradiction { .. } => {
                    BrokenFile::new_err(message)
                }
                ProbeError::Solver { .. } | ProbeError::OtherProcess => {
                    SakmakError::new_err(message)
                }
            },
            PyFailure::Thread => PyRuntimeError::new_err(message),
        }
    }
}
