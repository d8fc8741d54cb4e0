//! The list of the files of a set.

use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// The name of the list in the folder of a set.
pub const LIST: &str = "set.json";

/// A published set of files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Set {
    /// What it is, for people.
    pub title: String,
    /// Its files.
    pub files: Vec<SetFile>,
}

/// A file of a set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetFile {
    /// Its path below the folder of the set, with `/` between names.
    pub path: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// The SHA-256 of its bytes, as 64 hexadecimal digits in lower case.
    pub sha256: String,
}

impl Set {
    /// Parses a list.
    ///
    /// # Errors
    ///
    /// If the text is not a list, or a path in it leads out of the folder of the set.
    pub fn parse(text: &str) -> Result<Set, String> {
        let set: Set = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match set.files.iter().find(|file| !is_inside(&file.path)) {
            Some(file) => Err(format!("{:?} is not a path inside a folder", file.path)),
            None => Ok(set),
        }
    }
}

/// Whether a path stays in its folder on every system.
fn is_inside(path: &str) -> bool {
    let is_plain = !path.contains(['\\', ':', '\0']);
    let mut components = Path::new(path).components();
    is_plain && !path.is_empty() && components.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_out_of_the_folder_is_refused() {
        let list = |path: &str| {
            let file = SetFile { path: path.into(), bytes: 1, sha256: "0".repeat(64) };
            serde_json::to_string(&Set { title: "a set".into(), files: vec![file] }).unwrap()
        };
        for path in ["KRvK.dtm.smp", "ouk/KRvK.ouk.smv"] {
            assert_eq!(Set::parse(&list(path)).unwrap().files[0].path, path);
        }
        for path in ["", "..", "../KRvK.dtm.smp", "a/../../b", "/etc/a", "c:\\a", "a\\b", "./../a"]
        {
            let error = Set::parse(&list(path)).unwrap_err();
            assert!(error.contains("is not a path inside a folder"), "{path}: {error}");
        }
        assert!(Set::parse("{}").is_err());
    }
}
