//! The ledger of the tables of a directory that have been verified.
//!
//! It is a text file beside the tables, one line for each table, in the order of materials:
//!
//! ```text
//! # Tables here whose every value 'sakmak verify' found right, and how it was done:
//! # table, checksum of its file, then the same of the files its moves lead to.
//! verifier 1
//! KRvK c7358c2b9ad4a2e8
//! KRvKP 0b97fd0efab4f4a1 KRvK c7358c2b9ad4a2e8 KPvK - ...
//! ```
//!
//! `-` stands for a table without a file, which was solved on the spot. A line is valid while all
//! its checksums are those of the files. The caller checks that the bytes of a file have its
//! checksum. A ledger of another verifier, or one that cannot be parsed, counts as empty: the
//! tables are verified again.

use crate::store::TableStore;
use crate::system::atomic_file::write_atomically;
use crate::system::lock_file::LockFile;
use sakmak_probe::file::open_file::FileError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file name of the ledger.
pub const FILE_NAME: &str = "verified.txt";

/// The version of the verifier; raised when it checks more than before.
const VERIFIER: u32 = 1;

/// The text above all lines.
const PREAMBLE: &str = "\
# Tables here whose every value 'sakmak verify' found right, and how it was done:
# table, checksum of its file, then the same of the files its moves lead to.
";

/// The files with which a table was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The checksum of the table's file.
    checksum: u64,
    /// The checksums of the files that its moves lead to; `None` for a table without a file.
    smaller: BTreeMap<TableName, Option<u64>>,
}

impl Evidence {
    /// The files that a table would be verified with now; `None` if it has no file.
    ///
    /// # Errors
    ///
    /// If one of the files is broken.
    pub fn now(
        name: TableName,
        store: &TableStore<'_>,
        rules: &Rules,
    ) -> Result<Option<Evidence>, FileError> {
        let checksum = |name| -> Result<Option<u64>, FileError> {
            Ok(store.file(name)?.map(|file| file.checksum()))
        };
        let Some(sum) = checksum(name)? else { return Ok(None) };
        let smaller = name.successors(rules).into_iter();
        let smaller = smaller.map(|smaller| Ok((smaller, checksum(smaller)?)));
        Ok(Some(Evidence { checksum: sum, smaller: smaller.collect::<Result<_, _>>()? }))
    }

    /// The line of the ledger.
    fn line(&self, name: TableName) -> String {
        let mut line = format!("{name} {:016x}", self.checksum);
        for (smaller, checksum) in &self.smaller {
            let sum = checksum.map_or_else(|| "-".to_string(), |sum| format!("{sum:016x}"));
            // Writing to a string cannot fail.
            let _ = write!(line, " {smaller} {sum}");
        }
        line
    }

    /// Parses a line of the ledger; `None` if it is malformed.
    fn from_line(line: &str) -> Option<(TableName, Evidence)> {
        let words: Vec<&str> = line.split(' ').collect();
        let mut pairs = words.chunks(2).map(|pair| {
            let &[name, sum] = pair else { return None };
            let sum = match sum {
                "-" => None,
                sum => Some(u64::from_str_radix(sum, 16).ok()?),
            };
            Some((name.parse::<TableName>().ok()?, sum))
        });
        let (name, checksum) = pairs.next()??;
        let smaller = pairs.collect::<Option<_>>()?;
        Some((name, Evidence { checksum: checksum?, smaller }))
    }
}

/// The ledger of one directory.
#[derive(Debug)]
pub struct Ledger {
    directory: PathBuf,
    lines: BTreeMap<TableName, Evidence>,
}

