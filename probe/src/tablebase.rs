//! Tables by material: found in directories, opened when first asked, or solved on the
//! spot; and the value of a position from them.

mod material_map;

mod open_table;

mod look_ahead;

mod wdl_files;

pub mod wdl;

use crate::cache::BlockCache;
use crate::error::ProbeError;
use crate::file::bytes::Access;
use crate::file::packed::PackedFile;
use crate::file::solved::SolvedFile;
use crate::tablebase::look_ahead::LookAhead;
use crate::tablebase::material_map::MaterialMap;
use crate::tablebase::open_table::{OpenTable, value_at};
use crate::tablebase::wdl_files::Verdicts;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::material::id::{MaterialId, OrientedId, material_id};
use sakmak_tables::position::Position;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// Bytes of decoded blocks kept unless another number is asked for.
pub const CACHE_BYTES: usize = 64 << 20;

/// Solves one table, given those it leads to.
///
/// It must not ask the tablebase it serves.
pub type Solve = dyn Fn(
        TableName,
        &Rules,
        &dyn Fn(TableName) -> Option<Arc<Table>>,
    ) -> Result<Table, Box<dyn Error + Send + Sync>>
    + Send
    + Sync;

/// The fingerprint of the rules that shaped a table, and which it is.
type Key = (u64, TableName);

/// Tables by material, for any number of threads at once.
///
/// A tablebase serves every variant: each table is kept under the rules that shaped it,
/// and variants with the same rules share it.
pub struct Tablebase {
    directories: Vec<PathBuf>,
    access: Access,
    cache: BlockCache,
    solver: Option<(usize, Box<Solve>)>,
    /// The variants' rules, so that no look-up works out a fingerprint.
    fingerprints: Vec<(&'static Variant, u64)>,
    tables: RwLock<HashMap<Key, Arc<OpenTable>>>,
    /// The same tables where a look-up finds them at once.
    answering: MaterialMap<Arc<OpenTable>>,
    /// Tables opened so far; their numbers in the cache.
    opened: AtomicU32,
    /// One thread solves, the others wait for what it makes.
    solving: Mutex<()>,
    verdicts: Verdicts,
}

/// What tables say of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableValues {
    /// [`Tablebase::value`].
    pub mate: Value,
    /// [`Tablebase::counted_value`].
    pub counted: Value,
}

impl Default for Tablebase {
    fn default() -> Tablebase {
        Tablebase::new()
    }
}

impl Tablebase {
    /// A tablebase without a directory.
    pub fn new() -> Tablebase {
        let fingerprint = |variant: &'static Variant| (variant, variant.rules.fingerprint());
        Tablebase {
            directories: Vec::new(),
            access: Access::default(),
            cache: BlockCache::new(CACHE_BYTES),
            solver: None,
            fingerprints: variants::all().map(fingerprint).to_vec(),
            tables: RwLock::default(),
            answering: MaterialMap::new(),
            opened: AtomicU32::new(1),
            solving: Mutex::new(()),
            verdicts: Verdicts::new(),
        }
    }

    /// A tablebase of the tables in a directory. No table is opened yet.
    ///
    /// # Errors
    ///
    /// When there is no such directory.
    pub fn open(directory: impl AsRef<Path>) -> Result<Tablebase, ProbeError> {
        let mut tablebase = Tablebase::new();
        tablebase.add_directory(directory)?;
        Ok(tablebase)
    }

