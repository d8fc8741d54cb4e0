//! Verifies a solved material: every value against the values of its successors.
//!
//! The verifier shares the rules and the numbering of positions with the solver, but no un-moves,
//! bounds or layers. It assumes two laws, which are tested for each game: the slot of a position
//! has this position or an image of it, and images have the same value.
//!
//! One ply is enough, by induction over the plies of the true value. A position that is truly lost
//! or won in `n` plies has successors that decide it in fewer plies. The values of the successors
//! are right by induction, and one ply more gives `n`. So each position that is truly decided has
//! the right value. No other position can have a decided value: the wrong value of least distance
//! would need a successor with a wrong value of less distance.

use crate::boards::tables::{NearbyTables, Table, Tables, blocks};
use crate::parallel::*;
use sakmak_boards::codes::CodeRef;
use sakmak_boards::game::Effect;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use std::ops::Range;

/// A slot with a wrong value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// The table of the material, or of a material that it depends on, is missing.
    #[error("the table of {0} is missing")]
    Missing(String),
    /// The number of values differs from the number of slots of the material.
    #[error("{0} has {1} values, expected {2}")]
    Size(String, u64, u64),
    /// A value that its successors contradict.
    #[error(
        "slot {slot} of {material} has the value '{held}', and its successors give '{expected}'"
    )]
    Wrong {
        /// The material.
        material: String,
        /// The lowest slot with a wrong value.
        slot: u64,
        /// The value of the table.
        held: Value,
        /// The value one ply ahead.
        expected: Value,
    },
}

/// Verifies a material. All its subtables must be in `tables`, and verified. `progress` is called
/// from many threads with the number of slots verified.
///
/// # Errors
///
/// If a table is missing, or the lowest slot with a wrong value.
pub fn verify<G: SolvableGame>(
    game: &G,
    material: G::Material,
    tables: &Tables<G>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyError> {
    let table = tables.get(material).ok_or_else(|| missing(material))?;
    let materials = std::iter::once(material).chain(game.subtables(material));
    let nearby = NearbyTables::new(game, tables, materials).map_err(missing)?;
    let size = game.size(&table.layout);
    if table.codes.slots() != size {
        return Err(VerifyError::Size(material.to_string(), table.codes.slots(), size));
    }
    let first = blocks(size).find_map_first(|slots| {
        let done = slots.end - slots.start;
        let first = verify_slots(game, material, table, &nearby, slots).err();
        progress(done);
        first
    });
    first.map_or(Ok(()), Err)
}

/// The error of a material whose table is missing.
fn missing(material: impl ToString) -> VerifyError {
    VerifyError::Missing(material.to_string())
}

/// Number of slots whose successors are read together. Independent reads of memory overlap; in a
/// table larger than the caches, reads take most of the time.
const TOGETHER: usize = 64;

/// Verifies some slots of a material.
fn verify_slots<G: SolvableGame>(
    game: &G,
    material: G::Material,
    table: &Table<G>,
    nearby: &NearbyTables<'_, G>,
    slots: Range<u64>,
) -> Result<(), VerifyError> {
    let mut waiting = Vec::with_capacity(TOGETHER);
    let (mut successors, mut codes) = (Vec::new(), Vec::new());
    for first in slots.clone().step_by(TOGETHER) {
        for slot in first..slots.end.min(first + TOGETHER as u64) {
            let position = game.unrank(&table.layout, slot);
            let known = match &position {
                None => PartialValue::all(Value::Illegal),
                Some(position) => {
                    one_ply(game, position, nearby, &mut successors).map_err(missing)?
                }
            };
            waiting.push((slot, known, successors.len()));
        }
        codes.extend(successors.drain(..).map(CodeRef::code));
        let mut begin = 0;
        for (slot, known, end) in waiting.drain(..) {
            let values = codes[begin..end].iter().map(|&code| Value::of_code(code));
            begin = end;
            let expected = known.with(values);
            if let Some(held) = table.codes.value(slot)
                && held != expected
            {
                return Err(VerifyError::Wrong {
                    material: material.to_string(),
                    slot,
                    held,
                    expected,
                });
            }
        }
        codes.clear();
    }
    Ok(())
}

/// The known part of a position's value before its successors are read.
#[derive(Clone, Copy)]
struct PartialValue {
    /// The best value behind the moves that end the game or lead to a position without a slot.
    best: Value,
    /// The value if there is no legal move.
    stuck: Value,
}

impl PartialValue {
    /// A value that depends on no successor.
    fn all(value: Value) -> PartialValue {
        PartialValue { best: value, stuck: value }
    }

    /// The value of the position, from the values of its successors with a slot.
    fn with(self, successors: impl Iterator<Item = Value>) -> Value {
        let best = successors.map(Value::before_move).fold(self.best, Value::better);
        if best == Value::Illegal { self.stuck } else { best }
    }
}

/// Returns the known part of a position's value. Adds the codes of its successors with a slot to
/// `successors`.
///
/// # Errors
///
/// The material of a successor, if it is not `nearby`.
fn one_ply<'a, G: SolvableGame>(
    game: &G,
    position: &G::Position,
    nearby: &NearbyTables<'a, G>,
    successors: &mut Vec<CodeRef<'a>>,
) -> Result<PartialValue, G::Material> {
    if game.is_illegal(position) {
        return Ok(PartialValue::all(Value::Illegal));
    }
    if let Some(end) = game.end(position) {
        return Ok(PartialValue::all(end.value()));
    }
    let mut best = Ok(Value::Illegal);
    game.moves(position, |played, effect| {
        let Ok(known) = best else { return };
        let value = match effect {
            Effect::Wins => Ok(Value::Win(1)),
            Effect::Draws => Ok(Value::Draw),
            Effect::Stays | Effect::Leaves => {
                let after = game.play(position, played);
                if game.has_slot(&after) {
                    nearby.code(&after).map(|code| {
                        successors.push(code);
                        known
                    })
                } else {
                    let first = successors.len();
                    one_ply(game, &after, nearby, successors).map(|after| {
                        after.with(successors.drain(first..).map(CodeRef::value)).before_move()
                    })
                }
            }
        };
        best = value.map(|value| known.better(value));
    });
    Ok(PartialValue { best: best?, stuck: game.stuck(position).value() })
}
