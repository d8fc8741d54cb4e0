//! A tablebase: tables of its sources, opened on first use, and the questions it answers about a
//! position.
//!
//! Each question has a file, an `impl Tablebase` of its own:
//!
//! ```text
//! value    distance to mate, counted distance, category     from a solved, packed or WDL file
//! wdl      category at a fresh count                        from a WDL file
//! searcher       the same questions with a budget of lookups
//! mate_in_time   the shortest mate in time                  value; a searcher searches
//! moves    legal moves, rated, best first                   value of every successor
//! count    the count that runs or starts                    value if either side may count
//! line     best play: to mate, and under the count          moves, again and again
//! counted_position   a position, and who called its count
//! solution the number of right moves, up to the mate        moves, a searcher
//! answer   everything a player wants to know                all of the above but wdl
//! partial_answer   the moves into tables, of a position without a table     moves
//! listing  available tables                                 names of files
//! prepare  files opened ahead                               listing
//! ```
//!
//! A probe of an open table is lock-free: the material key of the position indexes an array of open
//! tables, and decoded blocks come from a lock-free cache.

mod material_map;

pub(crate) mod open_table;

mod look_ahead;

pub mod value;

mod wdl_files;

mod refused_files;

mod wdl;

pub mod mate_bounds;

mod found_mates;

pub mod searcher;

pub mod mate_in_time;

pub mod moves;

pub mod count;

pub mod line;

pub mod counted_position;

pub mod solution;

pub mod answer;

pub mod partial_answer;

pub mod listing;

pub mod prepare;

use crate::error::ProbeError;
use crate::file::bytes::Access;
use crate::file::open_file::FileError;
use crate::file::packed::PackedFile;
use crate::file::solved::SolvedFile;
use crate::memory::ensure_available;
use crate::process::OwnerProcess;
use crate::source::{BoardFiles, DirectorySource, FoundFile, TableSource};
use crate::table_cache::TableCache;
use crate::tablebase::found_mates::FoundMates;
use crate::tablebase::material_map::MaterialMap;
use crate::tablebase::open_table::{OpenBoardTables, OpenTable};
use crate::tablebase::refused_files::RefusedFiles;
use crate::tablebase::wdl_files::WdlFiles;
use sakmak_boards::codes::Codes;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::Rules;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// Default size of the cache of decoded blocks and of values, in bytes.
pub const CACHE_BYTES: usize = 64 << 20;

/// The fingerprint of the rules that a table was made with, and its name.
type TableKey = (u64, TableName);

