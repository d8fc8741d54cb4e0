//! The tables at hand: whole ones in memory, files in one directory.

use crate::slots::codes::TableCodes;
use crate::solver::{SolveError, Solver};
use crate::store::load::load;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::table::Table;
use std::collections::HashMap;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most men of a table that is solved on the spot when it is not on disk.
pub const ON_THE_SPOT: usize = 4;

/// The pieces of the tables that can be made.
pub const MAKEABLE: RangeInclusive<usize> = 3..=6;

/// Whole tables of one set of rules, brought from a directory as they are needed.
#[derive(Debug)]
pub struct TableStore<'a> {
    rules: &'a Rules,
    directory: PathBuf,
    tables: HashMap<TableName, Arc<Table>>,
}

/// A table that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum TableStoreError {
    /// Its file is broken or another's.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not on disk and has too many men to be solved on the spot.
    #[error("no table {name} in {directory}: {advice}", directory = directory.display(), name = .table.file_name(), advice = advice(*.table))]
    Missing {
        /// The table.
        table: TableName,
        /// Where it was looked for.
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
fn advice(table: TableName) -> String {
    let men = table.material.men();
    match MAKEABLE.contains(&men) {
        true => format!("make it with 'sakmak generate {table}'"),
        false => format!("it has {men} men, {} at most can be made", MAKEABLE.end()),
    }
}

impl<'a> TableStore<'a> {
    /// An empty store beside a directory, which need not be there.
    pub fn new(rules: &'a Rules, directory: &Path) -> TableStore<'a> {
        TableStore { rules, directory: directory.to_path_buf(), tables: HashMap::new() }
    }

    /// A table that is in memory.
    pub fn held(&self, name: TableName) -> Option<Arc<Table>> {
        self.tables.get(&name).cloned()
    }

    /// All tables that are in memory.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.values().map(|table| &**table)
    }

    /// Keeps a table in memory.
    pub fn keep(&mut self, name: TableName, table: Arc<Table>) {
        self.tables.insert(name, table);
    }

    /// Lets go of the tables in memory for which this does not hold.
    pub fn retain(&mut self, keep: impl Fn(TableName) -> bool) {
        self.tables.retain(|&name, _| keep(name));
    }

    /// The file of a table, opened, if the directory has it.
    ///
    /// # Errors
    ///
    /// When it is broken, or not the one its name says.
    pub fn file(&self, name: TableName) -> Result<Option<SolvedFile>, FileError> {
        let path = self.directory.join(name.file_name());
        // What is there and cannot be read is an error; what is not there is none.
        match path.try_exists() {
            Ok(false) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
            _ => {}
        }
        SolvedFile::open(&path, Access::default(), name, self.rules).map(Some)
    }

    /// A table: from memory, from its file, or solved on the spot.
    ///
    /// # Errors
    ///
    /// When its file is broken, or it is not there and has too many men.
    pub fn bring(&mut self, name: TableName) -> Result<Arc<Table>, TableStoreError> {
        if let Some(table) = self.held(name) {
            return Ok(table);
        }
        let table = match self.file(name)? {
            Some(file) => load(&file)?,
            None if name.material.men() <= ON_THE_SPOT => self.solve(name)?,
            None => {
                let directory = self.directory.clone();
                return Err(TableStoreError::Missing { table: name, directory });
            }
        };
        let table = Arc::new(table);
        self.keep(name, Arc::clone(&table));
        Ok(table)
    }

    /// The codes of a table: from memory, from its file as they are asked for, or solved on
    /// the spot.
    ///
    /// # Errors
    ///
    /// As [`TableStore::bring`], but for what is broken behind the ends of its file.
    pub fn codes(&mut self, name: TableName) -> Result<Arc<dyn TableCodes>, TableStoreError> {
        if self.held(name).is_none()
            && let Some(file) = self.file(name)?
        {
            return Ok(Arc::new(file));
        }
        Ok(self.bring(name)?)
    }

    /// Brings the tables one move leads to.
    ///
    /// # Errors
    ///
    /// As [`TableStore::bring`].
    pub fn bring_successors(&mut self, name: TableName) -> Result<(), TableStoreError> {
        for smaller in name.successors(self.rules) {
            self.bring(smaller)?;
        }
        Ok(())
    }

    fn solve(&mut self, name: TableName) -> Result<Table, TableStoreError> {
        self.bring_successors(name)?;
        Solver::default()
            .solve(name, self.rules, &|smaller| self.held(smaller))
            .map_err(|source| TableStoreError::Solve { table: name, source })
    }
}
