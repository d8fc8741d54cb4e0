//! Signals from the reader of commands to a running search: stop, or the opponent has moved.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The signals of one search. The reader sends them, the search polls them.
#[derive(Debug)]
pub struct SearchSignals {
    stop: AtomicBool,
    state: Mutex<SearchState>,
    changed: Condvar,
}

/// The state that changes only under the lock.
#[derive(Debug)]
struct SearchState {
    /// The start of the own time; `None` while the opponent's time runs.
    since: Option<Instant>,
    /// Whether the best move is reported after `stop` only.
    infinite: bool,
    ended: bool,
}

impl SearchSignals {
    /// The signals of a search that begins now.
    pub fn new(ponder: bool, infinite: bool) -> SearchSignals {
        let since = (!ponder).then(Instant::now);
        SearchSignals {
            stop: AtomicBool::new(false),
            state: Mutex::new(SearchState { since, infinite, ended: false }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        // Taken under the lock, so that a search about to wait sees it.
        let _state = self.state();
        self.changed.notify_all();
    }

    /// Whether the search has to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Reports that the opponent has made the expected move. Returns false if the search did not
    /// ponder.
    pub fn ponder_hit(&self) -> bool {
        let mut state = self.state();
        let pondered = state.since.is_none() && !state.ended;
        if pondered {
            state.since = Some(Instant::now());
            self.changed.notify_all();
        }
        pondered
    }

    /// The own time used. `None` while the opponent's time runs.
    pub fn time(&self) -> Option<Duration> {
        self.state().since.map(|since| since.elapsed())
    }

    /// Waits until the best move may be reported.
    pub fn wait(&self) {
        let mut state = self.state();
        while !self.is_stopped() && (state.infinite || state.since.is_none()) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Marks the search as ended.
    pub fn end(&self) {
        self.state().ended = true;
    }

    /// Whether the search has ended.
    pub fn has_ended(&self) -> bool {
        self.state().ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_search_waits_for_stop_or_the_expected_move() {
        for (ponder, infinite) in [(true, false), (false, true), (true, true)] {
            let signals = SearchSignals::new(ponder, infinite);
            thread::scope(|scope| {
                let waiter = scope.spawn(|| signals.wait());
                thread::sleep(Duration::from_millis(10));
                assert!(!waiter.is_finished());
                match ponder && !infinite {
                    true => assert!(signals.ponder_hit()),
                    false => signals.stop(),
                }
            });
        }
        SearchSignals::new(false, false).wait();
    }

    #[test]
    fn the_own_time_runs_from_the_expected_move_on() {
        let signals = SearchSignals::new(true, false);
        assert_eq!(signals.time(), None);
        assert!(signals.ponder_hit() && !signals.ponder_hit());
        assert!(signals.time().is_some());
        assert!(!SearchSignals::new(false, false).ponder_hit());
    }
}
