//! Where tables come from.
//!
//! A [`Tablebase`](crate::Tablebase) asks its sources in order, first for files:
//!
//! ```text
//! each source:   a file of the table      -> the tablebase opens it
//! each source:   the table in memory      -> kept as it is
//! otherwise:     ProbeError::Missing
//! ```
//!
//! [`DirectorySource`] has files and [`MemorySource`] has tables in memory. The program `sakmak`
//! adds a source that solves small tables on demand.

use crate::error::ProbeError;
use crate::file::bytes::Bytes;
use crate::file::open_file::FileError;
use sakmak_boards::codes::Codes;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::table::Table;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

/// Maximum number of men of a table that is solved on demand when it has no file.
pub const ON_THE_SPOT: usize = 4;

/// Returns whole tables of the same rules, from the files of all sources and from the memory of
/// earlier sources.
pub type OtherSources<'a> = dyn Fn(TableName) -> Result<Option<Arc<Table>>, ProbeError> + 'a;

/// Returns the codes of a material of one board game, by its name, from the files of all sources.
#[doc(hidden)]
pub type BoardFiles<'a> = dyn Fn(&str) -> Result<Option<Codes>, ProbeError> + 'a;

/// A source of tables, shared by the threads that probe. By default it has none.
pub trait TableSource: Send + Sync {
    /// The file of this name in the folder of a set of rules; without a folder, among the tables of
    /// Makruk. `None` if the source has no such file.
    ///
    /// # Errors
    ///
    /// An error refuses the file: a probe fails with it if no other source has the table. A source
    /// that has to fetch bytes first returns [`WouldBlock`](std::io::ErrorKind::WouldBlock), here
    /// or from [`Bytes::read`]. That error is not kept, so the caller may fetch the missing bytes
    /// and probe again.
    fn find_file(
        &self,
        folder: Option<&str>,
        file_name: &str,
    ) -> Result<Option<FoundFile>, FileError> {
        let _ = (folder, file_name);
        Ok(None)
    }

    /// A table without a file in any source. A source may solve it from tables of `others`, but
    /// must not probe the tablebase that calls it. `None` if the source does not have the table.
    ///
    /// # Errors
    ///
    /// If the table cannot be solved, or a table of `others` cannot be read.
    fn find_table(
        &self,
        name: TableName,
        rules: &Rules,
        others: &OtherSources<'_>,
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        let _ = (name, rules, others);
        Ok(None)
    }

    /// The codes of a material of a board game without a file in any source; game and material are
    /// names. A source may solve them from the codes of `files`. `None` if the source does not have
    /// the material.
    ///
    /// # Errors
    ///
    /// If a file of another material cannot be read.
    #[doc(hidden)]
    fn find_codes(
        &self,
        game: &str,
        material: &str,
        files: &BoardFiles<'_>,
    ) -> Result<Option<Codes>, ProbeError> {
        let _ = (game, material, files);
        Ok(None)
    }
}

/// A file of a source.
#[derive(Debug)]
pub enum FoundFile {
    /// A file of the system, which the tablebase opens with its [`Access`](crate::Access).
    Path(PathBuf),
    /// Bytes, with a path for errors.
    Bytes(PathBuf, Box<dyn Bytes>),
}

/// The files of a directory. It may not exist yet.
#[derive(Clone, Debug)]
pub struct DirectorySource(pub PathBuf);

impl TableSource for DirectorySource {
    fn find_file(
        &self,
        folder: Option<&str>,
        file_name: &str,
    ) -> Result<Option<FoundFile>, FileError> {
        let path = self.0.join(folder.unwrap_or_default()).join(file_name);
        // A file that exists but cannot be read is opened too, which returns the error.
        Ok(path.try_exists().unwrap_or(true).then_some(FoundFile::Path(path)))
    }
}

