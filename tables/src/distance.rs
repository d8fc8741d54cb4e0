//! Distances with their units, and the value of a position.

use std::fmt;

/// Single moves of either side: a move of White and the reply of Black are two plies.
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

/// A win, a draw or a loss, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Wdl {
    /// The opponent wins.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// All three results, the worst first.
    pub const ALL: [Wdl; 3] = [Wdl::Loss, Wdl::Draw, Wdl::Win];

    /// Position in [`Wdl::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The same result for the other side.
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// `loss`, `draw` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of a position for the side to move, with best play and no count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Value {
    /// Neither side can force mate.
    Draw,
    /// The side to move mates with its `n`-th move from here; `n` is at least 1.
    Win(Moves),
    /// The opponent mates with its `n`-th move from here; 0 is mate on the board.
    Loss(Moves),
}

impl fmt::Display for Value {
    /// Writes the value for the side to move: `a draw`, `a win in 3 moves`, `a loss in 1 move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Draw => f.write_str("a draw"),
            Value::Win(moves) => write!(f, "a win in {moves}"),
            Value::Loss(moves) => write!(f, "a loss in {moves}"),
        }
    }
}

impl Value {
    /// The value without its distance.
    pub const fn wdl(self) -> Wdl {
        match self {
            Value::Draw => Wdl::Draw,
            Value::Win(_) => Wdl::Win,
            Value::Loss(_) => Wdl::Loss,
        }
    }

    /// Plies until the end: odd for a win, even for a loss. Returns `None` for a draw.
    pub const fn plies(self) -> Option<Plies> {
        match self {
            Value::Draw => None,
            Value::Win(Moves(moves)) => Some(Plies((2 * moves).saturating_sub(1))),
            Value::Loss(Moves(moves)) => Some(Plies(2 * moves)),
        }
    }

    /// Plies until the end in the convention of lila-tablebase: positive if the side to move mates,
    /// negative if it is mated, 0 if it is mated now. Returns `None` for a draw.
    pub fn signed_plies(self) -> Option<i64> {
        let plies = i64::from(self.plies()?.0);
        Some(if matches!(self, Value::Win(_)) { plies } else { -plies })
    }

    /// The attacker's moves until mate. Returns `None` for a draw.
    pub const fn moves(self) -> Option<Moves> {
        match self {
            Value::Draw => None,
            Value::Win(moves) | Value::Loss(moves) => Some(moves),
        }
    }

    /// The value with mate in this many plies: a win if they are odd, else a loss.
    pub const fn from_plies(plies: Plies) -> Value {
        if plies.0.is_multiple_of(2) {
            Value::Loss(Moves(plies.0 / 2))
        } else {
            Value::Win(Moves(plies.0 / 2 + 1))
        }
    }

    /// The value of the move that led here, for the side that played it.
    #[must_use]
    pub const fn before_move(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win(moves) => Value::Loss(moves),
            Value::Loss(Moves(moves)) => Value::Win(Moves(moves + 1)),
        }
    }

    /// The value of the position after a move of this value, for the side to move there: the
    /// inverse of [`Value::before_move`].
    #[must_use]
    pub const fn after_move(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win(Moves(moves)) => Value::Loss(Moves(moves.saturating_sub(1))),
            Value::Loss(moves) => Value::Win(moves),
        }
    }

    /// A number that is greater for a better value: quick wins, then draws, then slow losses.
    pub const fn preference(self) -> i64 {
        match self {
            Value::Draw => 0,
            Value::Win(Moves(moves)) => i64::MAX - moves as i64,
            Value::Loss(Moves(moves)) => i64::MIN + moves as i64,
        }
    }
}