impl Ledger {
    /// Reads the ledger of a directory; it is empty if there is none that can be parsed.
    ///
    /// # Errors
    ///
    /// If it is there and cannot be read.
    pub fn read(directory: &Path) -> io::Result<Ledger> {
        let bytes = match std::fs::read(directory.join(FILE_NAME)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let lines = std::str::from_utf8(&bytes).ok().and_then(lines).unwrap_or_default();
        Ok(Ledger { directory: directory.to_path_buf(), lines })
    }

    /// Whether this table was verified with exactly these files.
    pub fn holds(&self, name: TableName, evidence: &Evidence) -> bool {
        self.lines.get(&name) == Some(evidence)
    }

    /// Records that a table was verified. The file is replaced atomically; other processes that
    /// record something wait.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the directory cannot be written to. Then the file stays as it
    /// was.
    pub fn add(&mut self, name: TableName, evidence: Evidence) -> io::Result<()> {
        let _lock = LockFile::wait(&self.directory.join(format!(".{FILE_NAME}.lock")))?;
        // Another process may have added lines in the meantime.
        self.lines.extend(Ledger::read(&self.directory)?.lines);
        self.lines.insert(name, evidence);
        let mut text = format!("{PREAMBLE}verifier {VERIFIER}\n");
        for (&name, evidence) in &self.lines {
            text += &evidence.line(name);
            text.push('\n');
        }
        write_atomically(&self.directory, FILE_NAME, |file| file.write_all(text.as_bytes()))
    }
}

/// Parses a ledger of this verifier; `None` if it is malformed or of another verifier.
fn lines(text: &str) -> Option<BTreeMap<TableName, Evidence>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    if lines.next()? != format!("verifier {VERIFIER}") {
        return None;
    }
    lines.map(Evidence::from_line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> TableName {
        name.parse().unwrap()
    }

    fn evidence(checksum: u64) -> Evidence {
        let smaller = [(table("KPvK"), Some(7)), (table("KRvK"), None)].into();
        Evidence { checksum, smaller }
    }

    #[test]
    fn added_tables_are_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (table("KRvKP"), table("KNvKP"));
        let mut ledger = Ledger::read(directory.path()).unwrap();
        assert!(!ledger.holds(one, &evidence(1)));
        let mut another = Ledger::read(directory.path()).unwrap();
        ledger.add(one, evidence(1)).unwrap();
        another.add(other, evidence(u64::MAX)).unwrap();
        let ledger = Ledger::read(directory.path()).unwrap();
        assert!(ledger.holds(one, &evidence(1)) && ledger.holds(other, &evidence(u64::MAX)));
        assert!(!ledger.holds(one, &evidence(2)) && !ledger.holds(other, &evidence(1)));
        let names = std::fs::read_dir(directory.path()).unwrap();
        assert_eq!(names.count(), 1);
    }

    #[test]
    fn what_several_add_at_once_is_all_recorded() {
        let directory = tempfile::tempdir().unwrap();
        let names: Vec<TableName> =
            ["KRvK", "KNvK", "KSvK", "KMvK", "KPvK", "KRvKP", "KNvKP", "KSvKP"].map(table).into();
        std::thread::scope(|scope| {
            for &name in &names {
                let mut ledger = Ledger::read(directory.path()).unwrap();
                scope.spawn(move || ledger.add(name, evidence(1)).unwrap());
            }
        });
        let ledger = Ledger::read(directory.path()).unwrap();
        for name in names {
            assert!(ledger.holds(name, &evidence(1)), "{name}");
        }
    }

    #[test]
    fn a_ledger_that_cannot_be_read_is_an_error_and_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::read(directory.path()).unwrap();
        // A read of a directory fails for every user.
        std::fs::create_dir(directory.path().join(FILE_NAME)).unwrap();
        assert!(Ledger::read(directory.path()).is_err());
        assert!(ledger.add(table("KRvKP"), evidence(1)).is_err());
        let entries = std::fs::read_dir(directory.path()).unwrap();
        let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [FILE_NAME]);
    }

    #[test]
    fn a_malformed_ledger_is_none() {
        let good = "# x\nverifier 1\nKRvKP 01 KRvK - KPvK 02\n";
        assert_eq!(lines(good).unwrap().len(), 1);
        for bad in [
            "",
            "KRvK 01\n",
            "verifier 2\nKRvK 01\n",
            "verifier 1\nKRvK\n",
            "verifier 1\nKRvK -\n",
            "verifier 1\nKRvK 01 KPvK\n",
            "verifier 1\nKXvK 01\n",
            "verifier 1\nKRvK 0x1\n",
        ] {
            assert_eq!(lines(bad), None, "{bad:?}");
        }
    }
}