    /// Adds a directory, searched after those named before.
    ///
    /// # Errors
    ///
    /// When there is no such directory.
    pub fn add_directory(&mut self, directory: impl AsRef<Path>) -> Result<(), ProbeError> {
        let path = directory.as_ref().to_path_buf();
        let is_directory = match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => Ok(()),
            Ok(_) => Err(io::ErrorKind::NotADirectory.into()),
            Err(error) => Err(error),
        };
        match is_directory {
            Ok(()) => {
                self.directories.push(path);
                Ok(())
            }
            Err(source) => Err(ProbeError::Directory { path, source }),
        }
    }

    /// Reads files this way; mapped unless said otherwise. Files already open stay as they
    /// are.
    #[must_use]
    pub fn with_access(mut self, access: Access) -> Tablebase {
        self.access = access;
        self
    }

    /// Keeps at most so many bytes of decoded blocks, [`CACHE_BYTES`] unless said
    /// otherwise.
    #[must_use]
    pub fn with_cache(mut self, bytes: usize) -> Tablebase {
        self.cache = BlockCache::new(bytes);
        self
    }

    /// Solves tables that are in no directory on the spot and keeps them in memory, those
    /// of at most `most_men` pieces.
    #[must_use]
    pub fn with_solver<F>(mut self, most_men: usize, solve: F) -> Tablebase
    where
        F: Fn(
                TableName,
                &Rules,
                &dyn Fn(TableName) -> Option<Arc<Table>>,
            ) -> Result<Table, Box<dyn Error + Send + Sync>>
            + Send
            + Sync
            + 'static,
    {
        self.solver = Some((most_men, Box::new(solve)));
        self
    }

    /// The directories searched, in this order.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// How files are read.
    pub fn access(&self) -> Access {
        self.access
    }

    pub(crate) fn wdl_files(&self) -> &Verdicts {
        &self.verdicts
    }

    /// The value of a position for the side to move, with best play and no counting.
    ///
    /// # Errors
    ///
    /// When the position is illegal, has leap rights or too many men, or its table is
    /// missing or broken.
    pub fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        self.stored(Metric::DistanceToMate, position)
    }

    /// The counted value of a position for the side to move, under [`Position::counting_rule`]:
    /// in how many of the attacker's moves it can force mate, or a change of phase into a
    /// position that is won under the count that runs there. It is a draw where that cannot
    /// be forced within any count, and no clock is looked at.
    ///
    /// A loss in 0 moves is mate, or every move leads into another phase that is lost.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    pub fn counted_value(&self, position: &Position) -> Result<Value, ProbeError> {
        self.stored(Metric::Counted(position.counting_rule()), position)
    }

    /// The grade of a position for the side to move, under the count that runs in it; with
    /// none running, under one that starts here. See [`Position::category`].
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], and when tables contradict each other.
    pub fn category(&self, position: &Position) -> Result<Category, ProbeError> {
        let TableValues { mate, counted } = self.values(position)?;
        Ok(position.category(mate, counted))
    }

    /// Both values of a position for the side to move; its counted table is not asked where
    /// nobody can force mate.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], and when tables contradict each other.
    pub fn values(&self, position: &Position) -> Result<TableValues, ProbeError> {
        let mate = self.value(position)?;
        let counted = match mate {
            // Where nobody can mate nobody can mate in time.
            Value::Draw => Value::Draw,
            _ => self.counted_value(position)?,
        };
        match (mate, counted) {
            (Value::Win(_), Value::Loss(_)) | (Value::Loss(_), Value::Win(_)) => {
                let material = position.material().material;
                Err(ProbeError::Contradiction { material, fen: position.fen() })
            }
            _ => Ok(TableValues { mate, counted }),
        }
    }

    /// The value that the table answering where this is measured holds for a position,
    /// [`TableName::answering`]; for the side to move, and as it stands there.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`].
    pub fn stored(&self, metric: Metric, position: &Position) -> Result<Value, ProbeError> {
        if !position.leaps().is_empty() {
            return Err(ProbeError::LeapRights);
        }
        position.legality()?;
        let Some(OrientedId { number, flipped }) = material_id(position.material_key()) else {
            return Err(ProbeError::TooManyMen { men: position.occupied().len() });
        };
        if number == MaterialId::BARE_KINGS {
            return Ok(Value::Draw);
        }
        let material = number.material();
        let variant = position.variant();
        let answering = self.answering.place(variant, metric, number);
        let brought;
        let held = match answering.and_then(OnceLock::get) {
            Some(held) => held,
            None => {
                brought = self.held(TableName::answering(material, metric), variant)?;
                answering.inspect(|answering| {
                    answering.get_or_init(|| Arc::clone(&brought));
                });
                &brought
            }
        };
        let contradiction = || ProbeError::Contradiction { material, fen: position.fen() };
        let place = Address::of(position, flipped, held.index()).ok_or_else(contradiction)?;
        let value = match &**held {
            OpenTable::Memory(table) => table.value(place.side, place.slot),
            OpenTable::File(file, number) => value_at(&self.cache, file, *number, place)?,
            OpenTable::Packed(file, number) => {
                let elsewhere = &|after: &Position| self.value(after);
                let (cache, number) = (&self.cache, *number);
                LookAhead { elsewhere, cache, file, number }.value(position, place, flipped)?
            }
        };
        value.ok_or_else(contradiction)
    }

    /// A table: at hand, opened, or solved.
    fn held(
        &self,
        name: TableName,
        variant: &'static Variant,
    ) -> Result<Arc<OpenTable>, ProbeError> {
        let known = self.fingerprints.iter().find(|(known, _)| *known == variant);
        let fingerprint = known.map_or_else(|| variant.rules.fingerprint(), |&(_, print)| print);
        let key = (fingerprint, name);
        if let Some(held) = self.at_hand(key) {
            return Ok(held);
        }
        if let Some(held) = self.open_file(key, &variant.rules)? {
            return Ok(held);
        }
        if let Some(held) = self.open_packed(key, variant)? {
            return Ok(held);
        }
        match &self.solver {
            Some((most_men, solve)) if name.material.men() <= *most_men => {
                self.solve(key, &variant.rules, solve)
            }
            _ => Err(self.missing(name)),
        }
    }

    fn at_hand(&self, key: Key) -> Option<Arc<OpenTable>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    /// Keeps a table; of two threads that bring the same one the first wins.
    fn keep(&self, key: Key, held: OpenTable) -> Arc<OpenTable> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tables.entry(key).or_insert_with(|| Arc::new(held)))
    }

    /// Opens the packed file of a table, if a directory has it.
    fn open_packed(
        &self,
        key: Key,
        variant: &'static Variant,
    ) -> Result<Option<Arc<OpenTable>>, ProbeError> {
        let (_, name) = key;
        let Some(path) = self.find(&name.packed_file_name()) else { return Ok(None) };
        let file = PackedFile::open(&path, self.access, name, variant)?;
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        Ok(Some(self.keep(key, OpenTable::Packed(Box::new(file), number))))
    }

    /// Where a file is, if a directory has it. What is there and cannot be opened counts as
    /// there.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let mut paths = self.directories.iter().map(|directory| directory.join(name));
        paths.find(|path| path.try_exists().unwrap_or(true))
    }

    /// Opens the file of a table, if a directory has it.
    fn open_file(&self, key: Key, rules: &Rules) -> Result<Option<Arc<OpenTable>>, ProbeError> {
        let (_, name) = key;
        let Some(path) = self.find(&name.file_name()) else { return Ok(None) };
        let file = SolvedFile::open(&path, self.access, name, rules)?;
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        Ok(Some(self.keep(key, OpenTable::File(Box::new(file), number))))
    }

    /// Solves a table, and what it leads to as far as no directory has it.
    fn solve(&self, key: Key, rules: &Rules, solve: &Solve) -> Result<Arc<OpenTable>, ProbeError> {
        let _alone = self.solving.lock().unwrap_or_else(PoisonError::into_inner);
        let (fingerprint, name) = key;
        let mut whole: HashMap<TableName, Arc<Table>> = HashMap::new();
        for needed in TableName::closure([name], rules) {
            let key = (fingerprint, needed);
            let held = match self.at_hand(key) {
                Some(held) => Some(held),
                None => self.open_file(key, rules)?,
            };
            let table = match held.as_deref() {
                Some(OpenTable::Memory(table)) => Arc::clone(table),
                Some(OpenTable::File(file, _)) => Arc::new(file.table()?),
                // A packed table does not hold all that a solver asks.
                Some(OpenTable::Packed(..)) | None => {
                    let solved = solve(needed, rules, &|smaller| whole.get(&smaller).cloned());
                    let solved =
                        solved.map_err(|source| ProbeError::Solver { table: needed, source })?;
                    let table = Arc::new(solved);
                    self.keep(key, OpenTable::Memory(Arc::clone(&table)));
                    table
                }
            };
            whole.insert(needed, table);
        }
        self.at_hand(key).ok_or_else(|| self.missing(name))
    }

    fn missing(&self, table: TableName) -> ProbeError {
        ProbeError::Missing { table, directories: self.directories.clone() }
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("directories", &self.directories)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tablebase_goes_to_other_threads() {
        fn shared<T: Send + Sync>() {}
        shared::<Tablebase>();
        shared::<ProbeError>();
    }
}
