//! The list of the files of a set.

use super::name::is_known;
use sakmak_tables::excerpt::Excerpt;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// The name of the list in the folder of a set.
pub const LIST: &str = "set.json";

/// The longest list, in bytes. An entry takes about 150.
pub(super) const LONGEST_LIST: usize = 16 << 20;

/// The longest file, in bytes: a PiB.
const LONGEST_FILE: u64 = 1 << 50;

/// A published set of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Set {
    /// Description for people.
    pub title: String,
    /// The files of the set.
    pub files: Vec<SetFile>,
}

/// A file of a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetFile {
    /// The path below the folder of the set, with `/` between names.
    pub path: String,
    /// The length in bytes.
    pub bytes: u64,
    /// The SHA-256 of the bytes, as 64 hexadecimal digits in lower case.
    pub sha256: String,
}

/// A text that is not the list of a set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// The text is longer than a list may be.
    #[error("it has more than {LONGEST_LIST} bytes")]
    Long,
    /// The text is not JSON, or has other fields.
    #[error("{0}")]
    Json(Excerpt),
    /// A path does not name a file that a set may have.
    #[error(
        "'{0}' is not the name of a table file; expected names such as KRvK.dtm.smp, janggi/KRvK.smg or \
         README.md"
    )]
    Name(Excerpt),
    /// Two entries have the same path, letter case aside.
    #[error("{0} has two entries")]
    Twice(String),
    /// A length is impossible for a file.
    #[error("{path} has {bytes} bytes; expected 1 to {LONGEST_FILE}")]
    Length {
        /// The path.
        path: String,
        /// The length.
        bytes: u64,
    },
    /// A checksum has another form.
    #[error("the SHA-256 of {path} is '{found}'; expected 64 hexadecimal digits")]
    Sha256 {
        /// The path.
        path: String,
        /// The text found instead of a checksum.
        found: Excerpt,
    },
}

impl Set {
    /// Parses a list. Checksums come out in lower case.
    ///
    /// # Errors
    ///
    /// If the text is not a list, or an entry does not describe a file that this program could have
    /// written: it has another name, an impossible length or checksum, or the path of an earlier
    /// entry.
    pub fn parse(text: &[u8]) -> Result<Set, ListError> {
        if text.len() > LONGEST_LIST {
            return Err(ListError::Long);
        }
        let json = |error: serde_json::Error| ListError::Json(Excerpt::of(&error.to_string()));
        let mut set: Set = serde_json::from_slice(text).map_err(json)?;
        let mut paths = HashSet::new();
        for SetFile { path, bytes, sha256 } in &mut set.files {
            if !is_known(path) {
                return Err(ListError::Name(quoted(path)));
            }
            // Systems that ignore letter case would write both to one file.
            if !paths.insert(path.to_ascii_lowercase()) {
                return Err(ListError::Twice(path.clone()));
            }
            if !(1..=LONGEST_FILE).contains(bytes) {
                return Err(ListError::Length { path: path.clone(), bytes: *bytes });
            }
            if sha256.len() != 64 || !sha256.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(ListError::Sha256 { path: path.clone(), found: quoted(sha256) });
            }
            sha256.make_ascii_lowercase();
        }
        Ok(set)
    }
}

/// Returns the beginning of a foreign text, without marks that change how a terminal shows the
/// rest.
pub(super) fn quoted(text: &str) -> Excerpt {
    let beginning = text.chars().take(Excerpt::LONGEST + 1);
    Excerpt::of(&beginning.flat_map(char::escape_debug).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(files: &[(&str, u64, &str)]) -> Vec<u8> {
        let files = files.iter().map(|&(path, bytes, sha256)| SetFile {
            path: path.into(),
            bytes,
            sha256: sha256.into(),
        });
        serde_json::to_vec(&Set { title: "a set".into(), files: files.collect() }).unwrap()
    }

    #[test]
    fn a_list_of_tables_is_parsed() {
        let [low, high] = ["0f".repeat(32), "0F".repeat(32)];
        let text = list(&[("KRvK.dtm.smp", 1, &low), ("asean/KPvK.dtm.smp", 1 << 50, &high)]);
        let set = Set::parse(&text).unwrap();
        assert_eq!(set.files[1].path, "asean/KPvK.dtm.smp");
        assert!(set.files.iter().all(|file| file.sha256 == low));
    }

    #[test]
    fn entries_that_cannot_be_right_are_refused() {
        let sha256 = "0".repeat(64);
        let table = "KRvK.dtm.smp";
        let [long, short, strange] = ["0".repeat(65), "0".repeat(63), "g".repeat(64)];
        let two = [(table, 1, &*sha256), (table, 2, &*sha256)];
        let far = format!("../{}", "x".repeat(1 << 20));
        for (files, expected) in [
            (&[("../KRvK.dtm.smp", 1, &*sha256)][..], "'../KRvK.dtm.smp' is not the name"),
            (&[(&far, 1, &*sha256)], "'../xxx"),
            (&[("\u{202e}\u{1b}[2J", 1, &*sha256)], "'\\u{202e}\\u{1b}[2J' is not the name"),
            (&two, "KRvK.dtm.smp has two entries"),
            (&[(table, 0, &*sha256)], "KRvK.dtm.smp has 0 bytes"),
            (&[(table, (1 << 50) + 1, &*sha256)], "expected 1 to 1125899906842624"),
            (&[(table, 1, "")], "the SHA-256 of KRvK.dtm.smp is ''"),
            (&[(table, 1, &long)], "expected 64 hexadecimal digits"),
            (&[(table, 1, &short)], "expected 64 hexadecimal digits"),
            (&[(table, 1, &strange)], "expected 64 hexadecimal digits"),
        ] {
            let error = Set::parse(&list(files)).unwrap_err().to_string();
            assert!(error.contains(expected) && error.len() < 300, "{error}");
        }
        let string = format!("{{\"title\":\"\",\"files\":\"{}\"}}", "x".repeat(1 << 20));
        let long = " ".repeat(LONGEST_LIST + 1);
        for text in ["{}", "", "\u{feff}{}", "[", &"[".repeat(1 << 20), &string, &long] {
            let error = Set::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.len() < 300, "{error}");
        }
        assert!(Set::parse(b"\xff\xfe").is_err());
    }
}
