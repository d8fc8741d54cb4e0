//! The ledger of the tables of a directory that have been verified.
//!
//! It is a text file beside the tables, one line for each table, in the order of materials:
//!
//! ```text
//! # Tables here whose every value 'sakmak verify' found right, and how it was done:
//! # table, checksum of its file, then the same of the files its moves lead to, and a
//! # code that only the key of the user who verified it gives.
//! verifier 1
//! KRvK c7358c2b9ad4a2e8 by 50b4...
//! KRvKP 0b97fd0efab4f4a1 KRvK c7358c2b9ad4a2e8 KPvK - ... by 1f0e...
//! ```
//!
//! `-` stands for a table without a file, which was solved on the spot. A line is valid while all
//! its checksums are those of the files, and if its code is that of this user's key: a line that
//! came with downloaded tables is not. The caller checks that the bytes of a file have its
//! checksum. A ledger of another verifier, or one that cannot be parsed, counts as empty: the
//! tables are verified again.

use crate::store::TableStore;
use crate::system::atomic_file::write_atomically;
use crate::system::lock_file::LockFile;
use crate::verify::key::RecordKey;
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
# table, checksum of its file, then the same of the files its moves lead to, and a
# code that only the key of the user who verified it gives.
";

/// What stands before the code of a line.
const BY: &str = " by ";

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

    /// The line of the ledger, without its code.
    fn line(&self, name: TableName) -> String {
        let mut line = format!("{name} {:016x}", self.checksum);
        for (smaller, checksum) in &self.smaller {
            let sum = checksum.map_or_else(|| "-".to_string(), |sum| format!("{sum:016x}"));
            // Writing to a string cannot fail.
            let _ = write!(line, " {smaller} {sum}");
        }
        line
    }

    /// Parses a line of the ledger without its code; `None` if it is malformed.
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

/// A line of the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
struct LedgerLine {
    evidence: Evidence,
    /// The code; `None` in a ledger of version 0.1.
    code: Option<String>,
}

impl LedgerLine {
    /// A record that this key is believed to have made.
    fn new(name: TableName, evidence: Evidence, key: &RecordKey) -> LedgerLine {
        let code = Some(code(&evidence.line(name), key));
        LedgerLine { evidence, code }
    }

    fn line(&self, name: TableName) -> String {
        let line = self.evidence.line(name);
        match &self.code {
            Some(code) => line + BY + code,
            None => line,
        }
    }
}

/// The code of a line for this verifier.
fn code(line: &str, key: &RecordKey) -> String {
    key.code(&format!("verifier {VERIFIER}\n{line}"))
}

/// How a ledger records a table with the files that it has now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// The user verified it.
    Here,
    /// Another user did, or it says so without being true.
    Elsewhere,
    /// It does not record the table, or with other files.
    No,
}

/// The ledger of one directory.
pub struct Ledger {
    directory: PathBuf,
    key: RecordKey,
    records: BTreeMap<TableName, LedgerLine>,
}

impl Ledger {
    /// Reads the ledger of a directory for the user of this key; it is empty if there is none that
    /// can be parsed.
    ///
    /// # Errors
    ///
    /// If it is there and cannot be read.
    pub fn read(directory: &Path, key: RecordKey) -> io::Result<Ledger> {
        let lock = lock_path(directory);
        if lock.is_file() {
            // Of a killed process, perhaps: taken and dropped, it is removed. If that fails, it
            // stays and hinders nobody.
            drop(LockFile::try_new(&lock));
        }
        Ok(Ledger { directory: directory.to_path_buf(), key, records: read(directory)? })
    }

    /// Whether this table was verified with exactly these files.
    pub fn recorded(&self, name: TableName, evidence: &Evidence) -> Recorded {
        match self.records.get(&name) {
            Some(record) if record.evidence != *evidence => Recorded::No,
            Some(record) if *record == LedgerLine::new(name, evidence.clone(), &self.key) => {
                Recorded::Here
            }
            Some(_) => Recorded::Elsewhere,
            None => Recorded::No,
        }
    }

    /// Records that a table was verified. The file is replaced atomically; other processes that
    /// record something wait.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the directory cannot be written to. Then the file stays as it
    /// was.
    pub fn add(&mut self, name: TableName, evidence: Evidence) -> io::Result<()> {
        let _lock = LockFile::wait(&lock_path(&self.directory))?;
        // Another process may have added lines in the meantime.
        self.records.extend(read(&self.directory)?);
        self.records.insert(name, LedgerLine::new(name, evidence, &self.key));
        let mut text = format!("{PREAMBLE}verifier {VERIFIER}\n");
        for (&name, record) in &self.records {
            text += &record.line(name);
            text.push('\n');
        }
        write_atomically(&self.directory, FILE_NAME, |file| file.write_all(text.as_bytes()))
    }
}

/// The lock of whoever writes the ledger of a directory.
fn lock_path(directory: &Path) -> PathBuf {
    directory.join(format!(".{FILE_NAME}.lock"))
}

