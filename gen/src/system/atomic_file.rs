//! Files that are written atomically: complete under their name, or not there.

use std::fs::File;
use std::io;
use std::path::Path;

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
    let mut builder = tempfile::Builder::new();
    let prefix = format!(".{name}.");
    builder.prefix(&prefix).suffix(".tmp");
    // As for other new files, the user's mask decides who may read it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Dropped before `persist`, this removes the file.
    let mut file = builder.tempfile_in(directory)?;
    let filled = fill(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(directory.join(name)).map_err(|error| error.error)?;
    // The new name survives a crash only if the directory is synced as well.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    Ok(filled)
}
