//! The tables of a service: those of its directories, and small ones that it makes.
//!
//! ```text
//! look-up:   a position of few men            first make the tables that are in no directory
//!            a table of few men is missing    make it, and look up again
//!            otherwise                        the answer, or the error
//! ```
//!
//! Tables that are made stay as files in a directory of this process, which is removed at its end.
//! So memory is bounded: by one cache for the tables of all rules and games, and by the memory to make
//! one table.

use crate::error::ServeError;
use crate::inventory::{VariantInventory, tier_tables};
use crate::limits::ServiceLimits;
use crate::lookups::{LookupQueue, Lookups};
use crate::metrics::Metrics;
use crate::rules_tables::{RulesTables, TableSources};
use sakmak_make::store::ON_THE_SPOT;
use sakmak_probe::ProbeError;
use sakmak_probe::boards::cache::BlockCache;
use sakmak_probe::table_cache::TableCache;
use sakmak_probe::tablebase::Tablebase;
use sakmak_requests::error::AnswerError;
use sakmak_requests::variants_json::ListedTables;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

/// The most times that tables are made for one look-up: a position leads to fewer materials.
const MOST_MADE: usize = 32;

/// Fraction 1/n of the cache for the games that are solved by tiers.
const TIER_PART: u64 = 8;

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
    /// The directories, in the order in which they are searched.
    directories: Vec<PathBuf>,
    /// The bytes of the cache that the tables of all rules share.
    cache: usize,
    /// The cache of the games that are solved by tiers.
    tier_cache: Arc<BlockCache>,
}

impl ServedTables {
    /// The tables of these sources, and of a directory for those that are made here.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read, or less memory is left than the cache may take.
    pub fn new(
        sources: &TableSources,
        made: &Path,
        limits: &ServiceLimits,
        metrics: Arc<Metrics>,
    ) -> Result<ServedTables, ProbeError> {
        let bytes = |size: u64| usize::try_from(size).unwrap_or(usize::MAX);
        let of_tiers = sources.cache.0 / TIER_PART;
        let cache = bytes(sources.cache.0 - of_tiers);
        let shared = Arc::new(TableCache::new(cache)?);
        let tier_cache = Arc::new(BlockCache::new(bytes(of_tiers)));
        let mut of_rules = BTreeMap::new();
        for variant in variants::all() {
            let fingerprint = variant.rules.fingerprint();
            if let Entry::Vacant(vacant) = of_rules.entry(fingerprint) {
                let made = made.join(format!("{fingerprint:016x}"));
                let shared = Arc::clone(&shared);
                let tables = RulesTables::open(&variant.rules, sources.clone(), made, shared)?;
                vacant.insert(Arc::new(tables));
            }
        }
        let queues = [LookupQueue::Light, LookupQueue::Lines, LookupQueue::Search];
        let lookups = queues.map(|queue| Lookups::new(limits, queue));
        let (generation, making) = (AtomicU64::default(), Arc::default());
        let directories = sources.directories.clone();
        let tables = ServedTables {
            lookups,
            generation,
            of_rules,
            making,
            metrics,
            directories,
            cache,
            tier_cache,
        };
        tables.count();
        tables.count_tiers();
        Ok(tables)
    }

    /// The directories, in the order in which they are searched.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The cache of the games that are solved by tiers.
    pub fn tier_cache(&self) -> Arc<BlockCache> {
        Arc::clone(&self.tier_cache)
    }

    /// Whether a request waits for tables that are made.
    pub fn is_making(&self) -> bool {
        self.making.try_lock().is_err()
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

    /// The tables available for a counting rule.
    ///
    /// # Errors
    ///
    /// If its variant is not one of [`variants::all`].
    pub fn listed(&self, counting_rule: &'static CountingRule) -> Result<ListedTables, ServeError> {
        Ok(self.of_variant(variants::counted_by(counting_rule))?.listed(counting_rule))
    }

    /// Opens tables again if files came, went or were replaced.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read. The tables that are open stay.
    pub fn reload(&self) -> Result<(), ProbeError> {
        let mut changed = false;
        let mut reload = || {
            for tables in self.of_rules.values() {
                changed |= tables.reload()?;
            }
            Ok(())
        };
        let reloaded = reload();
        if changed {
            self.generation.fetch_add(1, Ordering::AcqRel);
            self.metrics.reloads.inc();
            self.count();
            tracing::info!("files of tables have changed: they were opened again");
        }
        self.count_tiers();
        reloaded.and_then(|()| self.renew_cache())
    }

    /// Replaces the cache if so many tables were opened that it is spent.
    fn renew_cache(&self) -> Result<(), ProbeError> {
        let is_spent = |tables: &Arc<RulesTables>| tables.tablebase().cache().is_spent();
        if self.of_rules.values().any(is_spent) {
            let shared = Arc::new(TableCache::new(self.cache)?);
            for tables in self.of_rules.values() {
                tables.open_with(Arc::clone(&shared))?;
            }
        }
        Ok(())
    }

    /// The tables available for each variant.
    pub fn inventory(&self) -> Vec<VariantInventory> {
        let of = |variant| Some(self.of_variant(variant).ok()?.inventory(variant));
        variants::all().into_iter().filter_map(of).collect()
    }

    /// The number of tables of each game that is solved by tiers.
    pub fn tier_tables(&self) -> BTreeMap<&'static str, usize> {
        let mut tables = BTreeMap::new();
        for (name, count) in self.directories.iter().flat_map(|directory| tier_tables(directory)) {
            *tables.entry(name).or_default() += count;
        }
        tables
    }

