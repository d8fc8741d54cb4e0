//! Sakmak for programs in Python: what the module `sakmak` is made of. What its classes
//! mean to Python stands in `sakmak/_sakmak.pyi`.
//!
//! Modules come in the order in which they build on one another.

mod failure;

mod answer;

mod batch;

mod tablebase;

use pyo3::prelude::*;

/// The part of the module `sakmak` that is not Python.
#[pymodule]
mod _sakmak {
    #[pymodule_export]
    use crate::answer::{Answer, Count, Distance, Move};
    #[pymodule_export]
    use crate::failure::{
        BadFen, BrokenFile, IllegalPosition, LeapRights, MissingTable, SakmakError, TooManyMen,
    };
    #[pymodule_export]
    use crate::tablebase::Tablebase;
}
