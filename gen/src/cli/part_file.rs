//! Files that are kept while they are incomplete: `NAME.part`, renamed to `NAME` at the end.

use sakmak_make::system::directory;
use sakmak_make::system::lock_file::is_at;
use sakmak_make::system::regular_file::open_or_create;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Suffix of the name of a partial file.
const PART: &str = ".part";

/// Returns the path of the part of a file.
pub fn part_of(path: &Path) -> PathBuf {
    let mut part = path.as_os_str().to_os_string();
    part.push(PART);
    PathBuf::from(part)
}

/// Opens the part of a file, or creates it, and locks it if the file system supports that. `None`
/// if another process writes it.
///
/// # Errors
///
/// If something other than a regular file has its name, or the errors of the system.
pub fn open_part(part: &Path) -> io::Result<Option<File>> {
    let opened = open_or_create(part)?;
    match opened.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Renamed or removed by another process before it was locked here.
        Ok(()) if !is_at(&opened, part)? => Ok(None),
        // File systems without locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(opened)),
    }
}

/// Renames a complete part to the path of its file. An old file is replaced in one step.
///
/// # Errors
///
/// The errors of the system.
pub fn complete(part: &File, path: &Path) -> io::Result<()> {
    part.sync_all()?;
    std::fs::rename(part_of(path), path)?;
    // The new name survives a crash only if the directory is synced as well.
    directory::sync(folder_of(path))
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
