//! The one provider of tables: from memory, from files, or solved.
//!
//! ```text
//! table(name):   in memory                -> that one
//!                a file in the directory  -> decode it
//!                few enough men           -> solve it, after the tables its moves lead to
//!                otherwise                -> error: missing
//! ```
//!
//! A table stays in memory until [`TableStore::retain`] drops it. [`TableStore::codes`] reads
//! from the file block by block and loads nothing. Threads may share a store: no lock is held
//! while a table is decoded or solved, so at worst two threads make the same one.

use rayon::prelude::*;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_solve::solver::{SolveError, Solver};
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::HashMap;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The most men of a table that is solved on the spot when it has no file.
pub const ON_THE_SPOT: usize = 4;

/// The numbers of men of the tables that can be made.
pub const MAKEABLE: RangeInclusive<usize> = 3..=7;

/// Tables of one set of rules: whole ones in memory, files in a directory.
#[derive(Debug)]
pub struct TableStore<'a> {
    rules: &'a Rules,
    solver: Solver<'a>,
    /// `None`: memory only.
    directory: Option<PathBuf>,
    /// A directory for the files that the first one does not have.
    scratch: Option<PathBuf>,
    access: Access,
    tables: RwLock<HashMap<TableName, Arc<Table>>>,
}

/// Why a store has no such table.
#[derive(Debug, thiserror::Error)]
pub enum TableStoreError {
    /// Its file is broken, or is the file of another table.
    #[error(transparent)]
    File(#[from] FileError),
    /// It has no file and too many men to be solved on the spot.
    #[error("no table {name} in {directory}: {advice}", directory = directory.display(), name = .table.file_name(), advice = advice(*.table, *.variant))]
    Missing {
        /// The table.
        table: TableName,
        /// A variant that has such tables.
        variant: Option<&'static Variant>,
        /// The directory that should have its file.
        directory: PathBuf,
    },
    /// It could not be solved.
    #[error("cannot solve {table}: {source}")]
    Solve {
        /// The table.
        table: TableName,
        /// Why.
        source: SolveError,
    },
}

/// What to do about a missing table.
fn advice(table: TableName, variant: Option<&'static Variant>) -> String {
    let men = table.material.men();
    let other = variant.filter(|&variant| variant != variants::all()[0]);
    let option = other.map_or(String::new(), |variant| format!(" --variant {}", variant.name));
    match MAKEABLE.contains(&men) {
        true => format!("make it with 'sakmak generate {table}{option}'"),
        false => format!("it has {men} men; tables can have {} at most", MAKEABLE.end()),
    }
}

impl<'a> TableStore<'a> {
    /// A store that reads the files of a directory, which need not exist, and solves tables
    /// of at most [`ON_THE_SPOT`] men that have no file.
    pub fn new(rules: &'a Rules, directory: &Path) -> TableStore<'a> {
        TableStore { directory: Some(directory.to_path_buf()), ..TableStore::in_memory(rules) }
    }

    /// A store without files, which solves tables of any number of men.
    pub fn in_memory(rules: &'a Rules) -> TableStore<'a> {
        TableStore {
            rules,
            solver: Solver::default(),
            directory: None,
            scratch: None,
            access: Access::default(),
            tables: RwLock::default(),
        }
    }

    /// The store with this solver.
    pub fn with_solver(self, solver: Solver<'a>) -> TableStore<'a> {
        TableStore { solver, ..self }
    }

    /// The store that takes files that its directory does not have from another one.
    pub fn with_scratch(self, scratch: &Path) -> TableStore<'a> {
        TableStore { scratch: Some(scratch.to_path_buf()), ..self }
    }

    /// The store that reads files in this way; the default is to map them.
    pub fn with_access(self, access: Access) -> TableStore<'a> {
        TableStore { access, ..self }
    }

    /// The directory of the files. `None` if the store has memory only.
    pub fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// The table, or `None` if it is not in memory.
    pub fn get(&self, name: TableName) -> Option<Arc<Table>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).get(&name).cloned()
    }

