//! The longest distance as a position.

use crate::analysis::census::DistanceCounts;
use crate::analysis::statistics::written::as_number;
use crate::slots::legal::{legal_position, with_colours_changed};
use sakmak_tables::distance::Moves;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use serde::Serialize;

/// The longest distance, and of the positions with it that of the first slot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Longest {
    /// Moves of the side that wins.
    #[serde(serialize_with = "as_number")]
    pub moves: Moves,
    /// The position.
    pub fen: String,
}

/// Slots as positions with one side to move.
#[derive(Clone, Copy)]
pub(super) struct SideSlots<'a> {
    pub index: &'a Index,
    pub variant: &'static Variant,
    pub side: Side,
}

impl SideSlots<'_> {
    /// The longest of at most so many moves, of any number if nothing is said.
    pub fn longest_within(self, distances: &DistanceCounts, most: Option<Moves>) -> Option<Longest> {
        let (moves, slot) = distances.longest_within(most)?;
        Some(Longest { moves, fen: self.fen(slot)? })
    }

    pub fn longest(self, distances: &DistanceCounts) -> Option<Longest> {
        self.longest_within(distances, None)
    }

    fn fen(self, slot: Slot) -> Option<String> {
        // A table of the same pieces on both sides holds White to move.
        let changed = self.index.material().is_symmetric() && self.side == Side::Black;
        let held = if changed { Side::White } else { self.side };
        let position = legal_position(self.index, &self.index.placement(slot), held, self.variant)?;
        let position = if changed { with_colours_changed(&position)? } else { position };
        Some(position.to_string())
    }
}
