//! Directories, distinguished from files in their place, and whether they have a file.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Whether a directory is there. `false` if nothing is.
///
/// # Errors
///
/// If something else is there, or that cannot be found out.
pub fn is_there(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(true),
        Ok(_) => Err(ErrorKind::NotADirectory.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether something is at a path. `false` if a file is in place of a directory above it.
///
/// # Errors
///
/// If that cannot be found out.
pub fn exists(path: &Path) -> io::Result<bool> {
    match path.try_exists() {
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(false),
        exists => exists,
    }
}

/// Makes a directory and those above it, where they are missing.
///
/// # Errors
///
/// If something else is there, or the directory cannot be made.
pub fn make(path: &Path) -> io::Result<()> {
    match is_there(path)? {
        true => Ok(()),
        false => fs::create_dir_all(path),
    }
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
    }
}
