//! Columns of arguments: buffers of numbers, other iterables, or one value for all rows.

use crate::iterable::{MOST_POSITIONS, items};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use sakmak_probe::Side;

/// A value of a column.
pub trait Cell: Copy {
    /// The value of a Python object.
    ///
    /// # Errors
    ///
    /// If it is another kind of object.
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Self>;

    /// The value of a number, or of a bool if `is_bool` is set. `None` for a wrong one.
    fn of_number(number: u64, is_bool: bool) -> Option<Self>;
}

impl Cell for u64 {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<u64> {
        given.extract()
    }

    fn of_number(number: u64, is_bool: bool) -> Option<u64> {
        (!is_bool).then_some(number)
    }
}

impl Cell for u32 {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<u32> {
        given.extract()
    }

    fn of_number(number: u64, is_bool: bool) -> Option<u32> {
        u32::try_from(number).ok().filter(|_| !is_bool)
    }
}

impl Cell for Side {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Side> {
        side(given)
    }

    fn of_number(number: u64, is_bool: bool) -> Option<Side> {
        is_bool.then_some(if number == 0 { Side::Black } else { Side::White })
    }
}

/// A column of values, or one value for all rows.
pub enum ArgumentColumn<T> {
    Same(T),
    Rows(Vec<T>),
}

impl<T: Cell> ArgumentColumn<T> {
    /// A column of this many rows: an iterable, a single value, or the default without a value.
    ///
    /// # Errors
    ///
    /// If it has another number of rows, and the errors of [`cells`].
    pub fn of(
        name: &'static str,
        given: Option<&Bound<'_, PyAny>>,
        rows: usize,
        default: T,
    ) -> PyResult<ArgumentColumn<T>> {
        let Some(given) = given else { return Ok(ArgumentColumn::Same(default)) };
        // A text is one value, although it can be iterated over.
        if given.is_instance_of::<PyString>() || given.try_iter().is_err() {
            return Ok(ArgumentColumn::Same(T::of(given)?));
        }
        let values = cells(given)?;
        if values.len() != rows {
            let message =
                format!("`{name}` has {} rows; expected {rows}, as `white`", values.len());
            return Err(PyValueError::new_err(message));
        }
        Ok(ArgumentColumn::Rows(values))
    }

    /// The value of a row.
    pub fn at(&self, row: usize) -> T {
        match self {
            ArgumentColumn::Same(value) => *value,
            ArgumentColumn::Rows(values) => values[row],
        }
    }
}

/// The values of an iterable. A buffer of numbers, such as an array of NumPy, is copied as a whole.
///
/// # Errors
///
/// If a value is of another kind, and the errors of [`items`].
pub fn cells<T: Cell>(given: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    match buffered(given) {
        Some(values) => Ok(values),
        None => items(given, T::of),
    }
}

/// The values of a buffer of native integers or bools in one dimension. `None` for anything else,
/// and if a number is out of range: then an iteration finds the error.
///
/// Through a memoryview, because the stable ABI has buffers only since Python 3.11.
fn buffered<T: Cell>(given: &Bound<'_, PyAny>) -> Option<Vec<T>> {
    let view = PyMemoryView::from(given).ok()?;
    let attribute = |name| view.getattr(name).ok();
    let (format, shape): (String, Vec<usize>) =
        (attribute("format")?.extract().ok()?, attribute("shape")?.extract().ok()?);
    let size: usize = attribute("itemsize")?.extract().ok()?;
    let format = format.strip_prefix('@').unwrap_or(&format);
    let is_signed = match format {
        "b" | "h" | "i" | "l" | "q" => true,
        "?" | "B" | "H" | "I" | "L" | "Q" => false,
        _ => return None,
    };
    if !matches!(shape[..], [rows] if rows <= MOST_POSITIONS) {
        return None;
    }
    let bytes = view.call_method0("tobytes").ok()?.cast_into::<PyBytes>().ok()?;
    let value = |item: &[u8]| {
        let mut number = [0; 8];
        let is_big_endian = cfg!(target_endian = "big");
        let start = if is_big_endian { number.len() - size } else { 0 };
        number.get_mut(start..start + size)?.copy_from_slice(item);
        let number = u64::from_ne_bytes(number);
        let is_negative = is_signed && number >> (8 * size - 1) != 0;
        T::of_number(number, format == "?").filter(|_| !is_negative)
    };
    bytes.as_bytes().chunks_exact(size).map(value).collect()
}

/// The side of an argument: "white", "black", "w", "b", or True for White as in python-chess.
fn side(given: &Bound<'_, PyAny>) -> PyResult<Side> {
    if let Ok(white) = given.extract::<bool>() {
        return Ok(if white { Side::White } else { Side::Black });
    }
    let name: Option<String> = given.extract().ok();
    let named = match name.as_deref() {
        Some("white" | "w") => Some(Side::White),
        Some("black" | "b") => Some(Side::Black),
        _ => None,
    };
    named.ok_or_else(|| {
        PyValueError::new_err(
            "expected \"white\" or \"black\", or True for White and False for Black, as `turn`",
        )
    })
}
