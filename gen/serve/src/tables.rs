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
use crate::inventory::VariantInventory;
use crate::limits::ServiceLimits;
use crate::lookups::{LookupQueue, Lookups};
use crate::metrics::Metrics;
use crate::opened_tables::{OpenedTables, TableSources};
use sakmak_boards::list::GameName;
use sakmak_make::store::ON_THE_SPOT;
use sakmak_probe::boards::answer::Answer as BoardAnswer;
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
use sakmak_tables::variants;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
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
    tables: OpenedTables,
    /// Held while tables are generated, also for a cancelled request.
    making: Arc<Mutex<()>>,
    metrics: Arc<Metrics>,
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
        let tables = OpenedTables::open(sources.clone(), made.to_path_buf())?;
        let queues = [LookupQueue::Light, LookupQueue::Lines, LookupQueue::Search];
        let lookups = queues.map(|queue| Lookups::new(limits, queue));
        let (generation, making) = (AtomicU64::default(), Arc::default());
        Ok(ServedTables { lookups, generation, tables, making, metrics })
    }

    /// The directory of tables, if it exists.
    pub fn directory(&self) -> Option<&Path> {
        Some(self.tables.directory()).filter(|directory| directory.is_dir())
    }

    /// The materials of each board game that have a file.
    pub fn board_materials(&self) -> BTreeMap<GameName, Vec<String>> {
        self.tables.board_materials()
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

    /// Runs a lookup. Generates the tables of `first` before the lookup, and each missing table of
    /// few men before the lookup is repeated.
    async fn look_up<T: Send + 'static>(
        self: &Arc<Self>,
        queue: LookupQueue,
        counting_rule: &'static CountingRule,
        first: Option<Material>,
        lookup: impl Fn(&ServedTables) -> Result<T, AnswerError> + Clone + Send + 'static,
    ) -> Result<T, ServeError> {
        let place = self.lookups[queue as usize].place()?;
        if let Some(material) = first.filter(|&material| is_makeable(material)) {
            self.make(material, counting_rule).await?;
        }
        for _ in 0..MOST_MADE {
            let (tables, lookup) = (Arc::clone(self), lookup.clone());
            let found = place.run(move || lookup(&tables)).await?;
            let missing = found.as_ref().err().and_then(AnswerError::missing_table);
            match missing.filter(|&table| self.is_awaited(table)) {
                Some(table) => self.make(table.material, counting_rule).await?,
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
        if self.tables.reload()? {
            self.generation.fetch_add(1, Ordering::AcqRel);
            self.metrics.reloads.inc();
            self.count();
            tracing::info!("files of tables have changed: they were opened again");
        }
        self.tables.renew_cache()
    }

    /// Counts the tables for the metrics. Returns the inventory of each variant.
    pub fn count(&self) -> Vec<VariantInventory> {
        let inventory = variants::all().map(|variant| self.tables.inventory(variant));
        let inventory: Vec<VariantInventory> = inventory.collect();
        inventory.iter().for_each(|inventory| self.metrics.count(inventory));
        for (name, materials) in self.board_materials() {
            self.metrics.count_board_game(name.name(), materials.len());
        }
        inventory
    }

    /// A number that changes when tables are reopened or generated. Answers of another generation
    /// may be stale.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// The errors of refused files that another file replaces.
    pub fn refused_files(&self) -> BTreeSet<String> {
        let refused = self.tables.tablebase().refused_files().into_iter();
        refused.map(|error| error.to_string()).collect()
    }

    /// Generates the missing tables of a material. Requests wait for one another.
    async fn make(
        self: &Arc<Self>,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<(), ServeError> {
        if self.tables.is_complete(material, counting_rule) {
            return Ok(());
        }
        let alone = Arc::clone(&self.making).lock_owned().await;
        if self.tables.is_complete(material, counting_rule) {
            return Ok(());
        }
        let served = Arc::clone(self);
        let made = spawn_blocking(move || {
            let made = served.tables.complete(material, counting_rule);
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
    fn tables(&self) -> Arc<Tablebase> {
        self.tables.tablebase()
    }

    fn listed(&self, counting_rule: &'static CountingRule) -> ListedTables {
        self.tables.listed(counting_rule)
    }

    fn board_answer(&self, request: &BoardRequest) -> Result<BoardAnswer, AnswerError> {
        let BoardRequest { game, fen, lines } = request;
        let tablebase = self.tables.tablebase();
        let game = tablebase.board_game(*game).map_err(AnswerError::Probe)?;
        Ok(game.answer_of(fen, *lines)?)
    }

    fn board_games(&self) -> Vec<BoardGameJson> {
        board_games(self.board_materials())
    }

    fn is_awaited(&self, table: TableName) -> bool {
        is_makeable(table.material)
    }

    fn exercise_lists(
        &self,
        counting_rule: &'static CountingRule,
    ) -> Result<Option<ExerciseLists>, AnswerError> {
        exercise_lists(counting_rule, &self.listed(counting_rule)).map(Some)
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

    /// Compares the tables of a rook of all variants with the tables of another tablebase.
    fn assert_right(tables: &ServedTables, expected: &Tablebase) {
        let material: Material = "KRvK".parse().unwrap();
        for variant in variants::all() {
            tables.tables.complete(material, variant.counting()).unwrap();
            let tablebase = tables.tables.tablebase();
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
        let bytes = tables.tables.tablebase().cached_bytes();
        assert!((1..7 << 20).contains(&bytes), "{bytes}");
    }

    #[test]
    fn tables_of_all_rules_are_not_confused_and_a_spent_cache_is_replaced() {
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
        let spent = tables.tables.tablebase();
        while !spent.cache().is_spent() {
            spent.cache().new_table();
        }
        tables.reload().unwrap();
        let fresh = tables.tables.tablebase();
        assert!(!Arc::ptr_eq(spent.cache(), fresh.cache()) && !fresh.cache().is_spent());
        assert_right(&tables, &expected);
    }
}
