//! Many positions at once, by several threads; results in the order of the positions.

use crate::error::PyFailure;
use std::num::NonZero;
use std::thread;

/// Calls `probe` for every FEN, on at most `threads` threads, the calling one included; 0
/// stands for the number of cores.
///
/// # Errors
///
/// If a thread panicked.
pub fn probed<A: Send>(
    fens: &[String],
    threads: usize,
    probe: impl Fn(&str) -> A + Sync,
) -> Result<Vec<A>, PyFailure> {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if threads == 0 { cores() } else { threads.min(MOST_THREADS) };
    // One consecutive share for each thread: no thread waits for another.
    let share = fens.len().div_ceil(threads).max(LEAST_SHARE);
    let probe = |share: &[String]| share.iter().map(|fen| probe(fen)).collect::<Vec<A>>();
    thread::scope(|scope| {
        let mut shares = fens.chunks(share);
        let own = shares.next().unwrap_or_default();
        let others: Vec<_> = shares.map(|share| scope.spawn(|| probe(share))).collect();
        let mut results = probe(own);
        for other in others {
            results.extend(other.join().map_err(|_| PyFailure::Thread)?);
        }
        Ok(results)
    })
}

/// The least number of positions for a thread: starting it takes as long as some probes.
const LEAST_SHARE: usize = 64;

/// More threads are not faster on any machine, and the system may refuse them.
const MOST_THREADS: usize = 1024;
