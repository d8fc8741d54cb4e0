//! The shortest mate in time: a player's "mate in n" under the count.
//!
//! Tables of [`Metric::MateInTime`] hold its length for positions in which no count runs, or a
//! count that leaves at least that many moves. If the running count leaves fewer moves, the mate is
//! in time only if another count replaces it on the way, and its length depends on the moves left.
//! Then it is searched, between two bounds that the tables have for every position of the search:
//!
//! ```text
//! least   the distance to mate in time; no count makes it shorter
//! most    the same number, if the count leaves that many moves
//! ```
//!
//! ```text
//! mates within (position, n):
//!     n < least                  false
//!     n >= most                  true
//!     the attacker to move       after some move, within n - 1
//!     the runner to move         after each move, within n
//! ```
//!
//! All bounds are for one attacker. After a bad move the other side may mate, which is no mate for
//! this attacker.
//!
//! A search ends with the budget of its caller, see [`LookupBudget`]. Its results are kept for
//! later searches.
//!
//! # Play ends
//!
//! The first of [`Tablebase::moves`] makes progress, whether the length is known or not:
//!
//! - If a count runs against the attacker, the clock ends play.
//! - If no count runs, nothing is searched, so the bounds come from the tables. If they are exact,
//!   the first move shortens the mate by one and no reply lengthens it. If the length is unknown,
//!   the same holds for the moves needed to mate or to the next count, and a capture or promotion
//!   is not undone.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::found_mates::FoundMate;
use crate::tablebase::mate_bounds::{Bounds, LookupBudget};
use crate::tablebase::searcher::Searcher;
use crate::tablebase::value::{TableValues, material_with_table};
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::counting::{Category, Phase};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::id::MaterialId;
use sakmak_tables::position::Position;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Mates in time.
impl Tablebase {
    /// The shortest mate in time for the side to move: a win or a loss, in the attacker's moves.
    /// If no count runs, one starts in this position.
    ///
    /// Returns `None` if the category of the position is neither a win nor a loss, and if the
    /// length is not known:
    ///
    /// - a table of mates in time is missing, of this material or of a subtable;
    /// - the count ends before that mate unless another count replaces it on the way: then the
    ///   length has to be searched, see [`Tablebase::searching`];
    /// - the mate is longer than a whole board's honour, and comes in time because another count
    ///   replaces it.
    ///
    /// ```
    /// use sakmak_probe::{MAKRUK, Moves, Position, Tablebase, Value};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// let in_time = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1")?;
    /// let too_late = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1")?;
    /// assert_eq!(tables.mate_in_time(&in_time)?, Some(Value::Loss(Moves(14))));
    /// assert_eq!(tables.mate_in_time(&too_late)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`], for the positions that are examined.
    pub fn mate_in_time(&self, position: &Position) -> Result<Option<Value>, ProbeError> {
        self.without_search().mate_in_time(position)
    }

    /// The length in the table of mates in time for a position that is won or lost in time; the
    /// running count does not matter. `None` if a table is missing.
    fn stored_mate_in_time(
        &self,
        position: &Position,
        values: TableValues,
    ) -> Result<Option<Value>, ProbeError> {
        let metric = Metric::MateInTime(position.counting_rule());
        let number = material_with_table(position)?.number;
        Ok(match metric.of(number.material()) {
            _ if number == MaterialId::BARE_KINGS => Some(values.dtm),
            Metric::DistanceToMate | Metric::DistanceToCheck => Some(values.dtm),
            Metric::Counted(_) => Some(values.counted),
            Metric::MateInTime(_) if self.has_mates_in_time(position, number)? => {
                Some(self.stored(metric, position)?)
            }
            Metric::MateInTime(_) => None,
        })
    }

