//! Why a question has no answer, and the exceptions that say so.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::type_object::PyTypeInfo;
use sakmak_probe::ProbeError;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::variants::CountingRuleError;
use std::error::Error;

create_exception!(sakmak, SakmakError, PyException, "A position has no answer.");
create_exception!(sakmak, BadFen, SakmakError, "No FEN, or a count these men cannot have.");
create_exception!(sakmak, IllegalPosition, SakmakError, "No game has the position.");
create_exception!(
    sakmak,
    LeapRights,
    SakmakError,
    "First-move leaps may still be made, which tables know nothing of."
);
create_exception!(sakmak, TooManyMen, SakmakError, "More men than any table has.");
create_exception!(sakmak, MissingTable, SakmakError, "The table is in no directory.");
create_exception!(
    sakmak,
    BrokenFile,
    SakmakError,
    "A table is damaged, or not the one its name says, or contradicts another."
);

/// Why a question has no answer.
pub enum Failure {
    /// No such way of counting.
    Counting(CountingRuleError),
    /// No FEN, or no position.
    Fen(FenError),
    /// No answer from the tables.
    Probe(ProbeError),
    /// A thread of ours ended before its time.
    Thread,
}

impl From<CountingRuleError> for Failure {
    fn from(error: CountingRuleError) -> Failure {
        Failure::Counting(error)
    }
}

impl From<FenError> for Failure {
    fn from(error: FenError) -> Failure {
        Failure::Fen(error)
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Failure::Probe(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Counting(error) => PyValueError::new_err(error.to_string()),
            Failure::Fen(error) => match error {
                FenError::Illegal(_) | FenError::Placement(_) => raised::<IllegalPosition>(&error),
                _ => raised::<BadFen>(&error),
            },
            Failure::Probe(error) => match &error {
                ProbeError::Illegal(_) => raised::<IllegalPosition>(&error),
                ProbeError::LeapRights => raised::<LeapRights>(&error),
                ProbeError::TooManyMen { .. } => raised::<TooManyMen>(&error),
                ProbeError::Missing { .. } => raised::<MissingTable>(&error),
                ProbeError::Directory { source, .. } => match source.raw_os_error() {
                    // With the system's number Python makes a FileNotFoundError of it.
                    Some(number) => PyOSError::new_err((number, error.to_string())),
                    None => PyOSError::new_err(error.to_string()),
                },
                ProbeError::File(_) | ProbeError::Contradiction { .. } => {
                    raised::<BrokenFile>(&error)
                }
                ProbeError::Solver { .. } => raised::<SakmakError>(&error),
            },
            Failure::Thread => PyRuntimeError::new_err("a thread ended before its time"),
        }
    }
}

/// The exception with these words.
fn raised<E: PyTypeInfo>(error: &dyn Error) -> PyErr {
    PyErr::new::<E, _>(error.to_string())
}
