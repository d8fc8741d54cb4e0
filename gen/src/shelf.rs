//! The tables at hand: whole ones in memory, files in one directory.

use crate::load::load;
use crate::plane::{SolveError, Solver};
use sakmak_probe::bytes::Access;
use sakmak_probe::table_file::{FileError, TableFile};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::table::Table;
use std::collections::HashMap;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most men of a table that is solved on the spot when it is not on disk.
pub const ON_THE_SPOT: usize = 4;

/// The men of the tables that can be made.
pub const MAKEABLE: RangeInclusive<usize> = 3..=6;

/// Whole tables of one set of rules, brought from a directory as they are needed.
#[derive(Debug)]
pub struct Shelf<'a> {
    rules: &'a Rules,
    directory: PathBuf,
    tables: HashMap<Material, Arc<Table>>,
}

/// A table that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    /// Its file is broken or another's.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not on disk and has too many men to be solved on the spot.
    #[error("no table {name} in {directory}: {advice}", directory = directory.display(), advice = advice(*.material))]
    Missing {
        /// The material.
        material: Material,
        /// The name of its file.
        name: String,
        /// Where it was looked for.
        directory: PathBuf,
    },
    /// It could not be solved.
    #[error("cannot solve {material}: {source}")]
    Solve {
        /// The material.
        material: Material,
        /// Why.
        source: SolveError,
    },
}

/// What to do about a missing table.
fn advice(material: Material) -> String {
    match MAKEABLE.contains(&material.men()) {
        true => format!("make it with 'sakmak generate {material}'"),
        false => format!("it has {} men, {} at most can be made", material.men(), MAKEABLE.end()),
    }
}

impl<'a> Shelf<'a> {
    /// An empty shelf beside a directory, which need not be there.
    pub fn new(rules: &'a Rules, directory: &Path) -> Shelf<'a> {
        Shelf { rules, directory: directory.to_path_buf(), tables: HashMap::new() }
    }

    /// A table that is in memory.
    pub fn held(&self, material: Material) -> Option<Arc<Table>> {
        self.tables.get(&material).cloned()
    }

    /// All tables that are in memory.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.tables.values().map(|table| &**table)
    }

    /// Keeps a table in memory.
    pub fn keep(&mut self, table: Arc<Table>) {
        self.tables.insert(table.index().material(), table);
    }

    /// Lets go of the tables in memory for which this does not hold.
    pub fn retain(&mut self, keep: impl Fn(Material) -> bool) {
        self.tables.retain(|&material, _| keep(material));
    }

    /// The file of a material, opened, if the directory has it.
    ///
    /// # Errors
    ///
    /// When it is broken, or not the one its name says.
    pub fn file(&self, material: Material) -> Result<Option<TableFile>, FileError> {
        let metric = Metric::DistanceToMate;
        let path = self.directory.join(metric.file_name(material));
        // What is there and cannot be read is an error; what is not there is none.
        match path.try_exists() {
            Ok(false) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
            _ => {}
        }
        TableFile::open(&path, Access::default(), metric, material, self.rules).map(Some)
    }

    /// A table: from memory, from its file, or solved on the spot.
    ///
    /// # Errors
    ///
    /// When its file is broken, or it is not there and has too many men.
    pub fn bring(&mut self, material: Material) -> Result<Arc<Table>, ShelfError> {
        if let Some(table) = self.held(material) {
            return Ok(table);
        }
        let table = match self.file(material)? {
            Some(file) => load(&file)?,
            None if material.men() <= ON_THE_SPOT => self.solve(material)?,
            None => {
                let name = Metric::DistanceToMate.file_name(material);
                return Err(ShelfError::Missing {
                    material,
                    name,
                    directory: self.directory.clone(),
                });
            }
        };
        let table = Arc::new(table);
        self.keep(Arc::clone(&table));
        Ok(table)
    }

    /// Brings the tables one move leads to.
    ///
    /// # Errors
    ///
    /// As [`Shelf::bring`].
    pub fn bring_successors(&mut self, material: Material) -> Result<(), ShelfError> {
        for smaller in material.successors(self.rules) {
            self.bring(smaller)?;
        }
        Ok(())
    }

    fn solve(&mut self, material: Material) -> Result<Table, ShelfError> {
        self.bring_successors(material)?;
        Solver::default()
            .solve(material, self.rules, &|smaller| self.held(smaller))
            .map_err(|source| ShelfError::Solve { material, source })
    }
}
