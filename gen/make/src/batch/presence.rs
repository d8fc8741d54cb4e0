//! The batches that work in a scratch folder: each has a locked temporary file there.
//!
//! ```text
//! .scratch/.batch.PLAN.RANDOM.tmp     names of the tables that the batch makes; PLAN is their hash
//! ```
//!
//! A batch knows which scratch files it needs itself. Of another batch it knows the tables. While
//! it runs, it removes files only as long as all batches in the folder make the same tables. At its
//! end it first removes its own file, and then the scratch files of its tables that no batch in the
//! folder makes. So the last batch that makes a table removes the table's scratch files, even if
//! several end at the same time.

use crate::system::atomic_file::{AtomicFile, TEMPORARY, remove_leftovers};
use crate::system::{directory, regular_file};
use std::collections::BTreeSet;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The beginning of the names of presence files, without the dot of temporary files.
const NAME: &str = "batch";

/// The folder of the scratch files in the directory of the tables.
const SCRATCH: &str = ".scratch";

/// Returns the scratch folder of a directory, for solved files that packed tables need temporarily.
pub(super) fn scratch_folder(directory: &Path) -> PathBuf {
    directory.join(SCRATCH)
}

/// The presence of a batch in a scratch folder. Removes the folder on drop if the folder is empty
/// by then.
#[derive(Debug)]
pub struct Presence {
    folder: PathBuf,
    /// The name of the file, without the random letters.
    name: String,
    /// `None` when it is removed.
    file: Option<AtomicFile>,
}

impl Presence {
    /// Makes the folder if it is missing, and the file of a batch in it. `plan` has the names of
    /// the tables that the batch makes, with blanks between them.
    ///
    /// # Errors
    ///
    /// Fails if the path is not a directory, or the folder cannot be written to.
    pub fn new(folder: &Path, plan: &str) -> io::Result<Presence> {
        let name = file_name(plan.as_bytes());
        let create = || {
            directory::make(folder)?;
            AtomicFile::create(folder, name.as_ref())
        };
        let file = match create() {
            // A batch that has just ended removed the empty folder.
            Err(error) if error.kind() == ErrorKind::NotFound => create(),
            file => file,
        };
        let mut file = file?;
        file.file().write_all(plan.as_bytes())?;
        Ok(Presence { folder: folder.to_path_buf(), file: Some(file), name })
    }

    /// Returns whether all batches in the folder make the same tables as this one; `false` if
    /// unknown. Removes files of killed batches.
    pub fn is_of_all(&self) -> bool {
        let own = format!(".{}.", self.name);
        batches(&self.folder).is_ok_and(|mut batches| {
            batches.all(|name| name.is_ok_and(|name| name.starts_with(&own)))
        })
    }

    /// Ends the presence. `remove` is called with each of these tables that no other batch makes.
    pub fn end<T: ToString>(mut self, tables: impl IntoIterator<Item = T>, remove: impl Fn(T)) {
        // The file is removed before the other batches are read: of batches that end together, the
        // last batch sees no other.
        self.file = None;
        // Remaining files do no harm.
        let Ok(others) = tables_of_batches(&self.folder) else { return };
        tables.into_iter().filter(|table| !others.contains(&table.to_string())).for_each(remove);
    }
}

/// Returns the names of the files of the batches in a folder. Files of killed batches are removed.
fn batches(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    remove_leftovers(folder, NAME)?;
    let is_batch =
        |name: &String| name.starts_with(&format!(".{NAME}.")) && name.ends_with(TEMPORARY);
    let names = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    Ok(names.filter(move |name| name.as_ref().map_or(true, is_batch)))
}

/// Returns the tables that the batches in a folder make.
///
/// # Errors
///
/// If a file cannot be read, or is not complete yet.
fn tables_of_batches(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut tables = BTreeSet::new();
    for name in batches(folder)? {
        let name = name?;
        let plan = match regular_file::read(&folder.join(&name)) {
            // The batch has just ended.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            plan => plan?,
        };
        if !name.starts_with(&format!(".{}.", file_name(&plan))) {
            return Err(ErrorKind::InvalidData.into());
        }
        tables.extend(String::from_utf8_lossy(&plan).split(' ').map(str::to_string));
    }
    Ok(tables)
}

/// Returns the name of the file of a batch, without the random letters.
fn file_name(plan: &[u8]) -> String {
    format!("{NAME}.{:016x}", xxh3_64(plan))
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.file = None;
        // A file that cannot be removed now does no harm.
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
        // The file of a killed process.
        let left = folder.join(".batch.0123456789abcdef.Left00.tmp");
        std::fs::write(&left, "").unwrap();
        assert!(one.is_of_all() && !left.try_exists().unwrap());
        drop((one, same));
        assert!(!folder.try_exists().unwrap());
    }

    #[test]
    fn the_last_batch_that_makes_a_table_removes_its_files_even_if_two_end_together() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("scratch");
        let removed_at_end = |presence: Presence, tables: &[&'static str]| {
            let removed = std::cell::RefCell::new(Vec::new());
            presence.end(tables.iter().copied(), |table| removed.borrow_mut().push(table));
            removed.into_inner()
        };
        let new = |plan| Presence::new(&folder, plan).unwrap();
        let (one, other) = (new("KRvK KNvK"), new("KRvK KMvK"));
        // Each batch sees the other batch when it last checks which files are no longer needed.
        assert!(!one.is_of_all() && !other.is_of_all());
        assert_eq!(removed_at_end(one, &["KRvK", "KNvK"]), ["KNvK"]);
        assert_eq!(removed_at_end(other, &["KRvK", "KMvK"]), ["KRvK", "KMvK"]);
        assert!(!folder.try_exists().unwrap());
        // A batch whose tables cannot be read may make any.
        let one = new("KRvK");
        let unread = AtomicFile::create(&folder, "batch.0123456789abcdef".as_ref()).unwrap();
        assert!(removed_at_end(one, &["KRvK"]).is_empty());
        drop(unread);
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
