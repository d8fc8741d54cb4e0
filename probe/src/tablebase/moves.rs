//! The legal moves of a position, rated by the positions after them, best first.
//!
//! The count is carried on through each move. The first move keeps the category of the
//! position: playing it every time wins in time or saves the draw if that is possible.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::mate_in_time::MateSearch;
use crate::tablebase::searcher::Searcher;
use crate::tablebase::value::{TableValues, material_with_table};
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;
use std::cmp::Reverse;

/// A legal move and its value for the side that plays it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedMove {
    /// The move; [`Move::uci`] writes it.
    pub mv: Move,
    /// The move in SAN.
    pub san: String,
    /// The distance to mate with no counting after this move, the move included.
    pub dtm: Value,
    /// The counted distance after this move, the move included, see [`Tablebase::counted`], in the
    /// attacker's moves. 1 if the move wins by a change of phase.
    pub counted: Value,
    /// The shortest mate in time after this move, the move included, see
    /// [`Tablebase::mate_in_time`]. `None` if the move neither wins nor loses in time, and if the
    /// length is not known.
    pub mate_in_time: Option<Value>,
    /// The category under the count. No win or loss in time if the count is over before the move.
    pub category: Category,
    /// The position after the move, with the count that runs there.
    pub after: Position,
}

/// A rated move without its SAN.
#[derive(Clone, Copy)]
pub(crate) struct Rating {
    /// The move.
    pub mv: Move,
    /// See [`RatedMove::dtm`].
    pub dtm: Value,
    /// See [`RatedMove::counted`]; in the unit of the table.
    pub counted: Value,
    /// See [`RatedMove::mate_in_time`].
    pub mate_in_time: Option<Value>,
    /// Upper bound of the shortest mate in time, see [`RatedMove::mate_in_time`].
    pub at_most: Option<Moves>,
    /// The category under the count. No win or loss in time if the count is over before the move.
    pub category: Category,
    /// The position after the move, with the count that runs there.
    pub after: Position,
    /// The values of that position, for the side to move there.
    pub values: TableValues,
}

impl Rating {
    /// Orders moves, best first.
    pub(crate) fn sort_key(&self) -> impl Ord + use<> {
        // A win that comes too late progresses by distance to mate alone.
        let counted = match self.category {
            Category::CursedWin => 0,
            _ => self.counted.preference(),
        };
        // Both sides use the upper bound: the winner mates within it, and if it is exact, the loser
        // cannot be mated sooner by force.
        let at_most = i64::from(self.at_most.map_or(u32::MAX, |moves| moves.0));
        let in_time = match self.category {
            Category::Win => -at_most,
            Category::Loss => at_most,
            Category::CursedWin | Category::Draw | Category::BlessedLoss => 0,
        };
        let in_time = (in_time, self.mate_in_time.is_some());
        let preference = (self.category, in_time, counted, self.dtm.preference());
        (Reverse(preference), self.mv.uci(self.after.variant()))
    }

    /// With SAN, in the position in which the move is played.
    pub(crate) fn with_san(&self, position: &Position) -> RatedMove {
        let Rating { mv, dtm, mate_in_time, category, after, .. } = *self;
        let counted = Metric::counted_in(position).in_moves(self.counted);
        RatedMove { mv, san: san(position, mv), dtm, counted, mate_in_time, category, after }
    }
}

/// Moves.
impl Tablebase {
    /// The legal moves, best first. They are ordered by category. Within a category:
    ///
    /// - wins in time: the quicker mate in time first, then fewer moves of the count;
    /// - wins too late: the quicker mate first;
    /// - losses in time: the slower mate in time first, then more moves of the count;
    /// - losses too late: first the moves that no count makes losses, then more moves of the
    ///   count, then the slower mate.
    ///
    /// A mate in time of unknown length counts as its longest possible length, see
    /// [`Tablebase::mate_in_time`]. Once the count is over, no move wins or loses in time, because
    /// the draw can be claimed before it.
    ///
    /// Equal moves are ordered by UCI. If no count runs, one starts in this position.
    ///
    /// Needs a few lookups for each move and searches nothing. Playing the first move every time
    /// still keeps the category of the position, see
    /// [`mate_in_time`](crate::tablebase::mate_in_time).
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`], for the position and all successors.
    pub fn moves(&self, position: &Position) -> Result<Vec<RatedMove>, ProbeError> {
        self.without_search().moves(position)
    }

    /// The legal moves, best first, with the mates in time of a search.
    pub(crate) fn sorted_ratings(
        &self,
        position: &Position,
        mates: &mut MateSearch<'_>,
    ) -> Result<Vec<Rating>, ProbeError> {
        material_with_table(position)?;
        let mut ratings = self.ratings(position, mates)?;
        ratings.sort_by_cached_key(Rating::sort_key);
        Ok(ratings)
    }

    /// The best legal move, the first of [`Tablebase::moves`]. `None` if the game is over.
    ///
    /// ```
    /// use sakmak_probe::{MAKRUK, Position, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// let position = Position::from_fen(&MAKRUK, "7k/8/6K1/8/8/8/8/R7 w")?;
    /// let best = tables.best_move(&position)?.ok_or("the game is over")?;
    /// assert_eq!((best.mv.uci(&MAKRUK), best.san.as_str()), ("a1a8".to_string(), "Ra8#"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::moves`].
    pub fn best_move(&self, position: &Position) -> Result<Option<RatedMove>, ProbeError> {
        self.without_search().best_move(position)
    }

