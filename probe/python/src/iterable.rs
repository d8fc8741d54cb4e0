//! Iterables of Python that are not trusted.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The converted items of an iterable. Its length is not trusted: nothing is allocated for it.
///
/// # Errors
///
/// If it is not iterable, or has more than [`MOST_POSITIONS`] items. Any exception that converting,
/// iterating or a handler of signals raises.
pub fn items<T>(
    iterable: &Bound<'_, PyAny>,
    convert: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let mut items = Vec::new();
    for item in iterable.try_iter()? {
        if items.len() == MOST_POSITIONS {
            let message = format!("more than {MOST_POSITIONS} positions: split the batch");
            return Err(PyValueError::new_err(message));
        }
        items.push(convert(&item?)?);
        check_signals(iterable.py(), items.len())?;
    }
    Ok(items)
}

/// Lets Python handle signals after every 1024th item.
///
/// # Errors
///
/// Any exception that a handler raises.
pub fn check_signals(py: Python<'_>, items: usize) -> PyResult<()> {
    if items.is_multiple_of(1024) { py.check_signals() } else { Ok(()) }
}

/// Maximum number of positions. A longer iterable is probably endless: its FENs alone need more
/// than a gigabyte.
pub const MOST_POSITIONS: usize = 1 << 24;
