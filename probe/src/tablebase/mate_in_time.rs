//! The shortest mate in time: what a player means by "mate in n" under the count.
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
//! Without a count, or if the number fits the count, the first of [`Tablebase::moves`] lowers it
//! by one and no reply raises it. So play ends. Under a running count the clock ends it.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::value::{TableValues, material_with_table};
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::id::MaterialId;
use sakmak_tables::position::Position;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The most positions that a search examines: a fraction of a second. Without a result by then
/// the number is not known.
const MOST_POSITIONS: usize = 10_000;

/// Mates in time.
impl Tablebase {
    /// The shortest mate in time for the side to move: a win or a loss, in the attacker's moves.
    /// If no count runs, one starts in this position.
    ///
    /// Returns `None` if the category of the position is neither a win nor a loss, and if the
    /// number is not known:
    ///
    /// - one of the tables of mates in time is in no directory, here or in a smaller material;
    /// - the count ends before that mate unless another count replaces it on the way, and too
    ///   many positions would have to be examined;
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
        material_with_table(position)?;
        let here = position.with_count_running();
        Ok(MateSearch::new(self, &here).mate_in_time(&here)?.exact())
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
            _ if number == MaterialId::BARE_KINGS => Some(values.mate),
            Metric::DistanceToMate | Metric::DistanceToCheck => Some(values.mate),
            Metric::Counted(_) => Some(values.counted),
            Metric::MateInTime(_) if self.has_mates_in_time(position, number)? => {
                Some(self.stored(metric, position)?)
            }
            Metric::MateInTime(_) => None,
        })
    }

    /// Whether the tables of mates in time are there for a material and all it leads to. Numbers
    /// from some of them only would order moves wrongly.
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
        let name = TableName::answering(number.material(), metric);
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

/// A search for mates in time that keeps what it has found.
///
/// It knows a position by its [canonical](Position::canonical) image only. So what it finds within
/// its limit is the same for all images.
pub(crate) struct MateSearch<'a> {
    tables: &'a Tablebase,
    /// Those of the first position; later ones have no others with fewer.
    symmetries: Vec<Symmetry>,
    /// By canonical position, with the count that runs there.
    bounds: HashMap<Position, Bounds>,
    /// Positions that may still be examined.
    left: usize,
}

/// Bounds of the shortest mate in time.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Whether the side to move is the attacker.
    attacks: bool,
    /// No mate is shorter. `None` if no mate is in time.
    least: Option<Moves>,
    /// Some mate is not longer. `None` if none is known.
    pub most: Option<Moves>,
}

impl Bounds {
    /// The length for the side to move. `None` if no mate is in time or the bounds differ.
    pub fn exact(self) -> Option<Value> {
        let value = if self.attacks { Value::Win } else { Value::Loss };
        self.most.filter(|_| self.most == self.least).map(value)
    }

    /// The bounds for one of the two attackers. Where the other one mates, this one does not.
    fn of(self, attacks: bool) -> Bounds {
        match self.attacks == attacks {
            true => self,
            false => Bounds { attacks, least: None, most: None },
        }
    }

    fn is_open(self) -> bool {
        self.least.is_some() && self.most != self.least
    }
}

impl MateSearch<'_> {
    /// A search from a position and those that its moves lead to.
    pub(crate) fn new<'a>(tables: &'a Tablebase, position: &Position) -> MateSearch<'a> {
        let symmetries = position.symmetries();
        MateSearch { tables, symmetries, bounds: HashMap::new(), left: MOST_POSITIONS }
    }

    /// The bounds of the shortest mate in time from a position in which the count runs, as narrow
    /// as the search can make them.
    ///
    /// If they are exact, then those of the best move are exact after it, and the upper bounds of
    /// all other moves of a runner are not above them: the search has shown that.
    pub(crate) fn mate_in_time(&mut self, position: &Position) -> Result<Bounds, ProbeError> {
        self.narrowed(&position.canonical(&self.symmetries))
    }

    /// As [`MateSearch::mate_in_time`] for each of these positions, in an order that is the same for
    /// all their images: the first ones may use up the limit.
    pub(crate) fn mates_in_time(&mut self, positions: &[Position]) -> Result<(), ProbeError> {
        let canonical = positions.iter().map(|position| position.canonical(&self.symmetries));
        let mut canonical: Vec<Position> = canonical.collect();
        canonical.sort_by_cached_key(Position::fen);
        canonical.iter().try_for_each(|position| self.narrowed(position).map(drop))
    }

    /// The bounds found so far, see [`MateSearch::mate_in_time`], or those of the tables.
    pub(crate) fn found(&mut self, position: &Position) -> Result<Bounds, ProbeError> {
        self.bounds(&position.canonical(&self.symmetries))
    }

    /// The bounds of a canonical position, as narrow as the search can make them.
    fn narrowed(&mut self, position: &Position) -> Result<Bounds, ProbeError> {
        loop {
            let bounds = self.bounds(position)?;
            let Some(least) = bounds.least.filter(|_| bounds.is_open()) else { return Ok(bounds) };
            // Either answer narrows the bounds.
            if self.mates_within(position, bounds.attacks, least)?.is_none() {
                return self.bounds(position);
            }
        }
    }

    /// Whether the attacker mates in time within `moves` moves from a canonical position. `None` if
    /// too many positions would have to be examined.
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
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let Some(left) = moves.0.checked_sub(u32::from(attacks)).map(Moves) else {
            return Ok(Some(false));
        };
        let legal = position.legal_moves();
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
            match self.mates_within(after, !attacks, left)? {
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
        let bounds = self.tables.bounds_in_tables(position)?;
        self.bounds.insert(*position, bounds);
        Ok(bounds)
    }
}

impl Tablebase {
    /// The bounds of the shortest mate in time that the tables have for a position in which the
    /// count runs.
    fn bounds_in_tables(&self, position: &Position) -> Result<Bounds, ProbeError> {
        let values = self.values(position)?;
        let category = position.category(values.mate, values.counted);
        let attacks = match category {
            Category::Win => true,
            Category::Loss => false,
            _ => {
                let attacks = matches!(values.mate, Value::Win(_));
                return Ok(Bounds { attacks, least: None, most: None });
            }
        };
        let stored = self.stored_mate_in_time(position, values)?.and_then(Value::moves);
        // If its table has no number, the mate takes at least as long as without a count.
        let least = stored.or(values.mate.moves());
        let value = if attacks { Value::Win } else { Value::Loss };
        let fits = |&moves: &Moves| position.category(values.mate, value(moves)) == category;
        Ok(Bounds { attacks, least, most: stored.filter(fits) })
    }
}
