//! Files that are written atomically: complete under their name, or not there.
//!
//! A file is written under a temporary name, `.NAME.RANDOM.tmp`, and locked until it has its own
//! name. A temporary file without a lock was left by a killed process; the next writer of that name
//! removes it.

use crate::system::directory;
use crate::system::lock_file::is_at;
use crate::system::transient::TransientPath;
use sakmak_probe::file::bytes::open_regular;
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// The end of the name of a file that is being written.
pub const TEMPORARY: &str = ".tmp";

/// A file under a temporary name. It is removed when dropped, unless it was committed.
#[derive(Debug)]
pub struct AtomicFile {
    // Dropped before its registration ends.
    temporary: NamedTempFile,
    _registration: TransientPath,
    directory: PathBuf,
    name: OsString,
}

impl AtomicFile {
    /// Returns an empty temporary file for this name in a directory.
    ///
    /// # Errors
    ///
    /// If the directory is missing or cannot be written.
    pub fn create(directory: &Path, name: &OsStr) -> io::Result<AtomicFile> {
        if let Some(name) = name.to_str() {
            // A leftover does no harm.
            let _ = remove_leftovers(directory, name);
        }
        let create = || create_locked(directory, name);
        let (registration, temporary) =
            TransientPath::of(create, |file: &NamedTempFile| file.path().to_path_buf())?;
        let (directory, name) = (directory.to_path_buf(), name.to_os_string());
        Ok(AtomicFile { temporary, _registration: registration, directory, name })
    }

    /// Returns the temporary file.
    pub fn file(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// Renames the file to its name. An old file of that name is replaced in one step.
    ///
    /// # Errors
    ///
    /// The errors of the system. The temporary file is removed then, and an old file stays as it was.
    pub fn commit(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        self.temporary.persist(self.directory.join(&self.name)).map_err(|error| error.error)?;
        // The new name survives a crash only if the directory is synced as well.
        directory::sync(&self.directory)
    }
}

/// Writes a file under a temporary name, then renames it to `name`. An old file of that name is
/// replaced in one step.
///
/// # Errors
///
/// The errors of `fill` and of the system. The temporary file is removed then, and an old file stays
/// as it was.
pub fn write_atomically<T, E: From<io::Error>>(
    directory: &Path,
    name: &str,
    fill: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let mut atomic = AtomicFile::create(directory, name.as_ref())?;
    let filled = fill(atomic.file())?;
    atomic.commit()?;
    Ok(filled)
}

/// Makes a directory where it is missing, and checks that files can be written to it. The next
/// check removes what a killed one leaves.
///
/// # Errors
///
/// Fails if the path is not a directory, or the directory cannot be created or written to.
pub fn prepare_directory(path: &Path) -> io::Result<()> {
    directory::make(path)?;
    AtomicFile::create(path, "writable".as_ref()).map(drop)
}

/// Creates a file with a temporary name, and locks it if the file system supports that.
fn create_locked(directory: &Path, name: &OsStr) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY);
    // As for other new files, the user's mask decides who may read it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        // Dropped before `persist`, this removes the file.
        let file = builder.tempfile_in(directory)?;
        match file.as_file().try_lock() {
            // Before it was locked, another process took it for a leftover.
            Err(TryLockError::WouldBlock) => continue,
            Ok(()) if !is_at(file.as_file(), file.path())? => continue,
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

/// Removes the temporary files of this name that killed processes have left.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn remove_leftovers(directory: &Path, name: &str) -> io::Result<()> {
    let beginning = format!(".{name}.");
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.ends_with(TEMPORARY)) else { continue };
        if name.starts_with(&beginning) && entry.file_type()?.is_file() {
            // A file that is gone or cannot be locked is another process's business.
            let Ok(file) = open_regular(&entry.path()) else { continue };
            if file.try_lock().is_ok() {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_the_dead_left_goes_and_what_others_write_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let held = File::create(path(".a.txt.Held00.tmp")).unwrap();
        held.lock().unwrap();
        for name in [".a.txt.Left00.tmp", ".b.txt.Left00.tmp", ".a.txt.notes"] {
            File::create(path(name)).unwrap();
        }
        write_atomically(directory.path(), "a.txt", |file| file.write_all(b"a")).unwrap();
        let entries = std::fs::read_dir(directory.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [".a.txt.Held00.tmp", ".a.txt.notes", ".b.txt.Left00.tmp", "a.txt"]);
    }

    #[test]
    fn a_directory_is_prepared_and_what_a_killed_check_left_goes() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("new/tables");
        prepare_directory(&directory).unwrap();
        File::create(directory.join(".writable.Left00.tmp")).unwrap();
        prepare_directory(&directory).unwrap();
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
    }

    #[test]
    fn a_name_that_cannot_be_taken_is_an_error_and_nothing_is_left() {
        let directory = tempfile::tempdir().unwrap();
        // A file cannot be renamed to a directory.
        std::fs::create_dir(directory.path().join("a.txt")).unwrap();
        let write = |file: &mut File| file.write_all(b"a");
        assert!(write_atomically(directory.path(), "a.txt", write).is_err());
        let entries = std::fs::read_dir(directory.path()).unwrap();
        let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["a.txt"]);
    }
}