/// Tables in memory, of one set of rules.
///
/// ```
/// use sakmak_probe::source::MemorySource;
/// use sakmak_probe::{MAKRUK, Tablebase};
/// use std::sync::Arc;
///
/// let tables = Arc::new(MemorySource::new(&MAKRUK.rules));
/// assert!(tables.get("KRvK".parse()?).is_none());
/// let tablebase = Tablebase::new().with_source(tables);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MemorySource<'a> {
    rules: &'a Rules,
    tables: RwLock<HashMap<TableName, Arc<Table>>>,
}

impl<'a> MemorySource<'a> {
    /// No tables, of these rules.
    pub fn new(rules: &'a Rules) -> MemorySource<'a> {
        MemorySource { rules, tables: RwLock::default() }
    }

    /// The rules of the tables.
    pub fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// The table, or `None` if it is not in memory.
    pub fn get(&self, name: TableName) -> Option<Arc<Table>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }

    /// All tables, in no particular order.
    pub fn tables(&self) -> Vec<(TableName, Arc<Table>)> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.iter().map(|(&name, table)| (name, Arc::clone(table))).collect()
    }

    /// Keeps a table.
    pub fn insert(&self, name: TableName, table: Arc<Table>) {
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(name, table);
    }

    /// Returns the table from memory, from `others`, or from `solve` if it has at most `most_men`
    /// men. Its subtables are solved first, in the same way. All stay in memory. `None` if it has
    /// more men.
    ///
    /// # Errors
    ///
    /// The errors of `others` and `solve`.
    pub fn get_or_solve(
        &self,
        name: TableName,
        most_men: usize,
        others: &OtherSources<'_>,
        solve: &dyn Fn(TableName) -> Result<Table, ProbeError>,
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        if let Some(table) = self.get(name) {
            return Ok(Some(table));
        }
        let table = match others(name)? {
            Some(table) => table,
            None if name.material.men() <= most_men => {
                for smaller in name.successors(self.rules) {
                    self.get_or_solve(smaller, most_men, others, solve)?;
                }
                Arc::new(solve(name)?)
            }
            None => return Ok(None),
        };
        self.insert(name, Arc::clone(&table));
        Ok(Some(table))
    }

    /// Drops the tables for which `keep` is false.
    pub fn retain(&self, keep: impl Fn(TableName) -> bool) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|&name, _| keep(name));
    }
}

