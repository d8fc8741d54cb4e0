//! The answer about a position without a table: its moves, with the values of moves into tables.
//!
//! ```text
//! a move into a table, or that ends the game     its values
//! another move                                   unknown
//! the position    the best move, if it wins or all moves are known; else unknown
//! ```
//!
//! Moves are ordered as by lila-tablebase: wins in time, unknown ones, then all others.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::count::Count;
use crate::tablebase::counted_position::CountedPosition;
use crate::tablebase::mate_in_time::MateSearch;
use crate::tablebase::moves::{RatedMove, Rating};
use crate::tablebase::value::TableValues;
use sakmak_tables::counting::Category;
use sakmak_tables::format::name::TableName;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;

/// The answer about a position without a table, with at least one move of known value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialAnswer {
    /// The position.
    pub position: Position,
    /// Notes on counts that are dropped or may not be meant.
    pub notes: Vec<String>,
    /// The distances, if the position has a table or the game is over.
    pub values: Option<TableValues>,
    /// The category under the count; `None` if it is unknown.
    pub category: Option<Category>,
    /// The count that runs or starts here. `None` if no count applies, or if the counting side
    /// depends on the winning side.
    pub count: Option<Count>,
    /// The legal moves: wins in time, unknown ones, then all others.
    pub moves: Vec<PartialMove>,
}

/// A legal move, possibly to a position without a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartialMove {
    /// A move into a table, or one that ends the game.
    Known(RatedMove),
    /// A move to a position without a table.
    Unknown {
        /// The move.
        mv: Move,
        /// The move in SAN.
        san: String,
        /// The position after it, with its count.
        after: Position,
    },
}

/// Answers about positions without a table.
impl Tablebase {
    /// The moves of a position without an answer because a table is missing. `None` if no move is
    /// known, and if all moves are: then only a line of play needs the missing table. `is_awaited`
    /// selects missing tables that are errors because the caller will retry.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::moves`], except for missing tables that are not awaited.
    pub fn probe_partially(
        &self,
        asked: &CountedPosition,
        is_awaited: impl Fn(TableName) -> bool,
    ) -> Result<Option<PartialAnswer>, ProbeError> {
        let CountedPosition { position, notes, runner } = asked;
        let is_awaited = &is_awaited;
        let count = unless_missing(self.count(position).transpose(), is_awaited)?;
        // A called count binds its side unless that side wins.
        if runner.is_some() && count.map(|count| count.runner()) != *runner {
            return Ok(None);
        }
        let values = unless_missing(Some(self.values_or_end(position)), is_awaited)?;
        let here = position.with_count_running();
        let stopped = here.with_own_count_stopped();
        let mut mates = MateSearch::new(self.without_search(), position);
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for &mv in position.legal_moves().iter() {
            let mut rate = || {
                let mut rating = [self.better_rating(&here, stopped.as_ref(), mv)?];
                self.add_mates(&here, &mut rating, &mut mates)?;
                Ok(rating)
            };
            match unless_missing(Some(rate()), is_awaited)? {
                Some(rating) => known.extend(rating),
                None => unknown.push(mv),
            }
        }
        let only_lines = values.is_some() && unknown.is_empty() && !known.is_empty();
        if only_lines || (values.is_none() && known.is_empty()) {
            return Ok(None);
        }
        known.sort_by_cached_key(Rating::sort_key);
        unknown.sort_by_cached_key(|mv| mv.uci(position.variant()));
        let best = known.first().map(|best| best.category);
        let decides = |&best: &Category| best == Category::Win || unknown.is_empty();
        let own = values.map(|values| position.category(values.dtm, values.counted));
        let category = own.or(best.filter(decides));
        let wins = known.partition_point(|rating| rating.category == Category::Win);
        let known = known.iter().map(|rating| PartialMove::Known(rating.with_san(position)));
        let mut moves: Vec<PartialMove> = known.collect();
        let unknown = unknown.into_iter().map(|mv| PartialMove::Unknown {
            mv,
            san: san(position, mv),
            after: here.play(mv),
        });
        moves.splice(wins..wins, unknown);
        let (position, notes) = (*position, notes.clone());
        Ok(Some(PartialAnswer { position, notes, values, category, count, moves }))
    }

    /// [`Tablebase::values`], also for a position without a table in which the game is over.
    pub(crate) fn values_or_end(&self, position: &Position) -> Result<TableValues, ProbeError> {
        match self.values(position) {
            Err(error @ (ProbeError::Missing { .. } | ProbeError::TooManyMen { .. })) => {
                let value = position.final_value().ok_or(error)?;
                Ok(TableValues { dtm: value, counted: value })
            }
            values => values,
        }
    }
}

/// Replaces the error of a missing table that is not awaited by `None`.
fn unless_missing<T>(
    found: Option<Result<T, ProbeError>>,
    is_awaited: impl Fn(TableName) -> bool,
) -> Result<Option<T>, ProbeError> {
    match found {
        Some(Err(ProbeError::Missing { table, .. })) if !is_awaited(table) => Ok(None),
        Some(Err(ProbeError::TooManyMen { .. })) => Ok(None),
        found => found.transpose(),
    }
}
