//! Verifying a table: every value against its successors, by plain move generation.
//!
//! The value of a position must be exactly what a look-ahead of one ply over the stored
//! values gives:
//!
//! ```text
//! no legal move:                    mate in check, else stalemate, a draw
//! some move leads to a loss:        win, one move more than the least of those losses
//! all moves lead to wins:           loss, as long as the greatest of those wins
//! else:                             draw
//! ```
//!
//! That this holds in every position proves every value right, given right smaller tables,
//! although each test looks one ply deep. Count in plies, and let all stored values below
//! `n` plies be right, and all values that are truly below `n` be stored so:
//!
//! - A position stored as mate in `n` has, by the test, moves of which the best leads to a
//!   stored `n - 1`, which is right; so it is mate in `n` at most, and at least, for a
//!   truly shorter one would be stored as such.
//! - A position truly mate in `n` leads to positions truly below `n`, hence stored so, as
//!   far as they decide its value; then the test lets nothing but `n` pass.
//!
//! So layer `n` is right as well. No mates can hold one another up in a circle, since each
//! rests on a strictly shorter one, down to mates on the board; and draws cannot hide a
//! win, since the first true win or loss among them, the shortest, would fail its test.
//!
//! Nothing here is shared with the plane solver or the reference solver but the rules, the
//! index and the move generator.

use crate::legal::legal_position;
use crate::walk::Walk;
use rayon::prelude::*;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::{Placement, Slot};
use sakmak_tables::locate::Place;
use sakmak_tables::man::Side;
use sakmak_tables::material::{Material, Oriented};
use sakmak_tables::moves::Move;
use sakmak_tables::position::Position;
use sakmak_tables::table::Table;
use sakmak_tables::variant::Variant;
use std::sync::Arc;

/// A table that could not be verified, or is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A table to which captures and promotions lead is not there.
    #[error("{material} leads to {missing}, whose table is missing")]
    Missing {
        /// The material verified.
        material: Material,
        /// The one whose table is missing.
        missing: Material,
    },
    /// A stored value is not what its successors give.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// A stored value that is not what its successors give: the first of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fen}: stored as {stored}, by its successors {expected}", stored = words(*.stored), expected = words(*.expected))]
pub struct Mismatch {
    /// The side to move and the slot.
    pub place: Place,
    /// The position.
    pub fen: String,
    /// The value stored; nothing for a code that is no value.
    pub stored: Option<Value>,
    /// The value by its successors; nothing where one of them has no stored value.
    pub expected: Option<Value>,
}

/// A value, or that there is none, in words.
fn words(value: Option<Value>) -> String {
    value.map_or_else(|| "no value".to_string(), |value| value.to_string())
}

/// How many slots are verified between two calls of `progress`.
const RUN: u64 = 1 << 14;

/// Verifies every legal slot of a table, for each side to move that it holds.
///
/// `smaller` gives the tables of the materials captures and promotions lead to. `progress`
/// is called from all threads with the number of slots just done; they come to
/// [`slots_to_verify`]. The error is that of the first slot, White to move before Black,
/// whatever the number of threads.
pub fn verify(
    table: &Table,
    variant: &'static Variant,
    smaller: &dyn Fn(Material) -> Option<Arc<Table>>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyError> {
    let material = table.index().material();
    let successors = material.successors(&variant.rules).into_iter().map(|missing| {
        let found = smaller(missing);
        found.ok_or(VerifyError::Missing { material, missing })
    });
    let verifier = Verifier { table, variant, smaller: successors.collect::<Result<_, _>>()? };
    for &side in Table::sides(table.index()) {
        let wrong =
            (0..table.index().slots().div_ceil(RUN)).into_par_iter().find_map_first(|run| {
                let walk = Walk::over(table.index(), Slot(run * RUN)..Slot((run + 1) * RUN));
                let slots = walk.size_hint().0 as u64;
                let wrong = verifier.first_mismatch(walk, side);
                progress(slots);
                wrong
            });
        wrong.map_or(Ok(()), Err)?;
    }
    Ok(())
}

/// How many slots [`verify`] goes through, those of each side to move counted.
pub fn slots_to_verify(table: &Table) -> u64 {
    table.index().slots() * Table::sides(table.index()).len() as u64
}

/// A table and those it leads to.
struct Verifier<'a> {
    table: &'a Table,
    variant: &'static Variant,
    smaller: Vec<Arc<Table>>,
}

impl Verifier<'_> {
    /// The first wrong value of a walk.
    fn first_mismatch(&self, mut walk: Walk, side: Side) -> Option<Mismatch> {
        walk.find_map(|(slot, placement)| {
            let position = legal_position(self.table.index(), &placement, side, self.variant)?;
            let stored = self.table.value(side, slot);
            let expected = self.by_successors(&position, &placement);
            let right = stored.is_some() && stored == expected;
            let place = Place { side, slot };
            (!right).then(|| Mismatch { place, fen: position.to_string(), stored, expected })
        })
    }

    /// The value a look-ahead of one ply gives for a position of the table, its men being
    /// placed so.
    fn by_successors(&self, position: &Position, placement: &Placement) -> Option<Value> {
        let moves = position.legal_moves();
        if moves.is_empty() {
            let mate = position.in_check(position.side());
            return Some(if mate { Value::Loss(Moves(0)) } else { Value::Draw });
        }
        // Where Black to move is held as White to move, all men would have to be turned.
        let turned = self.table.index().material().is_symmetric();
        let mut best: Option<Value> = None;
        for &played in &moves {
            let quiet = played.promotion.is_none() && !position.occupied().contains(played.to);
            let value = match quiet && !turned {
                true => self.stored_after_quiet(played, !position.side(), *placement),
                false => self.stored(&position.play_uncounted(played)),
            };
            let value = value?.before_move();
            if best.is_none_or(|best| value.preference() > best.preference()) {
                best = Some(value);
            }
        }
        best
    }

    /// The value stored for the position after a move that takes and promotes nothing, with
    /// `side` to move: the men are the same, so one of them has moved in its placement.
    fn stored_after_quiet(&self, played: Move, side: Side, before: Placement) -> Option<Value> {
        let index = self.table.index();
        let mut after = before;
        let men = &mut after.men[..index.men().len()];
        let mut squares = after.kings.iter_mut().chain(men);
        *squares.find(|square| **square == played.from)? = played.to;
        self.table.value(side, index.slot(&after)?)
    }

    /// The value stored for a position of this material or a smaller one.
    fn stored(&self, position: &Position) -> Option<Value> {
        let Oriented { material, flipped } = position.material();
        if material == Material::BARE_KINGS {
            return Some(Value::Draw);
        }
        let smaller = self.smaller.iter().map(Arc::as_ref);
        let mut tables = std::iter::once(self.table).chain(smaller);
        let table = tables.find(|table| table.index().material() == material)?;
        let place = Place::of(position, flipped, table.index())?;
        table.value(place.side, place.slot)
    }
}
