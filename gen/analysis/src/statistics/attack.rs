//! The positions that one side wins, and the fraction of them won in time.

use crate::statistics::side::SideStatistics;
use serde::Serialize;

/// The positions that one side wins, with both sides to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct AttackStatistics {
    /// Positions won with no count.
    pub won: u64,
    /// Positions won when a count starts in the position; `None` if unknown.
    pub won_in_time: Option<u64>,
    /// The extent to which the wins are in time; `None` without wins, or if unknown.
    pub in_time: Option<InTimeExtent>,
}

/// The extent to which positions won with no count are won in time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InTimeExtent {
    /// No win is in time.
    Never,
    /// Some wins are in time.
    Sometimes,
    /// All wins are in time.
    Always,
}

impl InTimeExtent {
    /// The name, as in JSON: `never`, `sometimes`, `always`.
    pub const fn name(self) -> &'static str {
        match self {
            InTimeExtent::Never => "never",
            InTimeExtent::Sometimes => "sometimes",
            InTimeExtent::Always => "always",
        }
    }
}

impl AttackStatistics {
    /// The wins of the side to move in `own`, and the losses of its opponent.
    pub(super) fn of(own: &SideStatistics, opponents: &SideStatistics) -> AttackStatistics {
        let won = own.wins + opponents.losses;
        let counts = own.at_fresh_count.as_ref().zip(opponents.at_fresh_count.as_ref());
        let won_in_time = counts.map(|(own, opponents)| own.wins + opponents.losses);
        let in_time = won_in_time.filter(|_| won > 0).map(|won_in_time| match won_in_time {
            0 => InTimeExtent::Never,
            all if all == won => InTimeExtent::Always,
            _ => InTimeExtent::Sometimes,
        });
        AttackStatistics { won, won_in_time, in_time }
    }

    /// The fraction of the wins that is in time, 0 to 1. Returns `None` without wins, or if
    /// unknown.
    pub fn share(&self) -> Option<f64> {
        let in_time = self.won_in_time.filter(|_| self.won > 0)?;
        Some(in_time as f64 / self.won as f64)
    }
}
