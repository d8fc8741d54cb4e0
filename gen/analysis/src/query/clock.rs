//! The moves that a count leaves the attacker, and errors of queries.

use crate::same_material::OtherMaterial;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;

/// A query that cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The condition needs counted distances.
    #[error("the condition needs the table {0}")]
    NotCounted(TableName),
    /// The two tables belong to different materials.
    #[error(transparent)]
    Materials(#[from] OtherMaterial),
    /// A rule of another variant, which has other tables.
    #[error("{other} and {counting} belong to different variants: a query has one variant")]
    OtherVariant {
        /// The name of the rule in the condition.
        other: &'static str,
        /// The name of the rule of the query.
        counting: &'static str,
    },
    /// Moves left on the clock, which belong to one rule, with several rules in the condition.
    #[error("moves left on the clock belong to one rule, but the condition names {other} as well")]
    LeftBy {
        /// The name of the rule in the condition.
        other: &'static str,
    },
    /// More moves are left on the clock than any count leaves.
    #[error(
        "{left} left on the clock is more than a count leaves in {material}: at most {most} in {counting}"
    )]
    TooMuchLeft {
        /// The moves left on the clock.
        left: Moves,
        /// The material.
        material: Material,
        /// The maximum number of moves that a count leaves.
        most: Moves,
        /// The name of the counting rule.
        counting: &'static str,
    },
    /// Moves are left on a clock that does not run.
    #[error("no count runs in {material} in {counting}: no clock has moves left")]
    NoCount {
        /// The material.
        material: Material,
        /// The name of the counting rule.
        counting: &'static str,
    },
}

/// The moves in which `attacker` must mate with this side to move: `left` if given, else the moves
/// of a count that starts now. Returns `None` if no count runs against the attacker.
pub fn clock(
    material: Material,
    counting_rule: &CountingRule,
    attacker: Side,
    to_move: Side,
    left: Option<Moves>,
) -> Option<Moves> {
    let armies = Side::BOTH.map(|side| material.army(side));
    let fresh = counting_rule.longest_in_time(armies, attacker, to_move)?;
    Some(left.unwrap_or(fresh))
}

/// Refuses more moves than the longest clock of a material leaves.
pub fn can_be_left(
    left: Moves,
    material: Material,
    counting_rule: &'static CountingRule,
) -> Result<(), QueryError> {
    let armies = Side::BOTH.map(|side| material.army(side));
    let clocks =
        Side::BOTH.into_iter().filter_map(|side| counting_rule.longest_in_time(armies, side, side));
    let counting = counting_rule.name;
    match clocks.max() {
        None => Err(QueryError::NoCount { material, counting }),
        Some(most) if left > most => {
            Err(QueryError::TooMuchLeft { left, material, most, counting })
        }
        Some(_) => Ok(()),
    }
}
