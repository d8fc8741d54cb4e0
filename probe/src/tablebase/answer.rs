//! The full answer about a position: its value, the count, the moves best first, and the lines of
//! best play.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::count::Count;
use crate::tablebase::counted_position::CountedPosition;
use crate::tablebase::line::CountedLine;
use crate::tablebase::mate_in_time::MateSearch;
use crate::tablebase::moves::RatedMove;
use crate::tablebase::searcher::Searcher;
use crate::tablebase::solution::Solution;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;

/// Name of a win that may come too late, because the count is left out.
pub const MAYBE_WIN: &str = "maybe-win";

/// Name of a loss that may come too late, because the count is left out.
pub const MAYBE_LOSS: &str = "maybe-loss";

/// Everything about one position, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The position. It has no count if the winning side called it.
    pub position: Position,
    /// Notes on counts that are dropped or may not be meant.
    pub notes: Vec<String>,
    /// The missing table of counted distance, because of which the count is left out, see
    /// [`Searcher::probe_or_uncounted`]. Then categories, counted distances, mates in time and the
    /// line under the count are those of a position in which nobody counts. `None` if the count is
    /// considered.
    pub missing: Option<TableName>,
    /// The outcome of the game; `None` if a move is legal.
    pub outcome: Option<Outcome>,
    /// The distance to mate with best play and no counting.
    pub dtm: Value,
    /// The counted distance, see [`Tablebase::counted`], in the attacker's moves: the number of moves
    /// of the count that are needed.
    pub counted: Value,
    /// The shortest mate in time, see [`Tablebase::mate_in_time`].
    pub mate_in_time: Option<Value>,
    /// The category under the count, see [`Position::category`].
    pub category: Category,
    /// The count that runs here or starts here; `None` if no count applies.
    pub count: Option<Count>,
    /// The legal moves, best first, see [`Tablebase::moves`].
    pub moves: Vec<RatedMove>,
    /// Best play; `None` if it was not requested.
    pub lines: Option<Lines>,
    /// The right moves, see [`Searcher::solution`]; `None` if they were not requested.
    pub solution: Option<Solution>,
}

/// Best play of both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    /// To mate with no counting; empty for a draw.
    pub uncounted: Vec<Move>,
    /// Under the count: always the first of the moves.
    pub counted: CountedLine,
}

impl Answer {
    /// The side that wins under the count. `None` for a draw, or if the count is left out and could
    /// turn the win into a draw.
    pub fn winner(&self) -> Option<Side> {
        match self.category {
            _ if self.may_be_late(self.category, self.mates_next()) => None,
            Category::Win => Some(self.position.side()),
            Category::Loss => Some(!self.position.side()),
            Category::CursedWin | Category::Draw | Category::BlessedLoss => None,
        }
    }

    /// The name of the category: [`Category::name`], or `maybe-win` and `maybe-loss`, as in
    /// lila-tablebase, if the count is left out and may make it a draw.
    pub fn category_name(&self) -> &'static str {
        self.name_of(self.category, self.mates_next())
    }

    /// [`Answer::category_name`] of a move of the answer.
    pub fn category_name_of(&self, rated: &RatedMove) -> &'static str {
        self.name_of(rated.category, rated.dtm == Value::Win(Moves(1)))
    }

    /// [`Answer::category_name`] of the position after a move, for the side to move there.
    pub fn category_name_after(&self, rated: &RatedMove) -> &'static str {
        self.name_of(rated.category.reversed(), rated.dtm == Value::Win(Moves(1)))
    }

    fn name_of(&self, category: Category, mates: bool) -> &'static str {
        match category {
            Category::Win if self.may_be_late(category, mates) => MAYBE_WIN,
            Category::Loss if self.may_be_late(category, mates) => MAYBE_LOSS,
            other => other.name(),
        }
    }

    /// Whether a win or a loss may come too late for the count, which is left out. `mates`: mate is
    /// on the board or the next move, before the draw can be claimed.
    fn may_be_late(&self, category: Category, mates: bool) -> bool {
        self.missing.is_some() && !mates && matches!(category, Category::Win | Category::Loss)
    }

    fn mates_next(&self) -> bool {
        matches!(self.dtm, Value::Win(Moves(1)) | Value::Loss(Moves(0)))
    }

    /// Whether the position or one of its moves wins or loses in time in an unknown number of
    /// moves, or the solution was requested and is not known.
    pub fn has_unknown_mate(&self) -> bool {
        let decided = |category| matches!(category, Category::Win | Category::Loss);
        let own = [(self.category, self.mate_in_time)].into_iter();
        let moves = self.moves.iter().map(|rated| (rated.category, rated.mate_in_time));
        let is_unknown = |solution: Solution| {
            self.category == Category::Win
                && (solution.unique.is_none() || solution.shortest_unique.is_none())
        };
        self.outcome.is_none()
            && (own.chain(moves).any(|(category, mate)| decided(category) && mate.is_none())
                || self.solution.is_some_and(is_unknown))
    }
}

