//! Conditions on positions.

use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Wdl;
use sakmak_tables::rules::piece::{Piece, Side};
use std::num::NonZeroU32;

/// A condition composed of simple conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression<C = Condition> {
    /// A simple condition.
    Is(C),
    /// The expression is false.
    Not(Box<Expression<C>>),
    /// The expressions are all true.
    All(Vec<Expression<C>>),
    /// At least one expression is true.
    Any(Vec<Expression<C>>),
}

/// A simple condition on a position; the mover is the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// The side to move.
    Side(Side),
    /// The mover's result with best play and no count.
    Wdl(Wdl),
    /// One side can force mate, and the count leaves enough moves.
    InTime,
    /// In time by a count of this rule that starts in the position, for any rule of the query.
    InTimeBy(&'static CountingRule),
    /// The attacker's moves compared with a number. False if the position has no such distance, for
    /// any comparison.
    Distance(Measure, Comparison, u32),
    /// The mover is in check.
    Check,
    /// With no count, each side to move has a worse result than if the other side were to move.
    MutualZugzwang,
    /// A piece of this kind and side is on one of these squares.
    Piece(Piece, Bitboard),
    /// A comparison of the distance between the two nearest men of two kinds with a number.
    MenDistance(MenDistance),
    /// A condition on the mover's moves.
    Moves(MoveTest),
    /// The position is in a random selection of one position in this number. The selection is
    /// always the same. It contains a position together with its mirror images and rotations, with
    /// either side to move.
    OneIn(NonZeroU32),
}

/// A condition with the same meaning in every variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharedCondition {
    /// The side to move.
    Side(Side),
    /// The mover's result with best play.
    Wdl(Wdl),
    /// The winner's moves compared with a number.
    Distance(Comparison, u32),
    /// The mover is in check.
    Check,
    /// Each side to move has a worse result than if the other side were to move.
    MutualZugzwang,
    /// The mover has several moves, and exactly one keeps the result.
    OnlyMove,
    /// A move that takes nothing keeps the result.
    Quiet,
    /// The position is in a random selection of one position in this number.
    OneIn(NonZeroU32),
}

/// A condition on the mover's moves, without a count unless stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveTest {
    /// The mover has no move and is not in check.
    Stalemate,
    /// The mover has several moves, and exactly one keeps the result.
    OnlyMove,
    /// A move that captures nothing keeps the result.
    Quiet,
    /// A capture of the last piece wins without a count, but not in the count that it starts.
    LateCapture,
}

/// A condition on the number of king moves between two men on an empty board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MenDistance {
    /// The two kinds of men; the nearest two men count.
    pub men: [Piece; 2],
    /// The comparison of the distance with `moves`.
    pub comparison: Comparison,
    /// King moves.
    pub moves: u32,
}

/// A kind of distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Distance to mate.
    Mate,
    /// Counted distance, by the rule of the query.
    Counted,
}

/// A comparison of two numbers.
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
    /// Whether the comparison holds for the two numbers.
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

impl<C: Copy> Expression<C> {
    /// The conjunction of both conditions.
    pub fn and(self, other: Expression<C>) -> Expression<C> {
        Expression::All(vec![self, other])
    }

    /// The disjunction of both conditions.
    pub fn or(self, other: Expression<C>) -> Expression<C> {
        Expression::Any(vec![self, other])
    }

    /// The expression is false.
    pub fn negated(self) -> Expression<C> {
        Expression::Not(Box::new(self))
    }

    /// Whether the expression holds for a position; `is` evaluates the simple conditions.
    pub fn holds(&self, is: &dyn Fn(C) -> bool) -> bool {
        match self {
            Expression::Is(condition) => is(*condition),
            Expression::Not(inner) => !inner.holds(is),
            Expression::All(parts) => parts.iter().all(|part| part.holds(is)),
            Expression::Any(parts) => parts.iter().any(|part| part.holds(is)),
        }
    }

    /// Whether the expression holds, if some conditions decide that; `is` returns `None` for the
    /// other conditions.
    pub fn known(&self, is: &dyn Fn(C) -> Option<bool>) -> Option<bool> {
        let of_all = |parts: &[Expression<C>], decisive: bool| {
            let mut is_open = false;
            for part in parts {
                match part.known(is) {
                    Some(holds) if holds == decisive => return Some(decisive),
                    known => is_open |= known.is_none(),
                }
            }
            (!is_open).then_some(!decisive)
        };
        match self {
            Expression::Is(condition) => is(*condition),
            Expression::Not(inner) => inner.known(is).map(|holds| !holds),
            Expression::All(parts) => of_all(parts, false),
            Expression::Any(parts) => of_all(parts, true),
        }
    }

    /// Whether a simple condition of the expression satisfies a predicate.
    pub fn has(&self, test: &dyn Fn(C) -> bool) -> bool {
        match self {
            Expression::Is(condition) => test(*condition),
            Expression::Not(inner) => inner.has(test),
            Expression::All(parts) | Expression::Any(parts) => {
                parts.iter().any(|part| part.has(test))
            }
        }
    }
}

impl Expression {
    /// Whether evaluating the expression needs counted distances.
    pub fn needs_counted(&self) -> bool {
        self.has(&|condition| {
            matches!(condition, Condition::InTime | Condition::Distance(Measure::Counted, ..))
        })
    }

    /// The counting rules that the expression names, each once.
    pub fn counting_rules(&self) -> Vec<&'static CountingRule> {
        match self {
            Expression::Is(Condition::InTimeBy(rule)) => vec![rule],
            Expression::Is(_) => Vec::new(),
            Expression::Not(inner) => inner.counting_rules(),
            Expression::All(parts) | Expression::Any(parts) => {
                let mut rules: Vec<&'static CountingRule> = Vec::new();
                for rule in parts.iter().flat_map(Expression::counting_rules) {
                    if !rules.contains(&rule) {
                        rules.push(rule);
                    }
                }
                rules
            }
        }
    }

    /// Whether evaluating the expression needs the subtables, for the results after moves.
    pub fn needs_subtables(&self) -> bool {
        self.has(
            &|condition| matches!(condition, Condition::Moves(test) if test != MoveTest::Stalemate),
        )
    }
}
