//! The process that made a tablebase.
//!
//! A child of a fork has no thread of its parent, but a copy of all locks in their state at the
//! fork. A lock that another thread held stays locked for ever. So a child must not wait.

use std::process;
use std::sync::OnceLock;

/// The process that made a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OwnerProcess(u32);

impl OwnerProcess {
    /// This process.
    pub fn current() -> OwnerProcess {
        // WebAssembly has neither forks nor numbers of processes.
        OwnerProcess(if cfg!(target_family = "wasm") { 0 } else { process::id() })
    }

    /// Whether this is the process that made the value. Needs a system call.
    pub fn is_current(self) -> bool {
        self == OwnerProcess::current()
    }

    /// [`OnceLock::get_or_init`]. In another process it does not wait: it returns `None` if the
    /// cell is not set.
    #[inline]
    pub fn get_or_init<T>(self, cell: &OnceLock<T>, init: impl FnOnce() -> T) -> Option<&T> {
        cell.get().or_else(|| self.init(cell, init))
    }

    #[cold]
    fn init<T>(self, cell: &OnceLock<T>, init: impl FnOnce() -> T) -> Option<&T> {
        self.is_current().then(|| cell.get_or_init(init))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_owner_sets_a_cell_and_every_process_reads_it() {
        let (owner, other) = (OwnerProcess::current(), OwnerProcess(0));
        assert!(owner.is_current() && !other.is_current());
        let cell = OnceLock::new();
        assert_eq!(other.get_or_init(&cell, || 1), None);
        assert_eq!(owner.get_or_init(&cell, || 2), Some(&2));
        assert_eq!(other.get_or_init(&cell, || 3), Some(&2));
    }
}
