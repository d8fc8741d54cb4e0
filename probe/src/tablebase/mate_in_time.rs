//! The shortest mate in time: a player's "mate in n" under the count.
//!
//! Tables of [`Metric::MateInTime`] hold it for positions in which no count runs, or one that
//! leaves at least that many moves: a mate that quick needs no move more than the count has. If
//! the running count leaves fewer moves, the mate is in time only if another count replaces it
//! on the way, and the number depends on the moves left. It is searched then, between two
//! bounds that every position of the search has from the tables:
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
//! All bounds are those of one attacker. After a bad move the other side may be the one that mates:
//! that is no mate for this one, however quick it is.
//!
//! A search takes as long as its caller allows, see [`LookupBudget`], and what it has found is kept
//! for the next one.
//!
//! # Play ends
//!
//! The first of [`Tablebase::moves`] makes progress, whether the number is known or not:
//!
//! - If a count runs against the attacker, the clock ends play.
//! - If none runs, nothing is searched, so that the bounds are those of the tables. If they are
//!   exact, the first move lowers the number by one and no reply raises it. If there is no number,
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
    /// number is not known:
    ///
    /// - one of the tables of mates in time is in no directory, here or in a smaller material;
    /// - the count ends before that mate unless another count replaces it on the way: the number is
    ///   then searched, see [`Tablebase::searching`];
    /// - the mate takes longer than the board's honour from its start on, and comes in time
    ///   because another count replaces it.
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
    /// As [`Tablebase::values`], for the positions that are examined.
    pub fn mate_in_time(&self, position: &Position) -> Result<Option<Value>, ProbeError> {
        self.without_search().mate_in_time(position)
    }

    /// The number in the table of mates in time for a position that is won or lost in time; the
    /// count that runs does not matter. `None` if a table is in no directory.
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

    /// Whether the tables of mates in time are available for a material and all that it depends on.
    /// Numbers from some of them only would order moves wrongly.
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
    /// As [`Tablebase::values`], for the positions that are looked up.
    pub fn mate_in_time(self, position: &Position) -> Result<Option<Value>, ProbeError> {
        let values = self.tables.values(position)?;
        let here = position.with_count_running();
        let mut search = MateSearch::new(self, &here);
        search.search(&here, &[])?;
        Ok(search.found(&here, values)?.exact())
    }
}

/// A search for mates in time that keeps what it has found.
///
/// It knows a position by its [canonical](Position::canonical) image only. So what it finds within
/// its budget is the same for all images.
pub(crate) struct MateSearch<'a> {
    tables: &'a Tablebase,
    /// Those of the first position; later ones have no others with fewer.
    symmetries: Vec<Symmetry>,
    /// By canonical position, with the count that runs there.
    bounds: HashMap<Position, Bounds>,
    budget: LookupBudget,
    /// What is left of the budget.
    left: u32,
    /// Whether results of earlier searches may replace a search here. They lack the positions
    /// between, which a line needs.
    reuses: bool,
}

impl<'a> MateSearch<'a> {
    /// A search from a position and those that its moves lead to.
    pub(crate) fn new(searcher: Searcher<'a>, position: &Position) -> MateSearch<'a> {
        let Searcher { tables, budget } = searcher;
        let searches = budget > LookupBudget::NONE;
        let symmetries = if searches { position.symmetries() } else { Vec::new() };
        let (bounds, left) = (HashMap::new(), budget.0);
        MateSearch { tables, symmetries, bounds, budget, left, reuses: true }
    }

    /// As [`MateSearch::new`], for a search whose positions are needed afterwards.
    pub(crate) fn anew(searcher: Searcher<'a>, position: &Position) -> MateSearch<'a> {
        MateSearch { reuses: false, ..MateSearch::new(searcher, position) }
    }

    /// Narrows the bounds of a position in which the count runs, and then those of these positions
    /// after its moves, in an order that is the same for all their images: the first ones may use
    /// up the budget. See [`MateSearch::found`].
    pub(crate) fn search(&mut self, root: &Position, after: &[Position]) -> Result<(), ProbeError> {
        if self.budget == LookupBudget::NONE {
            return Ok(());
        }
        let root = root.canonical(&self.symmetries);
        let canonical = after.iter().map(|position| position.canonical(&self.symmetries));
        let mut canonical: Vec<Position> = canonical.collect();
        let is_first = self.bounds.is_empty();
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

    /// The bounds found so far of a position in which the count runs, or those of the tables.
    ///
    /// If those of a position are exact after [`MateSearch::search`], then those of the best move are
    /// exact after it, and the upper bounds of all other moves of a runner are not above them: the
    /// search has shown that.
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
    /// that takes more look-ups than are left.
    fn mates_within(
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
        let Some(left) = self.left.checked_sub(legal.len().max(1) as u32) else {
            self.left = 0;
            return Ok(None);
        };
        self.left = left;
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

    /// The bounds of a canonical position known so far, without a search: those found, or those of
    /// the tables.
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
    /// The bounds of the shortest mate in time that the tables have for a position in which the
    /// count runs, with these values.
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
        // If its table has no number, the mate takes at least as long as without a count.
        let least = stored.or(values.dtm.moves());
        let value = if attacks { Value::Win } else { Value::Loss };
        let fits = |&moves: &Moves| position.category(values.dtm, value(moves)) == category;
        Ok(Bounds { attacks, least, most: stored.filter(fits) })
    }
}
