//! Converts placements to positions.

use sakmak_tables::index::{Index, Placement};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;

/// The position of a placement. Returns `None` if it is not legal.
pub fn legal_position(
    index: &Index,
    placement: &Placement,
    side: Side,
    variant: &'static Variant,
) -> Option<Position> {
    let position = Position::new(variant, side, index.placed(placement)).ok()?;
    position.legality().is_ok().then_some(position)
}
