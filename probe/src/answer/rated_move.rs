//! The legal moves of a position and what each leads to, best first.
//!
//! A move is rated by the position it leads to, with the count carried on through it. The
//! first in order keeps the grade of the position: it wins in time where that can be done
//! and saves the draw where that can be done, move by move to the end.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;
use std::cmp::Reverse;

/// A legal move and what it leads to, for the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedMove {
    /// The move; displayed it is UCI.
    pub uci: Move,
    /// The move as people write it.
    pub san: String,
    /// The value, with no counting, of the position asked about if this move is made:
    /// distances count from there, with this move.
    pub value: Value,
    /// Its counted value likewise, by [`Tablebase::counted_value`]: the attacker's moves
    /// needed of the count that runs in the position asked about, with this move. A move
    /// into another phase in which the game is won is all that is needed of this one.
    pub counted: Value,
    /// The grade under the count.
    pub category: Category,
    /// The position it leads to, the count running on.
    pub after: Position,
}

/// A move rated, before it is written for people.
#[derive(Clone, Copy)]
pub(crate) struct Rating {
    /// The move.
    pub uci: Move,
    /// As [`RatedMove::value`].
    pub value: Value,
    /// As [`RatedMove::counted`].
    pub counted: Value,
    /// The grade under the count.
    pub category: Category,
    /// The position it leads to, the count running on.
    pub after: Position,
}

impl Rating {
    /// A key in the order in which moves come, best first.
    fn key(&self) -> impl Ord + use<> {
        // Only the distance to mate leads on where a win comes too late.
        let counted = match self.category {
            Category::CursedWin => 0,
            _ => self.counted.preference(),
        };
        let preference = (self.category, counted, self.value.preference());
        (Reverse(preference), self.uci.to_string())
    }

    /// With the name of the move in the position in which it is made.
    fn named(&self, position: &Position) -> RatedMove {
        let Rating { uci, value, counted, category, after } = *self;
        RatedMove { uci, san: san(position, uci), value, counted, category, after }
    }
}

impl Tablebase {
    /// The legal moves, best first: by category; among wins in time fewer moves of the
    /// count come first, then the quicker mate; among losses in time more moves of the
    /// count, then the slower mate; among wins too late the quicker mate; among losses too
    /// late those that no count ever makes losses, then as losses in time. The order by UCI
    /// comes last.
    ///
    /// A count that is not running is taken to start here.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], for the positions one move on.
    pub fn moves(&self, position: &Position) -> Result<Vec<RatedMove>, ProbeError> {
        let mut ratings = self.ratings(position)?;
        ratings.sort_by_cached_key(Rating::key);
        Ok(ratings.iter().map(|rating| rating.named(position)).collect())
    }

    /// The best legal move, first of [`Tablebase::moves`]; nothing when the game is over.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::moves`].
    pub fn best_move(&self, position: &Position) -> Result<Option<RatedMove>, ProbeError> {
        Ok(self.best_rating(position)?.map(|best| best.named(position)))
    }

    /// The best legal move.
    pub(crate) fn best_rating(&self, position: &Position) -> Result<Option<Rating>, ProbeError> {
        Ok(self.ratings(position)?.into_iter().min_by_key(Rating::key))
    }

    /// The legal moves rated, in no order.
    fn ratings(&self, position: &Position) -> Result<Vec<Rating>, ProbeError> {
        let here = position.with_count_running();
        let stopped = here.with_own_count_stopped();
        let rate = |&uci: &Move| {
            let going_on = self.rated(&here, uci)?;
            let Some(stopped) = stopped else { return Ok(going_on) };
            let stopped = self.rated(&stopped, uci)?;
            Ok(if stopped.category > going_on.category { stopped } else { going_on })
        };
        position.legal_moves().iter().map(rate).collect()
    }

    /// A move rated.
    fn rated(&self, position: &Position, uci: Move) -> Result<Rating, ProbeError> {
        let after = position.play(uci);
        let values = self.values(&after)?;
        let category = after.category(values.mate, values.counted).reversed();
        let [armies, reached] = [position.armies(), after.armies()];
        let counted = match armies == reached {
            true => values.counted,
            false => Metric::Counted(position.counting_rule())
                .phase_change(armies, reached, after.side())
                .carry(values.counted),
        };
        let (value, counted) = (values.mate.before_move(), counted.before_move());
        Ok(Rating { uci, value, counted, category, after })
    }
}
