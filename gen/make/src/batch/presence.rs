//! The batches that work in a scratch folder: each has a locked temporary file there.
//!
//! ```text
//! .scratch/.batch.PLAN.RANDOM.tmp     PLAN is a hash of the tables that the batch makes
//! ```
//!
//! A batch knows which scratch files it needs itself, not those of another one. So it removes files
//! only as long as all batches in the folder make the same tables.

use crate::system::atomic_file::{AtomicFile, TEMPORARY, remove_leftovers};
use crate::system::directory;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The beginning of the names of these files, without the dot of temporary files.
const NAME: &str = "batch";

/// The folder of the scratch files in the directory of the tables.
const SCRATCH: &str = ".scratch";

/// The folder of a directory of tables for solved files that packed tables need for a while.
pub(super) fn scratch_folder(directory: &Path) -> PathBuf {
    directory.join(SCRATCH)
}

/// The presence of a batch in a scratch folder. When it is dropped, a folder that is empty by then
/// is removed.
#[derive(Debug)]
pub struct Presence {
    folder: PathBuf,
    /// The name of the file, without the random letters.
    name: String,
    /// `None` when it is removed.
    file: Option<AtomicFile>,
}

impl Presence {
    /// Makes the folder if it is missing, and the file of a batch in it. `plan` has the tables that
    /// the batch makes.
    ///
    /// # Errors
    ///
    /// If something else is in place of the folder, or it cannot be written to.
    pub fn new(folder: &Path, plan: &str) -> io::Result<Presence> {
        let name = format!("{NAME}.{:016x}", xxh3_64(plan.as_bytes()));
        let create = || {
            directory::make(folder)?;
            AtomicFile::create(folder, name.as_ref())
        };
        let file = match create() {
            // A batch that has just ended removed the empty folder.
            Err(error) if error.kind() == ErrorKind::NotFound => create(),
            file => file,
        };
        Ok(Presence { folder: folder.to_path_buf(), file: Some(file?), name })
    }

    /// Whether all batches in the folder make the same tables as this one; `false` if that cannot
    /// be found out. Files of killed batches are removed.
    pub fn is_of_all(&self) -> bool {
        let is_of_all = || -> io::Result<bool> {
            remove_leftovers(&self.folder, NAME)?;
            let own = format!(".{}.", self.name);
            for entry in std::fs::read_dir(&self.folder)? {
                let name = entry?.file_name();
                let name = name.to_string_lossy();
                let is_present =
                    name.starts_with(&format!(".{NAME}.")) && name.ends_with(TEMPORARY);
                if is_present && !name.starts_with(&own) {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        is_of_all().unwrap_or(false)
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.file = None;
        // What cannot be removed now does no harm.
        let _ = remove_leftovers(&self.folder, NAME);
        let _ = std::fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_with_other_tables_are_seen_as_long_as_they_are_there() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("scratch");
        let one = Presence::new(&folder, "KRvK").unwrap();
        let same = Presence::new(&folder, "KRvK").unwrap();
        assert!(one.is_of_all() && same.is_of_all());
        let other = Presence::new(&folder, "KRvK KMvK").unwrap();
        assert!(!one.is_of_all() && !other.is_of_all());
        drop(other);
        // Of a killed process.
        let left = folder.join(".batch.0123456789abcdef.Left00.tmp");
        std::fs::write(&left, "").unwrap();
        assert!(one.is_of_all() && !left.try_exists().unwrap());
        drop((one, same));
        assert!(!folder.try_exists().unwrap());
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("scratch");
        std::fs::write(&folder, "").unwrap();
        let error = Presence::new(&folder, "KRvK").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotADirectory);
    }
}