/// The tables of some directories or other sources. Any number of threads may share it.
///
/// A child of a fork must make its own: this one returns [`ProbeError::OtherProcess`] there
/// where it would open a table, and never waits for a thread of the parent. Dropping this one
/// there may panic: forget it.
///
/// A tablebase serves every variant; variants with the same rules share tables.
///
/// ```
/// use sakmak_probe::{Category, MAKRUK, Position, Tablebase};
///
/// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
/// let tables = Tablebase::open(directory)?;
/// let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w")?;
/// assert_eq!(tables.category(&position)?, Category::Win);
///
/// // Threads share it by reference, or in an `Arc`.
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| assert_eq!(tables.category(&position).ok(), Some(Category::Win)));
///     }
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase {
    /// Shared with the errors of missing tables, which then need no copy.
    directories: Arc<[PathBuf]>,
    access: Access,
    /// Whether a packed file answers before a solved one.
    packed_first: bool,
    cache: Arc<TableCache>,
    /// In search order.
    sources: Vec<Arc<dyn TableSource>>,
    /// Fingerprints of the rules of all variants, computed once instead of for each probe.
    fingerprints: Vec<(&'static Variant, u64)>,
    tables: RwLock<HashMap<TableKey, Arc<OpenTable>>>,
    /// The same tables for lock-free access. `None` if a table is missing.
    by_material: MaterialMap<Option<Arc<OpenTable>>>,
    /// The open tables of board games, by the name of the game.
    boards: RwLock<BTreeMap<String, Arc<dyn OpenBoardTables>>>,
    /// Whether the tables of mates in time are available, by material.
    with_mates_in_time: MaterialMap<bool>,
    /// The process that may wait for locks: in a child of a fork, threads that hold them do not
    /// exist.
    owner: OwnerProcess,
    wdl_files: WdlFiles,
    refused_files: RefusedFiles,
    found_mates: FoundMates,
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
            directories: Arc::default(),
            access: Access::default(),
            packed_first: false,
            cache: Arc::new(TableCache::unchecked(CACHE_BYTES)),
            sources: Vec::new(),
            fingerprints: variants::all().map(fingerprint).collect(),
            tables: RwLock::default(),
            by_material: MaterialMap::new(),
            boards: RwLock::default(),
            with_mates_in_time: MaterialMap::new(),
            owner: OwnerProcess::current(),
            wdl_files: WdlFiles::new(),
            refused_files: RefusedFiles::default(),
            found_mates: FoundMates::default(),
        }
    }

    /// Opens the tables of a directory. Each file is opened when it is first needed.
    ///
    /// ```
    /// use sakmak_probe::{ProbeError, Tablebase};
    ///
    /// let missing = Tablebase::open("no/such/directory");
    /// assert!(matches!(missing, Err(ProbeError::Directory { .. })));
    /// ```
    ///
    /// # Errors
    ///
    /// If the directory cannot be read.
    pub fn open(directory: impl AsRef<Path>) -> Result<Tablebase, ProbeError> {
        let mut tablebase = Tablebase::new();
        tablebase.add_directory(directory)?;
        Ok(tablebase)
    }

    /// A tablebase of a directory that may not exist yet.
    #[doc(hidden)]
    pub fn of_directory(directory: &Path) -> Tablebase {
        let mut tablebase = Tablebase::new();
        tablebase.push_directory(directory.to_path_buf());
        tablebase
    }

    fn push_directory(&mut self, path: PathBuf) {
        self.directories = self.directories.iter().cloned().chain([path.clone()]).collect();
        self.add_source(Arc::new(DirectorySource(path)));
    }

    /// Adds a directory as the last source of tables. Files that were missing are searched for
    /// again, in all sources.
    ///
    /// # Errors
    ///
    /// If the directory cannot be read.
    pub fn add_directory(&mut self, directory: impl AsRef<Path>) -> Result<(), ProbeError> {
        let path = directory.as_ref().to_path_buf();
        let is_directory = match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => Ok(()),
            Ok(_) => Err(io::ErrorKind::NotADirectory.into()),
            Err(error) => Err(error),
        };
        match is_directory {
            Ok(()) => {
                self.push_directory(path);
                Ok(())
            }
            Err(source) => Err(ProbeError::Directory { path, source }),
        }
    }

    /// Adds a source of tables as the last one. Tables that were missing are searched for again, in
    /// all sources.
    pub fn add_source(&mut self, source: Arc<dyn TableSource>) {
        self.sources.push(source);
        self.wdl_files.forget_missing();
        self.by_material.forget(Option::is_none);
        self.with_mates_in_time.forget(|&all| !all);
        self.found_mates.clear();
    }

    /// Adds a source: see [`Tablebase::add_source`].
    #[must_use]
    pub fn with_source(mut self, source: Arc<dyn TableSource>) -> Tablebase {
        self.add_source(source);
        self
    }

    /// Sets the access to files; the default is to map them. Does not affect open files.
    #[must_use]
    pub fn with_access(mut self, access: Access) -> Tablebase {
        self.access = access;
        self
    }

    /// Prefers the packed file of a table over its solved file. The default is to read the solved
    /// file, which is faster. Does not affect open files.
    #[must_use]
    pub fn with_packed_first(mut self) -> Tablebase {
        self.packed_first = true;
        self
    }

    /// Sets the size of the cache of decoded blocks and of values in bytes; the default is
    /// [`CACHE_BYTES`].
    ///
    /// ```
    /// use sakmak_probe::{ProbeError, Tablebase};
    ///
    /// let refused = Tablebase::new().with_cache(1 << 50);
    /// assert!(matches!(refused, Err(ProbeError::Memory(_))));
    /// ```
    ///
    /// # Errors
    ///
    /// If less memory is left.
    pub fn with_cache(mut self, bytes: usize) -> Result<Tablebase, ProbeError> {
        self.set_cache(bytes)?;
        Ok(self)
    }

    /// Sets the size of the cache: see [`Tablebase::with_cache`]. The cache is empty afterwards and
    /// shared with no other tablebase. It allocates memory while it is filled, and stops growing
    /// when the system has none left.
    ///
    /// # Errors
    ///
    /// If less memory is available. The cache is then unchanged.
    pub fn set_cache(&mut self, bytes: usize) -> Result<(), ProbeError> {
        // The memory of the old cache is free by then, unless other tablebases share it.
        let freed = Arc::get_mut(&mut self.cache).map_or(0, |cache| cache.bytes());
        ensure_available(bytes.saturating_sub(freed))?;
        self.cache = Arc::new(self.cache.successor(bytes));
        Ok(())
    }

    /// Uses a cache that other tablebases may share.
    #[doc(hidden)]
    #[must_use]
    pub fn with_shared_cache(mut self, cache: Arc<TableCache>) -> Tablebase {
        // Open files have numbers in the old cache, so they are closed.
        let is_file = |table: &OpenTable| !matches!(table, OpenTable::Memory(_));
        let tables = self.tables.get_mut().unwrap_or_else(PoisonError::into_inner);
        tables.retain(|_, table| !is_file(table));
        self.by_material.forget(|table| table.as_deref().is_some_and(is_file));
        self.boards.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        self.cache = cache;
        self
    }

    /// The cache of decoded blocks and of values.
    #[doc(hidden)]
    pub fn cache(&self) -> &Arc<TableCache> {
        &self.cache
    }

    /// The bytes of decoded blocks in the cache.
    pub fn cached_bytes(&self) -> usize {
        self.cache.bytes()
    }

    /// The directories, in the order in which they are searched.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The access to files.
    pub fn access(&self) -> Access {
        self.access
    }

    /// The errors of files that were refused when they were opened, and that another file replaces:
    /// a file of the same table in a later directory, the packed file instead of the solved one, or
    /// tables instead of a WDL file. A refused file without a replacement is the error of the
    /// probe, and is listed here once [`Tablebase::prepare`] or [`Tablebase::largest`] has tried
    /// it. Empty in a child of a fork.
    pub fn refused_files(&self) -> Vec<Arc<FileError>> {
        match self.in_own_process() {
            Ok(()) => self.refused_files.errors(),
            Err(_) => Vec::new(),
        }
    }

    /// The paths of open files that were removed, renamed, or replaced by renaming another file
    /// over them. Probes read the files that were opened; a new tablebase reads the new files.
    /// Needs a system call for each open file. Empty in a child of a fork.
    pub fn replaced_files(&self) -> Vec<PathBuf> {
        if self.in_own_process().is_err() {
            return Vec::new();
        }
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let tables = tables.values().filter_map(|table| table.replaced());
        let wdl = self.wdl_files.open().filter_map(|file| file.replaced());
        let mut paths: Vec<PathBuf> = tables.chain(wdl).map(Path::to_path_buf).collect();
        let boards = self.boards.read().unwrap_or_else(PoisonError::into_inner);
        paths.extend(boards.values().flat_map(|open| open.replaced()));
        paths.sort();
        paths
    }

    /// Returns a table that is open, opens its file, or gets it in memory.
    fn table(
        &self,
        name: TableName,
        variant: &'static Variant,
    ) -> Result<Arc<OpenTable>, ProbeError> {
        self.in_own_process()?;
        let known = self.fingerprints.iter().find(|(known, _)| *known == variant);
        let fingerprint = known.map_or_else(|| variant.rules.fingerprint(), |&(_, print)| print);
        let key = (fingerprint, name);
        if let Some(table) = self.open_already(key) {
            return Ok(table);
        }
        let mut refused = Vec::new();
        let mut open = |packed: bool| match packed {
            true => self.open_packed(key, variant, &mut refused),
            false => self.open_solved(key, &variant.rules, &mut refused),
        };
        if let Some(table) = open(self.packed_first).or_else(|| open(!self.packed_first)) {
            self.refused_files.note(refused);
            return Ok(table);
        }
        first_refused(refused)?;
        let table = self.in_memory(key, &variant.rules, &self.sources)?;
        let table = table.ok_or_else(|| self.missing(name))?;
        Ok(self.keep(key, OpenTable::Memory(table)))
    }

    /// Checks that this is the process that made the tablebase. Every path that may wait for
    /// another thread begins here.
    pub(crate) fn in_own_process(&self) -> Result<(), ProbeError> {
        if self.owner.is_current() { Ok(()) } else { Err(ProbeError::OtherProcess) }
    }

    fn open_already(&self, key: TableKey) -> Option<Arc<OpenTable>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    /// Keeps a table. If two threads provide the same table, the first one stays.
    fn keep(&self, key: TableKey, table: OpenTable) -> Arc<OpenTable> {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(tables.entry(key).or_insert_with(|| Arc::new(table)))
    }

    /// Opens the first sound solved file of a table. `None` if no directory has one.
    fn open_solved(
        &self,
        key: TableKey,
        rules: &Rules,
        refused: &mut Vec<FileError>,
    ) -> Option<Arc<OpenTable>> {
        let (_, name) = key;
        let open = |file| match file {
            FoundFile::Path(path) => SolvedFile::open(&path, self.access, name, rules),
            FoundFile::Bytes(path, bytes) => SolvedFile::from_bytes(&path, bytes, name, rules),
        };
        let file = self.first_sound(rules.folder, &name.file_name(), open, refused)?;
        Some(self.keep(key, OpenTable::Solved(Box::new(file), self.cache.new_table())))
    }

    /// Opens the first sound packed file of a table. `None` if no directory has one.
    fn open_packed(
        &self,
        key: TableKey,
        variant: &'static Variant,
        refused: &mut Vec<FileError>,
    ) -> Option<Arc<OpenTable>> {
        let (_, name) = key;
        let open = |file| match file {
            FoundFile::Path(path) => PackedFile::open(&path, self.access, name, variant),
            FoundFile::Bytes(path, bytes) => PackedFile::from_bytes(&path, bytes, name, variant),
        };
        let file =
            self.first_sound(variant.rules.folder, &name.packed_file_name(), open, refused)?;
        Some(self.keep(key, OpenTable::Packed(Box::new(file), self.cache.new_table())))
    }

    /// Opens the first file of the sources that `open` accepts. `None` without a file. Notes the
    /// errors of other files.
    ///
    /// # Errors
    ///
    /// If `open` accepts no file: the error of the first.
    pub(crate) fn sound_file<T>(
        &self,
        folder: Option<&str>,
        name: &str,
        open: impl Fn(FoundFile) -> Result<T, FileError>,
    ) -> Result<Option<T>, FileError> {
        let mut refused = Vec::new();
        match self.first_sound(folder, name, open, &mut refused) {
            Some(file) => {
                self.refused_files.note(refused);
                Ok(Some(file))
            }
            None => first_refused(refused).map(|()| None),
        }
    }

    /// The codes of a material of a board game from the sources that need no file; `files` returns
    /// the codes of the materials that have one.
    pub(crate) fn board_codes(
        &self,
        game: &str,
        material: &str,
        files: &BoardFiles<'_>,
    ) -> Result<Option<Codes>, ProbeError> {
        let codes = |source: &Arc<dyn TableSource>| source.find_codes(game, material, files);
        self.sources.iter().find_map(|source| codes(source).transpose()).transpose()
    }

    /// The open tables of the board game of this name, made at the first call.
    pub(crate) fn open_boards(
        &self,
        game: String,
        make: &dyn Fn() -> Arc<dyn OpenBoardTables>,
    ) -> Arc<dyn OpenBoardTables> {
        let open = self.boards.read().unwrap_or_else(PoisonError::into_inner).get(&game).cloned();
        open.unwrap_or_else(|| {
            let mut boards = self.boards.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(boards.entry(game).or_insert_with(make))
        })
    }

    /// Opens the first file of the sources that `open` accepts. `None` without such a file. Adds
    /// the errors of other files to `refused`.
    fn first_sound<T>(
        &self,
        folder: Option<&str>,
        name: &str,
        open: impl Fn(FoundFile) -> Result<T, FileError>,
        refused: &mut Vec<FileError>,
    ) -> Option<T> {
        let found =
            self.sources.iter().filter_map(|source| source.find_file(folder, name).transpose());
        let opened = found.map(|found| found.and_then(&open));
        opened.filter_map(|opened| opened.map_err(|error| refused.push(error)).ok()).next()
    }

    /// The table from the first of these sources that has it in memory. A source reads other tables
    /// from all files and from the sources before it.
    fn in_memory(
        &self,
        (fingerprint, name): TableKey,
        rules: &Rules,
        sources: &[Arc<dyn TableSource>],
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        let Some((last, before)) = sources.split_last() else { return Ok(None) };
        match self.in_memory((fingerprint, name), rules, before)? {
            Some(table) => Ok(Some(table)),
            None => last
                .find_table(name, rules, &|other| self.whole((fingerprint, other), rules, before)),
        }
    }

    /// A whole table, from a solved file or from these sources.
    fn whole(
        &self,
        key: TableKey,
        rules: &Rules,
        sources: &[Arc<dyn TableSource>],
    ) -> Result<Option<Arc<Table>>, ProbeError> {
        let mut refused = Vec::new();
        let open = self.open_already(key).or_else(|| self.open_solved(key, rules, &mut refused));
        match open {
            Some(_) => self.refused_files.note(refused),
            None => first_refused(refused)?,
        }
        match open.as_deref() {
            Some(OpenTable::Memory(table)) => Ok(Some(Arc::clone(table))),
            Some(OpenTable::Solved(file, _)) => Ok(Some(Arc::new(file.table()?))),
            // A packed file lacks values that a solver reads.
            Some(OpenTable::Packed(..)) | None => self.in_memory(key, rules, sources),
        }
    }

    pub(crate) fn missing(&self, table: TableName) -> ProbeError {
        ProbeError::Missing { table, directories: Arc::clone(&self.directories) }
    }
}

/// Fails with the first of these errors.
fn first_refused(refused: Vec<FileError>) -> Result<(), FileError> {
    refused.into_iter().next().map_or(Ok(()), Err)
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
    use sakmak_tables::counting::Category;
    use sakmak_tables::position::Position;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn threads_may_share_a_tablebase() {
        fn shared<T: Send + Sync>() {}
        shared::<Tablebase>();
        shared::<ProbeError>();
    }

    #[test]
    fn a_missing_table_is_looked_for_again_after_a_directory_is_added() {
        let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
        let empty = tempfile::tempdir().unwrap();
        let mut tables = Tablebase::open(empty.path()).unwrap();
        for _ in 0..2 {
            let missing = tables.category(&position).unwrap_err();
            assert!(matches!(&missing, ProbeError::Missing { .. }), "{missing}");
            assert_eq!(
                missing.to_string(),
                format!("no table KRvK.dtm.smt in {}", empty.path().display())
            );
        }
        tables.add_directory(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables")).unwrap();
        assert_eq!(tables.category(&position).unwrap(), Category::Win);
    }
}
