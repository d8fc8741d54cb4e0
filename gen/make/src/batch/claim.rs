//! Claims: each table is made by a single process of all processes that share a directory.
//!
//! A claim is a [lock](LockFile) on a hidden file, `.KRNvK.dtm.smt.lock`, beside the solved or
//! packed table. Its holder also removes the temporary files that earlier holders left.

use crate::system::atomic_file::{TEMPORARY, remove_leftovers};
use crate::system::lock_file::LockFile;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// The end of the name of a lock file.
const LOCK: &str = ".lock";

/// The exclusive right to make one table in one directory; released on drop.
#[derive(Debug)]
pub struct Claim {
    _lock: LockFile,
}

impl Claim {
    /// Claims the table with these files; returns `None` if another process holds the claim. The
    /// lock is named after the first file.
    ///
    /// # Errors
    ///
    /// If the directory cannot be written to, or the lock is not a regular file.
    pub fn try_new(directory: &Path, files: &[String]) -> io::Result<Option<Claim>> {
        let Some(name) = files.first() else { return Ok(None) };
        let Some(lock) = LockFile::try_new(&directory.join(format!(".{name}{LOCK}")))? else {
            return Ok(None);
        };
        // Without locks a table may be made twice, with the same bytes. Temporary files stay:
        // another process may be writing them.
        if lock.is_exclusive() {
            files.iter().try_for_each(|name| remove_leftovers(directory, name))?;
        }
        Ok(Some(Claim { _lock: lock }))
    }
}

/// Removes the locks and temporary files that killed processes left. `files_of` returns the names
/// of all files of the table that has a file of this name. A missing directory is not an error.
///
/// # Errors
///
/// If the directory cannot be read or written to.
pub fn sweep(directory: &Path, files_of: impl Fn(&str) -> Option<Vec<String>>) -> io::Result<()> {
    let mut left = BTreeSet::new();
    let entries = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        left.extend(entry?.file_name().to_str().and_then(file_of).and_then(&files_of));
    }
    for files in left {
        drop(Claim::try_new(directory, &files)?);
    }
    Ok(())
}

/// Returns the name of the file that a lock file or a temporary file is for; `None` for any other
/// file.
fn file_of(name: &str) -> Option<&str> {
    let name = name.strip_prefix('.')?;
    // Temporary names have random letters before the suffix.
    let temporary = || Some(name.strip_suffix(TEMPORARY)?.rsplit_once('.')?.0);
    name.strip_suffix(LOCK).or_else(temporary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::lock_file::LockNotRegular;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn files(table: &str) -> Vec<String> {
        [".dtm.smt", ".dtm.smp", ".dtm.layers"].map(|ending| format!("{table}{ending}")).to_vec()
    }

    /// The files of the table of a file, if it is one of three tables.
    fn files_of(name: &str) -> Option<Vec<String>> {
        let (table, _) = name.split_once('.')?;
        ["KRNvK", "KNNvK", "KRvK"].contains(&table).then(|| files(table))
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
                        let claim = Claim::try_new(directory.path(), &files("KRNvK")).unwrap();
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
                Claim::try_new(directory.path(), &files("KRNvK")).unwrap_err(),
                sweep(directory.path(), files_of).unwrap_err(),
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
        let claim = Claim::try_new(directory.path(), &files("KRvK")).unwrap().unwrap();
        let held = [".KRvK.dtm.smt.lock", ".KRvK.dtm.smt.b1.tmp"];
        let left = [
            ".KRNvK.dtm.smt.lock",
            ".KRNvK.dtm.smt.a0.tmp",
            ".KRNvK.dtm.smt.zz.tmp",
            ".KNNvK.dtm.layers.a0.tmp",
        ];
        let foreign = [
            ".KXvK.dtm.smt.lock",
            ".notes.tmp",
            "KRNvK.dtm.smt",
            ".KRNvK.dtm.smt",
            "KNNvK.dtm.layers",
        ];
        for name in left.iter().chain(&held[1..]).chain(&foreign) {
            std::fs::write(directory.path().join(name), "").unwrap();
        }
        sweep(directory.path(), files_of).unwrap();
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
