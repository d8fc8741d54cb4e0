//! A position to look up, with its count from a FEN or as players call it.

use crate::tablebase::count::Count;
use sakmak_tables::counting::{Call, CountingRule, ImpossibleCall};
use sakmak_tables::distance::Value;
use sakmak_tables::position::Position;
use sakmak_tables::position::fen::{FenError, FenNote};
use sakmak_tables::rules::piece::Side;

/// A position to look up, and who called its count.
#[derive(Clone, Debug)]
pub struct CountedPosition {
    /// The position, with its count.
    pub position: Position,
    /// Notes on counts that are dropped or may not be meant.
    pub notes: Vec<String>,
    /// The side that called the count. `None` if nothing was called.
    pub(crate) runner: Option<Side>,
}

/// A call that does not fit the position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CallError {
    /// The FEN has a count.
    #[error("the FEN has a count: expected a FEN without a count for a call, with '- 0' instead")]
    CountInFen,
    /// The count is impossible.
    #[error(transparent)]
    Impossible(#[from] ImpossibleCall),
}

impl From<&Position> for CountedPosition {
    fn from(position: &Position) -> CountedPosition {
        CountedPosition { position: *position, notes: Vec::new(), runner: None }
    }
}

impl CountedPosition {
    /// Parses a FEN of the variant that has this counting rule.
    ///
    /// # Errors
    ///
    /// If the text is not the FEN of a legal position.
    pub fn from_fen(
        counting_rule: &'static CountingRule,
        fen: &str,
    ) -> Result<CountedPosition, FenError> {
        let (position, notes) = Position::from_fen_noted(counting_rule, fen)?;
        let notes = notes.iter().map(FenNote::to_string).collect();
        Ok(CountedPosition { position, notes, runner: None })
    }

    /// Sets the count to the number called last.
    ///
    /// # Errors
    ///
    /// If the position has a count, or cannot have this one.
    pub fn call(&mut self, call: Call) -> Result<(), CallError> {
        let position = self.position;
        if position.clock().is_some() {
            return Err(CallError::CountInFen);
        }
        let (armies, side) = (position.armies(), position.side());
        let count = position.counting_rule().called(call, armies, side)?;
        self.position = position.with_clock(Some(count.clock));
        self.runner = Some(count.runner);
        Ok(())
    }

    /// Returns the count that runs in the position with this distance to mate, or that starts
    /// there; `None` if no count applies. A count called by the winning side does not bind it: it
    /// is removed from the position, and a note has the reason.
    pub(crate) fn settle(&mut self, dtm: Value) -> Option<Count> {
        let count = Count::of(&self.position, dtm);
        let Some(runner) = self.runner else { return count };
        if count.is_none_or(|count| count.runner() == runner) {
            return count;
        }
        if dtm == Value::Draw {
            return Count::against(&self.position, !runner);
        }
        self.position = self.position.with_clock(None);
        self.runner = None;
        let [winner, loser] = match runner {
            Side::White => ["White", "Black"],
            Side::Black => ["Black", "White"],
        };
        self.notes.push(format!(
            "the count of {winner} is dropped: {winner} can force mate and stops counting; {loser} \
             may count from here on"
        ));
        Count::of(&self.position, dtm)
    }
}
