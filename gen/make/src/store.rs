//! Whole tables: from memory, from files, or solved.
//!
//! ```text
//! table(name):   in memory                -> that one
//!                a file in the directory  -> decode it
//!                few enough men           -> solve it, after the tables it depends on
//!                otherwise                -> error: missing
//! ```
//!
//! A table stays in memory until [`MemorySource::retain`] drops it. [`TableStore::codes`] reads
//! from the file block by block and loads nothing. Threads may share a store: no lock is held
//! while a table is decoded or solved, so at worst two threads make the same one.
//!
//! A store is also a [`TableSource`], which solves small tables for a [`Tablebase`]: see
//! [`solve_on_the_spot`].

mod boards;

use crate::system::directory;
use boards::SolvedBoards;
use rayon::prelude::*;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::solved::SolvedFile;
pub use sakmak_probe::source::ON_THE_SPOT;
use sakmak_probe::source::{MemorySource, OtherSources, TableSource};
use sakmak_probe::{ProbeError, Tablebase};
use sakmak_solve::solver::Solver;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::MAX_MADE_MEN;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The numbers of men of the tables that can be made.
pub const MAKEABLE: RangeInclusive<usize> = 3..=MAX_MADE_MEN;

/// Tables of one set of rules: whole ones in memory, files in a directory.
#[derive(Debug)]
pub struct TableStore<'a> {
    /// The tables in memory.
    pub memory: MemorySource<'a>,
    /// The most men of a table that is solved.
    most_men: usize,
    /// `None`: memory only.
    directory: Option<PathBuf>,
    /// A directory for the files that the first one does not have.
    scratch: Option<PathBuf>,
    access: Access,
}

/// An error of a store that cannot return a table.
#[derive(Debug, thiserror::Error)]
pub enum TableStoreError {
    /// The file is broken or belongs to another table, or solving failed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Tables have no file and too many men to be solved on the spot.
    #[error("no {names} in {directory}: {advice}", directory = directory.display(), names = listed(tables), advice = advice(tables, *.variant, directory))]
    Missing {
        /// The tables.
        tables: Vec<TableName>,
        /// A variant that has such tables.
        variant: Option<&'static Variant>,
        /// The directory that should have their files.
        directory: PathBuf,
    },
}

impl From<FileError> for TableStoreError {
    fn from(error: FileError) -> TableStoreError {
        ProbeError::File(error).into()
    }
}

/// Maximum number of tables named in a message.
const NAMED: usize = 12;

/// Returns the file name of one table, or of several the first [`NAMED`] names and the number of
/// the others.
fn listed(tables: &[TableName]) -> String {
    if let [table] = tables {
        return format!("table {}", table.file_name());
    }
    let names: Vec<String> = tables.iter().take(NAMED).map(TableName::to_string).collect();
    match tables.len().saturating_sub(NAMED) {
        0 => format!("tables {}", names.join(", ")),
        others => format!("tables {} and {others} others", names.join(", ")),
    }
}

/// Advice about tables that are missing in a directory of tables.
fn advice(tables: &[TableName], variant: Option<&'static Variant>, directory: &Path) -> String {
    let men = tables.iter().map(|table| table.material.men()).max().unwrap_or_default();
    if !MAKEABLE.contains(&men) {
        return format!("it has {men} men; tables can have {} at most", MAKEABLE.end());
    }
    let arguments = match tables.len() {
        0..=NAMED => tables.iter().map(TableName::to_string).collect::<Vec<_>>().join(" "),
        _ => {
            let rules = tables.iter().filter_map(|table| table.metric.counting_rule());
            let rules: BTreeSet<String> =
                rules.map(|rule| format!(" --counting {}", rule.name)).collect();
            format!("{men}{}", rules.into_iter().collect::<String>())
        }
    };
    let other = variant.filter(|&variant| variant != variants::default());
    let option = other.map_or(String::new(), |variant| format!(" --variant {}", variant.name));
    let path = variant.unwrap_or(variants::default()).rules.directory_of(directory);
    let them = if tables.len() == 1 { "it" } else { "them" };
    let path = path.display();
    format!("make {them} with 'sakmak generate {arguments}{option} --tables {path}'")
}

