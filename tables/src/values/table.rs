//! A table in memory: the values of every slot for both sides to move.

use crate::distance::Value;
use crate::index::{Index, Slot};
use crate::rules::piece::Side;
use crate::values::Values;

/// A table in memory.
#[derive(Clone, Debug)]
pub struct Table {
    index: Index,
    white: Values,
    /// `None` if both sides have the same pieces: Black to move is then White to move with the
    /// colours exchanged.
    black: Option<Values>,
}

impl Table {
    /// The sides to move that a table with this index holds.
    pub fn sides(index: &Index) -> &'static [Side] {
        if index.material().is_symmetric() { &Side::BOTH[..1] } else { &Side::BOTH }
    }

    /// Slots of all sides to move that a table with this index holds.
    pub fn slots_of_sides(index: &Index) -> u64 {
        index.slots() * Table::sides(index).len() as u64
    }

    /// A table with these values. `black` is `None` if the material is symmetric.
    pub fn new(index: Index, white: Values, black: Option<Values>) -> Table {
        Table { index, white, black }
    }

    /// The index.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The values of one side to move. `None` if the table does not hold that side.
    pub fn values(&self, side: Side) -> Option<&Values> {
        match side {
            Side::White => Some(&self.white),
            Side::Black => self.black.as_ref(),
        }
    }

    /// The value at a slot for the side to move. `None` if the table does not hold that side.
    pub fn value(&self, side: Side, slot: Slot) -> Option<Value> {
        self.values(side)?.get(slot)
    }
}
