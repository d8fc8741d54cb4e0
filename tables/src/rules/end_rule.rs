//! End rules. All code that handles the end of a game uses [`EndRule::value`]:
//!
//! ```text
//!               has a legal move                 has none
//! in check      goes on (lost: check_loses)      lost: mate
//! not in check  goes on                          drawn: stalemate (lost: stalemate_loses)
//! ```
//!
//! If a bare king loses, its only legal moves take the opponent's last piece. Then the table above
//! does the rest.

use crate::distance::{Moves, Value};

/// Conditions that end a game, besides two bare kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndRule {
    /// Whether a side in check has lost at once.
    pub check_loses: bool,
    /// Whether a side without a legal move and not in check loses; otherwise stalemate is a draw.
    pub stalemate_loses: bool,
    /// Whether a side with a bare king must take the opponent's last piece at once and has no other
    /// legal move. Requires `stalemate_loses`. Its other moves are [closing
    /// moves](crate::position::Position::closing_moves).
    pub bare_king_loses: bool,
}

impl EndRule {
    /// Mate loses and stalemate is a draw.
    pub const MATE: EndRule =
        EndRule { check_loses: false, stalemate_loses: false, bare_king_loses: false };

    /// The value for the side to move if the game is over: a loss in 0 moves or a draw.
    /// Returns `None` if the game goes on.
    pub const fn value(self, in_check: bool, has_move: bool) -> Option<Value> {
        match (in_check, has_move) {
            (true, true) if !self.check_loses => None,
            (true, _) => Some(EndRule::LOST),
            (false, true) => None,
            (false, false) if self.stalemate_loses => Some(EndRule::LOST),
            (false, false) => Some(Value::Draw),
        }
    }

    /// The rule for a side whose opponent has a bare king. If a bare king loses, the game ended one
    /// move before: the position cannot arise, and a side without a legal move has not lost in it.
    #[must_use]
    pub const fn against_bare_king(self) -> EndRule {
        EndRule { stalemate_loses: self.stalemate_loses && !self.bare_king_loses, ..self }
    }

    /// The attacker's goal, as a noun and a verb in messages: `mate`, `check` if the first check
    /// wins, or `win` if mate is not the only way to win.
    pub const fn goal(self) -> &'static str {
        match self.check_loses {
            true => "check",
            false if self.stalemate_loses => "win",
            false => "mate",
        }
    }

    const LOST: Value = Value::Loss(Moves(0));

    /// Whether a side with a bare king can win: it gives no check, but may leave the opponent
    /// without a legal move.
    pub const fn bare_king_can_win(self) -> bool {
        self.stalemate_loses && !self.bare_king_loses
    }
}
