//! The ledger of the tables that a user has verified.
//!
//! It is a text file in the user's state directory, `$XDG_STATE_HOME/sakmak/` or
//! `~/.local/state/sakmak/`, on Windows `%APPDATA%\sakmak\`. It has a line for each table:
//!
//! ```text
//! verifier 1
//! KRvK c7358c2b9ad4a2e8
//! KRvKP 0b97fd0efab4f4a1 KPvK - KRvK c7358c2b9ad4a2e8 ...
//! janggi/KRvK.smg 5f0a1e0c9d3b7a42 janggi/KvK.smg 90cc41f2a7e5d318
//! ```
//!
//! A line has the name of a table, the checksum of its file, and the same of the tables its moves
//! lead to; `-` is a table without a file, which was solved on the spot. A table is recorded if the
//! ledger has exactly its line, in whatever directory its files are. The caller checks that the
//! bytes of a file have its checksum. Nothing that comes with tables is read. A ledger of another
//! verifier is empty: its tables are verified again.

use crate::store::TableStore;
use crate::system::atomic_file::write_atomically;
use crate::system::directory;
use crate::system::lock_file::LockFile;
use crate::system::regular_file;
use etcetera::BaseStrategy;
use sakmak_probe::file::open_file::FileError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file name of the ledger.
const FILE_NAME: &str = "verified.txt";

/// The first line; its number is raised when the verifier checks more than before.
const VERIFIER: &str = "verifier 1";

/// The files with which a table was verified: a line of the ledger.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Evidence(String);

impl Evidence {
    /// Returns the files that a table would be verified with now.
    ///
    /// # Errors
    ///
    /// If one of the files is broken.
    pub fn now(
        name: TableName,
        store: &TableStore<'_>,
        rules: &Rules,
    ) -> Result<Evidence, FileError> {
        let files = [name]
            .into_iter()
            .chain(name.successors(rules))
            .map(|name| Ok((name.to_string(), store.file(name)?.map(|file| file.checksum()))));
        Ok(Evidence::of(files.collect::<Result<Vec<_>, _>>()?))
    }

    /// Files by name and checksum: the file of the table, then the files of its subtables.
    pub fn of(files: impl IntoIterator<Item = (String, Option<u64>)>) -> Evidence {
        let words = files.into_iter().map(|(name, checksum)| match checksum {
            Some(checksum) => format!("{name} {checksum:016x}"),
            None => format!("{name} -"),
        });
        Evidence(words.collect::<Vec<_>>().join(" "))
    }
}

/// A ledger that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The user has no home directory.
    #[error("no home directory for {FILE_NAME}: set HOME or XDG_STATE_HOME")]
    NoDirectory,
    /// The file cannot be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Read(PathBuf, io::Error),
    /// The file cannot be written.
    #[error("cannot write {path}: {error}", path = .0.display(), error = .1)]
    Write(PathBuf, io::Error),
}

/// The ledger of a user.
pub struct Ledger {
    directory: PathBuf,
    records: BTreeSet<Evidence>,
}

impl Ledger {
    /// Returns the ledger of the user of this process; it is empty if there is none.
    ///
    /// # Errors
    ///
    /// If there is no directory for it, or it cannot be read.
    pub fn of_user() -> Result<Ledger, LedgerError> {
        let base = etcetera::choose_base_strategy().map_err(|_| LedgerError::NoDirectory)?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        Ledger::in_directory(&state.join("sakmak"))
    }

    /// Returns the ledger in a directory; it is empty if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn in_directory(directory: &Path) -> Result<Ledger, LedgerError> {
        let mut ledger = Ledger { directory: directory.to_path_buf(), records: BTreeSet::new() };
        let lock = ledger.lock_path();
        if lock.is_file() {
            // A killed process may have left it; locking and dropping removes it. If that fails, it
            // stays and hinders nobody.
            drop(LockFile::try_new(&lock));
        }
        ledger.read()?;
        Ok(ledger)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> PathBuf {
        self.directory.join(FILE_NAME)
    }

    /// Returns the lock of the process that writes the file.
    fn lock_path(&self) -> PathBuf {
        self.directory.join(format!(".{FILE_NAME}.lock"))
    }

    /// Adds the records of the file.
    fn read(&mut self) -> Result<(), LedgerError> {
        let bytes = match regular_file::read(&self.path()) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(LedgerError::Read(self.path(), error)),
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        if lines.next() == Some(VERIFIER) {
            self.records.extend(lines.map(|line| Evidence(line.to_string())));
        }
        Ok(())
    }

    /// Returns whether a table was verified with exactly these files.
    pub fn has(&self, evidence: &Evidence) -> bool {
        self.records.contains(evidence)
    }

