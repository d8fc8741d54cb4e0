//! Statistics of a material: wins, losses and draws, their lengths, and the wins in time.
//!
//! Counts are counts of positions of the whole board: like pieces are interchangeable, mirror
//! images are counted separately. In a legal position all pieces are on different squares, pawns
//! are on their ranks, the kings are not adjacent, and the side not to move is not in check.

mod attack;
mod folded;
mod fresh_count;
mod longest;
mod side;

pub use attack::{AttackStatistics, InTimeExtent};
pub use folded::FoldedStatistics;
pub use fresh_count::FreshCount;
pub use longest::{LongestDistance, as_text};
pub use side::{SideDistances, SideStatistics};

use crate::same_material::{self, OtherMaterial};
use longest::SideSlots;
use sakmak_make::census::{Census, CensusError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::{TableCodes, TablePair};
use sakmak_tables::variants;
use serde::Serialize;

/// The statistics of one material. Serialises as the output of `sakmak stats --json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Statistics {
    /// The material; White is the stronger side, or the side named first.
    #[serde(serialize_with = "as_text")]
    pub material: OrientedMaterial,
    /// The name of the variant.
    pub variant: &'static str,
    /// The name of the counting rule.
    pub counting: &'static str,
    /// The wins of White, with both sides to move.
    pub white_attacking: AttackStatistics,
    /// The wins of Black, with both sides to move.
    pub black_attacking: AttackStatistics,
    /// Positions with White to move.
    pub white_to_move: SideStatistics,
    /// Positions with Black to move.
    pub black_to_move: SideStatistics,
}

/// Reasons why statistics cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum StatisticsError {
    /// A table cannot be counted.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// The two tables belong to different materials.
    #[error(transparent)]
    Materials(#[from] OtherMaterial),
    /// More positions are won in time than won: one of the tables is wrong.
    #[error("the tables of {0} contradict each other: more positions are won in time than are won")]
    Contradiction(Material),
}

impl Statistics {
    /// The wins of a side.
    pub fn attack(&self, side: Side) -> AttackStatistics {
        match side {
            Side::White => self.white_attacking,
            Side::Black => self.black_attacking,
        }
    }

    /// The positions with this side to move.
    pub fn to_move(&self, side: Side) -> &SideStatistics {
        match side {
            Side::White => &self.white_to_move,
            Side::Black => &self.black_to_move,
        }
    }

    /// Counts the tables of a material under a counting rule.
    ///
    /// `progress` is called from all threads with the number of slots just done. The sum is the
    /// number of slots of the index for each table and each side to move that it holds.
    ///
    /// # Errors
    ///
    /// If a table cannot be read or has no value for a legal position, or if the tables do not
    /// belong together.
    pub fn of(
        source: TablePair<'_>,
        counting_rule: &'static CountingRule,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Statistics, StatisticsError> {
        let index = source.mate.index();
        let (material, variant) = (index.material(), variants::counted_by(counting_rule));
        let name = TableName::deciding(material, Metric::Counted(counting_rule));
        let counted = source.counted.filter(|_| name.metric.counting_rule().is_some());
        same_material::check(material, counted)?;
        let census = |codes: &dyn TableCodes| Census::of(codes, &variant.rules, progress);
        let mate = census(source.mate)?;
        let counted = counted.map(census).transpose()?;
        Statistics::of_censuses(index, material.into(), &mate, counted.as_ref(), counting_rule)
    }

    /// The statistics of a material from the censuses of its tables: `mate` of distance to mate,
    /// and `counted` of counted distance, if it decides which wins are in time and is available.
    /// Colours follow `material`, which is the material of the index.
    ///
    /// # Errors
    ///
    /// If the tables contradict each other.
    pub fn of_censuses(
        index: &Index,
        material: OrientedMaterial,
        mate: &[Option<Census>; 2],
        counted: Option<&[Option<Census>; 2]>,
        counting_rule: &'static CountingRule,
    ) -> Result<Statistics, StatisticsError> {
        let OrientedMaterial { material: of_table, flipped } = material;
        let variant = variants::counted_by(counting_rule);
        let name = TableName::deciding(of_table, Metric::Counted(counting_rule));
        let decided_by_mate = name.metric.counting_rule().is_none();
        let of = |side: Side| -> Result<SideStatistics, StatisticsError> {
            let side = if flipped { !side } else { side };
            let slots = SideSlots { index, variant, side, flipped };
            let mate = of_side(mate, side);
            let counted = counted.map(|counted| of_side(counted, side));
            let deciding = if decided_by_mate { Some(mate) } else { counted };
            let fresh_count = deciding.map(|deciding| {
                let fresh_count = FreshCount::of(slots, counting_rule, mate, deciding);
                fresh_count.ok_or(StatisticsError::Contradiction(of_table))
            });
            Ok(SideStatistics::of(slots, counting_rule, mate, counted, fresh_count.transpose()?))
        };
        let (white_to_move, black_to_move) = (of(Side::White)?, of(Side::Black)?);
        Ok(Statistics {
            material,
            variant: variant.name,
            counting: counting_rule.name,
            white_attacking: AttackStatistics::of(&white_to_move, &black_to_move),
            black_attacking: AttackStatistics::of(&black_to_move, &white_to_move),
            white_to_move,
            black_to_move,
        })
    }
}

/// The census with this side to move. If both sides have the same pieces, the table holds White to
/// move only, and the numbers of Black are equal.
fn of_side(censuses: &[Option<Census>; 2], side: Side) -> &Census {
    static NONE: Census = Census::EMPTY;
    censuses[side.index()].as_ref().or(censuses[(!side).index()].as_ref()).unwrap_or(&NONE)
}
