//! The moves a clock leaves, and those that may be said to be left.

use crate::analysis::query::clock::QueryError;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::Side;

/// The moves an attacker has to mate in with this side to move; nothing where no count runs
/// against it.
pub fn clock(
    material: Material,
    counting_rule: &CountingRule,
    attacker: Side,
    to_move: Side,
    left: Option<Moves>,
) -> Option<Moves> {
    let armies = Side::BOTH.map(|side| material.army(side));
    let fresh = counting_rule.clock_against(armies, attacker, to_move)?;
    Some(left.unwrap_or(fresh))
}

/// Refuses more moves than the longest clock of a material has.
pub fn can_be_left(
    left: Moves,
    material: Material,
    counting_rule: &'static CountingRule,
) -> Result<(), QueryError> {
    let armies = Side::BOTH.map(|side| material.army(side));
    let clocks =
        Side::BOTH.into_iter().filter_map(|side| counting_rule.longest_clock(armies, side));
    let counting = counting_rule.name;
    match clocks.max() {
        None => Err(QueryError::NothingCounted { material, counting }),
        Some(most) if left > most => {
            Err(QueryError::TooMuchLeft { left, material, most, counting })
        }
        Some(_) => Ok(()),
    }
}
