//! The tables of a service: those of its directories, and small ones that it makes.
//!
//! ```text
//! look-up:   a position of few men          first make the tables that are in no directory
//!            a table is missing, of few men make it, and look up again
//!            otherwise                      the answer, or the error
//! ```
//!
//! Tables that are made stay as files in a directory of this process, which is removed at its end.
//! So memory is bounded: by the cache, and by [`MAKING_MEMORY`] while a table is made.
//!
//! A tablebase reads the files that it has opened. When files come, go or are replaced, a new one
//! takes its place; look-ups that run end with the old one.

use crate::build::batch::{Batch, BatchError, BatchObserver, TableReport};
use crate::build::plan::{BuildSettings, Plan, PlanStep};
use crate::output::solved::WriteOptions;
use crate::serve::error::ServeError;
use crate::serve::limits::ServiceLimits;
use crate::serve::lookups::Lookups;
use crate::store::ON_THE_SPOT;
use crate::system::ByteSize;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Access, ProbeError, TableFile};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tempfile::TempDir;
use tokio::task::spawn_blocking;

/// The memory for tables that are made for a request: what the largest of four men needs.
pub const MAKING_MEMORY: ByteSize = ByteSize::mib(256);

/// The most times that tables are made for one look-up: a position leads to fewer materials.
const MOST_MADE: usize = 32;

/// Where the tables of a service are.
#[derive(Clone, Debug)]
pub struct TableSources {
    /// The directories, in the order in which they are searched.
    pub directories: Vec<PathBuf>,
    /// How files are read.
    pub access: Access,
    /// The cache of the tables of one set of rules.
    pub cache: ByteSize,
}

/// The tables of a service.
#[derive(Debug)]
pub struct ServedTables {
    sources: TableSources,
    lookups: Lookups,
    /// One for each set of rules, by fingerprint.
    of_rules: BTreeMap<u64, RulesTables>,
    /// The directory of the tables made here.
    made: TempDir,
    /// Held while tables are made.
    making: tokio::sync::Mutex<()>,
}

