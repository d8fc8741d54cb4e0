//! Files that appear under their name whole or not at all.

use std::fs::File;
use std::io;
use std::path::Path;

/// Writes a file of a directory under a temporary name, then gives it its own. A file of
/// this name is replaced at once.
///
/// # Errors
///
/// What `fill` gives, or the system; nothing is left behind then, nor is an old file
/// changed.
pub fn write_whole<T, E: From<io::Error>>(
    directory: &Path,
    name: &str,
    fill: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let mut builder = tempfile::Builder::new();
    let prefix = format!(".{name}.");
    builder.prefix(&prefix).suffix(".tmp");
    // Others may read the file as far as the user's mask allows.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The file goes when this is dropped before it has its name.
    let mut file = builder.tempfile_in(directory)?;
    let filled = fill(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(directory.join(name)).map_err(|error| error.error)?;
    // The name itself lasts only when the directory is on the disk as well.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    Ok(filled)
}
