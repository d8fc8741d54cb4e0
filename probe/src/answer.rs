//! All a player asks about a position: its value, the count, the moves best first, and the
//! lines of best play.

pub mod count;

pub mod rated_move;

pub mod line;

use crate::answer::count::Count;
use crate::answer::line::CountedLine;
use crate::answer::rated_move::RatedMove;
use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Value;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};

/// All about one position, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Mate or stalemate, if it is on the board.
    pub outcome: Option<Outcome>,
    /// The value with best play and no counting.
    pub value: Value,
    /// The counted value, see [`Tablebase::counted_value`]: how many of the moves the count
    /// leaves are needed.
    pub counted: Value,
    /// The grade under the count, see [`Position::category`].
    pub category: Category,
    /// The count that runs here or is taken to start here; none where nothing is counted.
    pub count: Option<Count>,
    /// The legal moves, best first, see [`Tablebase::moves`].
    pub moves: Vec<RatedMove>,
    /// Best play by distance to mate, to the mate, as if nobody counted; empty for a draw.
    pub line: Vec<Move>,
    /// Best play under the count: the first of `moves` time after time.
    pub counted_line: CountedLine,
}

impl Tablebase {
    /// All about a position: see [`Answer`].
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], for the position and those one move on and along the lines.
    pub fn probe(&self, position: &Position) -> Result<Answer, ProbeError> {
        let values = self.values(position)?;
        Ok(Answer {
            outcome: position.outcome(),
            value: values.mate,
            counted: values.counted,
            category: position.category(values.mate, values.counted),
            count: Count::of(position, values.mate),
            moves: self.moves(position)?,
            line: self.line(position)?,
            counted_line: self.counted_line(position)?,
        })
    }
}