    /// All tables in memory, in no particular order.
    pub fn tables(&self) -> Vec<(TableName, Arc<Table>)> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.iter().map(|(&name, table)| (name, Arc::clone(table))).collect()
    }

    /// Keeps a table in memory.
    pub fn insert(&self, name: TableName, table: Arc<Table>) {
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(name, table);
    }

    /// Drops the tables in memory for which `keep` is false.
    pub fn retain(&self, keep: impl Fn(TableName) -> bool) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|&name, _| keep(name));
    }

    /// Opens the file of a table; `None` if no directory has such a file.
    ///
    /// # Errors
    ///
    /// If the file is broken, or is the file of another table.
    pub fn file(&self, name: TableName) -> Result<Option<SolvedFile>, FileError> {
        let path = self.path(name);
        path.map(|path| SolvedFile::open(&path, self.access, name, self.rules)).transpose()
    }

    /// The path of the file of a table; `None` if no directory has such a file.
    pub fn path(&self, name: TableName) -> Option<PathBuf> {
        let directories = [&self.directory, &self.scratch].into_iter().flatten();
        let mut paths = directories.map(|directory| directory.join(name.file_name()));
        // A file that exists and cannot be read is an error when it is opened.
        paths.find(|path| match path.try_exists() {
            Ok(exists) => exists,
            Err(error) => error.kind() != io::ErrorKind::NotADirectory,
        })
    }

    /// The table: from memory, from its file, or solved on the spot. It stays in memory.
    ///
    /// # Errors
    ///
    /// If the file is broken, or there is none and the table has too many men or cannot be
    /// solved.
    pub fn table(&self, name: TableName) -> Result<Arc<Table>, TableStoreError> {
        if let Some(table) = self.get(name) {
            return Ok(table);
        }
        let table = match (self.file(name)?, &self.directory) {
            (Some(file), _) => decode_table(&file)?,
            (None, Some(directory)) if name.material.men() > ON_THE_SPOT => {
                let (directory, variant) = (directory.clone(), variants::with_rules(self.rules));
                return Err(TableStoreError::Missing { table: name, variant, directory });
            }
            (None, _) => self.solve(name)?,
        };
        let table = Arc::new(table);
        self.insert(name, Arc::clone(&table));
        Ok(table)
    }

    /// The codes of a table: from memory, from its file block by block, or solved on the
    /// spot.
    ///
    /// # Errors
    ///
    /// As [`TableStore::table`]; a broken block of a file is found only when it is read.
    pub fn codes(&self, name: TableName) -> Result<Arc<dyn TableCodes>, TableStoreError> {
        self.codes_by(name, self.access)
    }

    /// As [`TableStore::codes`]; a file is read in this way.
    ///
    /// # Errors
    ///
    /// As [`TableStore::codes`].
    pub fn codes_by(
        &self,
        name: TableName,
        access: Access,
    ) -> Result<Arc<dyn TableCodes>, TableStoreError> {
        match self.path(name).filter(|_| self.get(name).is_none()) {
            Some(path) => Ok(Arc::new(SolvedFile::open(&path, access, name, self.rules)?)),
            None => Ok(self.table(name)?),
        }
    }

    /// Loads into memory the tables that captures and promotions lead to.
    ///
    /// # Errors
    ///
    /// As [`TableStore::table`].
    pub fn load_successors(&self, name: TableName) -> Result<(), TableStoreError> {
        for smaller in name.successors(self.rules) {
            self.table(smaller)?;
        }
        Ok(())
    }

    /// Solves a table after those it leads to. The store does not keep it.
    ///
    /// # Errors
    ///
    /// As [`TableStore::table`].
    pub fn solve(&self, name: TableName) -> Result<Table, TableStoreError> {
        self.load_successors(name)?;
        self.solver
            .solve(name, self.rules, &|smaller| self.get(smaller))
            .map_err(|source| TableStoreError::Solve { table: name, source })
    }
}

/// The whole table of a file; its blocks are decoded in parallel.
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
