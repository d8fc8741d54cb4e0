//! The positions that one side wins, and the share of them won in time.

use crate::statistics::side::SideStatistics;
use serde::Serialize;

/// The positions that one side wins, with both sides to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct AttackStatistics {
    /// Positions won with no count.
    pub won: u64,
    /// Positions won when a count starts in the position; `None` if that is not known.
    pub won_in_time: Option<u64>,
    /// Whether these are all, some or none of the wins; `None` if there are no wins, or if it
    /// is not known.
    pub in_time: Option<InTime>,
}

/// The extent to which positions won with no count are won in time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InTime {
    /// None of them.
    Never,
    /// Some of them.
    Sometimes,
    /// All of them.
    Always,
}

impl InTime {
    /// The name, as in JSON: `never`, `sometimes`, `always`.
    pub const fn name(self) -> &'static str {
        match self {
            InTime::Never => "never",
            InTime::Sometimes => "sometimes",
            InTime::Always => "always",
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
            0 => InTime::Never,
            all if all == won => InTime::Always,
            _ => InTime::Sometimes,
        });
        AttackStatistics { won, won_in_time, in_time }
    }

    /// The share of the wins that is won in time, 0 to 1. Returns `None` if there are no wins,
    /// or if it is not known.
    pub fn share(&self) -> Option<f64> {
        let in_time = self.won_in_time.filter(|_| self.won > 0)?;
        Some(in_time as f64 / self.won as f64)
    }
}