    /// The only legal move that keeps the [result](Category::wdl) under the count. `None` if several
    /// moves keep it, or if no other move is legal.
    ///
    /// Reads WDL files where they suffice, see [`Tablebase::category`], unlike
    /// [`Tablebase::moves`], which reads both distances after every move.
    ///
    /// ```
    /// use sakmak_probe::{MAKRUK, Position, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// let position = Position::from_fen(&MAKRUK, "8/7R/8/8/8/4k3/8/7K w")?;
    /// let only = tables.only_move(&position)?.ok_or("several moves")?;
    /// assert_eq!(only.uci(&MAKRUK), "h7h4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::category`], for the position and its successors.
    pub fn only_move(&self, position: &Position) -> Result<Option<Move>, ProbeError> {
        let kept = self.keeping(position, 2)?;
        Ok(match kept[..] {
            [(mv, _)] if position.legal_moves().len() > 1 => Some(mv),
            _ => None,
        })
    }

    /// The legal moves that keep the [result](Category::wdl) under the count, in no particular
    /// order. Reads WDL files as [`Tablebase::only_move`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::category`], for the position and its successors.
    pub fn keeping_moves(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let kept = self.keeping(position, usize::MAX)?;
        Ok(kept.into_iter().map(|(mv, _)| mv).collect())
    }

    /// The first `most` of the moves that keep the result, and the positions after them, with the
    /// counts of [`Tablebase::better_rating`].
    pub(crate) fn keeping(
        &self,
        position: &Position,
        most: usize,
    ) -> Result<Vec<(Move, Position)>, ProbeError> {
        let here = position.with_count_running();
        let stopped = here.with_own_count_stopped();
        let result = self.category(position)?.wdl();
        let mut kept = Vec::new();
        for &mv in here.legal_moves().iter() {
            let (mut from, mut category) = (&here, self.category_of_move(&here, mv)?);
            if let Some(stopped) = &stopped {
                let other = self.category_of_move(stopped, mv)?;
                if other > category {
                    (from, category) = (stopped, other);
                }
            }
            if category.wdl() == result {
                kept.push((mv, from.play(mv)));
            }
            if kept.len() == most {
                break;
            }
        }
        Ok(kept)
    }

    /// The category of [`Tablebase::rating`], which needs no distance where a WDL file decides.
    fn category_of_move(&self, position: &Position, mv: Move) -> Result<Category, ProbeError> {
        let after = position.play(mv);
        let category = match self.category(&after) {
            Err(error @ (ProbeError::Missing { .. } | ProbeError::TooManyMen { .. })) => {
                let value = after.final_value().ok_or(error)?;
                after.category(value, value)
            }
            category => category?,
        };
        Ok(position.category_before_claim(category.reversed()))
    }

    /// The best legal move of a position that has passed [`material_with_table`].
    pub(crate) fn best_rating(
        &self,
        position: &Position,
        mates: &mut MateSearch<'_>,
    ) -> Result<Option<Rating>, ProbeError> {
        Ok(self.ratings(position, mates)?.into_iter().min_by_key(Rating::sort_key))
    }

    /// The legal moves, rated, in no particular order.
    fn ratings(
        &self,
        position: &Position,
        mates: &mut MateSearch<'_>,
    ) -> Result<Vec<Rating>, ProbeError> {
        let here = position.with_count_running();
        let stopped = here.with_own_count_stopped();
        let rate = |&mv: &Move| self.better_rating(&here, stopped.as_ref(), mv);
        let ratings: Result<Vec<Rating>, ProbeError> =
            position.legal_moves().iter().map(rate).collect();
        let mut ratings = ratings?;
        self.add_mates(&here, &mut ratings, mates)?;
        Ok(ratings)
    }

    /// The rating of a move, without its mate in time. The count runs in `here`. In `stopped` the
    /// side to move has stopped its own count. The better category of the two decides.
    pub(crate) fn better_rating(
        &self,
        here: &Position,
        stopped: Option<&Position>,
        mv: Move,
    ) -> Result<Rating, ProbeError> {
        let counted_on = self.rating(here, mv)?;
        let Some(stopped) = stopped else { return Ok(counted_on) };
        let stopped = self.rating(stopped, mv)?;
        Ok(if stopped.category > counted_on.category { stopped } else { counted_on })
    }

    /// Adds mates in time to the ratings of moves of a position in which the count runs.
    pub(crate) fn add_mates(
        &self,
        here: &Position,
        ratings: &mut [Rating],
        mates: &mut MateSearch<'_>,
    ) -> Result<(), ProbeError> {
        let decided =
            |rating: &&mut Rating| matches!(rating.category, Category::Win | Category::Loss);
        let after = ratings.iter_mut().filter(decided).map(|rating| rating.after);
        mates.search(here, &after.collect::<Vec<_>>())?;
        for rating in ratings.iter_mut().filter(decided) {
            let mate = mates.found(&rating.after, rating.values)?;
            let own = u32::from(rating.category == Category::Win);
            rating.mate_in_time = mate.exact().map(Value::before_move);
            rating.at_most = mate.most.map(|Moves(moves)| Moves(moves + own));
        }
        Ok(())
    }

