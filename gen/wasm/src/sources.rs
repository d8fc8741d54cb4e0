//! Sources of tables.

use sakmak_probe::source::{FoundFile, MemorySource, ON_THE_SPOT, OtherSources, TableSource};
use sakmak_probe::{Bytes, CountingRule, FileError, ProbeError, Rules, Table, TableName, variants};
use sakmak_requests::variants_json::ListedTables;
use sakmak_solve::solver::Solver;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

/// A file of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HostFile {
    /// Number of the file for the host.
    pub number: u32,
    /// Length in bytes.
    pub length: u64,
}

/// The files of the host by their paths in a directory of tables, which have `/` between a folder
/// and a name.
pub struct HostFiles {
    files: HashMap<String, HostFile>,
    open: fn(HostFile) -> Box<dyn Bytes>,
}

impl HostFiles {
    /// Reads a list with a line for each file: length, a blank, path. Files are numbered from 0.
    /// `None` if a line has another form.
    pub fn new(list: &str, open: fn(HostFile) -> Box<dyn Bytes>) -> Option<HostFiles> {
        let files = (0..).zip(list.lines()).map(|(number, line)| {
            let (length, path) = line.split_once(' ')?;
            Some((path.to_string(), HostFile { number, length: length.parse().ok()? }))
        });
        Some(HostFiles { files: files.collect::<Option<_>>()?, open })
    }

    /// The tables with files that a counting rule needs.
    pub fn listed(&self, counting_rule: &'static CountingRule) -> ListedTables {
        let variant = variants::counted_by(counting_rule);
        let tables = self.files.keys().filter_map(|path| {
            let name = path.rsplit('/').next()?;
            let table = TableName::of_file_name(name, &variant.rules);
            let table = table.or_else(|| TableName::of_packed_file_name(name, &variant.rules))?;
            (*path == path_of(variant.rules.folder, name)).then_some(table)
        });
        ListedTables::new(&tables.collect::<HashSet<_>>(), variant, counting_rule)
    }
}

/// The path of a file in a directory of tables.
fn path_of(folder: Option<&str>, file_name: &str) -> String {
    folder.map_or_else(|| file_name.to_string(), |folder| format!("{folder}/{file_name}"))
}

impl TableSource for HostFiles {
    fn find_file(
        &self,
        folder: Option<&str>,
        file_name: &str,
    ) -> Result<Option<FoundFile>, FileError> {
        let path = path_of(folder, file_name);
        let file = self.files.get(&path);
        Ok(file.map(|&file| FoundFile::Bytes(Path::new(&path).into(), (self.open)(file))))
    }
}

/// Tables of few men, solved on the spot.
#[derive(Debug)]
pub struct SolvedTables(pub MemorySource<'static>);

impl SolvedTables {
    fn solve(&self, name: TableName) -> Result<Table, ProbeError> {
        let solved = Solver::default().solve(name, self.0.rules(), &|name| self.0.get(name));
        solved.map_err(|source| ProbeError::Solver { table: name, source: source.into() })
    }

    /// The table, of any number of men, solved after its subtables.
    ///
    /// # Errors
    ///
    /// If memory is missing.
    pub fn table(&self, name: TableName) -> Result<Option<Arc<Table>>, ProbeError> {
        self.0.get_or_solve(name, usize::MAX, &|_| Ok(None), &|name| self.solve(name))
    }
}

impl TableSource for SolvedTables {
    fn find_table(
        &self,
        name: TableName,
        rules: &Rules,
        others: &OtherSources<'_>,
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        if self.0.rules() != rules {
            return Ok(None);
        }
        self.0.get_or_solve(name, ON_THE_SPOT, others, &|name| self.solve(name))
    }
}
