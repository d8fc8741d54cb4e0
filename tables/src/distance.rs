//! Distances with their units, and the value of a position.

use std::fmt;

/// One side's moves: a move of White and the answer of Black are two plies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Plies(pub u32);

/// The attacker's moves. A mate in `n` is delivered by the attacker's `n`-th move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Moves(pub u32);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "ply" } else { "plies" })
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "move" } else { "moves" })
    }
}

/// The value of a position for the side to move with best play and no counting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Value {
    /// Neither side can force mate.
    Draw,
    /// The mover mates by its `n`-th move from here, at least 1.
    Win(Moves),
    /// The mover is mated by the opponent's `n`-th move from here; 0 is mate on the board.
    Loss(Moves),
}

impl fmt::Display for Value {
    /// For the mover: `a draw`, `a win in 3 moves`, `a loss in 1 move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Draw => f.write_str("a draw"),
            Value::Win(moves) => write!(f, "a win in {moves}"),
            Value::Loss(moves) => write!(f, "a loss in {moves}"),
        }
    }
}

impl Value {
    /// Plies until mate: odd for a win, even for a loss, nothing for a draw.
    pub const fn plies(self) -> Option<Plies> {
        match self {
            Value::Draw => None,
            Value::Win(Moves(moves)) => Some(Plies((2 * moves).saturating_sub(1))),
            Value::Loss(Moves(moves)) => Some(Plies(2 * moves)),
        }
    }

    /// The attacker's moves until mate.
    pub const fn moves(self) -> Option<Moves> {
        match self {
            Value::Draw => None,
            Value::Win(moves) | Value::Loss(moves) => Some(moves),
        }
    }

    /// The value with mate this many plies away, by the parity of the plies.
    pub const fn from_plies(plies: Plies) -> Value {
        if plies.0.is_multiple_of(2) {
            Value::Loss(Moves(plies.0 / 2))
        } else {
            Value::Win(Moves(plies.0 / 2 + 1))
        }
    }

    /// The value of the position before the move that led here, if that move is played.
    #[must_use]
    pub const fn before_move(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win(moves) => Value::Loss(moves),
            Value::Loss(Moves(moves)) => Value::Win(Moves(moves + 1)),
        }
    }

    /// A number that grows with what the mover prefers: quick wins, draws, slow losses.
    pub const fn preference(self) -> i64 {
        match self {
            Value::Draw => 0,
            Value::Win(Moves(moves)) => i64::MAX - moves as i64,
            Value::Loss(Moves(moves)) => i64::MIN + moves as i64,
        }
    }
}
