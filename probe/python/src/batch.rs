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
use crate::position::PositionArgument;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use sakmak_probe::Tablebase;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The positions of an iterable.
///
/// # Errors
///
/// If it is text or has an item that is no position, and the errors of [`items`].
pub fn positions(iterable: &Bound<'_, PyAny>) -> PyResult<Vec<PositionArgument>> {
    if iterable.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected a list of positions, found a single FEN"));
    }
    items(iterable, PositionArgument::of)
}

/// A list of converted results.
///
/// # Errors
///
/// Any exception that converting or a handler of signals raises.
pub fn list<'py, A>(
    py: Python<'py>,
    results: Vec<A>,
    convert: impl Fn(A) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for result in results {
        list.append(convert(result)?)?;
        check_signals(py, list.len())?;
    }
    Ok(list)
}

/// Calls `probe` for every position, on at most `threads` threads, the calling thread included; 0
/// means the number of cores. A thread probes `share` positions at a time. Call it with the
/// interpreter released.
///
/// # Errors
///
/// If a thread panicked. Any exception that a handler of signals raises.
pub fn probed<A: Send>(
    opened: &OpenTables,
    positions: &[PositionArgument],
    (threads, share): (usize, usize),
    probe: impl Fn(&Tablebase, &PositionArgument) -> A + Sync,
) -> PyResult<Vec<A>> {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if threads == 0 { cores() } else { threads.min(MOST_THREADS) };
    let threads = threads.min(positions.len().div_ceil(LEAST_SHARES * share));
    let (taken, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    // The next share, with its number, and its results.
    let probe_next = || {
        let number = taken.fetch_add(1, Ordering::Relaxed);
        let share = positions.chunks(share).nth(number)?;
        let tables = opened.read();
        let going_on = share.iter().take_while(|_| !stopped.load(Ordering::Relaxed));
        Some((number, going_on.map(|position| probe(&tables, position)).collect::<Vec<A>>()))
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
    Ok(shares.into_iter().flat_map(|(_, results)| results).collect())
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
