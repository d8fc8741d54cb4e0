//! The result of a position under a count, in which mate must come in time.

use crate::distance::{Value, Wdl};
use std::fmt;

/// The result under a count, for the side to move; see
/// [`Position::category`](crate::position::Position::category).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Category {
    /// The opponent mates in time.
    Loss,
    /// The opponent can force mate, but not in time.
    BlessedLoss,
    /// Neither side can force mate.
    Draw,
    /// The side to move can force mate, but not in time.
    CursedWin,
    /// The side to move mates in time.
    Win,
}

impl Category {
    /// All five categories, the worst first.
    pub const ALL: [Category; 5] =
        [Category::Loss, Category::BlessedLoss, Category::Draw, Category::CursedWin, Category::Win];

    /// The category of a position with this distance to mate. `in_time` is set if the winner mates
    /// in time.
    pub const fn of(mate: Value, in_time: bool) -> Category {
        match (mate, in_time) {
            (Value::Draw, _) => Category::Draw,
            (Value::Win(_), true) => Category::Win,
            (Value::Win(_), false) => Category::CursedWin,
            (Value::Loss(_), true) => Category::Loss,
            (Value::Loss(_), false) => Category::BlessedLoss,
        }
    }

    /// The result if the count is claimed: a cursed win and a blessed loss are draws.
    pub const fn wdl(self) -> Wdl {
        match self {
            Category::Loss => Wdl::Loss,
            Category::BlessedLoss | Category::Draw | Category::CursedWin => Wdl::Draw,
            Category::Win => Wdl::Win,
        }
    }

    /// Position in [`Category::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The same result seen by the other side.
    #[must_use]
    pub const fn reversed(self) -> Category {
        match self {
            Category::Loss => Category::Win,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::Win => Category::Loss,
        }
    }

    /// The name that engines and sites use: `win`, `cursed-win`, `draw`, `blessed-loss`, `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Loss => "loss",
            Category::BlessedLoss => "blessed-loss",
            Category::Draw => "draw",
            Category::CursedWin => "cursed-win",
            Category::Win => "win",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
