//! Directories: distinguished from files in their place, created and synced, and whether they have
//! a file.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Returns whether a directory exists; `false` if the path does not exist.
///
/// # Errors
///
/// Fails if the path is not a directory, or the system cannot tell.
pub fn is_there(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => Err(ErrorKind::NotADirectory.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns whether a path exists; `false` if a parent is a file.
///
/// # Errors
///
/// If the system cannot report whether the file exists.
pub fn exists(path: &Path) -> io::Result<bool> {
    match path.try_exists() {
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(false),
        exists => exists,
    }
}

/// Creates a directory and those above it, where they are missing. Survives a power cut once it
/// returns: each new name is synced in its parent.
///
/// An existing directory is synced too, and its name: a process that created it, or renamed a file
/// into it, may have been killed before it synced either. So a command that finds its files
/// finished may rely on them.
///
/// # Errors
///
/// Fails if the path is not a directory, or the directory cannot be created or synced.
pub fn make(path: &Path) -> io::Result<()> {
    // A system does not create `new/.`, whose parent is that of `new`.
    let path = &*path.components().collect::<PathBuf>();
    let parent = path.parent().map(|parent| match parent.as_os_str().is_empty() {
        true => Path::new("."),
        false => parent,
    });
    if is_there(path)? {
        sync(path)?;
        // The parent may belong to somebody else, and this process has changed nothing in it.
        let _ = parent.map(sync);
        return Ok(());
    }
    parent.map_or(Ok(()), make)?;
    #[expect(clippy::disallowed_methods, reason = "the parent is synced next")]
    match fs::create_dir(path) {
        // Another process created it first.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && is_there(path)? => {}
        created => created?,
    }
    parent.map_or(Ok(()), sync)
}

/// Makes the names in a directory survive a power cut: new, renamed and removed ones. Systems
/// without such an operation sync names themselves.
///
/// # Errors
///
/// If the directory cannot be opened or synced.
pub fn sync(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    #[expect(clippy::disallowed_methods, reason = "a directory")]
    fs::File::open(path)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_no_directory() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        let new = place.path().join("a/b");
        assert!(is_there(place.path()).unwrap() && !is_there(&new).unwrap());
        for path in [file.clone(), file.join("a")] {
            assert_eq!(is_there(&path).unwrap_err().kind(), ErrorKind::NotADirectory);
            assert_eq!(make(&path).unwrap_err().kind(), ErrorKind::NotADirectory);
        }
        assert!(exists(&file).unwrap() && !exists(&new).unwrap());
        assert!(!exists(&file.join("a")).unwrap());
        let too_long = place.path().join("a".repeat(1 << 12));
        assert!(!cfg!(unix) || exists(&too_long).is_err());
        make(&new).unwrap();
        make(&new).unwrap();
        assert!(is_there(&new).unwrap());
        let around = place.path().join("c/../d/.");
        make(&around).unwrap();
        assert!(is_there(&around).unwrap() && is_there(&place.path().join("c")).unwrap());
        assert!(sync(&new).is_ok() && (!cfg!(unix) || sync(&place.path().join("e")).is_err()));
    }

    #[test]
    fn directories_are_created_by_several_threads_at_once() {
        let place = tempfile::tempdir().unwrap();
        let new = place.path().join("a/b/c/d");
        std::thread::scope(|threads| {
            let made: Vec<_> = (0..8).map(|_| threads.spawn(|| make(&new))).collect();
            made.into_iter().for_each(|made| made.join().unwrap().unwrap());
        });
        assert!(is_there(&new).unwrap());
    }
}
