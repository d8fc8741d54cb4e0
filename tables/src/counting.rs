//! Counting: the limits within which an attacker has to mate.
//!
//! The weaker side, the *runner*, counts its own moves. The other side, the *attacker*, must mate
//! before the count is over. The start and the limit of a count are data: a variant has one or more
//! [`CountingRule`]s. Armies are indexed by [`Side::index`](crate::rules::piece::Side::index)
//! throughout.

mod call;
mod category;
mod clock;
mod no_count;
mod phase_change;
mod rule;

pub use call::{Call, CalledCount, ImpossibleCall};
pub use category::Category;
pub use clock::{Clock, Honour, Party};
pub use no_count::NoCount;
pub use phase_change::PhaseChange;
pub use rule::{
    BoardsHonour, CountingRule, DecisiveCounts, FirstCall, LastMove, LimitRow, NOBODY_COUNTS,
    OnChange, Phase,
};
