//! The full answer about a position: its value, the count, the moves best first, and the lines of
//! best play.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::count::Count;
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
    /// How the game has ended; `None` if there is a legal move.
    pub outcome: Option<Outcome>,
    /// The distance to mate with best play and no counting.
    pub value: Value,
    /// The counted distance, see [`Tablebase::counted_value`]: how many of the moves that the
    /// count leaves are needed.
    pub counted: Value,
    /// The shortest mate in time, see [`Tablebase::mate_in_time`].
    pub mate_in_time: Option<Value>,
    /// The category under the count, see [`Position::category`].
    pub category: Category,
    /// The count that runs here or starts here; `None` if no count applies.
    pub count: Option<Count>,
    /// The legal moves, best first, see [`Tablebase::moves`].
    pub moves: Vec<RatedMove>,
    /// Best play to mate with no counting; empty for a draw.
    pub line: Vec<Move>,
    /// Best play under the count: always the first of `moves`.
    pub counted_line: CountedLine,
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
        self.probe_within(position, LookupBudget::NONE)
    }

    /// As [`Tablebase::probe`]. Mates in time whose lengths are not in the tables are searched:
    /// that of the position, then those of the moves, then those along the line, with at most as
    /// many look-ups for all of them.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::probe`], for the positions that are looked up.
    pub fn probe_within(
        &self,
        position: &Position,
        budget: LookupBudget,
    ) -> Result<Answer, ProbeError> {
        let values = self.values(position)?;
        let mut mates = MateSearch::anew(self, position, budget);
        let moves = self.moves_by(position, &mut mates)?;
        Ok(Answer {
            outcome: position.outcome(),
            value: values.mate,
            counted: values.counted,
            mate_in_time: mates.found(&position.with_count_running(), values)?.exact(),
            category: position.category(values.mate, values.counted),
            count: Count::of(position, values.mate),
            moves,
            line: self.line(position)?,
            counted_line: self.counted_line_by(position, &mut mates)?,
        })
    }
}
