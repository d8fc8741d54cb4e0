//! The longest distance as a position, and the JSON of values.

use sakmak_make::census::{DistanceCounts, Histogram};
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::distance::Moves;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use serde::{Serialize, Serializer};
use std::fmt::Display;

/// The longest distance, and the position of the first slot with this distance.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LongestDistance {
    /// The winner's moves.
    #[serde(serialize_with = "as_number")]
    pub moves: Moves,
    /// The position.
    pub fen: String,
}

/// Converts slots to positions with one side to move.
#[derive(Clone, Copy)]
pub(super) struct SideSlots<'a> {
    pub index: &'a Index,
    pub variant: &'static Variant,
    /// The side to move in the table.
    pub side: Side,
    /// Whether the positions have the colours of the table exchanged.
    pub flipped: bool,
}

impl SideSlots<'_> {
    /// The longest distance, of at most `most` moves if given; `None` without a distance.
    pub fn longest_within(
        self,
        distances: &DistanceCounts,
        most: Option<Moves>,
    ) -> Option<LongestDistance> {
        let (moves, slot) = distances.longest_within(most)?;
        Some(LongestDistance { moves, fen: self.fen(slot)? })
    }

    fn fen(self, slot: Slot) -> Option<String> {
        // If both sides have the same pieces, the table holds White to move only.
        let changed = self.index.material().is_symmetric() && self.side == Side::Black;
        let to_move = if changed { Side::White } else { self.side };
        let position =
            legal_position(self.index, &self.index.placement(slot), to_move, self.variant)?;
        let position =
            if changed != self.flipped { position.colours_exchanged() } else { position };
        Some(position.to_string())
    }
}

/// Writes a value as its text: a material as `KRNvKM`.
pub fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes moves as a number.
pub fn as_number<S: Serializer>(moves: &Moves, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(moves.0)
}

/// Writes moves as a number, or null.
pub fn as_optional_number<S: Serializer>(
    moves: &Option<Moves>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match moves {
        Some(moves) => as_number(moves, serializer),
        None => serializer.serialize_none(),
    }
}

/// Writes a histogram as an object with a key for each number of moves.
pub fn as_map<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(histogram.iter().map(|(moves, count)| (moves.0, count)))
}
