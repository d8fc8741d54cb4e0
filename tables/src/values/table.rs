//! A whole table in memory: the values of every slot for either side to move.

use crate::distance::Value;
use crate::index::{Index, Slot};
use crate::rules::piece::Side;
use crate::values::Values;

/// A solved material in memory.
#[derive(Clone, Debug)]
pub struct Table {
    index: Index,
    white: Values,
    /// Absent where both sides have the same pieces: then Black to move is White to move
    /// with the colours changed.
    black: Option<Values>,
}

impl Table {
    /// The sides to move for which a table of this index holds values.
    pub fn sides(index: &Index) -> &'static [Side] {
        if index.material().is_symmetric() { &Side::BOTH[..1] } else { &Side::BOTH }
    }

    /// Slots of all sides to move for which a table of this index holds values.
    pub fn slots_of_sides(index: &Index) -> u64 {
        index.slots() * Table::sides(index).len() as u64
    }

    /// A table of these values; `black` is left out where the material is symmetric.
    pub fn new(index: Index, white: Values, black: Option<Values>) -> Table {
        Table { index, white, black }
    }

    /// The index.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The values of one side to move, where they are held.
    pub fn values(&self, side: Side) -> Option<&Values> {
        match side {
            Side::White => Some(&self.white),
            Side::Black => self.black.as_ref(),
        }
    }

    /// The value at a slot for the side to move; nothing where the side is not held.
    pub fn value(&self, side: Side, slot: Slot) -> Option<Value> {
        self.values(side)?.get(slot)
    }
}