    /// Counts the tables for the metrics.
    fn count(&self) {
        self.inventory().iter().for_each(|inventory| self.metrics.count(inventory));
    }

    /// Counts the tables of games that are solved by tiers for the metrics.
    fn count_tiers(&self) {
        let tables = self.tier_tables().into_iter();
        tables.for_each(|(name, count)| self.metrics.count_tiers(name, count));
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
            self.count();
        }
        Ok(())
    }
}

/// Whether tables of a material are made for a request.
pub fn is_makeable(material: Material) -> bool {
    material != Material::BARE_KINGS && material.men() <= ON_THE_SPOT
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_make::store::solve_on_the_spot;
    use sakmak_make::system::ByteSize;
    use sakmak_make::system::temporary_directory::TemporaryDirectory;
    use sakmak_probe::Access;
    use sakmak_tables::board::square::Square;
    use sakmak_tables::rules::piece::{Piece, PieceKind, Side};

    /// Compares the tables of a rook of all variants with those of another tablebase.
    fn assert_right(tables: &ServedTables, expected: &Tablebase) {
        let material: Material = "KRvK".parse().unwrap();
        for variant in variants::all() {
            let of_rules = tables.of_variant(variant).unwrap();
            of_rules.complete(material, variant.counting()).unwrap();
            let tablebase = of_rules.tablebase();
            let square = |number: usize| Square::all().nth(number % 64).unwrap();
            let mut compared = 0;
            for number in 0..2000 {
                let side = Side::BOTH[number % 2];
                let men = [
                    (Piece::new(Side::White, PieceKind::King), square(number * 7)),
                    (Piece::new(Side::White, PieceKind::Rook), square(number * 11 + 1)),
                    (Piece::new(Side::Black, PieceKind::King), square(number * 5 + 30)),
                ];
                let Ok(position) = Position::new(variant, side, men) else { continue };
                if position.legality().is_ok() {
                    assert_eq!(tablebase.dtm(&position).ok(), expected.dtm(&position).ok());
                    compared += 1;
                }
            }
            assert!(compared > 500, "{compared}");
        }
        let first = tables.of_rules.values().next().unwrap().tablebase();
        for of_rules in tables.of_rules.values() {
            assert!(Arc::ptr_eq(first.cache(), of_rules.tablebase().cache()));
        }
        let bytes = first.cached_bytes();
        assert!((1..7 << 20).contains(&bytes), "{bytes}");
    }

    #[test]
    fn tables_of_all_rules_share_a_cache_and_are_not_confused() {
        let made = TemporaryDirectory::new().unwrap();
        let sources = TableSources {
            directories: Vec::new(),
            access: Access::default(),
            cache: ByteSize::mib(8),
        };
        let (limits, metrics) = (ServiceLimits::of_cores(1), Arc::new(Metrics::new()));
        let tables = ServedTables::new(&sources, made.path(), &limits, metrics).unwrap();
        let expected = solve_on_the_spot(Tablebase::new(), 3);
        assert_right(&tables, &expected);
        // A spent cache is replaced for all of them.
        let spent = tables.of_rules.values().next().unwrap().tablebase();
        while !spent.cache().is_spent() {
            spent.cache().new_table();
        }
        tables.reload().unwrap();
        let fresh = tables.of_rules.values().next().unwrap().tablebase();
        assert!(!Arc::ptr_eq(spent.cache(), fresh.cache()) && !fresh.cache().is_spent());
        assert_right(&tables, &expected);
    }
}
