//! The codes of a table, in memory or on disk.

use crate::index::Index;
use crate::rules::piece::Side;
use crate::values::Coding;
use crate::values::table::Table;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// The codes of a table, in memory or on disk: the source of a solved file.
pub trait TableCodes: Send + Sync {
    /// The index of the table.
    fn index(&self) -> &Index;

    /// The coding of a side to move. `None` if the table does not hold that side.
    fn coding(&self, side: Side) -> Option<Coding>;

    /// The codes of all slots. `None` if they are not in memory, or the table does not hold that
    /// side.
    fn whole(&self, _side: Side) -> Option<&[u8]> {
        None
    }

    /// The codes of a range of slots, [`Coding::width`] bytes each.
    ///
    /// # Errors
    ///
    /// If the codes are on disk and cannot be read.
    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>>;
}

/// The two tables of a material that decide which positions are won, and which in time.
#[derive(Clone, Copy)]
pub struct TablePair<'a> {
    /// Distances to mate.
    pub mate: &'a dyn TableCodes,
    /// Counted distances. `None` if distances to mate decide which wins are in time, or if the
    /// table is not available.
    pub counted: Option<&'a dyn TableCodes>,
}

impl TableCodes for Table {
    fn index(&self) -> &Index {
        Table::index(self)
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        self.values(side).map(|values| values.coding())
    }

    fn whole(&self, side: Side) -> Option<&[u8]> {
        self.values(side).map(|values| values.codes())
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let codes = self.values(side).map_or(&[][..], |values| values.window(slots));
        Ok(Cow::Borrowed(codes))
    }
}
