//! The open tables of a service.
//!
//! A tablebase reads the files that it has opened. When files come, go or are replaced, a new
//! tablebase replaces it; running lookups end with the old one.

use crate::inventory::{VariantInventory, distances, materials_in};
use sakmak_boards::list::GameName;
use sakmak_make::batch::plan::Batch;
use sakmak_make::batch::report::{BatchError, BatchObserver, TableReport};
use sakmak_make::batch::settings::BatchSettings;
use sakmak_make::output::solved::WriteOptions;
use sakmak_make::system::ByteSize;
use sakmak_probe::table_cache::TableCache;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Access, ProbeError, TableFile};
use sakmak_requests::variants_json::ListedTables;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::HashSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Memory limit for generating a table: enough for every table of four men.
pub const MAKING_MEMORY: ByteSize = ByteSize::mib(256);

/// The sources of the tables of a service.
#[derive(Clone, Debug)]
pub struct TableSources {
    /// The directory of tables; it may not exist.
    pub directory: PathBuf,
    /// Access mode of files.
    pub access: Access,
    /// The cache that all tables share.
    pub cache: ByteSize,
}

impl TableSources {
    fn new_cache(&self) -> Result<Arc<TableCache>, ProbeError> {
        let bytes = usize::try_from(self.cache.0).unwrap_or(usize::MAX);
        Ok(Arc::new(TableCache::new(bytes)?))
    }
}

/// The tables of a service, of all variants.
pub struct OpenedTables {
    sources: TableSources,
    /// The directory of tables generated here; it may not exist.
    made: PathBuf,
    open: RwLock<OpenedFiles>,
    /// Materials whose tables are all available, with the name of the counting rule.
    complete: Mutex<HashSet<(Material, &'static str)>>,
}

/// A tablebase, and the files that existed when it was opened.
#[derive(Clone)]
struct OpenedFiles {
    tablebase: Arc<Tablebase>,
    files: Arc<ListedFiles>,
}

/// The files of all variants.
#[derive(PartialEq)]
struct ListedFiles {
    /// By the folder of their rules.
    of_rules: BTreeMap<Option<&'static str>, Vec<TableFile>>,
    /// The materials of each board game.
    of_games: BTreeMap<GameName, Vec<String>>,
}

/// The reason why tables were not generated.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// A table could not be generated.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The tables could not be opened.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl OpenedTables {
    /// Opens the tables of these sources and of a directory of generated tables.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read, or too little memory is left for the cache.
    pub fn open(sources: TableSources, made: PathBuf) -> Result<OpenedTables, ProbeError> {
        let open = RwLock::new(OpenedFiles::new(&sources, &made, sources.new_cache()?)?);
        Ok(OpenedTables { sources, made, open, complete: Mutex::default() })
    }

    /// The directory of tables; it may not exist.
    pub fn directory(&self) -> &Path {
        &self.sources.directory
    }

    /// The open tables.
    pub fn tablebase(&self) -> Arc<Tablebase> {
        self.opened().tablebase
    }

    /// The tables available for a counting rule.
    pub fn listed(&self, counting_rule: &'static CountingRule) -> ListedTables {
        let variant = variants::counted_by(counting_rule);
        ListedTables::new(&self.names(&variant.rules), variant, counting_rule)
    }

    /// The tables available for a variant.
    pub fn inventory(&self, variant: &'static Variant) -> VariantInventory {
        VariantInventory::new(variant, self.opened().files.of(&variant.rules))
    }

    /// The materials of each board game that have a file.
    pub fn board_materials(&self) -> BTreeMap<GameName, Vec<String>> {
        self.opened().files.of_games.clone()
    }

    /// The tables of distances with these rules that have a file.
    fn names(&self, rules: &Rules) -> HashSet<TableName> {
        distances(self.opened().files.of(rules))
    }

    /// Reopens the tables if files came, went or were replaced. Returns whether it did.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read; the open tables stay open.
    pub fn reload(&self) -> Result<bool, ProbeError> {
        let open = self.opened();
        let same = ListedFiles::new(&open.tablebase)? == *open.files;
        if same && open.tablebase.replaced_files().is_empty() {
            return Ok(false);
        }
        self.open_again()?;
        self.completed().clear();
        Ok(true)
    }

