//! What is asked of positions.

use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::rules::piece::{Piece, Side};

/// What is asked of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// One condition.
    Is(Condition),
    /// Not this.
    Not(Box<Expression>),
    /// All of these.
    All(Vec<Expression>),
    /// Any of these.
    Any(Vec<Expression>),
}

/// One condition of a position; the mover is the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// This side is to move.
    Side(Side),
    /// This is the mover's result with best play where nothing is counted.
    Wdl(Wdl),
    /// Mate is forced by either side, and the count leaves moves enough.
    InTime,
    /// The attacker's moves compare so with a number. No comparison holds of a position
    /// without such a distance.
    Distance(Measure, Comparison, u32),
    /// The mover is in check.
    Check,
    /// The mover would have a better result, nothing being counted, if the other side were
    /// to move.
    Zugzwang,
    /// A piece like this is on one of these squares.
    Piece(Piece, Bitboard),
}

/// The mover's result where nothing is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wdl {
    /// It mates.
    Win,
    /// Neither side can force mate.
    Draw,
    /// It is mated.
    Loss,
}

/// Which distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// To mate.
    Mate,
    /// Counted distance.
    Counted,
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Whether it holds of the two numbers.
    pub const fn holds(self, one: u32, other: u32) -> bool {
        match self {
            Comparison::Equal => one == other,
            Comparison::Unequal => one != other,
            Comparison::Less => one < other,
            Comparison::AtMost => one <= other,
            Comparison::More => one > other,
            Comparison::AtLeast => one >= other,
        }
    }
}

impl Expression {
    /// All of two.
    pub fn and(self, other: Expression) -> Expression {
        Expression::All(vec![self, other])
    }

    /// Any of two.
    pub fn or(self, other: Expression) -> Expression {
        Expression::Any(vec![self, other])
    }

    /// The contrary.
    pub fn negated(self) -> Expression {
        Expression::Not(Box::new(self))
    }

    /// Whether all pieces like this are on these squares.
    pub fn all_on(piece: Piece, squares: Bitboard) -> Expression {
        Expression::Is(Condition::Piece(piece, !squares)).negated()
    }

    /// Whether it holds of a position of which `is` says whether conditions do.
    pub fn holds(&self, is: &dyn Fn(Condition) -> bool) -> bool {
        match self {
            Expression::Is(condition) => is(*condition),
            Expression::Not(inner) => !inner.holds(is),
            Expression::All(parts) => parts.iter().all(|part| part.holds(is)),
            Expression::Any(parts) => parts.iter().any(|part| part.holds(is)),
        }
    }

    /// Whether it speaks of what is in time or of counted distance.
    pub fn needs_counted(&self) -> bool {
        match self {
            Expression::Is(condition) => {
                matches!(condition, Condition::InTime | Condition::Distance(Measure::Counted, ..))
            }
            Expression::Not(inner) => inner.needs_counted(),
            Expression::All(parts) | Expression::Any(parts) => {
                parts.iter().any(Expression::needs_counted)
            }
        }
    }
}
