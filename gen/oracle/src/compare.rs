//! A table compared with a reference solver, position by position, both ways.
//!
//! From the table: every slot that is a legal position, for each side the table holds, has the
//! reference's value. From the reference: every legal position of the whole board, for either side
//! to move, is in the table with its value. The first direction would miss positions without a
//! slot, the second slots without a position.

use crate::counted_reference::CountedReference;
use crate::reference::Reference;
use rayon::prelude::*;
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::slots::walk::Walk;
use sakmak_tables::distance::Value;
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;

/// A solver that tables are compared with.
pub trait ReferenceSolver: Sync {
    /// The variant whose rules the solver uses.
    fn variant(&self) -> &'static Variant;

    /// The value of a legal position, for the side to move.
    ///
    /// Returns `None` for an illegal position and for a material that is not solved.
    fn value(&self, position: &Position) -> Option<Value>;

    /// Every legal position of a solved material with its value, White being the stronger
    /// side. Empty if the material is not solved.
    fn positions(&self, material: Material) -> impl ParallelIterator<Item = (Position, Value)>;
}

impl ReferenceSolver for Reference {
    fn variant(&self) -> &'static Variant {
        Reference::variant(self)
    }

    fn value(&self, position: &Position) -> Option<Value> {
        Reference::value(self, position)
    }

    fn positions(&self, material: Material) -> impl ParallelIterator<Item = (Position, Value)> {
        Reference::positions(self, material)
    }
}

impl ReferenceSolver for CountedReference {
    fn variant(&self) -> &'static Variant {
        variants::counted_by(self.counting_rule())
    }

    fn value(&self, position: &Position) -> Option<Value> {
        CountedReference::value(self, position)
    }

    fn positions(&self, material: Material) -> impl ParallelIterator<Item = (Position, Value)> {
        CountedReference::positions(self, material)
    }
}

/// Numbers of slots and positions compared and found equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComparisonCounts {
    /// Slots that are legal positions, counted for each side to move the table holds.
    pub slots: u64,
    /// Legal positions of the whole board, of both sides to move.
    pub positions: u64,
}

/// A position the table and the reference disagree on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{position}: the table has {table:?}, the reference {reference:?}")]
pub struct Difference {
    /// The position, FEN.
    pub position: String,
    /// The value in the table, if any.
    pub table: Option<Value>,
    /// The value by definition.
    pub reference: Value,
}

/// The number of slots in a job.
const RUN: u64 = 1 << 14;

/// Compares a table with a reference solver, which must have solved its material.
///
/// A material that the reference has not solved compares as zero positions.
pub fn compare(
    table: &Table,
    reference: &impl ReferenceSolver,
) -> Result<ComparisonCounts, Difference> {
    let index = table.index();
    let same = |position: &Position, held: Option<Value>, value: Value| {
        if held == Some(value) {
            return Ok(1);
        }
        Err(Difference { position: position.to_string(), table: held, reference: value })
    };

    let of_run = |side: Side, run: u64| -> Result<u64, Difference> {
        let walk = Walk::over(index, Slot(run * RUN)..Slot((run + 1) * RUN));
        let compared = walk.map(|(slot, placement)| {
            let position = legal_position(index, &placement, side, reference.variant());
            let found = position.and_then(|at| Some((at, reference.value(&at)?)));
            found.map_or(Ok(0), |(at, value)| same(&at, table.value(side, slot), value))
        });
        compared.sum()
    };
    let mut slots = 0;
    for &side in Table::sides(index) {
        let runs = (0..index.slots().div_ceil(RUN)).into_par_iter();
        slots += runs.map(|run| of_run(side, run)).sum::<Result<u64, Difference>>()?;
    }

    // No table holds a position in which a pawn may be captured in passing.
    let held = reference.positions(index.material());
    let held = held.filter(|(position, _)| position.en_passant().is_none());
    let positions = held.map(|(position, value)| {
        let address = Address::of(&position, false, index);
        same(&position, address.and_then(|address| table.value(address.side, address.slot)), value)
    });
    Ok(ComparisonCounts { slots, positions: positions.sum::<Result<u64, Difference>>()? })
}
