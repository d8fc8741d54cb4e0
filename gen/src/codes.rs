//! The codes of a solved material, wherever they are.

use sakmak_tables::index::Index;
use sakmak_tables::man::Side;
use sakmak_tables::table::Table;
use sakmak_tables::values::Coding;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

/// The codes of a solved material: all that a file is written from.
pub trait Codes: Sync {
    /// The index of the slots.
    fn index(&self) -> &Index;

    /// How the values of a side to move are coded, where they are held.
    fn coding(&self, side: Side) -> Option<Coding>;

    /// The codes of a run of slots, [`Coding::width`] bytes each.
    ///
    /// # Errors
    ///
    /// When they are on disk and cannot be read.
    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>>;
}

impl Codes for Table {
    fn index(&self) -> &Index {
        Table::index(self)
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        self.values(side).map(|values| values.coding())
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let codes = self.values(side).map_or(&[][..], |values| values.window(slots));
        Ok(Cow::Borrowed(codes))
    }
}
