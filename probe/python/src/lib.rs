//! Sakmak for Python: the compiled part of the module `sakmak`.
//!
//! Doc comments of classes and of their members are the docstrings of Python, without any markup.
//! `sakmak/_sakmak.pyi` repeats them, word by word, for editors; a test compares both.
//!
//! Modules are in the order in which they build on one another.

mod error;

mod answer;

mod iterable;

mod column;

mod position;

mod open_tables;

mod batch;

mod tablebase;

use pyo3::prelude::*;

/// The compiled part of the module sakmak.
#[pymodule]
mod _sakmak {
    use pyo3::prelude::*;
    use sakmak_probe::LookupBudget;

    #[pymodule_export]
    use crate::answer::{
        _restored, PyAnswer, PyCount, PyDistance, PyMove, PySolution, PyVariantAnswer,
        PyVariantMove,
    };
    #[pymodule_export]
    use crate::error::{
        BadFen, BrokenFile, ChangedFile, IllegalPosition, LeapRights, MissingTable, SakmakError,
        TooManyMen,
    };
    #[pymodule_export]
    use crate::position::{PyPosition, PyPositions};
    #[pymodule_export]
    use crate::tablebase::{_opened, PyTablebase, open_tablebase};

    #[pymodule_init]
    fn with_constants(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("THOROUGH", LookupBudget::THOROUGH.0)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
