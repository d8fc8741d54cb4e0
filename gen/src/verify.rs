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
//! # Counted distance
//!
//! For a table of counted distance two things are different. A value of another table
//! counts for what the [phase_change](sakmak_tables::counting::PhaseChange) from there makes of it:
//! carried over, a draw, or an arrival, a win or loss in 0 moves because nothing more is
//! asked of the attacker. And what comes out longer than any count that may run is a draw,
//! [`Metric::clamped`]. With this the look-ahead is just the definition of counted distance.
//!
//! The proof goes through as it stands, by layers of the one table, the others being right
//! from the start:
//!
//! - A win in `n` rests on a loss in `n - 1`, one ply less, here or elsewhere.
//! - A loss in `n` rests on wins in `n` at most. Those in this table are in 1 or more, for
//!   it has no code for a win in 0, and so they are at least one ply less as well. An
//!   arrival, which counts as less than any of them, is in another table.
//! - Layer 0 is the mates on the board and the positions whose every move is an arrival. It
//!   rests on other tables alone; and no circle goes by way of them, since pieces that were
//!   taken do not come back, nor mets become pawns again.
//! - No value rests on a longer one of its table, so that taking the layers beyond the
//!   longest for draws changes none of the others.
//!
//! One number does for both sides' wins, as with mates: a position is won for one of them
//! at most.
//!
//! The test is written twice: [`definition`] is it in words of positions and moves, used for
//! samples and to say what is wrong; for whole tables `quick` does the same from the squares
//! of the pieces and is compared with it in tests.
//!
//! Nothing here is shared with the plane solver or the reference solver but the rules, the
//! index and the move generator.

pub mod definition;

pub mod ledger;

pub mod order;

pub mod sample;

use crate::slots::legal::legal_position;
use crate::slots::one_ply::Quick;
use crate::slots::walk::Walk;
use definition::{look_ahead, stored};
use rayon::prelude::*;
use sakmak_tables::distance::Value;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::{Placement, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use std::convert::Infallible;
use std::sync::Arc;

/// A table that could not be verified, or is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A table to which captures and promotions lead is not there.
    #[error("{table} leads to {missing}, which is missing")]
    Missing {
        /// The table verified.
        table: TableName,
        /// The table that is missing.
        missing: TableName,
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
    pub place: Address,
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
/// `metric` is what its numbers measure, `smaller` gives the tables that captures and
/// promotions lead to: [`TableName::successors`]. `progress` is called from all threads with
/// the number of slots just done; they come to [`slots_to_verify`]. The error is that of the
/// first slot, White to move before Black, whatever the number of threads.
pub fn verify(
    table: &Table,
    metric: Metric,
    variant: &'static Variant,
    smaller: &dyn Fn(TableName) -> Option<Arc<Table>>,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(), VerifyError> {
    let name = TableName { material: table.index().material(), metric };
    let successors = name.successors(&variant.rules).into_iter().map(|missing| {
        let found = smaller(missing);
        found.ok_or(VerifyError::Missing { table: name, missing })
    });
    let smaller = successors.collect::<Result<Vec<_>, _>>()?;
    let quick = Quick::new(table, metric, variant, &smaller);
    let first_wrong = |sides: &[Side], progress: &(dyn Fn(u64) + Sync)| {
        let runs = 0..table.index().slots().div_ceil(RUN);
        runs.into_par_iter().find_map_first(|run| {
            let mut walk = Walk::over(table.index(), Slot(run * RUN)..Slot((run + 1) * RUN));
            let mut row = quick.row();
            let slots = walk.size_hint().0 as u64;
            let wrong = walk.find_map(|(slot, placement)| {
                let board = quick.board(slot, &placement)?;
                row.enter(&board.squares);
                let mut wrong = sides.iter().filter(|&&side| !quick.is_right(&board, &row, side));
                wrong.find_map(|&side| {
                    let place = Address { side, slot };
                    mismatch(table, metric, &smaller, variant, place, &placement)
                })
            });
            progress(slots * sides.len() as u64);
            wrong
        })
    };
    let wrong = match first_wrong(Table::sides(table.index()), progress) {
        // Further on White may have one to move.
        Some(wrong) if wrong.place.side == Side::Black => {
            first_wrong(&[Side::White], &|_| ()).or(Some(wrong))
        }
        wrong => wrong,
    };
    wrong.map_or(Ok(()), |wrong| Err(wrong.into()))
}

/// How many slots [`verify`] goes through, those of each side to move counted.
pub fn slots_to_verify(table: &Table) -> u64 {
    Table::slots_of_sides(table.index())
}

/// What is wrong with the value of a place by the definition of the look-ahead, if anything.
fn mismatch(
    table: &Table,
    metric: Metric,
    smaller: &[Arc<Table>],
    variant: &'static Variant,
    place: Address,
    placement: &Placement,
) -> Option<Mismatch> {
    let position = legal_position(table.index(), placement, place.side, variant)?;
    let tables = || smaller.iter().map(Arc::as_ref).chain([table]);
    let held = table.value(place.side, place.slot);
    let by_tables = |after: &Position| Ok::<_, Infallible>(stored(after, tables()));
    let expected = look_ahead(&position, metric, by_tables).unwrap_or_else(|never| match never {});
    let right = held.is_some() && held == expected;
    (!right).then(|| Mismatch { place, fen: position.to_string(), stored: held, expected })
}