/// Everything at once.
impl Tablebase {
    /// Everything about a position, see [`Answer`]. Follows two lines of play to their ends,
    /// so [`Tablebase::category`] alone is far faster.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`], for the position, its successors and those along the lines.
    pub fn probe(&self, position: &Position) -> Result<Answer, ProbeError> {
        self.without_search().probe(position, true)
    }

    /// The answer without the count, because the table `missing` of counted distance is missing:
    /// [`Tablebase::probe`] of the position in which [nobody
    /// counts](sakmak_tables::variant::Variant::uncounted), with lines of best play or without. The
    /// position, its count and the counts after its moves are as in an answer with the count.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::dtm`], for the position, its successors and those along the lines.
    pub fn probe_uncounted(
        &self,
        asked: impl Into<CountedPosition>,
        lines: bool,
        missing: TableName,
    ) -> Result<Answer, ProbeError> {
        let mut asked = asked.into();
        let nobody = asked.position.counted_by(asked.position.variant().uncounted);
        let nobody = nobody.with_clock(None);
        let answer = self.without_search().probe(&nobody, lines)?;
        let count = asked.settle(answer.dtm);
        let CountedPosition { position, notes, .. } = asked;
        // Once the count is over, no table is needed to know that a mate comes too late.
        let category = |category| position.category_before_claim(category);
        let here = position.with_count_running();
        let rated = |rated: RatedMove| RatedMove {
            category: category(rated.category),
            after: here.play(rated.mv),
            ..rated
        };
        Ok(Answer {
            position,
            notes,
            missing: Some(missing),
            category: match answer.outcome {
                None => category(answer.category),
                Some(_) => answer.category,
            },
            count,
            moves: answer.moves.into_iter().map(rated).collect(),
            ..answer
        })
    }
}

impl Searcher<'_> {
    /// The answer with its solution, unless it leaves the count out.
    ///
    /// # Errors
    ///
    /// The errors of [`Searcher::solution`].
    #[doc(hidden)]
    pub fn with_solution(self, answer: Answer) -> Result<Answer, ProbeError> {
        let is_counted = answer.missing.is_none();
        let solution = is_counted.then(|| self.solution(&answer.position)).transpose()?;
        Ok(Answer { solution, ..answer })
    }

    /// [`Tablebase::probe`], also for a position whose count was called, with lines of best play or
    /// without.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::probe`], for the positions that are looked up.
    pub fn probe(
        self,
        asked: impl Into<CountedPosition>,
        lines: bool,
    ) -> Result<Answer, ProbeError> {
        let mut asked = asked.into();
        let values = self.tables.values(&asked.position)?;
        let count = asked.settle(values.dtm);
        let CountedPosition { position, notes, .. } = asked;
        let mut mates = match lines {
            true => MateSearch::anew(self, &position),
            false => MateSearch::new(self, &position),
        };
        let ratings = self.sorted_ratings(&position, &mut mates)?;
        let here = position.with_count_running();
        let mate_in_time = mates.found(&here, values)?.exact();
        let category = here.category(values.dtm, values.counted);
        let lines = match lines {
            true => {
                let best = ratings.first().copied();
                Some(Lines {
                    uncounted: self.line_from(position, values.dtm, Some(&ratings))?,
                    counted: self.counted_line_from(here, category, best, &mut mates)?,
                })
            }
            false => None,
        };
        Ok(Answer {
            position,
            notes,
            missing: None,
            outcome: position.outcome(),
            dtm: values.dtm,
            counted: Metric::counted_in(&position).in_moves(values.counted),
            mate_in_time,
            category,
            count,
            moves: ratings.iter().map(|rating| rating.with_san(&position)).collect(),
            lines,
            solution: None,
        })
    }

    /// [`Searcher::probe`]; if a table of counted distance is missing,
    /// [`Tablebase::probe_uncounted`]. For programs whose readers see that the count is left out:
    /// every other call returns the error.
    ///
    /// ```
    /// use sakmak_probe::{LookupBudget, MAKRUK, Position, ProbeError, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// // A rook against a bare king needs no table of counted distance.
    /// let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w")?;
    /// let answer = tables.searching(LookupBudget::NONE).probe_or_uncounted(&position, false)?;
    /// assert_eq!(answer.missing, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Searcher::probe`], except for missing tables of counted distance.
    pub fn probe_or_uncounted(
        self,
        asked: impl Into<CountedPosition>,
        lines: bool,
    ) -> Result<Answer, ProbeError> {
        let asked = asked.into();
        match self.probe(asked.clone(), lines) {
            Err(error) => match error.missing_counts() {
                Some(missing) => self.tables.probe_uncounted(asked, lines, missing),
                None => Err(error),
            },
            answer => answer,
        }
    }
}
