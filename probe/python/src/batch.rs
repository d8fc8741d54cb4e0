//! Many positions at once, by several threads; results in the order of the positions.
//!
//! ```text
//! each thread:     take the next share; lock the tables; probe its positions; unlock
//! calling thread:  between two shares let Python handle signals; an exception stops all threads
//! ```
//!
//! No lock is held while Python runs: a handler of signals may add a directory.

use crate::error::PyFailure;
use crate::iterable::{check_signals, items};
use crate::open_tables::OpenTables;
use crate::position::{PositionArgument, PyPositions};
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString};
use sakmak_probe::{Category, Tablebase};
use std::borrow::Cow;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The positions of an iterable; without a copy if it is a `Positions`.
///
/// # Errors
///
/// If it is text or has an item that is no position, and the errors of [`items`].
pub fn positions<'a>(iterable: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [PositionArgument]>> {
    if let Ok(positions) = iterable.cast::<PyPositions>() {
        return Ok(Cow::Borrowed(positions.get().items()));
    }
    if iterable.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected a list of positions, found a single FEN"));
    }
    Ok(Cow::Owned(items(iterable, PositionArgument::of)?))
}

/// The number of a category in python-chess.
pub fn number(category: Category) -> i8 {
    match category {
        Category::Win => 2,
        Category::CursedWin => 1,
        Category::Draw => 0,
        Category::BlessedLoss => -1,
        Category::Loss => -2,
    }
}

/// The number of a position without an answer.
pub const NO_ANSWER: i8 = i8::MIN;

/// An array of these numbers: of NumPy, or the standard library's without NumPy.
///
/// # Errors
///
/// Any exception of making the array.
pub fn number_array(py: Python<'_>, numbers: Vec<Vec<i8>>) -> PyResult<Bound<'_, PyAny>> {
    let bytes: Vec<u8> = numbers.into_iter().flatten().map(i8::cast_unsigned).collect();
    match py.import("numpy") {
        // A bytearray, so that the array can be written to.
        Ok(numpy) => numpy.call_method1("frombuffer", (PyByteArray::new(py, &bytes), "int8")),
        Err(error) if !error.is_instance_of::<PyImportError>(py) => Err(error),
        Err(_) => py.import("array")?.call_method1("array", ("b", PyBytes::new(py, &bytes))),
    }
}

/// A list of converted results. The first error is raised, or with `return_errors` each error is in
/// the list instead of its result.
///
/// # Errors
///
/// Any exception that converting or a handler of signals raises.
pub fn list<'py, T>(
    py: Python<'py>,
    results: Vec<Vec<Result<T, PyFailure>>>,
    return_errors: bool,
    convert: impl Fn(T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(py);
    for result in results.into_iter().flatten() {
        list.append(match result {
            Ok(result) => convert(result)?,
            Err(error) if return_errors => {
                PyErr::from(error).into_value(py).into_bound(py).into_any()
            }
            Err(error) => return Err(error.into()),
        })?;
        check_signals(py, list.len())?;
    }
    Ok(list.into_any())
}

/// Calls `probe` for each share of the positions, on at most `threads` threads, the calling thread
/// included; 0 means the number of cores. A share has `share` positions, the last one may have
/// fewer. Returns the results of the shares. Call it with the interpreter released.
///
/// # Errors
///
/// If a thread panicked. Any exception that a handler of signals raises.
pub fn probed<A: Send>(
    opened: &OpenTables,
    positions: &[PositionArgument],
    (threads, share): (usize, usize),
    probe: impl Fn(&Tablebase, &[PositionArgument]) -> A + Sync,
) -> PyResult<Vec<A>> {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if threads == 0 { cores() } else { threads.min(MOST_THREADS) };
    let threads = threads.min(positions.len().div_ceil(LEAST_SHARES * share));
    let (taken, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    // The result of the next share, with its number.
    let probe_next = || {
        let number = taken.fetch_add(1, Ordering::Relaxed);
        let share = positions.chunks(share).nth(number)?;
        let is_stopped = stopped.load(Ordering::Relaxed);
        (!is_stopped).then(|| (number, probe(&opened.read(), share)))
    };
    let mut shares = thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map_while(|_| {
                let work = || std::iter::from_fn(probe_next).collect::<Vec<_>>();
                // If the system refuses a thread, the other threads do its work.
                thread::Builder::new().spawn_scoped(scope, work).ok()
            })
            .collect();
        let mut shares = Vec::new();
        let mut checked = Instant::now();
        while let Some(share) = probe_next() {
            shares.push(share);
            if checked.elapsed() >= SIGNAL_INTERVAL {
                let handled = Python::attach(|py| py.check_signals());
                handled.inspect_err(|_| stopped.store(true, Ordering::Relaxed))?;
                checked = Instant::now();
            }
        }
        for other in others {
            shares.extend(other.join().map_err(|_| PyFailure::Thread)?);
        }
        Ok::<_, PyErr>(shares)
    })?;
    shares.sort_unstable_by_key(|&(number, _)| number);
    Ok(shares.into_iter().map(|(_, result)| result).collect())
}

/// Number of positions between two checks for signals. They need milliseconds unless tables are
/// read from a slow disk.
pub const SHARE: usize = 32;

/// Number of positions between two checks for signals if each may need a second.
pub const SHARE_OF_SEARCHES: usize = 1;

/// Time between two checks for signals, each of which waits for the interpreter.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Minimum number of shares for a thread, whose start costs as much as some probes.
const LEAST_SHARES: usize = 2;

/// Maximum number of threads. More are not faster on any machine, and the system may refuse them.
const MOST_THREADS: usize = 1024;