/// Reads the records of a directory; none if there is no ledger that can be parsed.
fn read(directory: &Path) -> io::Result<BTreeMap<TableName, LedgerLine>> {
    let bytes = match std::fs::read(directory.join(FILE_NAME)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    Ok(std::str::from_utf8(&bytes).ok().and_then(records).unwrap_or_default())
}

/// Parses a ledger of this verifier; `None` if it is malformed or of another verifier.
fn records(text: &str) -> Option<BTreeMap<TableName, LedgerLine>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    if lines.next()? != format!("verifier {VERIFIER}") {
        return None;
    }
    let record = |line: &str| {
        let (line, code) = match line.split_once(BY) {
            Some((line, code)) => (line, Some(code.to_string())),
            None => (line, None),
        };
        let (name, evidence) = Evidence::from_line(line)?;
        Some((name, LedgerLine { evidence, code }))
    };
    lines.map(record).collect()
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

    const USER: RecordKey = RecordKey([1; 32]);
    const OTHER_USER: RecordKey = RecordKey([2; 32]);

    fn ledger(directory: &Path) -> Ledger {
        Ledger::read(directory, USER).unwrap()
    }

    #[test]
    fn added_tables_are_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (table("KRvKP"), table("KNvKP"));
        let mut ledger = self::ledger(directory.path());
        let holds =
            |ledger: &Ledger, name, sum| ledger.recorded(name, &evidence(sum)) == Recorded::Here;
        assert!(!holds(&ledger, one, 1));
        let mut another = self::ledger(directory.path());
        ledger.add(one, evidence(1)).unwrap();
        another.add(other, evidence(u64::MAX)).unwrap();
        let ledger = self::ledger(directory.path());
        assert!(holds(&ledger, one, 1) && holds(&ledger, other, u64::MAX));
        assert!(!holds(&ledger, one, 2) && !holds(&ledger, other, 1));
        let names = std::fs::read_dir(directory.path()).unwrap();
        assert_eq!(names.count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_left_behind_goes_and_a_held_one_stays() {
        let directory = tempfile::tempdir().unwrap();
        let lock = lock_path(directory.path());
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
        let names: Vec<TableName> =
            ["KRvK", "KNvK", "KSvK", "KMvK", "KPvK", "KRvKP", "KNvKP", "KSvKP"].map(table).into();
        std::thread::scope(|scope| {
            for &name in &names {
                let mut ledger = self::ledger(directory.path());
                scope.spawn(move || ledger.add(name, evidence(1)).unwrap());
            }
        });
        let ledger = self::ledger(directory.path());
        for name in names {
            assert_eq!(ledger.recorded(name, &evidence(1)), Recorded::Here, "{name}");
        }
    }

    #[test]
    fn records_of_others_are_kept_and_not_believed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE_NAME);
        let [one, other, third] = ["KRvKP", "KNvKP", "KSvKP"].map(table);
        let recorded = |name| ledger(directory.path()).recorded(name, &evidence(1));
        ledger(directory.path()).add(one, evidence(1)).unwrap();
        Ledger::read(directory.path(), OTHER_USER).unwrap().add(other, evidence(1)).unwrap();
        assert_eq!([one, other].map(recorded), [Recorded::Here, Recorded::Elsewhere]);
        // The same line in the name of another table or with another checksum, and without a code.
        let text = std::fs::read_to_string(&path).unwrap();
        for (forged, expected) in [
            (text.replace("KRvKP", "KSvKP"), [Recorded::No, Recorded::Elsewhere]),
            (text.replace(" 0000000000000007", " 0000000000000008"), [Recorded::No; 2]),
            (text.replace(BY, " by 0"), [Recorded::Elsewhere, Recorded::No]),
            (
                text.lines()
                    .map(|line| line.split(BY).next().unwrap_or_default().to_string() + "\n")
                    .collect(),
                [Recorded::Elsewhere, Recorded::No],
            ),
        ] {
            std::fs::write(&path, &forged).unwrap();
            assert_eq!([one, third].map(recorded), expected, "{forged}");
        }
        // What is verified again takes the place of the other's record.
        std::fs::write(&path, &text).unwrap();
        ledger(directory.path()).add(other, evidence(1)).unwrap();
        assert_eq!([one, other].map(recorded), [Recorded::Here; 2]);
    }

    #[test]
    fn a_ledger_that_cannot_be_read_is_an_error_and_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let mut ledger = ledger(directory.path());
        // A read of a directory fails for every user.
        std::fs::create_dir(directory.path().join(FILE_NAME)).unwrap();
        assert!(Ledger::read(directory.path(), USER).is_err());
        assert!(ledger.add(table("KRvKP"), evidence(1)).is_err());
        let entries = std::fs::read_dir(directory.path()).unwrap();
        let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [FILE_NAME]);
    }

    #[test]
    fn a_malformed_ledger_is_none() {
        let good = "# x\nverifier 1\nKRvKP 01 KRvK - KPvK 02 by 12\nKRvK 01\n";
        assert_eq!(records(good).unwrap().len(), 2);
        for bad in [
            "",
            "KRvK 01\n",
            "verifier 2\nKRvK 01\n",
            "verifier 1\nKRvK\n",
            "verifier 1\nKRvK -\n",
            "verifier 1\nKRvK 01 KPvK\n",
            "verifier 1\nKXvK 01\n",
            "verifier 1\nKRvK 0x1\n",
            "verifier 1\nby 01\n",
        ] {
            assert_eq!(records(bad), None, "{bad:?}");
        }
    }
}
