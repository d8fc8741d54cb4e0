//! Lists of available tables: files of the directories that have the name of a table.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::rules::Rules;
use sakmak_tables::variants;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::PathBuf;

/// A file with the name of a table. It has not been opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFile {
    /// Its path.
    pub path: PathBuf,
    /// Its format.
    pub kind: FormatKind,
    /// Its table; of a WDL file, the counted distances from which its categories follow.
    pub table: TableName,
}

impl TableFile {
    /// The file at a path. `None` if its name is not that of a table.
    fn of_path(path: PathBuf) -> Option<TableFile> {
        let name = path.file_name().and_then(OsStr::to_str)?;
        let solved = || Some((FormatKind::Solved, TableName::of_file_name(name)?));
        let packed = || Some((FormatKind::Packed, TableName::of_packed_file_name(name)?));
        let wdl = || {
            let WdlName { material, counting_rule } = WdlName::of_file_name(name)?;
            let metric = Metric::Counted(counting_rule);
            Some((FormatKind::Wdl, TableName { material, metric }))
        };
        let (kind, table) = solved().or_else(packed).or_else(wdl)?;
        Some(TableFile { path, kind, table })
    }
}

/// Lists of available tables.
impl Tablebase {
    /// The files of tables in all directories, in the order in which directories are searched, then
    /// by name. Reads the directories anew and opens no file. Files in the folders of other rules
    /// are left out, see [`Tablebase::table_files_of`].
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn table_files(&self) -> Result<Vec<TableFile>, ProbeError> {
        self.files_in(self.directories().to_vec())
    }

    /// As [`Tablebase::table_files`], where the files of tables with these rules are. A folder that
    /// is missing has none.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn table_files_of(&self, rules: &Rules) -> Result<Vec<TableFile>, ProbeError> {
        let paths = self.directories().iter().map(|directory| rules.files_in(directory));
        let is_there = |path: &PathBuf| rules.folder.is_none() || path.is_dir();
        self.files_in(paths.filter(is_there).collect())
    }

    fn files_in(&self, directories: Vec<PathBuf>) -> Result<Vec<TableFile>, ProbeError> {
        let mut files = Vec::new();
        for directory in directories {
            let error = |source| ProbeError::Directory { path: directory.clone(), source };
            let mut paths = Vec::new();
            for entry in std::fs::read_dir(&directory).map_err(error)? {
                paths.push(entry.map_err(error)?.path());
            }
            paths.sort();
            files.extend(paths.into_iter().filter_map(TableFile::of_path));
        }
        Ok(files)
    }

    /// The greatest number of men, kings included, of a table that may answer under this counting
    /// rule, 0 if there is none. A position with more men is not worth a probe. Reads as
    /// [`Tablebase::table_files`].
    ///
    /// ```
    /// use sakmak_probe::{MAKRUK, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// assert_eq!(tables.largest(MAKRUK.counting())?, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table_files`].
    pub fn largest(&self, counting_rule: &CountingRule) -> Result<usize, ProbeError> {
        let files = self.table_files_of(&variants::counted_by(counting_rule).rules)?;
        let answers = files.iter().filter(|file| file.may_answer(counting_rule));
        Ok(answers.map(men).max().unwrap_or(0))
    }

    /// As [`Tablebase::largest`], of the WDL files alone, which answer [`Tablebase::wdl`].
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table_files`].
    pub fn largest_wdl(&self, counting_rule: &CountingRule) -> Result<usize, ProbeError> {
        let files = self.table_files_of(&variants::counted_by(counting_rule).rules)?;
        let answers = |file: &&TableFile| {
            file.kind == FormatKind::Wdl && file.table.metric.counting_rule() == Some(counting_rule)
        };
        Ok(files.iter().filter(answers).map(men).max().unwrap_or(0))
    }

    /// As [`Tablebase::largest`], of the materials with tables of both distances, which answer
    /// [`Tablebase::category`] and [`Tablebase::moves`]. A subtable may be missing.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table_files`].
    pub fn largest_root(&self, counting_rule: &'static CountingRule) -> Result<usize, ProbeError> {
        let rules = &variants::counted_by(counting_rule).rules;
        let files = self.table_files_of(rules)?;
        let files = files.iter().filter(|file| file.kind != FormatKind::Wdl);
        let tables: HashSet<TableName> = files.map(|file| file.table).collect();
        let metrics = [Metric::distance(rules), Metric::Counted(counting_rule)];
        let is_whole = |table: &&TableName| {
            metrics
                .iter()
                .all(|&metric| tables.contains(&TableName::deciding(table.material, metric)))
        };
        Ok(tables.iter().filter(is_whole).map(|table| table.material.men()).max().unwrap_or(0))
    }
}

fn men(file: &TableFile) -> usize {
    file.table.material.men()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;
    use std::fs;

    #[test]
    fn files_are_listed_by_directory_and_others_are_left_out() {
        let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        for name in ["KRvKN.makruk.smt", "KRvK.dtm.smp", "note.txt", "KNvKR.dtm.smt"] {
            fs::write(first.path().join(name), "").unwrap();
        }
        fs::write(second.path().join("KRMvKN.ouk.smv"), "").unwrap();
        let mut tables = Tablebase::open(first.path()).unwrap();
        tables.add_directory(second.path()).unwrap();
        let listed: Vec<(FormatKind, String)> = tables
            .table_files()
            .unwrap()
            .iter()
            .map(|file| (file.kind, file.table.to_string()))
            .collect();
        let expected = [
            (FormatKind::Packed, "KRvK"),
            (FormatKind::Solved, "KRvKN.makruk"),
            (FormatKind::Wdl, "KRMvKN.ouk"),
        ];
        assert_eq!(listed, expected.map(|(kind, name)| (kind, name.to_string())));
        let largest = |rule| tables.largest(variants::counting_rule(rule).unwrap()).unwrap();
        assert_eq!((largest("makruk"), largest("ouk"), largest("ouk-traditional")), (4, 5, 3));
        let makruk = MAKRUK.counting();
        let largest = |tables: &Tablebase| {
            [tables.largest_wdl(makruk), tables.largest_root(makruk)].map(Result::unwrap)
        };
        // KRvK is decided by its distance to mate, KRvKN.makruk lacks it.
        assert_eq!(largest(&tables), [0, 3]);
        for name in ["KRvKN.dtm.smp", "KRMvKN.makruk.smv"] {
            fs::write(second.path().join(name), "").unwrap();
        }
        assert_eq!(largest(&tables), [5, 4]);
        assert_eq!(Tablebase::new().largest(MAKRUK.counting()).unwrap(), 0);
        drop(second);
        assert!(matches!(tables.table_files(), Err(ProbeError::Directory { .. })));
    }
}
