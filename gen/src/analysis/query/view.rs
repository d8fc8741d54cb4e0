//! The images of a slot: what the board is turned to, and whether colours are changed.

use sakmak_tables::index::{Index, Placement};
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::{Man, Side};
use sakmak_tables::position::Position;
use sakmak_tables::board::square::Square;
use sakmak_tables::board::symmetry::Turn;
use sakmak_tables::variant::Variant;

/// One image of slots; what is *held* is as the table has it, what is *seen* is the image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// How the board is turned.
    pub turn: Turn,
    /// Whether colours are changed after that; so where both sides have the same men, and
    /// the table holds White to move alone.
    pub changed: bool,
}

impl View {
    /// All images the slots of an index have, those with the colours as they are first.
    pub fn all(index: &Index) -> Vec<View> {
        let changes = if index.material().is_symmetric() { &[false, true][..] } else { &[false] };
        let turns = index.kings().turns();
        let views = |&changed: &bool| turns.iter().map(move |&turn| View { turn, changed });
        changes.iter().flat_map(views).collect()
    }

    /// The side that is seen for one that is held, and the other way round.
    pub fn side(self, side: Side) -> Side {
        if self.changed { !side } else { side }
    }

    /// The square a man is seen on.
    pub fn square(self, square: Square) -> Square {
        let turned = self.turn.square(square);
        if self.changed { turned.flipped() } else { turned }
    }

    /// Whether this is the first turn that takes the kings of a pair where it does: others
    /// that do are images of other slots.
    pub fn is_own(self, index: &Index, pair: KingPair) -> bool {
        let kings = index.kings().kings(pair);
        let seen = |turn: Turn| kings.map(|king| turn.square(king));
        let first = index.kings().turns().iter().find(|&&turn| seen(turn) == seen(self.turn));
        first == Some(&self.turn)
    }

    /// The image of a placement with this side held to be on the move.
    pub fn position(
        self,
        index: &Index,
        placement: &Placement,
        side: Side,
        variant: &'static Variant,
    ) -> Option<Position> {
        let seen = |(man, square): (Man, Square)| {
            (Man::new(self.side(man.side), man.kind), self.square(square))
        };
        Position::new(variant, self.side(side), index.placed(placement).map(seen)).ok()
    }
}
