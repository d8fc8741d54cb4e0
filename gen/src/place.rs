//! From a position to its place in a table and back.

use sakmak_tables::index::{Index, Placement, Slot};
use sakmak_tables::man::{Man, Side};
use sakmak_tables::position::Position;
use sakmak_tables::square::Square;
use sakmak_tables::variant::Variant;

/// Where a table holds the value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The side to move, as the table sees it.
    pub side: Side,
    /// The slot of the men.
    pub slot: Slot,
}

impl Place {
    /// The place of a position in the table of its material.
    ///
    /// `flipped` says that the position's Black is the material's White, the stronger side.
    /// Where both sides have the same men, Black to move is found as White to move with the
    /// colours changed. Nothing for a position of another material or with touching kings.
    pub fn of(position: &Position, flipped: bool, index: &Index) -> Option<Place> {
        let black_to_move = (position.side() == Side::Black) != flipped;
        let changed = flipped != (black_to_move && index.material().is_symmetric());
        let side = |side: Side| if changed { !side } else { side };
        let square = |square: Square| if changed { square.flipped() } else { square };

        let kings = Side::BOTH.map(|king| square(position.king(side(king))));
        let men = index.groups().iter().flat_map(|group| {
            position.men_of(Man::new(side(group.man.side), group.man.kind)).map(square)
        });
        let slot = index.slot(&Placement::new(kings, men))?;
        Some(Place { side: side(position.side()), slot })
    }
}

/// The position with the men of a placement, if it is a legal one.
pub fn legal_position(
    index: &Index,
    placement: &Placement,
    side: Side,
    variant: &'static Variant,
) -> Option<Position> {
    let position = Position::new(variant, side, index.placed(placement)).ok()?;
    position.legality().is_ok().then_some(position)
}

/// The same position with the colours of all men, the side to move and the board changed;
/// its value is the same. Nothing if it has no such position, which no position has.
pub fn with_colours_changed(position: &Position) -> Option<Position> {
    let men = position.men().map(|(man, square)| (Man::new(!man.side, man.kind), square.flipped()));
    Position::new(position.variant(), !position.side(), men).ok()
}
