//! The key that binds records of verified tables to the user and machine that verified them.
//!
//! The key is random, made once, and kept where other users cannot read it: in
//! `$XDG_STATE_HOME/sakmak/` or `~/.local/state/sakmak/`, on Windows in `%APPDATA%\sakmak\`. A code
//! of a record depends on the key and the record, so nobody without the key can write a record that
//! is believed.

use crate::system::atomic_file::write_atomically;
use crate::system::lock_file::LockFile;
use etcetera::BaseStrategy;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file name of the key.
const FILE_NAME: &str = "verify.key";

/// The bytes of a key.
const BYTES: usize = blake3::KEY_LEN;

/// The characters of a code.
const CODE: usize = 32;

/// A secret key.
#[derive(Clone, Copy)]
pub struct RecordKey(pub(super) [u8; BYTES]);

/// A key that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The user has no directory for it.
    #[error("there is no home directory for the key of records")]
    NoDirectory,
    /// It cannot be read or made.
    #[error("cannot read or make {path}: {error}", path = .0.display(), error = .1)]
    Io(PathBuf, io::Error),
    /// The file holds something else.
    #[error("{path} is not a key: {digits} hexadecimal digits expected", path = .0.display(), digits = 2 * BYTES)]
    Malformed(PathBuf),
}

impl RecordKey {
    /// The key of this user on this machine, made if there is none.
    ///
    /// # Errors
    ///
    /// If there is no directory for it, or it cannot be read or made.
    pub fn of_user() -> Result<RecordKey, KeyError> {
        let base = etcetera::choose_base_strategy().map_err(|_| KeyError::NoDirectory)?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        RecordKey::in_directory(&state.join("sakmak"))
    }

    /// The key in a directory. Both are made if there is none.
    ///
    /// # Errors
    ///
    /// If the key cannot be read or made.
    pub fn in_directory(directory: &Path) -> Result<RecordKey, KeyError> {
        let path = directory.join(FILE_NAME);
        let text = read_or_make(directory, &path);
        let text = text.map_err(|error| KeyError::Io(path.clone(), error))?;
        let key = blake3::Hash::from_hex(text.trim_ascii());
        key.map(|key| RecordKey(*key.as_bytes())).map_err(|_| KeyError::Malformed(path))
    }

    /// The code of a record.
    pub fn code(&self, record: &str) -> String {
        let mut code = blake3::keyed_hash(&self.0, record.as_bytes()).to_hex().to_string();
        code.truncate(CODE);
        code
    }
}

/// Reads the file of a key. Of several processes that find none, one makes it.
fn read_or_make(directory: &Path, path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        other => return other,
    }
    fs::create_dir_all(directory)?;
    let _lock = LockFile::wait(&directory.join(format!(".{FILE_NAME}.lock")))?;
    if !path.is_file() {
        let mut key = [0; BYTES];
        getrandom::fill(&mut key)?;
        write_atomically(directory, FILE_NAME, |file| {
            keep_private(file)?;
            writeln!(file, "{}", blake3::Hash::from_bytes(key).to_hex())
        })?;
    }
    fs::read(path)
}

/// Lets only the user read a file.
#[cfg(unix)]
fn keep_private(file: &File) -> io::Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

/// The directory is private to the user.
#[cfg(not(unix))]
fn keep_private(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_only_its_user_can_read_it() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("a/b");
        let keys = std::thread::scope(|scope| {
            let key = || scope.spawn(|| RecordKey::in_directory(&directory).unwrap().0);
            [(); 8].map(|()| key()).map(|key| key.join().unwrap())
        });
        assert!(keys.iter().all(|key| *key == keys[0]) && keys[0] != [0; BYTES]);
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = directory.join(FILE_NAME).metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        let other = RecordKey::in_directory(place.path()).unwrap();
        assert_ne!(other.0, keys[0]);
    }

    #[test]
    fn a_malformed_key_is_an_error() {
        let place = tempfile::tempdir().unwrap();
        for text in ["", "12", &"x".repeat(2 * BYTES), &"0".repeat(2 * BYTES + 1)] {
            fs::write(place.path().join(FILE_NAME), text).unwrap();
            let key = RecordKey::in_directory(place.path());
            assert!(matches!(key, Err(KeyError::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn a_code_depends_on_key_and_record() {
        let [one, other] = [RecordKey([1; BYTES]), RecordKey([2; BYTES])];
        assert_eq!(one.code("a"), one.code("a"));
        assert!(one.code("a") != one.code("b") && one.code("a") != other.code("a"));
        assert_eq!(one.code("a").len(), CODE);
    }
}
