//! Verifies a solved tier: every value against the values of its successors.
//!
//! It shares the rules and the numbering of positions with the solver, and no un-moves, bounds
//! or layers. It assumes that each position has the slot that leads back to it or to an image
//! of it, and that images have the same value: the [check](crate::check) of the game tests that on
//! random slots.
//!
//! One ply is enough, by induction over the plies of the true value. A position that is truly lost or
//! won in `n` plies has successors that decide it in fewer, whose values are right by induction, and
//! one ply from these gives `n`. So all that is truly decided has the right value; and what is not
//! cannot have a decided one, because the value of least distance among those that are wrong would
//! need a successor of less distance that is wrong.

use crate::game::{Effect, Game};
use crate::table::{Near, Tables, blocks};
use crate::value::Value;
use rayon::prelude::*;

/// A slot with a wrong value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The tier, or one that it depends on, is missing.
    #[error("the table of {0} is missing")]
    Missing(String),
    /// The number of values is not that of the tier.
    #[error("{0} has {1} values, expected {2}")]
    Size(String, u64, u64),
    /// A value that its successors contradict.
    #[error("slot {slot} of {tier} has the value '{held}', and its successors give '{expected}'")]
    Wrong {
        /// The tier.
        tier: String,
        /// The lowest such slot.
        slot: u64,
        /// The value of the table.
        held: Value,
        /// The value one ply ahead.
        expected: Value,
    },
}

/// Verifies a tier. All tiers that it leads to must be in `tables`, and verified. `progress` is
/// called from many threads with the number of slots that are done.
///
/// # Errors
///
/// If a table is missing, or the lowest slot with a wrong value.
pub fn verify<G: Game>(
    game: &G,
    tier: G::Tier,
    tables: &Tables<G>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyError> {
    let missing = |tier: G::Tier| VerifyError::Missing(tier.to_string());
    let table = tables.get(tier).ok_or_else(|| missing(tier))?;
    let tiers = std::iter::once(tier).chain(game.smaller(tier));
    let near = Near::new(game, tables, tiers).map_err(missing)?;
    let size = game.size(&table.layout);
    if table.codes.slots() != size {
        return Err(VerifyError::Size(tier.to_string(), table.codes.slots(), size));
    }
    let wrong = |slot: u64| {
        let held = table.codes.value(slot)?;
        let expected = match game.unrank(&table.layout, slot) {
            None => Ok(Value::Illegal),
            Some(position) => one_ply(game, &position, &near),
        };
        match expected {
            Ok(expected) if expected == held => None,
            Ok(expected) => {
                Some(VerifyError::Wrong { tier: tier.to_string(), slot, held, expected })
            }
            Err(missing) => Some(missing),
        }
    };
    let first = blocks(size).find_map_first(|mut slots| {
        let done = slots.end - slots.start;
        let first = slots.find_map(wrong);
        progress(done);
        first
    });
    first.map_or(Ok(()), Err)
}

/// The value of a position by those of its successors.
fn one_ply<G: Game>(
    game: &G,
    position: &G::Position,
    near: &Near<'_, G>,
) -> Result<Value, VerifyError> {
    if game.is_illegal(position) {
        return Ok(Value::Illegal);
    }
    if let Some(end) = game.end(position) {
        return Ok(end.value());
    }
    let mut missing = None;
    // For the side to move: the quickest win, whether there is a draw, the slowest loss.
    let (mut win, mut draw, mut loss) = (u16::MAX, false, None);
    game.moves(position, |played, effect| match effect {
        Effect::Wins => win = 1,
        Effect::Draws => draw = true,
        Effect::Stays | Effect::Leaves => {
            let after = game.play(position, played);
            let value = match game.has_slot(&after) {
                true => near.value(&after).map_err(|tier| VerifyError::Missing(tier.to_string())),
                false => one_ply(game, &after, near),
            };
            match value {
                Ok(Value::Illegal) => {}
                Ok(Value::Draw) => draw = true,
                Ok(Value::Loss(plies)) => win = win.min(plies + 1),
                Ok(Value::Win(plies)) => loss = loss.max(Some(plies + 1)),
                Err(error) => missing = Some(error),
            }
        }
    });
    match (missing, win, draw, loss) {
        (Some(missing), ..) => Err(missing),
        (None, u16::MAX, true, _) => Ok(Value::Draw),
        (None, u16::MAX, false, Some(plies)) => Ok(Value::Loss(plies)),
        (None, u16::MAX, false, None) => Ok(game.stuck(position).value()),
        (None, plies, ..) => Ok(Value::Win(plies)),
    }
}