/// The tables of one set of rules.
#[derive(Debug)]
struct RulesTables {
    variant: &'static Variant,
    /// The directory of those made here; it may not exist.
    made: PathBuf,
    open: RwLock<OpenTables>,
    /// Materials of few men of which all tables are there, with the counting rule.
    complete: Mutex<HashSet<(Material, &'static str)>>,
}

/// A tablebase, and the files that there were when it was opened.
#[derive(Debug)]
struct OpenTables {
    tablebase: Arc<Tablebase>,
    files: Vec<PathBuf>,
}

/// Why a service has no tables.
#[derive(Debug, thiserror::Error)]
pub enum ServedTablesError {
    /// A directory cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The directory for tables made here cannot be made.
    #[error("cannot make a directory for tables in {path}: {source}", path = path.display())]
    Made {
        /// Where.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

impl TableSources {
    /// The tables of these directories and of one more, if it exists.
    fn open(&self, made: &Path) -> Result<OpenTables, ProbeError> {
        let cache = usize::try_from(self.cache.0).unwrap_or(usize::MAX);
        let mut tablebase = Tablebase::new().with_access(self.access).with_cache(cache);
        for directory in &self.directories {
            tablebase.add_directory(directory)?;
        }
        if made.is_dir() {
            tablebase.add_directory(made)?;
        }
        let files = tablebase.table_files()?.into_iter().map(|file| file.path).collect();
        Ok(OpenTables { tablebase: Arc::new(tablebase), files })
    }
}

impl ServedTables {
    /// The tables of these sources.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read, or none can be made for small tables.
    pub fn new(
        sources: TableSources,
        limits: &ServiceLimits,
    ) -> Result<ServedTables, ServedTablesError> {
        let made = tempfile::Builder::new()
            .prefix("sakmak-")
            .tempdir()
            .map_err(|source| ServedTablesError::Made { path: std::env::temp_dir(), source })?;
        let mut of_rules = BTreeMap::new();
        for variant in variants::all() {
            let fingerprint = variant.rules.fingerprint();
            let made = made.path().join(format!("{fingerprint:016x}"));
            let open = RwLock::new(sources.open(&made)?);
            let complete = Mutex::default();
            of_rules.entry(fingerprint).or_insert(RulesTables { variant, made, open, complete });
        }
        let (lookups, making) = (Lookups::new(limits), tokio::sync::Mutex::new(()));
        Ok(ServedTables { sources, lookups, of_rules, made, making })
    }

    /// Looks something up, first of all at this position. Makes the tables of few men that are
    /// missing for it.
    ///
    /// # Errors
    ///
    /// If no table has the position, a table cannot be read or made, or too many requests wait.
    pub async fn look_up<T: Send + 'static>(
        self: &Arc<Self>,
        position: Position,
        lookup: impl Fn(&Tablebase) -> Result<T, ProbeError> + Clone + Send + 'static,
    ) -> Result<T, ServeError> {
        let material = position.material().material;
        let counting_rule = position.counting_rule();
        let rules = self.of_variant(position.variant())?;
        if makes(material) && position.leaps().is_empty() && position.legality().is_ok() {
            self.make(position.variant(), material, counting_rule).await?;
        }
        for _ in 0..MOST_MADE {
            let tablebase = rules.tablebase();
            let lookup = lookup.clone();
            let missing = match self.lookups.run(move || lookup(&tablebase)).await? {
                Ok(found) => return Ok(found),
                Err(ProbeError::Missing { table, .. }) if makes(table.material) => table,
                Err(error) => {
                    let largest = self.largest(counting_rule);
                    return Err(ServeError::of_probe(error, material, largest));
                }
            };
            rules.forget(missing.material, counting_rule);
            self.make(position.variant(), missing.material, counting_rule).await?;
        }
        Err(ServeError::Internal(format!("tables of {material} are missing again and again")))
    }

    /// The most men of a table that may answer under this counting rule.
    pub fn largest(&self, counting_rule: &'static CountingRule) -> usize {
        let variant = variants::counted_by(counting_rule);
        let tables = self.of_rules.get(&variant.rules.fingerprint());
        let largest = tables.and_then(|tables| tables.tablebase().largest(counting_rule).ok());
        largest.unwrap_or(0).max(ON_THE_SPOT)
    }

    /// The files of the tables of a variant.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read.
    pub fn files(&self, variant: &'static Variant) -> Result<Vec<TableFile>, ServeError> {
        self.of_variant(variant)?.tablebase().table_files().map_err(ServeError::Probe)
    }

    /// Opens the tables again if files came, went or were replaced. Returns whether it did.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read. The tables that are open stay.
    pub fn reload(&self) -> Result<bool, ProbeError> {
        let mut reloaded = false;
        for tables in self.of_rules.values() {
            let open = tables.tablebase();
            let fresh = self.sources.open(&tables.made)?;
            if tables.set_if_changed(fresh, !open.replaced_files().is_empty()) {
                reloaded = true;
            }
        }
        Ok(reloaded)
    }

    /// The errors of files in whose place another file answers.
    pub fn refused_files(&self) -> BTreeSet<String> {
        let tables = self.of_rules.values().map(RulesTables::tablebase);
        let refused = tables.flat_map(|tables| tables.refused_files());
        refused.map(|error| error.to_string()).collect()
    }

    fn of_variant(&self, variant: &'static Variant) -> Result<&RulesTables, ServeError> {
        let tables = self.of_rules.get(&variant.rules.fingerprint());
        tables.ok_or_else(|| ServeError::Internal(format!("no rules of {}", variant.name)))
    }

    /// Makes the tables of a material that are in no directory, one request at a time.
    async fn make(
        self: &Arc<Self>,
        variant: &'static Variant,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<(), ServeError> {
        let key = (material, counting_rule.name);
        if self.of_variant(variant)?.is_complete(key) {
            return Ok(());
        }
        let _alone = self.making.lock().await;
        let tables = Arc::clone(self);
        let made = spawn_blocking(move || -> Result<(), ServeError> {
            let rules = tables.of_variant(variant)?;
            if rules.is_complete(key) {
                return Ok(());
            }
            rules.make(material, counting_rule).map_err(|error| {
                ServeError::Internal(format!("cannot make the tables of {material}: {error}"))
            })?;
            rules.set(tables.sources.open(&rules.made).map_err(ServeError::Probe)?);
            rules.completed(key);
            Ok(())
        });
        made.await.map_err(|error| ServeError::Internal(format!("a solver failed: {error}")))?
    }

    /// The directory of the tables made here.
    pub fn made(&self) -> &Path {
        self.made.path()
    }
}

/// Whether tables of a material are made for a request.
fn makes(material: Material) -> bool {
    material != Material::BARE_KINGS && material.men() <= ON_THE_SPOT
}

impl RulesTables {
    fn tablebase(&self) -> Arc<Tablebase> {
        Arc::clone(&self.open.read().unwrap_or_else(PoisonError::into_inner).tablebase)
    }

