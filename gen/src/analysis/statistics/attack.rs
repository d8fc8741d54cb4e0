//! What one side wins in all, and whether in time.

use crate::analysis::statistics::side::SideStatistics;
use serde::Serialize;

/// What one side wins of all positions of a material, whoever is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Attack {
    /// Positions it wins with nothing counted.
    pub won: u64,
    /// Those of them it wins when the count starts afresh; nothing where that is not known.
    pub won_in_time: Option<u64>,
    /// Whether that is all of them; nothing where it wins none, or where it is not known.
    pub verdict: Option<InTime>,
}

/// How much of what is won with nothing counted is won in time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum InTime {
    /// Nothing.
    Never,
    /// Some of it.
    Sometimes,
    /// All of it.
    Always,
}

impl InTime {
    /// As JSON has it: `never`, `sometimes`, `always`.
    pub const fn name(self) -> &'static str {
        match self {
            InTime::Never => "never",
            InTime::Sometimes => "sometimes",
            InTime::Always => "always",
        }
    }
}

impl Attack {
    /// The wins of the side to move in `own` and its opponent's losses.
    pub(super) fn of(own: &SideStatistics, opponents: &SideStatistics) -> Attack {
        let won = own.wins + opponents.losses;
        let counts = own.at_fresh_count.as_ref().zip(opponents.at_fresh_count.as_ref());
        let won_in_time = counts.map(|(own, opponents)| own.wins + opponents.losses);
        let verdict = won_in_time.filter(|_| won > 0).map(|in_time| match in_time {
            0 => InTime::Never,
            all if all == won => InTime::Always,
            _ => InTime::Sometimes,
        });
        Attack { won, won_in_time, verdict }
    }

    /// The part of what is won that is won in time, 0 to 1; nothing as for the verdict.
    pub fn share(&self) -> Option<f64> {
        let in_time = self.won_in_time.filter(|_| self.won > 0)?;
        Some(in_time as f64 / self.won as f64)
    }
}