    /// Records that a table was verified. The file is replaced atomically; other processes that
    /// record something wait.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written. Then it stays as it was.
    pub fn add(&mut self, evidence: Evidence) -> Result<(), LedgerError> {
        let cannot_write = |error| LedgerError::Write(self.path(), error);
        directory::make(&self.directory).map_err(cannot_write)?;
        let _lock = LockFile::wait(&self.lock_path()).map_err(cannot_write)?;
        // Another process may have added lines in the meantime.
        self.read()?;
        self.records.insert(evidence);
        let records = self.records.iter().map(|Evidence(line)| line.as_str());
        let lines: Vec<&str> = [VERIFIER].into_iter().chain(records).chain([""]).collect();
        write_atomically(&self.directory, FILE_NAME, |file| {
            file.write_all(lines.join("\n").as_bytes())
        })
        .map_err(|error| LedgerError::Write(self.path(), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(name: &str) -> Evidence {
        Evidence(format!("{name} 0000000000000001 KPvK 0000000000000007 KRvK -"))
    }

    fn ledger(directory: &Path) -> Ledger {
        Ledger::in_directory(directory).unwrap()
    }

    #[test]
    fn added_tables_are_read_again() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("a/b");
        let (one, other) = (evidence("KRvKP"), evidence("KNvKP"));
        let [mut ledger, mut another] = [(); 2].map(|()| self::ledger(&directory));
        assert!(!ledger.has(&one));
        ledger.add(one.clone()).unwrap();
        another.add(other.clone()).unwrap();
        let ledger = self::ledger(&directory);
        assert!(ledger.has(&one) && ledger.has(&other) && !ledger.has(&evidence("KSvKP")));
        let Evidence(line) = &one;
        for changed in
            [line.replace("0001", "0002"), line.replace('7', "8"), line.replace('-', "1")]
        {
            assert!(!ledger.has(&Evidence(changed)));
        }
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_left_behind_goes_and_a_held_one_stays() {
        let directory = tempfile::tempdir().unwrap();
        let lock = ledger(directory.path()).lock_path();
        std::fs::write(&lock, "").unwrap();
        ledger(directory.path());
        assert!(!lock.exists());
        let held = LockFile::wait(&lock).unwrap();
        ledger(directory.path());
        assert!(lock.exists());
        drop(held);
    }

    #[test]
    fn what_several_add_at_once_is_all_recorded() {
        let directory = tempfile::tempdir().unwrap();
        let all = ["KRvK", "KNvK", "KSvK", "KMvK", "KPvK", "KRvKP", "KNvKP"].map(evidence);
        std::thread::scope(|scope| {
            for evidence in &all {
                let mut ledger = self::ledger(directory.path());
                scope.spawn(move || ledger.add(evidence.clone()).unwrap());
            }
        });
        let ledger = self::ledger(directory.path());
        assert!(all.iter().all(|evidence| ledger.has(evidence)));
    }

    #[test]
    fn a_ledger_that_cannot_be_read_is_an_error_and_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let mut ledger = ledger(directory.path());
        // A read of a directory fails for every user.
        std::fs::create_dir(ledger.path()).unwrap();
        assert!(Ledger::in_directory(directory.path()).is_err());
        assert!(ledger.add(evidence("KRvKP")).is_err());
        let entries = std::fs::read_dir(directory.path()).unwrap();
        let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [FILE_NAME]);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_the_ledger_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join(FILE_NAME);
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = Ledger::in_directory(directory.path()).err().unwrap().to_string();
        assert!(error.ends_with("verified.txt: not a regular file"), "{error}");
    }

    #[test]
    fn a_ledger_of_another_verifier_or_cut_short_is_not_believed() {
        let directory = tempfile::tempdir().unwrap();
        let (path, record) = (ledger(directory.path()).path(), evidence("KRvKP"));
        let Evidence(line) = &record;
        let is_recorded = |text: &[u8]| {
            std::fs::write(&path, text).unwrap();
            ledger(directory.path()).has(&record)
        };
        assert!(is_recorded(format!("verifier 1\nKRvK\n{line}\n").as_bytes()));
        assert!(is_recorded(&[b"verifier 1\n\xff\n", line.as_bytes()].concat()));
        for text in [
            String::new(),
            line.clone(),
            format!("verifier 2\n{line}\n"),
            format!("{line}\nverifier 1\n"),
            format!("verifier 1\n{}", &line[..line.len() - 1]),
            format!("verifier 1\n{line} by 12\n"),
        ] {
            assert!(!is_recorded(text.as_bytes()), "{text}");
        }
    }
}
