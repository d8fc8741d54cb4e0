//! The count of a position as a player sees it.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::value::material_with_table;
use sakmak_tables::counting::{Clock, Honour, Party, Phase};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;

/// A count: its number, its limit and the moves left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The kind of count.
    pub honour: Honour,
    /// Whether the count runs already. Otherwise it starts in this position.
    pub running: bool,
    /// The side that must mate in time.
    pub attacker: Side,
    /// The number at which the count ends, in moves.
    pub limit: Moves,
    /// The last number that the runner called, in moves; the number before the first one if no
    /// number was called.
    pub called: Moves,
    /// Whether the runner has called a number. A count may run from a move of the attacker on.
    pub has_called: bool,
    /// Moves left to the attacker for a mate in time.
    pub moves_left: Moves,
    /// The same count in plies, as in a FEN.
    pub clock: Clock,
}

impl Count {
    /// The count that runs in a position, or a count that starts there. `value` is the distance
    /// to mate for the side to move. `None` if no count that decides games applies to the
    /// position.
    pub fn of(position: &Position, value: Value) -> Option<Count> {
        Count::against(position, attacker(position, value))
    }

    /// [`Count::of`] as a count against this attacker.
    pub fn against(position: &Position, attacker: Side) -> Option<Count> {
        let decides = position.counting_rule().has_decisive_count(position.armies());
        let clock = position.with_count_running().clock().filter(|_| decides)?;
        let to_move = match attacker == position.side() {
            true => Party::Attacker,
            false => Party::Runner,
        };
        let rule = position.counting_rule();
        let limit = rule.limit_in_moves(clock.limit());
        // No number past the limit is called: the draw is claimed.
        let called = clock.called(to_move).min(limit);
        let before_first = match clock.honour() {
            Honour::Pieces => rule.called_at_start(position.occupied().len()),
            Honour::Boards | Honour::FiftyMoves => 0,
        };
        let running = position.clock().is_some();
        Some(Count {
            honour: clock.honour(),
            running,
            attacker,
            limit,
            called,
            has_called: running && called.0 > before_first,
            moves_left: clock.moves_left(to_move),
            clock,
        })
    }

    /// The side that counts its own moves.
    pub fn runner(&self) -> Side {
        !self.attacker
    }
}

/// Counts.
impl Tablebase {
    /// The count that runs in a position, or one that starts there. `None` if no count applies to
    /// the position. Reads a table only if either side may count.
    ///
    /// ```
    /// use sakmak_probe::{MAKRUK, Moves, Position, Side, Tablebase};
    ///
    /// let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b - 32 8 1")?;
    /// let count = Tablebase::new().count(&position)?.ok_or("no count")?;
    /// assert_eq!((count.runner(), count.called, count.limit), (Side::Black, Moves(4), Moves(16)));
    /// assert_eq!(count.moves_left, Moves(12));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::dtm`].
    pub fn count(&self, position: &Position) -> Result<Option<Count>, ProbeError> {
        material_with_table(position)?;
        if !position.counting_rule().has_decisive_count(position.armies()) {
            return Ok(None);
        }
        if let Some(attacker) = only_attacker(position) {
            return Ok(Count::against(position, attacker));
        }
        Ok(Count::of(position, self.dtm(position)?))
    }
}

/// The only side that a count may bind. `None` if it may bind both.
fn only_attacker(position: &Position) -> Option<Side> {
    let armies = position.armies();
    let bound = |&side: &Side| position.counting_rule().phase_against(armies, side) != Phase::Free;
    let mut attackers = Side::BOTH.into_iter().filter(bound);
    attackers.next().filter(|_| attackers.next().is_none())
}

/// The side that must mate and does not count. If only one side may count, the other side;
/// otherwise the winning side; in a draw the stronger side; if both are equal, the side not to
/// move.
fn attacker(position: &Position, value: Value) -> Side {
    if let Some(attacker) = only_attacker(position) {
        return attacker;
    }
    let armies = position.armies();
    match value {
        Value::Win(_) => position.side(),
        Value::Loss(_) => !position.side(),
        Value::Draw if armies[0] > armies[1] => Side::White,
        Value::Draw if armies[0] < armies[1] => Side::Black,
        Value::Draw => !position.side(),
    }
}
