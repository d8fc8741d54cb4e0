//! The tables of a folder, for the message after `setoption name SakmakPath`.

use sakmak_probe::{ProbeError, Tablebase};
use sakmak_tables::format::name::TableName;
use sakmak_tables::variants;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// The maximum number of entries of a folder that are searched for folders with tables.
const MOST_ENTRIES: usize = 1_000;

/// The tables of a folder and of its variant folders, found by file name.
pub struct FolderTables {
    path: PathBuf,
    tables: usize,
    most_men: usize,
    /// Another folder in this folder that has tables, which are not read.
    unread: Option<PathBuf>,
}

impl FolderTables {
    /// Lists a folder. A folder that cannot be read has no tables.
    pub fn of(path: &Path) -> FolderTables {
        let names = table_names(path).unwrap_or_default();
        let most_men = names.iter().map(|(_, name)| name.material.men()).max().unwrap_or_default();
        let unread = other_folders(path).into_iter();
        let mut unread =
            unread.filter(|folder| table_names(folder).is_ok_and(|names| !names.is_empty()));
        FolderTables {
            path: path.to_path_buf(),
            tables: names.len(),
            most_men,
            unread: unread.next(),
        }
    }
}

/// The tables whose files a tablebase of this folder reads, each with the folder of its variant.
fn table_names(path: &Path) -> Result<HashSet<(Option<&'static str>, TableName)>, ProbeError> {
    let mut folder = Tablebase::new();
    folder.add_directory(path)?;
    let mut names = HashSet::new();
    for variant in variants::all() {
        let files = folder.table_files_of(&variant.rules)?;
        names.extend(files.into_iter().map(|file| (variant.rules.folder, file.table)));
    }
    Ok(names)
}

/// The folders in a folder that belong to no variant, sorted by name.
fn other_folders(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).into_iter().flatten().take(MOST_ENTRIES).flatten();
    let is_of_variant = |name: &OsStr| {
        variants::all().any(|variant| variant.rules.folder.is_some_and(|own| name == own))
    };
    let folders = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
    let mut folders: Vec<PathBuf> =
        folders.filter(|path| !path.file_name().is_some_and(is_of_variant)).collect();
    folders.sort();
    folders
}

impl fmt::Display for FolderTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tables", self.tables)?;
        if self.tables > 0 {
            write!(f, " of up to {} men", self.most_men)?;
        }
        write!(f, " in {}", self.path.display())?;
        match &self.unread {
            Some(unread) => write!(f, "; tables in {} are not read: name it too", unread.display()),
            None => Ok(()),
        }
    }
}
