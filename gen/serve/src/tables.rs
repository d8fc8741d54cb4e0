//! The tables of a service: those of its directories, and small ones that it makes.
//!
//! ```text
//! look-up:   a position of few men            first make the tables that are in no directory
//!            a table of few men is missing    make it, and look up again
//!            otherwise                        the answer, or the error
//! ```
//!
//! Tables that are made stay as files in a directory of this process, which is removed at its end.
//! So memory is bounded: by the cache, and by the memory to make one table.

use crate::error::ServeError;
use crate::limits::ServiceLimits;
use crate::lookups::{LookupQueue, Lookups};
use crate::metrics::Metrics;
use crate::rules_tables::{RulesTables, TableSources};
use sakmak_answers::error::AnswerError;
use sakmak_answers::variants_json::ListedTables;
use sakmak_make::store::ON_THE_SPOT;
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

/// The most times that tables are made for one look-up: a position leads to fewer materials.
const MOST_MADE: usize = 32;

/// The tables of a service.
#[derive(Debug)]
pub struct ServedTables {
    /// By [`LookupQueue`].
    lookups: [Lookups; 3],
    /// Increases each time that answers may have changed.
    generation: AtomicU64,
    /// One for each set of rules, by fingerprint.
    of_rules: BTreeMap<u64, Arc<RulesTables>>,
    /// Held while tables are made, also for a request that is given up.
    making: Arc<Mutex<()>>,
    metrics: Arc<Metrics>,
    /// The directory of the tables made here, removed with the service.
    _made: TempDir,
}

/// The reason why a service has no tables.
#[derive(Debug, thiserror::Error)]
pub enum ServedTablesError {
    /// A directory cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The directory for tables made here cannot be made.
    #[error("cannot make a directory for tables in {path}: {source}", path = path.display())]
    Made {
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

impl ServedTables {
    /// The tables of these sources.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read, or none can be made for small tables.
    pub fn new(
        sources: &TableSources,
        limits: &ServiceLimits,
        metrics: Arc<Metrics>,
    ) -> Result<ServedTables, ServedTablesError> {
        let made = tempfile::Builder::new().prefix("sakmak-").tempdir();
        let made =
            made.map_err(|source| ServedTablesError::Made { path: std::env::temp_dir(), source })?;
        let mut of_rules = BTreeMap::new();
        for variant in variants::all() {
            let fingerprint = variant.rules.fingerprint();
            if let Entry::Vacant(vacant) = of_rules.entry(fingerprint) {
                let made = made.path().join(format!("{fingerprint:016x}"));
                let tables = RulesTables::open(&variant.rules, sources.clone(), made)?;
                vacant.insert(Arc::new(tables));
            }
        }
        let queues = [LookupQueue::Light, LookupQueue::Lines, LookupQueue::Search];
        let lookups = queues.map(|queue| Lookups::new(limits, queue));
        let (generation, making) = (AtomicU64::default(), Arc::default());
        Ok(ServedTables { lookups, generation, of_rules, making, metrics, _made: made })
    }

    /// Runs a look-up that starts at this position. Makes the tables of few men that are missing
    /// for it.
    ///
    /// # Errors
    ///
    /// If no table has the position, a table cannot be read or made, or too many requests wait.
    pub async fn look_up<T: Send + 'static>(
        &self,
        queue: LookupQueue,
        position: &Position,
        lookup: impl Fn(&Tablebase) -> Result<T, ProbeError> + Clone + Send + 'static,
    ) -> Result<T, ServeError> {
        let place = self.lookups[queue as usize].place()?;
        let material = position.material().material;
        let counting_rule = position.counting_rule();
        let tables = self.of_variant(position.variant())?;
        if is_makeable(material) && position.leaps().is_empty() && position.legality().is_ok() {
            self.make(&tables, material, counting_rule).await?;
        }
        for _ in 0..MOST_MADE {
            let (tablebase, lookup) = (tables.tablebase(), lookup.clone());
            let missing = match place.run(move || lookup(&tablebase)).await? {
                Ok(found) => return Ok(found),
                Err(ProbeError::Missing { table, .. }) if is_makeable(table.material) => table,
                Err(error) => {
                    let largest = tables.listed(counting_rule).largest;
                    return Err(AnswerError::of_probe(error, material, largest).into());
                }
            };
            self.make(&tables, missing.material, counting_rule).await?;
        }
        Err(ServeError::internal(format!("tables of {material} are missing again and again")))
    }

    /// Runs what needs no table in the place of a look-up.
    ///
    /// # Errors
    ///
    /// If too many wait.
    pub async fn run<T: Send + 'static>(
        &self,
        queue: LookupQueue,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServeError> {
        self.lookups[queue as usize].place()?.run(work).await
    }

    /// The tables available for a variant under its usual counting rule.
    ///
    /// # Errors
    ///
    /// If the variant is not one of [`variants::all`].
    pub fn listed(&self, variant: &'static Variant) -> Result<ListedTables, ServeError> {
        Ok(self.of_variant(variant)?.listed(variant.counting()))
    }

    /// Opens tables again if files came, went or were replaced.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read. The tables that are open stay.
    pub fn reload(&self) -> Result<(), ProbeError> {
        for tables in self.of_rules.values() {
            if tables.reload()? {
                self.generation.fetch_add(1, Ordering::AcqRel);
                self.metrics.reloads.inc();
                tracing::info!("files of tables have changed: they were opened again");
            }
        }
        Ok(())
    }

    /// A number that changes when tables are opened again or made: answers of another one may no
    /// longer be those of the tables.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The errors of files in whose place another file answers.
    pub fn refused_files(&self) -> BTreeSet<String> {
        let refused = self.of_rules.values().flat_map(|tables| tables.tablebase().refused_files());
        refused.map(|error| error.to_string()).collect()
    }

    fn of_variant(&self, variant: &'static Variant) -> Result<Arc<RulesTables>, ServeError> {
        let tables = self.of_rules.get(&variant.rules.fingerprint()).cloned();
        tables.ok_or_else(|| ServeError::internal(format!("no rules of {}", variant.name)))
    }

    /// Makes the tables of a material that are in no directory, one request at a time.
    async fn make(
        &self,
        tables: &Arc<RulesTables>,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<(), ServeError> {
        if tables.is_complete(material, counting_rule) {
            return Ok(());
        }
        let alone = Arc::clone(&self.making).lock_owned().await;
        if tables.is_complete(material, counting_rule) {
            return Ok(());
        }
        let tables = Arc::clone(tables);
        let made = spawn_blocking(move || {
            let made = tables.complete(material, counting_rule);
            drop(alone);
            made
        });
        let made = made.await;
        let made = made.map_err(|error| ServeError::internal(format!("a solver failed: {error}")));
        let failed =
            |error| ServeError::internal(format!("cannot make the tables of {material}: {error}"));
        if made?.map_err(failed)? {
            self.generation.fetch_add(1, Ordering::AcqRel);
            self.metrics.made.inc();
        }
        Ok(())
    }
}

/// Whether tables of a material are made for a request.
fn is_makeable(material: Material) -> bool {
    material != Material::BARE_KINGS && material.men() <= ON_THE_SPOT
}
