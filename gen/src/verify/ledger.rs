//! The record of what was verified in a directory of tables.
//!
//! A text file beside the tables, a line each, in the order of materials:
//!
//! ```text
//! # Tables here whose every value 'sakmak verify' found right, and how it was done:
//! # table, checksum of its file, then the same of the files its moves lead to.
//! verifier 1
//! KRvK c7358c2b9ad4a2e8
//! KRvKP 0b97fd0efab4f4a1 KRvK c7358c2b9ad4a2e8 KPvK - ...
//! ```
//!
//! `-` stands for a table that was in no file but solved on the spot. A line counts only
//! while all these checksums are those of the files; that every byte of a file belongs to
//! its checksum is for whoever asks to find out. A record of another verifier, or one that
//! cannot be read, is as good as none: the tables are verified anew.

use crate::store::TableStore;
use crate::system::atomic_file::write_atomically;
use sakmak_probe::file::open_file::FileError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The name of the record.
pub const FILE_NAME: &str = "verified.txt";

/// Counted up when the verifier comes to find more than before.
const VERIFIER: u32 = 1;

/// What stands above all lines.
const PREAMBLE: &str = "\
# Tables here whose every value 'sakmak verify' found right, and how it was done:
# table, checksum of its file, then the same of the files its moves lead to.
";

/// What a table was verified with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The checksum of the table's file.
    checksum: u64,
    /// Those of the files its moves lead to; nothing where there was no file.
    smaller: BTreeMap<TableName, Option<u64>>,
}

impl Evidence {
    /// What there is now to verify a table with; nothing where it has no file.
    ///
    /// # Errors
    ///
    /// When one of the files is broken.
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

    /// As a line of the record has it.
    fn line(&self, name: TableName) -> String {
        let mut line = format!("{name} {:016x}", self.checksum);
        for (smaller, checksum) in &self.smaller {
            let sum = checksum.map_or_else(|| "-".to_string(), |sum| format!("{sum:016x}"));
            // A string takes whatever is written.
            let _ = write!(line, " {smaller} {sum}");
        }
        line
    }

    /// A line of the record; nothing for what is none.
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

/// The record of one directory.
#[derive(Debug)]
pub struct Ledger {
    directory: PathBuf,
    lines: BTreeMap<TableName, Evidence>,
}

impl Ledger {
    /// The record of a directory; an empty one where there is none that can be read.
    pub fn read(directory: &Path) -> Ledger {
        let text = std::fs::read_to_string(directory.join(FILE_NAME)).unwrap_or_default();
        Ledger { directory: directory.to_path_buf(), lines: lines(&text).unwrap_or_default() }
    }

    /// Whether this table was verified, and with just this.
    pub fn holds(&self, name: TableName, evidence: &Evidence) -> bool {
        self.lines.get(&name) == Some(evidence)
    }

    /// Puts down that a table was verified; all of it or nothing gets to the disk.
    ///
    /// # Errors
    ///
    /// When the directory cannot be written to.
    pub fn add(&mut self, name: TableName, evidence: Evidence) -> io::Result<()> {
        // Another process may have put something down since.
        self.lines.extend(Ledger::read(&self.directory).lines);
        self.lines.insert(name, evidence);
        let mut text = format!("{PREAMBLE}verifier {VERIFIER}\n");
        for (&name, evidence) in &self.lines {
            text += &evidence.line(name);
            text.push('\n');
        }
        write_atomically(&self.directory, FILE_NAME, |file| file.write_all(text.as_bytes()))
    }
}

/// The lines of a record by this verifier; nothing for what is none.
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
    fn what_was_put_down_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (table("KRvKP"), table("KNvKP"));
        let mut record = Ledger::read(directory.path());
        assert!(!record.holds(one, &evidence(1)));
        let mut another = Ledger::read(directory.path());
        record.add(one, evidence(1)).unwrap();
        another.add(other, evidence(u64::MAX)).unwrap();
        let record = Ledger::read(directory.path());
        assert!(record.holds(one, &evidence(1)) && record.holds(other, &evidence(u64::MAX)));
        assert!(!record.holds(one, &evidence(2)) && !record.holds(other, &evidence(1)));
        let names = std::fs::read_dir(directory.path()).unwrap();
        assert_eq!(names.count(), 1);
    }

    #[test]
    fn a_record_that_cannot_be_read_is_none() {
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
