//! The full answer about a position: its value, the count, the moves best first, and the lines of
//! best play.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::count::Count;
use crate::tablebase::counted_position::CountedPosition;
use crate::tablebase::line::CountedLine;
use crate::tablebase::mate_bounds::LookupBudget;
use crate::tablebase::mate_in_time::MateSearch;
use crate::tablebase::moves::RatedMove;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Value;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};

/// Everything about one position, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The position. It has no count if the side that wins called it.
    pub position: Position,
    /// Notes on counts that are dropped or may not be meant.
    pub notes: Vec<String>,
    /// How the game has ended; `None` if there is a legal move.
    pub outcome: Option<Outcome>,
    /// The distance to mate with best play and no counting.
    pub dtm: Value,
    /// The counted distance, see [`Tablebase::counted`]: how many of the moves that the count
    /// leaves are needed.
    pub counted: Value,
    /// The shortest mate in time, see [`Tablebase::mate_in_time`].
    pub mate_in_time: Option<Value>,
    /// The category under the count, see [`Position::category`].
    pub category: Category,
    /// The count that runs here or starts here; `None` if no count applies.
    pub count: Option<Count>,
    /// The legal moves, best first, see [`Tablebase::moves`].
    pub moves: Vec<RatedMove>,
    /// Best play; `None` if it was not asked for.
    pub lines: Option<Lines>,
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
    /// Whether the position or one of its moves wins or loses in time in an unknown number of
    /// moves.
    pub fn has_unknown_mate(&self) -> bool {
        let decided = |category| matches!(category, Category::Win | Category::Loss);
        let own = [(self.category, self.mate_in_time)].into_iter();
        let moves = self.moves.iter().map(|rated| (rated.category, rated.mate_in_time));
        self.outcome.is_none()
            && own.chain(moves).any(|(category, mate)| decided(category) && mate.is_none())
    }
}

/// Everything at once.
impl Tablebase {
    /// Everything about a position, see [`Answer`]. Follows two lines of play to their ends,
    /// so [`Tablebase::category`] alone is far quicker.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::values`], for the position, its successors and those along the lines.
    pub fn probe(&self, position: &Position) -> Result<Answer, ProbeError> {
        self.probe_within(position, true, LookupBudget::NONE)
    }

    /// As [`Tablebase::probe`], also for a position whose count was called, with lines of best
    /// play or without. Mates in time whose lengths are not in the tables are searched: that of
    /// the position, then those of the moves, then those along the line, with at most as many
    /// look-ups for all of them.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::probe`], for the positions that are looked up.
    pub fn probe_within(
        &self,
        asked: impl Into<CountedPosition>,
        lines: bool,
        budget: LookupBudget,
    ) -> Result<Answer, ProbeError> {
        let mut asked = asked.into();
        let values = self.values(&asked.position)?;
        let count = asked.settle(values.dtm);
        let CountedPosition { position, notes, .. } = asked;
        let mut mates = match lines {
            true => MateSearch::anew(self, &position, budget),
            false => MateSearch::new(self, &position, budget),
        };
        let moves = self.moves_by(&position, &mut mates)?;
        let mate_in_time = mates.found(&position.with_count_running(), values)?.exact();
        let lines = match lines {
            true => Some(Lines {
                uncounted: self.line(&position)?,
                counted: self.counted_line_by(&position, &mut mates)?,
            }),
            false => None,
        };
        Ok(Answer {
            position,
            notes,
            outcome: position.outcome(),
            dtm: values.dtm,
            counted: values.counted,
            mate_in_time,
            category: position.category(values.dtm, values.counted),
            count,
            moves,
            lines,
        })
    }
}
