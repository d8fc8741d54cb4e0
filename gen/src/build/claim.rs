//! Claims: each table is made by one of the processes that share a directory.
//!
//! A claim is a lock on a hidden file, `.KRNvK.dtm.smt.lock`, beside the table. The system
//! releases the lock when the process ends, even if it is killed, so no process waits for a dead
//! one.
//!
//! ```text
//! claim:    open the lock file and try to lock it; if another process holds it, return None
//!           if the file under that name is another by now, its holder has just removed it:
//!           begin again
//!           remove the temporary files that earlier holders left
//! release:  remove the lock file, then release the lock
//! ```

use sakmak_tables::format::name::TableName;
use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The end of the name of a lock file.
const LOCK: &str = ".lock";
/// The end of the name of a file that is being written.
const TEMPORARY: &str = ".tmp";

/// The right to make one table in one directory; released when dropped.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    /// Locked; `None` if the file system does not support locks.
    file: Option<File>,
}

impl Claim {
    /// Claims a table; returns `None` if another process holds the claim.
    ///
    /// # Errors
    ///
    /// If the directory cannot be written to, or the lock is not a regular file.
    pub fn try_new(directory: &Path, table: TableName) -> io::Result<Option<Claim>> {
        let path = directory.join(format!(".{}{LOCK}", table.file_name()));
        loop {
            let file = open_lock(&path)?;
            match file.try_lock() {
                Ok(()) if !is_at(&file, &path)? => continue,
                Ok(()) => {
                    let claim = Claim { path, file: Some(file) };
                    remove_leftovers(directory, table)?;
                    return Ok(Some(claim));
                }
                Err(TryLockError::WouldBlock) => return Ok(None),
                // Without locks a table may be made twice, with the same bytes. Temporary files
                // stay: another process may be writing them.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Some(Claim { path, file: None }));
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // The file is still locked, so no other process has claimed it. If it cannot be removed
        // it does no harm.
        if self.file.is_some() && can_tell_files_apart() {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// A directory, pipe, device or link in place of a lock file.
#[derive(Debug, thiserror::Error)]
#[error("the lock {path} is not a regular file", path = .0.display())]
pub struct LockNotRegular(PathBuf);

/// Opens a lock file, or creates it. Follows no link and waits for no reader of a pipe.
fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    let file = options.open(path);
    let metadata = file.as_ref().map_or_else(|_| path.symlink_metadata(), File::metadata);
    match metadata {
        Ok(metadata) if !metadata.is_file() => {
            let error = LockNotRegular(path.to_path_buf());
            Err(io::Error::new(io::ErrorKind::InvalidInput, error))
        }
        _ => file,
    }
}

/// Removes the locks and the temporary files that killed processes have left.
///
/// # Errors
///
/// If the directory cannot be read or written to.
pub fn sweep(directory: &Path) -> io::Result<()> {
    let mut left = BTreeSet::new();
    for entry in std::fs::read_dir(directory)? {
        left.extend(entry?.file_name().to_str().and_then(table_of));
    }
    for table in left {
        drop(Claim::try_new(directory, table)?);
    }
    Ok(())
}

/// The table of a lock file or a temporary file; `None` for any other file.
fn table_of(name: &str) -> Option<TableName> {
    let name = name.strip_prefix('.')?;
    if let Some(name) = name.strip_suffix(LOCK) {
        return TableName::of_file_name(name);
    }
    // Temporary names have random letters before the suffix.
    let (name, _) = name.strip_suffix(TEMPORARY)?.rsplit_once('.')?;
    TableName::of_file_name(name)
}

/// Removes the temporary files of a table that is claimed.
fn remove_leftovers(directory: &Path, table: TableName) -> io::Result<()> {
    let beginning = format!(".{}.", table.file_name());
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.ends_with(TEMPORARY)) else { continue };
        if name.starts_with(&beginning) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Whether the system can tell if an open file is still the one under its name. If it cannot, lock
/// files stay.
const fn can_tell_files_apart() -> bool {
    cfg!(unix)
}

/// Whether an open file is the one at this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
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
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn table() -> TableName {
        "KRNvK".parse().unwrap()
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn one_holder_at_a_time_and_nothing_is_left() {
        let directory = tempfile::tempdir().unwrap();
        let holders = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let claim = Claim::try_new(directory.path(), table()).unwrap();
                        if claim.is_some() {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            assert_eq!(holders.fetch_sub(1, Ordering::SeqCst), 1);
                        }
                    }
                });
            }
        });
        assert!(!cfg!(unix) || names(directory.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_no_regular_file_is_refused_and_makes_no_file() {
        let directory = tempfile::tempdir().unwrap();
        let lock = directory.path().join(".KRNvK.dtm.smt.lock");
        let refused = || {
            let errors = [
                Claim::try_new(directory.path(), table()).unwrap_err(),
                sweep(directory.path()).unwrap_err(),
            ];
            for error in errors {
                assert!(
                    error.get_ref().is_some_and(|source| source.is::<LockNotRegular>()),
                    "{error}"
                );
            }
            assert_eq!(names(directory.path()), [".KRNvK.dtm.smt.lock"]);
        };
        std::os::unix::fs::symlink("elsewhere", &lock).unwrap();
        refused();
        std::fs::remove_file(&lock).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&lock).status().unwrap().success());
        refused();
        std::fs::remove_file(&lock).unwrap();
        std::fs::create_dir(&lock).unwrap();
        refused();
    }

    #[test]
    fn what_the_dead_left_goes_and_what_others_hold_stays() {
        let directory = tempfile::tempdir().unwrap();
        let other: TableName = "KRvK".parse().unwrap();
        let claim = Claim::try_new(directory.path(), other).unwrap().unwrap();
        let held = [".KRvK.dtm.smt.lock", ".KRvK.dtm.smt.b1.tmp"];
        let left = [".KRNvK.dtm.smt.lock", ".KRNvK.dtm.smt.a0.tmp", ".KRNvK.dtm.smt.zz.tmp"];
        let foreign = [".KXvK.dtm.smt.lock", ".notes.tmp", "KRNvK.dtm.smt", ".KRNvK.dtm.smt"];
        for name in left.iter().chain(&held[1..]).chain(&foreign) {
            std::fs::write(directory.path().join(name), "").unwrap();
        }
        sweep(directory.path()).unwrap();
        let mut expected: Vec<&str> = held.iter().chain(&foreign).copied().collect();
        let mut there = names(directory.path());
        expected.sort_unstable();
        there.sort_unstable();
        if cfg!(unix) {
            assert_eq!(there, expected);
        }
        drop(claim);
    }
}