    /// The rating of a move, without its mate in time.
    fn rating(&self, position: &Position, mv: Move) -> Result<Rating, ProbeError> {
        let after = position.play(mv);
        let values = self.values_or_end(&after)?;
        let category = after.category(values.dtm, values.counted).reversed();
        let category = position.category_before_claim(category);
        let [armies, reached] = [position.armies(), after.armies()];
        let metric = Metric::Counted(position.counting_rule());
        let counted = match armies == reached {
            true => values.counted,
            false => metric.phase_change(armies, reached, after.side()).carry(values.counted),
        };
        let (dtm, counted) =
            (values.dtm.before_move(), Metric::counted_in(position).before_move(counted));
        let (mate_in_time, at_most) = (None, None);
        Ok(Rating { mv, dtm, counted, mate_in_time, at_most, category, after, values })
    }
}

impl Searcher<'_> {
    /// [`Tablebase::moves`], ordered by the mates in time that are found.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`], for the positions that are looked up.
    pub fn moves(self, position: &Position) -> Result<Vec<RatedMove>, ProbeError> {
        let ratings = self.sorted_ratings(position, &mut MateSearch::new(self, position))?;
        Ok(ratings.iter().map(|rating| rating.with_san(position)).collect())
    }

    /// The best legal move, the first of [`Searcher::moves`].
    ///
    /// # Errors
    ///
    /// The errors of [`Searcher::moves`].
    pub fn best_move(self, position: &Position) -> Result<Option<RatedMove>, ProbeError> {
        material_with_table(position)?;
        let best = self.best_rating(position, &mut MateSearch::new(self, position))?;
        Ok(best.map(|best| best.with_san(position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::board::square::Square;
    use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
    use sakmak_tables::variants::{MAKRUK, OUK};

    fn placed(pieces: &[(Side, PieceKind, &str)]) -> Position {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let pieces =
            pieces.iter().map(|&(side, kind, name)| (Piece::new(side, kind), square(name)));
        Position::new(&MAKRUK, Side::White, pieces).unwrap()
    }

    fn tables() -> Tablebase {
        Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables")).unwrap()
    }

    /// The errors of all functions that take a position.
    fn errors(tables: &Tablebase, position: &Position) -> Vec<ProbeError> {
        let mut errors = vec![
            tables.moves(position).unwrap_err(),
            tables.best_move(position).unwrap_err(),
            tables.values(position).unwrap_err(),
            tables.category(position).unwrap_err(),
            tables.wdl(position).unwrap_err(),
            tables.line(position).unwrap_err(),
            tables.counted_line(position).unwrap_err(),
            tables.probe(position).unwrap_err(),
        ];
        tables.wdl_batch(&[*position], |result| errors.push(result.unwrap_err()));
        errors
    }

    #[test]
    fn every_function_refuses_an_illegal_position() {
        use PieceKind::{King, Knight, Pawn, Rook};
        use Side::{Black, White};
        let king_can_be_taken =
            placed(&[(White, King, "e1"), (White, Rook, "e2"), (Black, King, "e5")]);
        let kings_touch = placed(&[(White, King, "e1"), (White, Rook, "a2"), (Black, King, "e2")]);
        let pawn = placed(&[(White, King, "e1"), (White, Pawn, "g8"), (Black, King, "a5")]);
        // White could also take the king.
        let capture = placed(&[
            (White, King, "h7"),
            (White, Knight, "e4"),
            (Black, King, "f6"),
            (Black, Rook, "a3"),
        ]);
        let tables = tables();
        for (position, expected) in [
            (king_can_be_taken, "the black king on e5 is in check with white to move"),
            (kings_touch, "the kings on e1 and e2 are adjacent"),
            (pawn, "a white pawn cannot stand on g8"),
            (capture, "the black king on f6 is in check with white to move"),
        ] {
            for error in errors(&tables, &position) {
                let ProbeError::Illegal(reason) = error else { panic!("{error}") };
                assert!(reason.to_string().starts_with(expected), "{reason}");
            }
        }
    }

    #[test]
    fn every_function_refuses_leap_rights_and_too_many_men() {
        let tables = tables();
        // One capture away from a table's material, and one move from no leap rights.
        let leaps = Position::from_fen(&OUK, "3k4/8/8/8/8/8/8/3K1R2 w D - 0 1").unwrap();
        for error in errors(&tables, &leaps) {
            assert!(matches!(error, ProbeError::LeapRights), "{error}");
        }
        let many = Position::from_fen(&MAKRUK, "4k3/8/8/8/8/RRRRRRR1/8/4K3 b").unwrap();
        for error in errors(&tables, &many) {
            assert!(matches!(error, ProbeError::TooManyMen { men: 9 }), "{error}");
        }
    }
}
