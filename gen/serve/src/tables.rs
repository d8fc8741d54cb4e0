//! The tables of a service: files of its directory, and small tables that it generates.
//!
//! ```text
//! look-up:   a position of few men            first make the tables that are in no directory
//!            a table of few men is missing    make it, and look up again
//!            otherwise                        the answer, or the error
//! ```
//!
//! Generated tables stay as files in a directory of this process, which is removed at its end.
//! So memory is bounded: by one cache for the tables of all rules and games, and by the memory to
//! generate one table.

use crate::board_games::board_games;
use crate::error::ServeError;
use crate::exercise_lists::exercise_lists;
use crate::game_tables::ServedGames;
use crate::inventory::VariantInventory;
use crate::limits::ServiceLimits;
use crate::lookups::{LookupQueue, Lookups};
use crate::metrics::Metrics;
use crate::rules_tables::{RulesTables, TableSources};
use sakmak_make::store::ON_THE_SPOT;
use sakmak_probe::boards::answer::Answer as BoardAnswer;
use sakmak_probe::table_cache::TableCache;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Answer, LookupBudget, ProbeError, TableName};
use sakmak_requests::answer::{Answered, Environment};
use sakmak_requests::error::AnswerError;
use sakmak_requests::exercise_lists::ExerciseLists;
use sakmak_requests::query::{BoardRequest, PositionRequest};
use sakmak_requests::request::Request;
use sakmak_requests::variants_json::{BoardGameJson, ListedTables};
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

/// Maximum number of times that tables are generated for one lookup. A position leads to fewer
/// materials.
const MOST_MADE: usize = 32;

/// The tables of a service.
pub struct ServedTables {
    /// The queues, indexed by [`LookupQueue`].
    lookups: [Lookups; 3],
    /// Increases whenever answers may have changed.
    generation: AtomicU64,
    /// The tables of each set of rules, by fingerprint.
    of_rules: BTreeMap<u64, Arc<RulesTables>>,
    /// Held while tables are generated, also for a cancelled request.
    making: Arc<Mutex<()>>,
    metrics: Arc<Metrics>,
    /// The directory of tables; it may not exist.
    directory: PathBuf,
    /// Size of the cache that the tables of all rules share, in bytes.
    cache: usize,
    /// The tables of board games.
    games: ServedGames,
}

impl ServedTables {
    /// Opens the tables of these sources, with a directory for generated tables.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read, or too little memory is left for the cache.
    pub fn new(
        sources: &TableSources,
        made: &Path,
        limits: &ServiceLimits,
        metrics: Arc<Metrics>,
    ) -> Result<ServedTables, ProbeError> {
        let cache = usize::try_from(sources.cache.0).unwrap_or(usize::MAX);
        let shared = Arc::new(TableCache::new(cache)?);
        let directory = sources.directory.clone();
        let games = ServedGames::new(sources.clone(), Arc::clone(&shared));
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
        Ok(ServedTables { lookups, generation, of_rules, making, metrics, directory, cache, games })
    }

    /// The directory of tables, if it exists.
    pub fn directory(&self) -> Option<&Path> {
        Some(&*self.directory).filter(|directory| directory.is_dir())
    }

    /// The tables of board games.
    pub fn games(&self) -> &ServedGames {
        &self.games
    }

    /// Whether tables are being generated.
    pub fn is_making(&self) -> bool {
        self.making.try_lock().is_err()
    }

    /// Answers a request. A request that looks up positions waits in the queue of its kind.
    ///
    /// # Errors
    ///
    /// If the request has no answer, a table cannot be generated, or too many requests wait.
    pub async fn answer(
        self: &Arc<Self>,
        request: &Arc<Request>,
        budget: LookupBudget,
    ) -> Result<Answered, ServeError> {
        let (queue, counting_rule, first) = match &**request {
            Request::Variants | Request::Lists(_) => return Ok(request.answer(&**self, budget)?),
            Request::BoardPosition(_) => {
                let (tables, request) = (Arc::clone(self), Arc::clone(request));
                let answer = move || request.answer(&*tables, budget);
                return Ok(self.run(LookupQueue::Lines, answer).await??);
            }
            Request::Exercise(exercise, _) => {
                (LookupQueue::Search, exercise.counting_rule, Some(exercise.material))
            }
            Request::Position(request) | Request::Mainline(request) => {
                let queue = match budget {
                    LookupBudget::NONE => LookupQueue::of(request),
                    _ => LookupQueue::Search,
                };
                let position = &request.asked.position;
                (queue, position.counting_rule(), needed_material(position))
            }
        };
        let request = Arc::clone(request);
        let answer = move |tables: &ServedTables| request.answer(tables, budget);
        self.look_up(queue, counting_rule, first, answer).await
    }

    /// Looks up a position without a search.
    ///
    /// # Errors
    ///
    /// The errors of [`ServedTables::answer`].
    pub async fn probe(self: &Arc<Self>, request: PositionRequest) -> Result<Answer, ServeError> {
        let (queue, position) = (LookupQueue::of(&request), request.asked.position);
        let lookup = move |tables: &ServedTables| request.look_up(tables, LookupBudget::NONE);
        let first = needed_material(&position);
        self.look_up(queue, position.counting_rule(), first, lookup).await
    }

