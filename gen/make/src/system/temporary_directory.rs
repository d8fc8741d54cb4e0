//! Directories for files that are not needed after this process.
//!
//! A directory is locked until its process ends. A directory without a lock belonged to a
//! killed process, and the next process that creates a directory beside it removes it. On systems
//! that cannot lock directories, the directories of killed processes remain.

use crate::system::atomic_file::TEMPORARY;
use crate::system::lock_file::is_at;
use crate::system::transient::TransientPath;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, TempDir};

/// The start of the names of these directories. Their end is that of temporary files: a directory
/// of tables may have the same start.
const PREFIX: &str = "sakmak-";

/// The times that a directory is removed while another thread still writes files into it.
const REMOVALS: usize = 8;

/// A directory that is removed, with all that is in it, when it is dropped.
#[derive(Debug)]
pub struct TemporaryDirectory {
    path: PathBuf,
    registration: TransientPath,
    /// `None` if the file system cannot lock directories.
    _lock: Option<File>,
}

impl TemporaryDirectory {
    /// Returns an empty directory in the system's directory for temporary files.
    ///
    /// # Errors
    ///
    /// If it cannot be made; the message names the directory in which it would be.
    pub fn new() -> io::Result<TemporaryDirectory> {
        let parent = std::env::temp_dir();
        TemporaryDirectory::new_in(&parent).map_err(|error| {
            let message =
                format!("cannot make a temporary directory in {}: {error}", parent.display());
            io::Error::new(error.kind(), message)
        })
    }

    /// Returns an empty directory in another one.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn new_in(parent: &Path) -> io::Result<TemporaryDirectory> {
        // A leftover does no harm.
        let _ = remove_leftovers(parent);
        let make = || Builder::new().prefix(PREFIX).suffix(TEMPORARY).tempdir_in(parent);
        loop {
            let (registration, path) =
                TransientPath::of(|| make().map(TempDir::keep), PathBuf::clone)?;
            // Without a lock, another process has taken it for a leftover.
            if let Lock::Held(_lock) = lock(&path) {
                return Ok(TemporaryDirectory { path, registration, _lock });
            }
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        let is_left = |path: &Path| path.symlink_metadata().is_ok();
        for _ in 0..REMOVALS {
            self.registration.remove();
            if !is_left(&self.path) {
                break;
            }
        }
    }
}

/// The lock of a directory.
enum Lock {
    /// This process has it; `None` if the file system has no such locks.
    Held(Option<File>),
    /// Another process has it, or has removed the directory.
    Lost,
}

/// Locks a directory.
fn lock(path: &Path) -> Lock {
    use std::fs::TryLockError::{Error, WouldBlock};

    let mut options = File::options();
    options.read(true);
    // A link or a pipe in its place is an error.
    #[cfg(unix)]
    {
        let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    #[expect(clippy::disallowed_methods, reason = "a directory")]
    let file = match options.open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Lock::Lost,
        // Windows opens no directory.
        Err(_) => return Lock::Held(None),
    };
    match file.try_lock() {
        Ok(()) => match is_at(&file, path) {
            Ok(true) => Lock::Held(Some(file)),
            Ok(false) | Err(_) => Lock::Lost,
        },
        Err(WouldBlock) => Lock::Lost,
        Err(Error(_)) => Lock::Held(None),
    }
}

/// Removes the directories that killed processes have left in another one.
fn remove_leftovers(parent: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(parent)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours =
            name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(TEMPORARY));
        // A link is followed by neither.
        if is_ours
            && entry.file_type()?.is_dir()
            && let Lock::Held(Some(_lock)) = lock(&entry.path())
        {
            // Those of other users stay.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn directories_of_the_dead_go_and_all_others_stay() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        let lives = TemporaryDirectory::new_in(parent.path()).unwrap();
        fs::write(lives.path().join("KRvK.dtm.smt"), "").unwrap();
        // Left by a killed process; a directory of tables; what only has the name of one.
        for name in ["sakmak-left00.tmp/inside", "sakmak-tables", "other.tmp"] {
            fs::create_dir_all(path(name)).unwrap();
        }
        fs::write(path("sakmak-left00.tmp/inside/KRvK.dtm.smt"), "").unwrap();
        fs::write(path("sakmak-file00.tmp"), "").unwrap();
        std::os::unix::fs::symlink(path("sakmak-tables"), path("sakmak-link00.tmp")).unwrap();
        let next = TemporaryDirectory::new_in(parent.path()).unwrap();
        let names = || {
            let entries = fs::read_dir(parent.path()).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            names.sort();
            names
        };
        let others = ["other.tmp", "sakmak-file00.tmp", "sakmak-link00.tmp", "sakmak-tables"];
        let mut expected: Vec<_> = others.map(path).into();
        expected.extend([lives.path().to_path_buf(), next.path().to_path_buf()]);
        expected.sort();
        assert_eq!(names(), expected);
        assert!(lives.path().join("KRvK.dtm.smt").is_file());
        drop((lives, next));
        assert_eq!(names(), others.map(path));
    }
}