    /// Whether all tables of a material are known to be available.
    pub fn is_complete(&self, material: Material, counting_rule: &CountingRule) -> bool {
        self.completed().contains(&(material, counting_rule.name))
    }

    /// Generates the tables of a material that have no file. Returns whether a table was generated.
    ///
    /// # Errors
    ///
    /// If a table cannot be generated or opened.
    pub fn complete(
        &self,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<bool, MakeError> {
        let rules = &variants::counted_by(counting_rule).rules;
        let metrics = Metric::all_of(rules, counting_rule);
        let names = metrics.map(|metric| TableName::deciding(material, metric));
        let there = self.names(rules);
        let mut missing = TableName::closure(names, rules);
        missing.retain(|name| !there.contains(name));
        let makes = !missing.is_empty();
        if makes {
            let settings = BatchSettings {
                options: WriteOptions::default(),
                packed: None,
                wdl: None,
                memory: MAKING_MEMORY,
                disk: None,
                spill: false,
            };
            let directory = rules.files_in(&self.made);
            let batch = Batch { rules, directory: &directory, settings };
            batch.run(missing, &MakingLog)?;
            self.open_again()?;
        }
        self.completed().insert((material, counting_rule.name));
        Ok(makes)
    }

    fn opened(&self) -> OpenedFiles {
        self.open.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn open_again(&self) -> Result<(), ProbeError> {
        self.open_with(Arc::clone(self.tablebase().cache()))
    }

    /// Replaces the cache if it has no free number for another table.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read, or too little memory is left for the cache; the open tables
    /// stay open.
    pub fn renew_cache(&self) -> Result<(), ProbeError> {
        match self.tablebase().cache().is_spent() {
            true => self.open_with(self.sources.new_cache()?),
            false => Ok(()),
        }
    }

    fn open_with(&self, cache: Arc<TableCache>) -> Result<(), ProbeError> {
        let fresh = OpenedFiles::new(&self.sources, &self.made, cache)?;
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(())
    }

    fn completed(&self) -> MutexGuard<'_, HashSet<(Material, &'static str)>> {
        self.complete.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenedFiles {
    /// Opens the tables in the sources and in one more directory.
    fn new(
        sources: &TableSources,
        made: &Path,
        cache: Arc<TableCache>,
    ) -> Result<OpenedFiles, ProbeError> {
        let tablebase = Tablebase::new().with_access(sources.access);
        let mut tablebase = tablebase.with_shared_cache(cache);
        for directory in [&sources.directory, made].into_iter().filter(|path| path.is_dir()) {
            tablebase.add_directory(directory)?;
        }
        let files = Arc::new(ListedFiles::new(&tablebase)?);
        Ok(OpenedFiles { tablebase: Arc::new(tablebase), files })
    }
}

impl ListedFiles {
    /// Lists the files in the directories of a tablebase.
    fn new(tablebase: &Tablebase) -> Result<ListedFiles, ProbeError> {
        let mut of_rules = BTreeMap::new();
        for Variant { rules, .. } in variants::all() {
            // Several variants share a folder.
            if let Entry::Vacant(vacant) = of_rules.entry(rules.folder) {
                vacant.insert(tablebase.table_files_of(rules)?);
            }
        }
        let of_game = |game: GameName| {
            let folders = tablebase.directories().iter().map(|path| path.join(game.name()));
            (game, folders.flat_map(|folder| materials_in(&folder)).collect())
        };
        Ok(ListedFiles { of_rules, of_games: GameName::ALL.into_iter().map(of_game).collect() })
    }

    /// The files of tables with these rules.
    fn of(&self, rules: &Rules) -> &[TableFile] {
        self.of_rules.get(&rules.folder).map_or(&[], Vec::as_slice)
    }
}

/// Logs generated tables.
struct MakingLog;

impl BatchObserver for MakingLog {
    fn finished(&self, report: &TableReport) {
        let seconds = (report.solving + report.writing).as_millis() as f64 / 1e3;
        tracing::info!(table = %report.name, seconds, "table made");
    }
}
