//! Verifies a table: every value against its successors, by plain move generation.
//!
//! The value of a position must be exactly that of a look-ahead of one ply over the stored
//! values:
//!
//! ```text
//! the game is over:                 loss in 0 or draw, by the rules' `EndRule`
//! some move leads to a loss:        win, one move more than the least of those losses
//! all moves lead to wins:           loss, as long as the greatest of those wins
//! else:                             draw
//! ```
//!
//! If this holds in every position and the subtables are right, every value is right,
//! although each test looks only one ply deep. The proof is by induction over plies. Assume that
//! all stored values below `n` plies are right, and that all values truly below `n` are stored so:
//!
//! - A position stored as mate in `n`: by the test, its best move leads to a stored `n - 1`,
//!   which is right. So it is mate in `n` at most. It is mate in `n` at least, because a shorter
//!   mate would be stored as such.
//! - A position truly mate in `n`: the successors that decide its value are truly below `n`,
//!   hence stored so. Then the test accepts no value but `n`.
//!
//! So layer `n` is right as well. Mates cannot support one another in a circle, because each
//! rests on a strictly shorter one, down to mates on the board. Draws cannot hide a win, because
//! the shortest true win or loss among them would fail its test.
//!
//! # Counted distance
//!
//! For a table of counted distance two things differ. The
//! [phase change](sakmak_tables::counting::PhaseChange) from another table decides what a value of
//! that table counts for: it is carried over, becomes a draw, or is an arrival: a win or loss in
//! 0 moves, after which the attacker needs no further move. And a result longer than any count
//! that may run is a draw ([`Metric::clamped`]). With these two the look-ahead is the definition of
//! counted distance.
//!
//! The proof holds as it stands, by layers of the one table, with the others right from the
//! start:
//!
//! - A win in `n` rests on a loss in `n - 1`, one ply less, in this table or another.
//! - A loss in `n` rests on wins in `n` at most. Those in this table are in 1 or more, because it
//!   has no code for a win in 0, so they are at least one ply less as well. An arrival counts as
//!   less than any of them and is in another table.
//! - Layer 0 is the mates on the board and the positions whose every move is an arrival. It
//!   rests on other tables alone. No circle leads through other tables, because captured pieces
//!   do not come back and mets do not become pawns again.
//! - No value rests on a longer one of its table. So treating the layers beyond the longest as
//!   draws changes no other layer.
//!
//! One number serves for both sides' wins, as with mates: a position is won for one side at most.
//!
//! The test is written twice. [`definition`](sakmak_solve::slots::definition) has it in terms of
//! positions and moves, for samples and for the report of an error. For whole tables,
//! [`one_ply`](sakmak_solve::slots::one_ply) does the same from the squares of the pieces and is
//! compared with it in tests.
//!
//! The verifier shares the rules, the index and the move generator with the plane solver and the
//! reference solver, and nothing else.

pub mod ledger;

pub mod order;

pub mod sample;

pub mod sample_codes;

use rayon::prelude::*;
use sakmak_solve::slots::definition::{look_ahead, stored};
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::slots::one_ply::OnePly;
use sakmak_solve::slots::paged_table::PagedTable;
use sakmak_solve::slots::walk::Walk;
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

/// The reason why verifying a table failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A table that this one depends on is missing.
    #[error("{table} depends on {missing}, which is missing")]
    Missing {
        /// The table verified.
        table: TableName,
        /// The table that is missing.
        missing: TableName,
    },
    /// A stored value differs from the value computed from the successors.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

/// A stored value that differs from the value computed from the successors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fen}: stored as {stored}, but its successors give {expected}", stored = words(*.stored), expected = words(*.expected))]
pub struct Mismatch {
    /// The side to move and the slot.
    pub place: Address,
    /// The position.
    pub fen: String,
    /// The value stored; `None` if no value has the code.
    pub stored: Option<Value>,
    /// The value computed from the successors; `None` if a successor has no stored value.
    pub expected: Option<Value>,
}

/// Returns a value in words, `no value` for `None`.
fn words(value: Option<Value>) -> String {
    value.map_or_else(|| "no value".to_string(), |value| value.to_string())
}

/// Slots verified between two calls of `progress`.
const RUN: u64 = 1 << 14;

/// Verifies every legal slot of a table, for each side to move that it holds.
///
/// `smaller` returns the tables that it depends on ([`TableName::successors`]). `progress` is
/// called from all threads with the number of slots just verified; the numbers add up to
/// [`slots_to_verify`].
///
/// # Errors
///
/// Fails if a subtable is missing; otherwise with the first wrong value, White to move before
/// Black, for any number of threads.
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
    let own = PagedTable::new(table);
    let others: Vec<PagedTable<'_>> =
        smaller.iter().map(|table| PagedTable::new(&**table)).collect();
    let one_ply = OnePly::new(&own, metric, variant, &others);
    let first_wrong = |sides: &[Side], progress: &(dyn Fn(u64) + Sync)| {
        let runs = 0..table.index().slots().div_ceil(RUN);
        runs.into_par_iter().find_map_first(|run| {
            let mut walk = Walk::over(table.index(), Slot(run * RUN)..Slot((run + 1) * RUN));
            let mut king_steps = one_ply.king_steps();
            let slots = walk.size_hint().0 as u64;
            let wrong = walk.find_map(|(slot, placement)| {
                let board = one_ply.board(slot, &placement)?;
                king_steps.enter(&board.squares);
                let mut wrong =
                    sides.iter().filter(|&&side| !one_ply.is_right(&board, &king_steps, side));
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
        // A wrong value with White to move may follow later.
        Some(wrong) if wrong.place.side == Side::Black => {
            first_wrong(&[Side::White], &|_| ()).or(Some(wrong))
        }
        wrong => wrong,
    };
    wrong.map_or(Ok(()), |wrong| Err(wrong.into()))
}

/// Returns the number of slots that [`verify`] checks, those of each side to move counted.
pub fn slots_to_verify(table: &Table) -> u64 {
    Table::slots_of_sides(table.index())
}

/// Returns the mismatch of a slot by the definition of the look-ahead; `None` if its value is right
/// or it is not a legal position.
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
