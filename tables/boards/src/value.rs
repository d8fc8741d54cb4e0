//! Values of positions, and their codes.

use std::fmt;

/// The value of a position for the side to move. Distances are in plies.
///
/// A game ends with a loss or a draw of the side to move, so wins take an odd number of plies and
/// losses an even one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// No move leads to the position, or the slot has no position.
    Illegal,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins in this number of plies.
    Win(u16),
    /// The side to move loses in this number of plies.
    Loss(u16),
}

/// The number of the winner's moves in this number of plies until the end.
pub fn winner_moves(plies: u16) -> u16 {
    plies.div_ceil(2)
}

impl Value {
    /// The longest distance that has a code.
    pub const LONGEST: u16 = 0x3FFF;

    /// The code of the value, which tables hold.
    pub fn code(self) -> u16 {
        match self {
            Value::Draw => 0,
            Value::Illegal => 1,
            Value::Win(plies) | Value::Loss(plies) => plies + 2,
        }
    }

    /// The value with a code.
    pub fn of_code(code: u16) -> Value {
        match code {
            0 => Value::Draw,
            1 => Value::Illegal,
            _ if code % 2 == 1 => Value::Win(code - 2),
            _ => Value::Loss(code - 2),
        }
    }

    /// The value of a move to a position of this value, for the side that makes it.
    #[inline]
    #[must_use]
    pub fn before_move(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
            same => same,
        }
    }

    /// The plies until the end of a decided position.
    pub fn plies(self) -> Option<u16> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
            Value::Draw | Value::Illegal => None,
        }
    }

    /// The winner's moves until the end of a decided position.
    pub fn moves(self) -> Option<u16> {
        self.plies().map(winner_moves)
    }

    /// A number that orders values by the preference of the side to move: short wins, draws, long
    /// losses.
    pub fn rank(self) -> i32 {
        match self {
            Value::Illegal => i32::MIN,
            Value::Draw => 0,
            Value::Win(plies) => i32::from(u16::MAX) - i32::from(plies),
            Value::Loss(plies) => i32::from(plies) - i32::from(u16::MAX),
        }
    }

    /// The value that the side to move prefers; any value is better than [`Value::Illegal`].
    #[inline]
    #[must_use]
    pub fn better(self, other: Value) -> Value {
        if other.rank() > self.rank() { other } else { self }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Illegal => formatter.write_str("illegal"),
            Value::Draw => formatter.write_str("draw"),
            Value::Win(plies) => write!(formatter, "win in {}", winner_moves(*plies)),
            Value::Loss(0) => formatter.write_str("lost"),
            Value::Loss(plies) => write!(formatter, "loss in {}", winner_moves(*plies)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_own_code() {
        let decided = (0..=500).map(|n| if n % 2 == 1 { Value::Win(n) } else { Value::Loss(n) });
        for value in decided.chain([Value::Draw, Value::Illegal]) {
            assert_eq!(Value::of_code(value.code()), value);
        }
    }
}