    /// Runs a lookup. Generates the tables of `first` before the lookup, and each missing table of few
    /// men before the lookup is repeated.
    async fn look_up<T: Send + 'static>(
        self: &Arc<Self>,
        queue: LookupQueue,
        counting_rule: &'static CountingRule,
        first: Option<Material>,
        lookup: impl Fn(&ServedTables) -> Result<T, AnswerError> + Clone + Send + 'static,
    ) -> Result<T, ServeError> {
        let place = self.lookups[queue as usize].place()?;
        let of_rules = self.of_variant(variants::counted_by(counting_rule))?;
        if let Some(material) = first.filter(|&material| is_makeable(material)) {
            self.make(of_rules, material, counting_rule).await?;
        }
        for _ in 0..MOST_MADE {
            let (tables, lookup) = (Arc::clone(self), lookup.clone());
            let found = place.run(move || lookup(&tables)).await?;
            let missing = found.as_ref().err().and_then(AnswerError::missing_table);
            match missing.filter(|&table| self.is_awaited(table)) {
                Some(table) => self.make(of_rules, table.material, counting_rule).await?,
                None => return Ok(found?),
            }
        }
        Err(ServeError::internal("tables of few men are missing again and again"))
    }

    /// Runs work without a lookup in a queue of lookups.
    ///
    /// # Errors
    ///
    /// If too many requests wait.
    pub async fn run<T: Send + 'static>(
        &self,
        queue: LookupQueue,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServeError> {
        self.lookups[queue as usize].place()?.run(work).await
    }

    /// Reopens tables if files came, went or were replaced.
    ///
    /// # Errors
    ///
    /// If a directory cannot be read; the open tables stay open.
    pub fn reload(&self) -> Result<(), ProbeError> {
        let mut changed = false;
        let mut reload = || {
            for tables in self.of_rules.values() {
                changed |= tables.reload()?;
            }
            Ok(())
        };
        let reloaded = reload();
        changed |= self.games.reload();
        if changed {
            self.generation.fetch_add(1, Ordering::AcqRel);
            self.metrics.reloads.inc();
            self.count();
            tracing::info!("files of tables have changed: they were opened again");
        }
        reloaded.and_then(|()| self.renew_cache())
    }

    /// Replaces the cache if it has no number left for another table.
    fn renew_cache(&self) -> Result<(), ProbeError> {
        if self.games.tablebase().cache().is_spent() {
            let shared = Arc::new(TableCache::new(self.cache)?);
            for tables in self.of_rules.values() {
                tables.open_with(Arc::clone(&shared))?;
            }
            self.games.open_with(shared);
        }
        Ok(())
    }

    /// Counts the tables for the metrics. Returns the inventory of each variant.
    pub fn count(&self) -> Vec<VariantInventory> {
        let of = |variant| Some(self.of_variant(variant).ok()?.inventory(variant));
        let inventory: Vec<_> = variants::all().into_iter().filter_map(of).collect();
        inventory.iter().for_each(|inventory| self.metrics.count(inventory));
        for (name, materials) in &*self.games.materials() {
            self.metrics.count_board_game(name.name(), materials.len());
        }
        inventory
    }

    /// A number that changes when tables are reopened or generated. Answers of another generation may
    /// be stale.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The errors of refused files that another file replaces.
    pub fn refused_files(&self) -> BTreeSet<String> {
        let of_games = [self.games.tablebase()];
        let tablebases = self.of_rules.values().map(|tables| tables.tablebase()).chain(of_games);
        let refused = tablebases.flat_map(|tablebase| tablebase.refused_files());
        refused.map(|error| error.to_string()).collect()
    }

    fn of_variant(&self, variant: &'static Variant) -> Result<&Arc<RulesTables>, AnswerError> {
        let tables = self.of_rules.get(&variant.rules.fingerprint());
        tables.ok_or_else(|| AnswerError::Internal(format!("no rules of {}", variant.name)))
    }

    /// Generates the missing tables of a material. Requests wait for one another.
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

impl Environment for ServedTables {
    fn tables(&self, variant: &'static Variant) -> Result<Arc<Tablebase>, AnswerError> {
        Ok(self.of_variant(variant)?.tablebase())
    }

    fn listed(&self, counting_rule: &'static CountingRule) -> Result<ListedTables, AnswerError> {
        Ok(self.of_variant(variants::counted_by(counting_rule))?.listed(counting_rule))
    }

    fn board_answer(&self, request: &BoardRequest) -> Result<BoardAnswer, AnswerError> {
        let BoardRequest { game, fen, lines } = request;
        let tablebase = self.games.tablebase();
        let game = tablebase.board_game(*game).map_err(AnswerError::Probe)?;
        Ok(game.answer_of(fen, *lines)?)
    }

    fn board_games(&self) -> Vec<BoardGameJson> {
        board_games(&self.games)
    }

    fn is_awaited(&self, table: TableName) -> bool {
        is_makeable(table.material)
    }

    fn exercise_lists(
        &self,
        counting_rule: &'static CountingRule,
    ) -> Result<Option<ExerciseLists>, AnswerError> {
        exercise_lists(counting_rule, &self.listed(counting_rule)?).map(Some)
    }
}

/// The material of a position, if the position may have an answer.
fn needed_material(position: &Position) -> Option<Material> {
    let may_have_answer = position.leaps().is_empty() && position.legality().is_ok();
    may_have_answer.then(|| position.material().material)
}

/// Whether tables of a material are generated for a request.
fn is_makeable(material: Material) -> bool {
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
            directory: made.path().join("tables"),
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
