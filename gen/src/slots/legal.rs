//! From a placement to its position.

use sakmak_tables::index::{Index, Placement};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::variant::Variant;

/// The position with the pieces of a placement, if it is a legal one.
pub fn legal_position(
    index: &Index,
    placement: &Placement,
    side: Side,
    variant: &'static Variant,
) -> Option<Position> {
    let position = Position::new(variant, side, index.placed(placement)).ok()?;
    position.legality().is_ok().then_some(position)
}

/// The same position with the colours of all pieces, the side to move and the board changed;
/// its value is the same. Nothing if it has no such position, which no position has.
pub fn with_colours_changed(position: &Position) -> Option<Position> {
    let men = position
        .pieces()
        .map(|(piece, square)| (Piece::new(!piece.side, piece.kind), square.flipped()));
    Position::new(position.variant(), !position.side(), men).ok()
}
