//! The tables that a process has opened.

use crate::error::PyFailure;
use crate::position::{PositionArgument, counting_rule};
use sakmak_boards::list::GameName;
use sakmak_probe::{
    Access, Category, CountingRule, Position, ProbeError, Searcher, Tablebase, Value,
};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The tables of some directories.
pub struct OpenTables {
    /// Probes share the lock; adding a directory takes it exclusively.
    tables: RwLock<Tablebase>,
}

impl OpenTables {
    /// Opens these directories.
    ///
    /// # Errors
    ///
    /// If one cannot be read.
    pub fn new(access: Access, directories: &[PathBuf]) -> Result<OpenTables, PyFailure> {
        let tables = RwLock::new(Tablebase::new().with_access(access));
        let opened = OpenTables { tables };
        for directory in directories {
            opened.add_directory(directory)?;
        }
        Ok(opened)
    }

    // A poisoned lock is safe: a directory is added completely or not at all.

    /// The tables to probe.
    pub fn read(&self) -> RwLockReadGuard<'_, Tablebase> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a directory and returns all.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn add_directory(&self, directory: &Path) -> Result<Vec<PathBuf>, PyFailure> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        tables.add_directory(directory)?;
        Ok(tables.directories().to_vec())
    }
}

/// Converts the value of a position of a board game.
pub type Conversion<T> = fn(Value) -> T;

/// The rules by which positions are looked up.
pub enum Rules<T> {
    /// A counting rule; without one, a FEN has the rule of Makruk.
    Counting(Option<&'static CountingRule>),
    /// The rules of a board game.
    Game(GameName, Conversion<T>),
}

impl<T> Rules<T> {
    /// The rules of this name. Without `known` they may not be those of a board game.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub fn named(name: Option<&str>, known: Option<Conversion<T>>) -> Result<Rules<T>, PyFailure> {
        match (name.and_then(GameName::named), known) {
            (Some(game), Some(known)) => Ok(Rules::Game(game, known)),
            (_, known) => counting_rule(name).map(Rules::Counting).map_err(|error| match error {
                PyFailure::Counting(error) if known.is_some() => PyFailure::Rules(error),
                other => other,
            }),
        }
    }

    /// Looks up a position: with `probe` if it is counted.
    ///
    /// # Errors
    ///
    /// If the position has no answer.
    pub fn answer(
        &self,
        tables: Searcher<'_>,
        asked: &PositionArgument,
        probe: impl FnOnce(Searcher<'_>, &Position) -> Result<T, PyFailure>,
    ) -> Result<T, PyFailure> {
        match self {
            Rules::Counting(rule) => probe(tables, &asked.position(*rule)?),
            Rules::Game(game, known) => {
                Ok(known(tables.board_game(*game)?.value_of(asked.fen(*game)?)?))
            }
        }
    }
}

/// Rules of categories.
impl Rules<Category> {
    /// Looks up the categories of positions, at a fresh count or under the count that runs. Counted
    /// positions are looked up together.
    pub fn categories(
        &self,
        tables: &Tablebase,
        asked: &[PositionArgument],
        is_fresh: bool,
    ) -> Vec<Result<Category, PyFailure>> {
        let rule = match self {
            Rules::Counting(rule) => *rule,
            Rules::Game(game, known) => {
                let value = |asked: &PositionArgument| {
                    Ok(known(tables.board_game(*game)?.value_of(asked.fen(*game)?)?))
                };
                return asked.iter().map(value).collect();
            }
        };
        let read: Vec<_> = asked.iter().map(|asked| asked.position(rule)).collect();
        let positions: Vec<Position> = read.iter().flatten().copied().collect();
        let mut found = Vec::with_capacity(positions.len());
        let each = |category: Result<_, ProbeError>| found.push(category.map_err(PyFailure::from));
        if is_fresh {
            tables.wdl_batch(&positions, each);
        } else {
            tables.category_batch(&positions, each);
        }
        let mut found = found.into_iter();
        let with_found = |read| match read {
            Ok(_) => found.next(),
            Err(error) => Some(Err(error)),
        };
        read.into_iter().filter_map(with_found).collect()
    }
}
