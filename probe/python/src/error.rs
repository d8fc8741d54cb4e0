//! Errors, and the Python exceptions they become.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;
use sakmak_probe::ProbeError;
use sakmak_probe::file::bytes::AccessError;
use sakmak_probe::file::open_file::{FileError, FileProblem};
use sakmak_tables::position::bitboards::{BitboardError, ImpossibleCount};
use sakmak_tables::position::fen::FenError;
use sakmak_tables::variants::CountingRuleError;
use std::error::Error;
use std::fmt;

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
pub enum BoardsError {
    /// Bitboards that form no position.
    Bitboards(BitboardError),
    /// A count that these pieces cannot have.
    Count(ImpossibleCount),
}

/// An error of a method.
pub enum PyFailure {
    /// A counting rule that does not exist.
    Counting(CountingRuleError),
    /// A way to access files that does not exist.
    Access(AccessError),
    /// Text that is not a FEN, or an illegal position.
    Fen(FenError),
    /// An error of the tablebase.
    Probe(ProbeError),
    /// Bitboards and a count that form no position.
    Boards(BoardsError),
    /// The same, in a row of arrays.
    Row {
        /// The row, from 0.
        row: usize,
        /// The error in that row.
        error: BoardsError,
    },
    /// A position with one counting rule where another one is requested.
    OtherCounting {
        /// That of the position.
        own: &'static str,
        /// The one requested.
        asked: &'static str,
    },
    /// The tablebase is closed.
    Closed,
    /// A thread of a batch panicked.
    Thread,
}

impl From<CountingRuleError> for PyFailure {
    fn from(error: CountingRuleError) -> PyFailure {
        PyFailure::Counting(error)
    }
}

impl From<AccessError> for PyFailure {
    fn from(error: AccessError) -> PyFailure {
        PyFailure::Access(error)
    }
}

impl From<FenError> for PyFailure {
    fn from(error: FenError) -> PyFailure {
        PyFailure::Fen(error)
    }
}

impl From<ProbeError> for PyFailure {
    fn from(error: ProbeError) -> PyFailure {
        PyFailure::Probe(error)
    }
}

impl From<BoardsError> for PyFailure {
    fn from(error: BoardsError) -> PyFailure {
        PyFailure::Boards(error)
    }
}

impl From<BitboardError> for BoardsError {
    fn from(error: BitboardError) -> BoardsError {
        BoardsError::Bitboards(error)
    }
}

impl From<ImpossibleCount> for BoardsError {
    fn from(error: ImpossibleCount) -> BoardsError {
        BoardsError::Count(error)
    }
}

impl fmt::Display for BoardsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardsError::Bitboards(error) => error.fmt(formatter),
            BoardsError::Count(error) => error.fmt(formatter),
        }
    }
}

impl From<PyFailure> for PyErr {
    fn from(failure: PyFailure) -> PyErr {
        match failure {
            PyFailure::Boards(error) => PyValueError::new_err(error.to_string()),
            PyFailure::Row { row, error } => PyValueError::new_err(format!("row {row}: {error}")),
            PyFailure::OtherCounting { own, asked } => PyValueError::new_err(format!(
                "the position is counted by {own}, not {asked}: give the rule to Position instead"
            )),
            PyFailure::Counting(error) => PyValueError::new_err(error.to_string()),
            PyFailure::Access(error) => PyValueError::new_err(error.to_string()),
            PyFailure::Fen(error) => match error.without_likeness() {
                FenError::Illegal(_) | FenError::Placement(_) => raised::<IllegalPosition>(&error),
                _ => raised::<BadFen>(&error),
            },
            PyFailure::Probe(error) => match &error {
                ProbeError::Illegal(_) => raised::<IllegalPosition>(&error),
                ProbeError::LeapRights => raised::<LeapRights>(&error),
                ProbeError::TooManyMen { .. } => raised::<TooManyMen>(&error),
                ProbeError::Missing { .. } => raised::<MissingTable>(&error),
                ProbeError::Directory { source, .. } => match source.raw_os_error() {
                    // From the number of the system Python derives FileNotFoundError.
                    Some(number) => PyOSError::new_err((number, error.to_string())),
                    None => PyOSError::new_err(error.to_string()),
                },
                ProbeError::File(FileError { problem: FileProblem::Changed, .. }) => {
                    raised::<ChangedFile>(&error)
                }
                ProbeError::Memory(_) => PyMemoryError::new_err(error.to_string()),
                ProbeError::File(_) | ProbeError::Contradiction { .. } => {
                    raised::<BrokenFile>(&error)
                }
                ProbeError::Solver { .. } | ProbeError::OtherProcess => {
                    raised::<SakmakError>(&error)
                }
            },
            PyFailure::Closed => PyValueError::new_err("the tablebase is closed"),
            PyFailure::Thread => PyRuntimeError::new_err("a thread of the batch panicked"),
        }
    }
}

/// The exception with the message of an error.
fn raised<E: PyTypeInfo>(error: &dyn Error) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}