impl TableSource for MemorySource<'_> {
    fn find_table(
        &self,
        name: TableName,
        rules: &Rules,
        _: &OtherSources<'_>,
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        Ok(self.get(name).filter(|_| self.rules == rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tablebase;
    use crate::file::open_file::FileProblem;
    use crate::file::solved::SolvedFile;
    use sakmak_tables::counting::Category;
    use sakmak_tables::position::Position;
    use sakmak_tables::variants::MAKRUK;
    use std::collections::HashSet;
    use std::io;
    use std::path::Path;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");

    /// Has the files of a directory only after they were fetched.
    #[derive(Default)]
    struct FetchedSource(AtomicBool);

    impl TableSource for FetchedSource {
        fn find_file(
            &self,
            _: Option<&str>,
            file_name: &str,
        ) -> Result<Option<FoundFile>, FileError> {
            let path = Path::new("https://example.org").join(file_name);
            if !self.0.load(Ordering::Relaxed) {
                return Err(FileError::new(&path, io::Error::from(io::ErrorKind::WouldBlock)));
            }
            let bytes = std::fs::read(Path::new(DIRECTORY).join(file_name)).ok();
            Ok(bytes.map(|bytes| FoundFile::Bytes(path, Box::new(bytes))))
        }
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(&MAKRUK, fen).unwrap()
    }

    fn won() -> Position {
        position("8/8/8/3k4/8/8/4R3/4K3 w")
    }

    #[test]
    fn a_source_without_bytes_would_block_and_is_asked_again() {
        let source = Arc::new(FetchedSource::default());
        let tables = Tablebase::new().with_source(source.clone());
        for _ in 0..2 {
            let error = tables.category(&won()).unwrap_err();
            let ProbeError::File(FileError { problem: FileProblem::Io(error), .. }) = &error else {
                panic!("{error}")
            };
            assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        }
        source.0.store(true, Ordering::Relaxed);
        assert_eq!(tables.category(&won()).unwrap(), Category::Win);
        assert_eq!(tables.wdl(&won()).unwrap(), Category::Win);
        assert!(tables.refused_files().is_empty());
    }

    /// The file of a table, of which ranges are fetched.
    #[derive(Clone, Debug, Default)]
    struct FetchedFile(Arc<Mutex<Ranges>>);

    #[derive(Debug, Default)]
    struct Ranges {
        fetched: HashSet<(u64, usize)>,
        missing: HashSet<(u64, usize)>,
        bytes: Vec<u8>,
    }

    impl Bytes for FetchedFile {
        fn length(&self) -> u64 {
            self.0.lock().unwrap().bytes.len() as u64
        }

        fn read<'a>(
            &'a self,
            offset: u64,
            length: usize,
            scratch: &'a mut Vec<u8>,
        ) -> io::Result<&'a [u8]> {
            self.expect(offset, length);
            let ranges = self.0.lock().unwrap();
            if !ranges.fetched.contains(&(offset, length)) {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            *scratch = ranges.bytes[offset as usize..][..length].to_vec();
            Ok(scratch)
        }

        fn expect(&self, offset: u64, length: usize) {
            let mut ranges = self.0.lock().unwrap();
            if !ranges.fetched.contains(&(offset, length)) {
                ranges.missing.insert((offset, length));
            }
        }
    }

    impl TableSource for FetchedFile {
        fn find_file(
            &self,
            _: Option<&str>,
            file_name: &str,
        ) -> Result<Option<FoundFile>, FileError> {
            let is_the_file = file_name == "KRvK.dtm.smt";
            let file = || FoundFile::Bytes(file_name.into(), Box::new(self.clone()));
            Ok(is_the_file.then(file))
        }
    }

    #[test]
    fn ranges_that_are_missing_are_noted_together() {
        let file = FetchedFile::default();
        let path = Path::new(DIRECTORY).join("KRvK.dtm.smt");
        file.0.lock().unwrap().bytes = std::fs::read(path).unwrap();
        let tables = Tablebase::new().with_source(Arc::new(file.clone()));
        let mut rounds = Vec::new();
        while tables.category(&won()).is_err() {
            let mut ranges = file.0.lock().unwrap();
            let missing = std::mem::take(&mut ranges.missing);
            rounds.push(missing.len());
            ranges.fetched.extend(missing);
        }
        // The header and the trailer, the offsets, a block.
        assert_eq!(rounds, [2, 1, 1]);
    }

    #[test]
    fn a_file_of_a_later_source_goes_before_a_table_in_memory() {
        let (name, rules) = ("KRvK".parse().unwrap(), &MAKRUK.rules);
        let path = Path::new(DIRECTORY).join("KRvK.dtm.smt");
        let file = SolvedFile::open(&path, Default::default(), name, rules).unwrap();
        let table = Arc::new(file.table().unwrap());
        let memory = Arc::new(MemorySource::new(rules));
        memory.insert(name, Arc::clone(&table));
        let only_memory = Tablebase::new().with_source(memory.clone());
        let both = Tablebase::new().with_source(memory);
        let both = both.with_source(Arc::new(DirectorySource(DIRECTORY.into())));
        for tables in [&only_memory, &both] {
            assert_eq!(tables.category(&won()).unwrap(), Category::Win);
        }
        // The test, the source, and the tablebase that has no file.
        assert_eq!(Arc::strong_count(&table), 3);
        let missing = only_memory.category(&position("8/8/8/3k4/8/8/4M3/4K3 w"));
        assert!(matches!(missing, Err(ProbeError::Missing { .. })));
    }
}