    fn set(&self, fresh: OpenTables) {
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = fresh;
    }

    /// Uses fresh tables if they have other files than those that are open, or `replaced` ones.
    fn set_if_changed(&self, fresh: OpenTables, replaced: bool) -> bool {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        let changed = replaced || open.files != fresh.files;
        if changed {
            *open = fresh;
            self.complete.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        changed
    }

    fn is_complete(&self, key: (Material, &'static str)) -> bool {
        self.complete.lock().unwrap_or_else(PoisonError::into_inner).contains(&key)
    }

    fn completed(&self, key: (Material, &'static str)) {
        self.complete.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
    }

    fn forget(&self, material: Material, counting_rule: &'static CountingRule) {
        let key = (material, counting_rule.name);
        self.complete.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
    }

    /// Makes the tables of a material that have no file.
    fn make(
        &self,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<(), BatchError> {
        let metrics = [
            Metric::distance(&self.variant.rules),
            Metric::Counted(counting_rule),
            Metric::MateInTime(counting_rule),
        ];
        let names = metrics.map(|metric| TableName::answering(material, metric));
        let rules = &self.variant.rules;
        let there = self.there();
        let missing: Vec<TableName> = TableName::closure(names, rules)
            .into_iter()
            .filter(|name| !there.contains(name))
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let settings = BuildSettings {
            options: WriteOptions::default(),
            packed: None,
            memory: MAKING_MEMORY,
            spill: false,
        };
        Batch { rules, directory: &self.made, settings }.run(missing, &MakingLog)
    }

    /// The tables of which there is a file.
    fn there(&self) -> BTreeSet<TableName> {
        let files = self.tablebase().table_files().unwrap_or_default();
        let distances = files.into_iter().filter(|file| file.kind != FormatKind::Wdl);
        distances.map(|file| file.table).collect()
    }
}

/// Logs the tables that are made.
struct MakingLog;

impl BatchObserver for MakingLog {
    fn planned(&self, _: &Plan) {}
    fn made_elsewhere(&self, _: &PlanStep) {}
    fn waiting(&self, _: TableName) {}
    fn solving(&self, _: &PlanStep) {}
    fn layer(&self, _: Side, _: Moves) {}
    fn writing(&self, _: &PlanStep) {}
    fn counting(&self, _: &PlanStep) {}
    fn packing(&self, _: &PlanStep, _: u64) {}
    fn written(&self, _: u64) {}
    fn finished(&self, report: &TableReport) {
        let seconds = (report.solving + report.writing).as_secs_f64();
        tracing::info!(table = %report.name, seconds, "table made");
    }
}
