//! A slot that meets a condition.

use crate::analysis::query::image::SlotImage;
use sakmak_tables::distance::Value;
use sakmak_tables::index::Index;
use sakmak_tables::index::address::Address;
use sakmak_tables::position::Position;
use sakmak_tables::variant::Variant;

/// A slot that meets a condition, and the first of its images that does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryMatch {
    /// The slot and side to move, as the table has them.
    pub place: Address,
    /// The image.
    pub(super) view: SlotImage,
    /// The mover's value by distance to mate.
    pub mate: Value,
    /// The mover's value by counted distance; nothing where the table is not at hand.
    pub counted: Option<Value>,
}

impl QueryMatch {
    /// The image as a position; nothing for a hit of another index.
    pub fn position(&self, index: &Index, variant: &'static Variant) -> Option<Position> {
        let placement = index.placement(self.place.slot);
        self.view.position(index, &placement, self.place.side, variant)
    }
}
