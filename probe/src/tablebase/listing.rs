//! Lists of available tables: files of the directories with the name of a table.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, MAKRUK};
use std::cmp::Reverse;
use std::collections::BTreeMap;
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
    /// The file at a path. `None` if its name is not the name of a table of these rules.
    #[doc(hidden)]
    pub fn of_path(path: PathBuf, rules: &Rules) -> Option<TableFile> {
        let name = path.file_name().and_then(OsStr::to_str)?;
        let solved = || Some((FormatKind::Solved, TableName::of_file_name(name, rules)?));
        let packed = || Some((FormatKind::Packed, TableName::of_packed_file_name(name, rules)?));
        let wdl = || {
            let WdlName { material, counting_rule } = WdlName::of_file_name(name)?;
            let metric = Metric::Counted(counting_rule);
            Some((FormatKind::Wdl, TableName { material, metric }))
        };
        let (kind, table) = solved().or_else(packed).or_else(wdl)?;
        Some(TableFile { path, kind, table })
    }
}

/// A table with files, and whether they are WDL files.
pub(crate) type ListedTable = (TableName, bool);

/// Lists of available tables.
impl Tablebase {
    /// The table files in all directories, in search order of the directories, then by name. Reads
    /// the directories again and opens no file. Files in the folders of other rules are left out,
    /// see [`Tablebase::table_files_of`].
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn table_files(&self) -> Result<Vec<TableFile>, ProbeError> {
        self.files_in(self.directories().to_vec(), &MAKRUK.rules)
    }

    /// [`Tablebase::table_files`] in the folders for these rules. A missing folder has no files.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn table_files_of(&self, rules: &Rules) -> Result<Vec<TableFile>, ProbeError> {
        let paths = self.directories().iter().map(|directory| rules.files_in(directory));
        let is_there = |path: &PathBuf| rules.folder.is_none() || path.is_dir();
        self.files_in(paths.filter(is_there).collect(), rules)
    }

    /// The files that `is_wanted` selects, by table. Files with more men than any table are left
    /// out: no probe reads them.
    pub(crate) fn files_by_table(
        &self,
        rules: &Rules,
        is_wanted: impl Fn(&TableFile) -> bool,
    ) -> Result<BTreeMap<ListedTable, Vec<TableFile>>, ProbeError> {
        let mut tables = BTreeMap::<_, Vec<_>>::new();
        for file in self.table_files_of(rules)? {
            if is_wanted(&file) && file.table.material.id().is_some() {
                tables.entry((file.table, file.kind == FormatKind::Wdl)).or_default().push(file);
            }
        }
        Ok(tables)
    }

    fn files_in(
        &self,
        directories: Vec<PathBuf>,
        rules: &Rules,
    ) -> Result<Vec<TableFile>, ProbeError> {
        let mut files = Vec::new();
        for directory in directories {
            let error = |source| ProbeError::Directory { path: directory.clone(), source };
            let mut paths = Vec::new();
            for entry in std::fs::read_dir(&directory).map_err(error)? {
                paths.push(entry.map_err(error)?.path());
            }
            paths.sort();
            let file = |path| TableFile::of_path(path, rules);
            files.extend(paths.into_iter().filter_map(file));
        }
        Ok(files)
    }

    /// The maximum number of men, kings included, of a table that may answer under this counting
    /// rule; 0 if no table may. A position with more men is not worth a probe. Lists the
    /// directories again and opens files, the largest first, until one is sound: refused files do
    /// not count.
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
    /// The errors of [`Tablebase::table_files`], and in a child of a fork.
    pub fn largest(&self, counting_rule: &'static CountingRule) -> Result<usize, ProbeError> {
        self.largest_of(counting_rule, |file| file.may_answer(counting_rule))
    }

    /// [`Tablebase::largest`] of the WDL files alone, which answer [`Tablebase::wdl`].
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::largest`].
    pub fn largest_wdl(&self, counting_rule: &'static CountingRule) -> Result<usize, ProbeError> {
        self.largest_of(counting_rule, |file| {
            file.kind == FormatKind::Wdl && file.table.metric.counting_rule() == Some(counting_rule)
        })
    }

    /// [`Tablebase::largest`] of the materials with tables of both distances, which answer
    /// [`Tablebase::category`] and [`Tablebase::moves`]. A subtable may be missing.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::largest`].
    pub fn largest_root(&self, counting_rule: &'static CountingRule) -> Result<usize, ProbeError> {
        let variant = variants::counted_by(counting_rule);
        let distance = Metric::distance(&variant.rules);
        // The rule by which nobody counts has no tables of its own.
        let metrics = match counting_rule.is_uncounted() {
            true => [distance; 2],
            false => [distance, Metric::Counted(counting_rule)],
        };
        let tables = self.files_by_table(&variant.rules, |file| file.kind != FormatKind::Wdl)?;
        let mut materials: Vec<Material> = tables.keys().map(|(table, _)| table.material).collect();
        materials.sort_by_key(|material| Reverse(material.men()));
        materials.dedup();
        for material in materials {
            let mut is_whole = true;
            for metric in metrics {
                let table = (TableName::deciding(material, metric), false);
                is_whole = is_whole
                    && match tables.get(&table) {
                        Some(files) => self.opens(variant, table, files)?,
                        None => false,
                    };
            }
            if is_whole {
                return Ok(material.men());
            }
        }
        Ok(0)
    }

    /// Maximum number of men of a table with a sound file among the files that `is_wanted` selects.
    fn largest_of(
        &self,
        counting_rule: &'static CountingRule,
        is_wanted: impl Fn(&TableFile) -> bool,
    ) -> Result<usize, ProbeError> {
        let variant = variants::counted_by(counting_rule);
        let tables = self.files_by_table(&variant.rules, is_wanted)?;
        let mut tables: Vec<_> = tables.into_iter().collect();
        tables.sort_by_key(|((table, _), _)| Reverse(table.material.men()));
        for (table, files) in tables {
            if self.opens(variant, table, &files)? {
                return Ok(table.0.material.men());
            }
        }
        Ok(0)
    }

    /// Whether a file of a table is not refused.
    fn opens(
        &self,
        variant: &'static Variant,
        table: ListedTable,
        files: &[TableFile],
    ) -> Result<bool, ProbeError> {
        match self.open_listed(variant, table, files) {
            Err(ProbeError::OtherProcess) => Err(ProbeError::OtherProcess),
            opened => Ok(opened.is_ok()),
        }
    }
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
        // Empty files are refused.
        let makruk = MAKRUK.counting();
        let largest = [Tablebase::largest, Tablebase::largest_wdl, Tablebase::largest_root];
        assert_eq!(largest.map(|largest| largest(&tables, makruk).unwrap()), [0, 0, 0]);
        assert_eq!(Tablebase::new().largest(makruk).unwrap(), 0);
        drop(second);
        assert!(matches!(tables.table_files(), Err(ProbeError::Directory { .. })));
    }
}