    /// Whether the tables of mates in time are available for a material and all its dependencies.
    /// Lengths from only some of them would order moves wrongly.
    fn has_mates_in_time(
        &self,
        position: &Position,
        number: MaterialId,
    ) -> Result<bool, ProbeError> {
        let metric = Metric::MateInTime(position.counting_rule());
        let entry = self.with_mates_in_time.entry(position.variant(), metric, number);
        if let Some(&known) = entry.and_then(OnceLock::get) {
            return Ok(known);
        }
        let variant = position.variant();
        let name = TableName::deciding(number.material(), metric);
        let mut all = true;
        for name in TableName::closure([name], &variant.rules) {
            match self.table(name, variant) {
                Ok(_) => {}
                Err(ProbeError::Missing { .. }) => {
                    all = false;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(entry.map_or(all, |entry| *entry.get_or_init(|| all)))
    }
}

impl Searcher<'_> {
    /// [`Tablebase::mate_in_time`], searched if the tables do not have the number.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`], for the positions that are looked up.
    pub fn mate_in_time(self, position: &Position) -> Result<Option<Value>, ProbeError> {
        let values = self.tables.values(position)?;
        let here = position.with_count_running();
        let mut search = MateSearch::new(self, &here);
        search.search(&here, &[])?;
        Ok(search.found(&here, values)?.exact())
    }
}

/// A search for mates in time that keeps its results.
///
/// It uses only the [canonical](Position::canonical) image of a position, so its results within a
/// budget are the same for all images.
pub(crate) struct MateSearch<'a> {
    pub tables: &'a Tablebase,
    /// Symmetries of the first position. Later positions have no further ones.
    symmetries: Vec<Symmetry>,
    /// By canonical position, with the count that runs there.
    bounds: HashMap<Position, Bounds>,
    budget: LookupBudget,
    /// Lookups left.
    left: u32,
    /// Whether results of earlier searches may replace this search. They lack intermediate
    /// positions, which a line needs.
    reuses: bool,
}

impl<'a> MateSearch<'a> {
    /// A search from a position and from the positions after its moves.
    pub(crate) fn new(searcher: Searcher<'a>, position: &Position) -> MateSearch<'a> {
        let Searcher { tables, budget } = searcher;
        let searches = budget > LookupBudget::NONE;
        let symmetries = if searches { position.symmetries() } else { Vec::new() };
        let (bounds, left) = (HashMap::new(), budget.0);
        MateSearch { tables, symmetries, bounds, budget, left, reuses: true }
    }

    /// [`MateSearch::new`] for a search whose positions are needed afterwards.
    pub(crate) fn anew(searcher: Searcher<'a>, position: &Position) -> MateSearch<'a> {
        MateSearch { reuses: false, ..MateSearch::new(searcher, position) }
    }

    /// Narrows the bounds of a position in which the count runs, then the bounds of these positions
    /// after its moves. The order is the same for all images, because the first positions may use
    /// up the budget. See [`MateSearch::found`].
    pub(crate) fn search(&mut self, root: &Position, after: &[Position]) -> Result<(), ProbeError> {
        if self.budget == LookupBudget::NONE {
            return Ok(());
        }
        let root = root.canonical(&self.symmetries);
        let canonical = after.iter().map(|position| position.canonical(&self.symmetries));
        let mut canonical: Vec<Position> = canonical.collect();
        // A search with fewer lookups than its budget is not kept.
        let is_first = self.bounds.is_empty() && self.left == self.budget.0;
        let kept = || self.tables.found_mates.get(&root, self.budget, !after.is_empty());
        if let Some(found) = (is_first && self.reuses).then(kept).flatten() {
            self.left = found.left;
            self.bounds.extend(found.bounds.iter().copied());
            return Ok(());
        }
        canonical.sort_by_cached_key(Position::fen);
        self.narrow(&root)?;
        canonical.iter().try_for_each(|position| self.narrow(position))?;
        if is_first && self.left < self.budget.0 {
            let (budget, left, with_moves) = (self.budget, self.left, !after.is_empty());
            let known = |position: Position| Some((position, *self.bounds.get(&position)?));
            let bounds = canonical.into_iter().chain([root]).filter_map(known).collect();
            self.tables.found_mates.keep(root, FoundMate { budget, left, with_moves, bounds });
        }
        Ok(())
    }

    /// The bounds of a position in which the count runs: found so far, or from the tables.
    ///
    /// If the bounds of a position are exact after [`MateSearch::search`], the bounds after its
    /// best move are exact too, and the upper bounds after all other moves of a runner are not
    /// above them.
    pub(crate) fn found(
        &mut self,
        position: &Position,
        values: TableValues,
    ) -> Result<Bounds, ProbeError> {
        if self.bounds.is_empty() {
            return self.tables.bounds_in_tables(position, values);
        }
        match self.bounds.get(&position.canonical(&self.symmetries)) {
            Some(&bounds) => Ok(bounds),
            None => self.tables.bounds_in_tables(position, values),
        }
    }

    /// The representative of a position and its images.
    pub(crate) fn canonical(&self, position: &Position) -> Position {
        position.canonical(&self.symmetries)
    }

    /// Takes lookups from the budget. False if fewer are left; then none are.
    pub(crate) fn spend(&mut self, lookups: u32) -> bool {
        let left = self.left.checked_sub(lookups);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// The attacker's moves to the shortest mate in time after its next move, in a canonical
    /// position that the side to move wins in time. `None` if the length is not known.
    pub(crate) fn shortest_after_move(
        &mut self,
        position: &Position,
    ) -> Result<Option<Moves>, ProbeError> {
        self.narrow(position)?;
        let length = self.bounds(position)?.exact().and_then(Value::moves);
        Ok(length.and_then(|Moves(moves)| moves.checked_sub(1)).map(Moves))
    }

    /// Narrows the bounds of a canonical position as far as the budget allows.
    fn narrow(&mut self, position: &Position) -> Result<(), ProbeError> {
        loop {
            let bounds = self.bounds(position)?;
            let open = bounds.least.filter(|_| bounds.is_open());
            let Some(least) = open.filter(|_| is_counted(position, bounds.attacks)) else {
                return Ok(());
            };
            // Either answer narrows the bounds.
            if self.mates_within(position, bounds.attacks, least)?.is_none() {
                return Ok(());
            }
        }
    }

    /// Whether the attacker mates in time within `moves` moves from a canonical position. `None` if
    /// the remaining lookups do not suffice.
    pub(crate) fn mates_within(
        &mut self,
        position: &Position,
        attacks: bool,
        moves: Moves,
    ) -> Result<Option<bool>, ProbeError> {
        let bounds = self.bounds(position)?.of(attacks);
        if bounds.least.is_none_or(|least| moves < least) {
            return Ok(Some(false));
        }
        if bounds.most.is_some_and(|most| moves >= most) {
            return Ok(Some(true));
        }
        let Some(moves_after) = moves.0.checked_sub(u32::from(attacks)).map(Moves) else {
            return Ok(Some(false));
        };
        let legal = position.legal_moves();
        if !self.spend(legal.len().max(1) as u32) {
            return Ok(None);
        }
        let mut successors = Vec::with_capacity(legal.len());
        for &mv in legal.iter() {
            let after = position.play(mv).canonical(&self.symmetries);
            let least = self.bounds(&after)?.of(!attacks).least;
            successors.push((least.map_or(u32::MAX, |least| least.0), after));
        }
        // The attacker tries the quickest mate first, the runner the longest resistance.
        successors.sort_by_key(|&(least, _)| if attacks { least } else { !least });
        let mut found = !attacks;
        for (_, after) in &successors {
            match self.mates_within(after, !attacks, moves_after)? {
                None => return Ok(None),
                Some(mates) if mates == attacks => {
                    found = mates;
                    break;
                }
                Some(_) => {}
            }
        }
        let narrowed = match found {
            true => Bounds { most: Some(moves), ..bounds },
            false => Bounds { least: Some(Moves(moves.0 + 1)), ..bounds },
        };
        self.bounds.insert(*position, narrowed);
        Ok(Some(found))
    }

    /// The bounds of a canonical position without a search: found so far, or from the tables.
    fn bounds(&mut self, position: &Position) -> Result<Bounds, ProbeError> {
        if let Some(&bounds) = self.bounds.get(position) {
            return Ok(bounds);
        }
        let bounds = self.tables.bounds_in_tables(position, self.tables.values(position)?)?;
        self.bounds.insert(*position, bounds);
        Ok(bounds)
    }
}

/// Whether a count runs against the side that attacks.
fn is_counted(position: &Position, attacks: bool) -> bool {
    let attacker = if attacks { position.side() } else { !position.side() };
    let phase = position.counting_rule().phase_against(position.armies(), attacker);
    phase != Phase::Free && position.clock().is_some()
}

impl Tablebase {
    /// The bounds of the shortest mate in time from the tables, for a position with these values in
    /// which the count runs.
    fn bounds_in_tables(
        &self,
        position: &Position,
        values: TableValues,
    ) -> Result<Bounds, ProbeError> {
        let category = position.category(values.dtm, values.counted);
        let attacks = match category {
            Category::Win => true,
            Category::Loss => false,
            _ => {
                let attacks = matches!(values.dtm, Value::Win(_));
                return Ok(Bounds { attacks, least: None, most: None });
            }
        };
        let stored = self.stored_mate_in_time(position, values)?.and_then(Value::moves);
        // Without a stored length, the mate is at least as long as without a count.
        let least = stored.or(values.dtm.moves());
        let value = if attacks { Value::Win } else { Value::Loss };
        let metric = Metric::Counted(position.counting_rule());
        let fits = |&moves: &Moves| {
            let needed = metric.of_mate(value(moves)).map(value);
            needed.is_some_and(|needed| position.category(values.dtm, needed) == category)
        };
        Ok(Bounds { attacks, least, most: stored.filter(fits) })
    }
}
