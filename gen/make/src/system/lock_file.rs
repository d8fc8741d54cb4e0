//! Lock files: one process at a time does the work that belongs to a path.
//!
//! The system releases the lock when the process ends, even if it is killed, so no process waits
//! for a dead one.
//!
//! ```text
//! lock:     open the file and try to lock it; if another process holds it, return None
//!           if the file under that name is another by now, its holder has just removed it:
//!           begin again
//! release:  remove the file, then release the lock
//! ```

use crate::system::regular_file;
use crate::system::transient::TransientPath;
use sakmak_probe::file::bytes::NotRegular;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time between two polls for a lock that another process holds.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// A locked file; released when dropped.
#[derive(Debug)]
pub struct LockFile {
    /// `None` if the file system does not support locks.
    lock: Option<Lock>,
}

/// The path is dropped first: another process may take it once the file is unlocked.
#[derive(Debug)]
struct Lock {
    path: TransientPath,
    _file: File,
}

impl LockFile {
    /// Locks a file, which is created if missing; returns `None` if another process holds it.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not a regular file.
    pub fn try_new(path: &Path) -> io::Result<Option<LockFile>> {
        let lock = || loop {
            let file = open_lock(path).map_err(TryLockError::Error)?;
            file.try_lock()?;
            if is_at(&file, path).map_err(TryLockError::Error)? {
                return Ok(file);
            }
        };
        match TransientPath::of(lock, |_| path.to_path_buf()) {
            Ok((path, file)) => Ok(Some(LockFile { lock: Some(Lock { path, _file: file }) })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(Some(LockFile { lock: None }))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Locks a file, which is created if missing; waits while another process holds it.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not a regular file.
    pub fn wait(path: &Path) -> io::Result<LockFile> {
        loop {
            match LockFile::try_new(path)? {
                Some(lock) => return Ok(lock),
                None => std::thread::sleep(LOOK_AGAIN),
            }
        }
    }

    /// Returns whether other processes are excluded; `false` if the file system has no locks.
    pub const fn is_exclusive(&self) -> bool {
        self.lock.is_some()
    }
}

/// A directory, pipe, device or link in place of a lock file.
#[derive(Debug, thiserror::Error)]
#[error("the lock {path} is not a regular file", path = .0.display())]
pub struct LockNotRegular(PathBuf);

/// Opens a lock file, or creates it.
fn open_lock(path: &Path) -> io::Result<File> {
    regular_file::open_or_create(path).map_err(|error| {
        match error.get_ref().is_some_and(|source| source.is::<NotRegular>()) {
            true => io::Error::new(error.kind(), LockNotRegular(path.to_path_buf())),
            false => error,
        }
    })
}

impl Drop for Lock {
    fn drop(&mut self) {
        if can_tell_files_apart() {
            self.path.remove();
        }
    }
}

/// Returns whether the system can tell if an open file is still the file under its name. If it
/// cannot, lock files stay.
const fn can_tell_files_apart() -> bool {
    cfg!(unix)
}

/// Returns whether an open file is the file at this path.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let here = file.metadata()?;
    match std::fs::metadata(path) {
        Ok(there) => Ok((here.dev(), here.ino()) == (there.dev(), there.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Lock files stay where they are.
#[cfg(not(unix))]
pub fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}
