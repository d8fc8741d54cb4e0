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
//! Without a count, or if the number fits the count, the first of [`Tablebase::moves`] lowers it
//! by one and no reply raises it. So play ends. Under a running count the clock ends it.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::value::{TableValues, material_with_table};
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
        Ok(MateSearch::new(self).mate_in_time(&position.with_count_running())?.exact())
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
pub(crate) struct MateSearch<'a> {
    tables: &'a Tablebase,
    /// By position, with the count that runs there.
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
}

impl MateSearch<'_> {
    pub(crate) fn new(tables: &Tablebase) -> MateSearch<'_> {
        MateSearch { tables, bounds: HashMap::new(), left: MOST_POSITIONS }
    }

    /// The bounds of the shortest mate in time from a position in which the count runs, as narrow
    /// as the search can make them.
    ///
    /// If they are exact, then those of the best move are exact after it, and the upper bounds of
    /// all other moves of a runner are not above them: the search has shown that.
    pub(crate) fn mate_in_time(&mut self, position: &Position) -> Result<Bounds, ProbeError> {
        loop {
            let bounds = self.bounds(position)?;
            let open = bounds.least.filter(|&least| bounds.most != Some(least));
            let Some(least) = open else { return Ok(bounds) };
            // Either answer narrows the bounds.
            if self.mates_within(position, least)?.is_none() {
                return self.bounds(position);
            }
        }
    }

    /// Whether the attacker mates in time within `moves` moves. `None` if too many positions
    /// would have to be examined.
    fn mates_within(
        &mut self,
        position: &Position,
        moves: Moves,
    ) -> Result<Option<bool>, ProbeError> {
        let bounds = self.bounds(position)?;
        if bounds.least.is_none_or(|least| moves < least) {
            return Ok(Some(false));
        }
        if bounds.most.is_some_and(|most| moves >= most) {
            return Ok(Some(true));
        }
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let Some(left) = moves.0.checked_sub(u32::from(bounds.attacks)).map(Moves) else {
            return Ok(Some(false));
        };
        let legal = position.legal_moves();
        let mut successors = Vec::with_capacity(legal.len());
        for &mv in legal.iter() {
            let after = position.play(mv);
            let least = self.bounds(&after)?.least;
            successors.push((least.map_or(u32::MAX, |least| least.0), after));
        }
        // The attacker tries the quickest mate first, the runner the longest resistance.
        successors.sort_by_key(|&(least, _)| if bounds.attacks { least } else { !least });
        let mut found = !bounds.attacks;
        for (_, after) in &successors {
            match self.mates_within(after, left)? {
                None => return Ok(None),
                Some(mates) if mates == bounds.attacks => {
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
        self.bounds.insert(position.with_number(0), narrowed);
        Ok(Some(found))
    }

    /// The bounds known so far, without a search: those found, or those of the tables.
    fn bounds(&mut self, position: &Position) -> Result<Bounds, ProbeError> {
        let key = position.with_number(0);
        if let Some(&bounds) = self.bounds.get(&key) {
            return Ok(bounds);
        }
        let values = self.tables.values(position)?;
        let category = position.category(values.mate, values.counted);
        let attacks = match category {
            Category::Win => true,
            Category::Loss => false,
            _ => {
                let attacks = matches!(values.mate, Value::Win(_));
                return Ok(Bounds { attacks, least: None, most: None });
            }
        };
        let stored = self.tables.stored_mate_in_time(position, values)?.and_then(Value::moves);
        // If its table has no number, the mate takes at least as long as without a count.
        let least = stored.or(values.mate.moves());
        let value = if attacks { Value::Win } else { Value::Loss };
        let fits = |&moves: &Moves| position.category(values.mate, value(moves)) == category;
        let bounds = Bounds { attacks, least, most: stored.filter(fits) };
        self.bounds.insert(key, bounds);
        Ok(bounds)
    }
}
