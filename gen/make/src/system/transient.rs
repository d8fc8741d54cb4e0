//! Files that must not outlive this process: locks, files under temporary names, and temporary
//! directories.
//!
//! A file is created and registered in one step. A process that a signal ends removes all that are
//! registered and creates no other from then on ([`end_all`]).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The registered paths.
static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Paths come and go in one step each, so a panic elsewhere leaves them whole.
fn paths() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The registration of a path; it ends when this is dropped.
#[derive(Debug)]
pub struct TransientPath(PathBuf);

impl TransientPath {
    /// Creates a file and registers its path.
    ///
    /// # Errors
    ///
    /// The errors of `create`.
    pub fn of<T, E>(
        create: impl FnOnce() -> Result<T, E>,
        path: impl FnOnce(&T) -> PathBuf,
    ) -> Result<(TransientPath, T), E> {
        let mut paths = paths();
        let file = create()?;
        let path = path(&file);
        paths.insert(path.clone());
        Ok((TransientPath(path), file))
    }

    /// Removes the file and ends the registration in one step: the path may be another process's
    /// after that. A file that cannot be removed does no harm.
    pub fn remove(&self) {
        let mut paths = paths();
        remove(&self.0);
        paths.remove(&self.0);
    }
}

impl Drop for TransientPath {
    fn drop(&mut self) {
        paths().remove(&self.0);
    }
}

/// Removes all registered files, then calls `end`. Threads that create such files or are done with
/// them wait in the meantime.
pub fn end_all<T>(end: impl FnOnce() -> T) -> T {
    let mut paths = paths();
    for path in std::mem::take(&mut *paths) {
        // The next run removes what cannot be removed now.
        remove(&path);
    }
    end()
}

/// Removes a file, or a directory with all that is in it, if that is possible.
fn remove(path: &Path) {
    if std::fs::remove_file(path).is_err() {
        let _ = std::fs::remove_dir_all(path);
    }
}