impl<'a> TableStore<'a> {
    /// Returns a store that reads the files of a directory, which need not exist, and solves tables
    /// of at most [`ON_THE_SPOT`] men that have no file.
    pub fn new(rules: &'a Rules, directory: &Path) -> TableStore<'a> {
        let directory = Some(directory.to_path_buf());
        TableStore { directory, most_men: ON_THE_SPOT, ..TableStore::in_memory(rules) }
    }

    /// Returns a store without files, which solves tables of any number of men.
    pub fn in_memory(rules: &'a Rules) -> TableStore<'a> {
        TableStore {
            memory: MemorySource::new(rules),
            most_men: usize::MAX,
            directory: None,
            scratch: None,
            access: Access::default(),
        }
    }

    /// Adds a second directory for files that the first one does not have.
    pub fn with_scratch(self, scratch: &Path) -> TableStore<'a> {
        TableStore { scratch: Some(scratch.to_path_buf()), ..self }
    }

    /// Sets the access of files; the default is to map them.
    pub fn with_access(self, access: Access) -> TableStore<'a> {
        TableStore { access, ..self }
    }

    /// Turns off solving on the spot.
    pub fn without_solving(self) -> TableStore<'a> {
        TableStore { most_men: 0, ..self }
    }

    /// Returns the directory of the files; `None` for a store without files.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Opens the file of a table; `None` if no directory has such a file.
    ///
    /// # Errors
    ///
    /// If the file is broken, or is the file of another table.
    pub fn file(&self, name: TableName) -> Result<Option<SolvedFile>, FileError> {
        let path = self.path(name);
        path.map(|path| SolvedFile::open(&path, self.access, name, self.memory.rules())).transpose()
    }

    /// Checks before long work that tables are available: each has a file with a valid header, or
    /// is solved on the spot.
    ///
    /// # Errors
    ///
    /// If a file is broken or the file of another table, or tables are missing: all of them.
    pub fn require(
        &self,
        names: impl IntoIterator<Item = TableName>,
    ) -> Result<(), TableStoreError> {
        let (mut missing, mut solved) = (Vec::new(), Vec::new());
        for name in names.into_iter().collect::<BTreeSet<_>>() {
            if self.memory.get(name).is_some() || self.file(name)?.is_some() {
                continue;
            }
            match name.material.men() <= self.most_men {
                true => solved.push(name),
                false => missing.push(name),
            }
        }
        // A table that is solved is made from files, where there are some.
        for name in TableName::closure(solved, self.memory.rules()) {
            self.file(name)?;
        }
        if missing.is_empty() { Ok(()) } else { Err(self.missing(missing)) }
    }

    fn missing(&self, tables: Vec<TableName>) -> TableStoreError {
        let variant = variants::with_rules(self.memory.rules());
        let directory = self.directory.clone().unwrap_or_default();
        TableStoreError::Missing { tables, variant, directory }
    }

    /// Returns the path of the file of a table; `None` if no directory has such a file.
    pub fn path(&self, name: TableName) -> Option<PathBuf> {
        let directories = [&self.directory, &self.scratch].into_iter().flatten();
        let mut paths = directories.map(|directory| directory.join(name.file_name()));
        // A file that exists and cannot be read is an error when it is opened.
        paths.find(|path| directory::exists(path).unwrap_or(true))
    }

    /// Returns the table: from memory, from its file, or solved on the spot. It stays in memory.
    ///
    /// # Errors
    ///
    /// If the file is broken, or there is none and the table has too many men or cannot be
    /// solved.
    pub fn table(&self, name: TableName) -> Result<Arc<Table>, TableStoreError> {
        let table = self.get_or_solve(name, &|name| self.decoded(name))?;
        table.ok_or_else(|| self.missing(vec![name]))
    }

    /// Returns the table: from memory, from `others`, or solved if it has few enough men. It stays
    /// in memory.
    fn get_or_solve(
        &self,
        name: TableName,
        others: &OtherSources<'_>,
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        self.memory.get_or_solve(name, self.most_men, others, &|name| {
            let solved =
                Solver::default().solve(name, self.memory.rules(), &|name| self.memory.get(name));
            solved.map_err(|source| ProbeError::Solver { table: name, source: source.into() })
        })
    }

    /// Returns the table of a file, if there is one.
    fn decoded(&self, name: TableName) -> Result<Option<Arc<Table>>, ProbeError> {
        let table = self.file(name)?.as_ref().map(decode_table).transpose()?;
        Ok(table.map(Arc::new))
    }

    /// Returns the codes of a table: from memory, from its file block by block, or solved on the
    /// spot.
    ///
    /// # Errors
    ///
    /// The errors of [`TableStore::table`]; a broken block of a file is found only when it is read.
    pub fn codes(&self, name: TableName) -> Result<Arc<dyn TableCodes>, TableStoreError> {
        self.codes_by(name, self.access)
    }

    /// Returns the same as [`TableStore::codes`], and reads a file with this access.
    ///
    /// # Errors
    ///
    /// The errors of [`TableStore::codes`].
    pub fn codes_by(
        &self,
        name: TableName,
        access: Access,
    ) -> Result<Arc<dyn TableCodes>, TableStoreError> {
        match self.path(name).filter(|_| self.memory.get(name).is_none()) {
            Some(path) => Ok(Arc::new(SolvedFile::open(&path, access, name, self.memory.rules())?)),
            None => Ok(self.table(name)?),
        }
    }

    /// Returns the dependencies of a table. The dependencies stay in memory.
    ///
    /// # Errors
    ///
    /// The errors of [`TableStore::table`].
    pub fn subtables(&self, name: TableName) -> Result<Vec<Arc<Table>>, TableStoreError> {
        name.successors(self.memory.rules()).into_iter().map(|name| self.table(name)).collect()
    }
}

