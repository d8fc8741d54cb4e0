//! What a material holds, counted: wins, losses and draws, how long they are, how many in
//! time.
//!
//! Counts are over the whole board with no symmetry folded and like pieces alike. A legal
//! position has its pieces on distinct squares, pawns on their three ranks, kings not
//! adjacent, and the side not to move not in check.

mod attack;
mod folded;
mod fresh_count;
mod longest;
mod side;
mod written;

pub use attack::{Attack, InTime};
pub use folded::FoldedStatistics;
pub use fresh_count::FreshCount;
pub use longest::Longest;
pub use side::{CountedDistances, SideStatistics};

use crate::analysis::census::{Census, CensusError};
use crate::slots::codes::Codes;
use longest::SideSlots;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;
use serde::Serialize;
use written::as_name;

/// The statistics of one material; serialises as `sakmak stats --json` prints it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Statistics {
    /// The material, White being the stronger side.
    #[serde(serialize_with = "as_name")]
    pub material: Material,
    /// The variant's name.
    pub variant: &'static str,
    /// The name of the way of counting.
    pub counting: &'static str,
    /// What White wins, whoever is to move.
    pub white_attacking: Attack,
    /// What Black wins, whoever is to move.
    pub black_attacking: Attack,
    /// Positions with White to move.
    pub white_to_move: SideStatistics,
    /// Positions with Black to move.
    pub black_to_move: SideStatistics,
}

/// The tables of a material that are counted.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Distance to mate.
    pub mate: &'a dyn Codes,
    /// Counted distance, which says what is in time; nothing where distance to mate does,
    /// or where it is not at hand.
    pub counted: Option<&'a dyn Codes>,
}

/// A material without statistics.
#[derive(Debug, thiserror::Error)]
pub enum StatisticsError {
    /// A table could not be counted.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// The table of counted distance is another material's.
    #[error("counted distances of {counted} say nothing of {mate}")]
    Materials {
        /// That of the distances to mate.
        mate: Material,
        /// That of the counted distances.
        counted: Material,
    },
    /// More is in time than can be won: one of the tables is not as it should be.
    #[error("the tables of {0} contradict each other: more is in time than can be won")]
    Contradiction(Material),
}

impl Statistics {
    /// Counts the tables of a material under a way of counting.
    ///
    /// `progress` is called from all threads with the number of slots just done; they come
    /// to the index's slots for each side to move a table holds, in each table.
    ///
    /// # Errors
    ///
    /// When a table cannot be read or has not a value for each position, or they do not
    /// belong together.
    pub fn of(
        source: Source<'_>,
        counting_rule: &'static CountingRule,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Statistics, StatisticsError> {
        let index = source.mate.index();
        let (material, variant) = (index.material(), counting_rule.variant());
        let name = TableName::answering(material, Metric::Counted(counting_rule));
        let counted = source.counted.filter(|_| name.metric != Metric::DistanceToMate);
        if let Some(counted) = counted.map(|codes| codes.index().material())
            && counted != material
        {
            return Err(StatisticsError::Materials { mate: material, counted });
        }
        let census = |codes: &dyn Codes| Census::of(codes, &variant.rules, progress);
        let mate = census(source.mate)?;
        let counted = counted.map(census).transpose()?;
        Statistics::of_censuses(index, &mate, counted.as_ref(), counting_rule)
    }

    /// The statistics of a material whose tables have been counted: that of distance to mate
    /// and, where another one decides what is in time and is at hand, that one.
    ///
    /// # Errors
    ///
    /// When the tables do not belong together.
    pub fn of_censuses(
        index: &Index,
        mate: &[Option<Census>; 2],
        counted: Option<&[Option<Census>; 2]>,
        counting_rule: &'static CountingRule,
    ) -> Result<Statistics, StatisticsError> {
        let (material, variant) = (index.material(), counting_rule.variant());
        let name = TableName::answering(material, Metric::Counted(counting_rule));
        let decided_by_mate = name.metric == Metric::DistanceToMate;
        let of = |side: Side| -> Result<SideStatistics, StatisticsError> {
            let seen = SideSlots { index, variant, side };
            let mate = of_side(mate, side);
            let counted = counted.map(|counted| of_side(counted, side));
            let deciding = if decided_by_mate { Some(mate) } else { counted };
            let fresh_count = deciding.map(|deciding| {
                let fresh_count = FreshCount::of(seen, counting_rule, mate, deciding);
                fresh_count.ok_or(StatisticsError::Contradiction(material))
            });
            Ok(SideStatistics::of(seen, counting_rule, mate, counted, fresh_count.transpose()?))
        };
        let (white_to_move, black_to_move) = (of(Side::White)?, of(Side::Black)?);
        Ok(Statistics {
            material,
            variant: variant.name,
            counting: counting_rule.name,
            white_attacking: Attack::of(&white_to_move, &black_to_move),
            black_attacking: Attack::of(&black_to_move, &white_to_move),
            white_to_move,
            black_to_move,
        })
    }
}

/// The census with this side to move. Where both sides have the same pieces the table holds
/// White to move alone, and Black's numbers are the same.
fn of_side(censuses: &[Option<Census>; 2], side: Side) -> &Census {
    static NONE: Census = Census::EMPTY;
    censuses[side.index()].as_ref().or(censuses[(!side).index()].as_ref()).unwrap_or(&NONE)
}
