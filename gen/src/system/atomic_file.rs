//! Files that are written atomically: complete under their name, or not there.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file under a temporary name. It is removed when dropped, unless it was committed.
#[derive(Debug)]
pub struct AtomicFile {
    temporary: NamedTempFile,
    directory: PathBuf,
    name: OsString,
}

impl AtomicFile {
    /// An empty temporary file for this name in a directory.
    ///
    /// # Errors
    ///
    /// If the directory is missing or cannot be written.
    pub fn create(directory: &Path, name: &OsStr) -> io::Result<AtomicFile> {
        let mut prefix = OsString::from(".");
        prefix.push(name);
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        // As for other new files, the user's mask decides who may read it.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(directory)?;
        Ok(AtomicFile { temporary, directory: directory.to_path_buf(), name: name.to_os_string() })
    }

    /// The temporary file.
    pub fn file(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// Renames the file to its name. An old file of that name is replaced in one step.
    ///
    /// # Errors
    ///
    /// Those of the system. The temporary file is removed then, and an old file stays as it was.
    pub fn commit(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        self.temporary.persist(self.directory.join(&self.name)).map_err(|error| error.error)?;
        // The new name survives a crash only if the directory is synced as well.
        #[cfg(unix)]
        File::open(&self.directory)?.sync_all()?;
        Ok(())
    }
}

/// Writes a file under a temporary name, then renames it to `name`. An old file of that name is
/// replaced in one step.
///
/// # Errors
///
/// Those of `fill` and of the system. The temporary file is removed then, and an old file stays
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