impl TableSource for TableStore<'_> {
    fn find_table(
        &self,
        name: TableName,
        rules: &Rules,
        others: &OtherSources<'_>,
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        if self.memory.rules() == rules { self.get_or_solve(name, others) } else { Ok(None) }
    }
}

/// Adds sources to a tablebase that solve missing tables of at most `most_men` men, and small
/// tables of board games.
pub fn solve_on_the_spot(tablebase: Tablebase, most_men: usize) -> Tablebase {
    let store = |rules| TableStore { most_men, ..TableStore::in_memory(rules) };
    let tablebase = tablebase.with_source(Arc::new(SolvedBoards));
    variants::all().fold(tablebase, |tablebase, variant| {
        tablebase.with_source(Arc::new(store(&variant.rules)))
    })
}

/// Returns the whole table of a file; its blocks are decoded in parallel.
///
/// # Errors
///
/// If a block cannot be read or is damaged, or there is not enough memory.
pub fn decode_table(file: &SolvedFile) -> Result<Table, FileError> {
    file.table_by(|blocks| blocks.into_par_iter().try_for_each(|block| block.decode()))
}

/// Checks every byte of a file as [`SolvedFile::verify_checksums`] does, its blocks in
/// parallel.
///
/// # Errors
///
/// The first error in the order of the file.
pub fn verify_checksums(file: &SolvedFile) -> Result<(), FileError> {
    file.verify_checksums_by(|blocks, check| {
        let wrong = |block| check(block).err();
        let blocks: Vec<_> = blocks.collect();
        blocks.into_par_iter().find_map_first(wrong).map_or(Ok(()), Err)
    })
}
