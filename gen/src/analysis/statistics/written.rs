//! How numbers and names are written in JSON.

use crate::analysis::census::Histogram;
use sakmak_tables::distance::Moves;
use sakmak_tables::material::Material;
use serde::Serializer;

/// As `KRNvKM`.
pub fn as_name<S: Serializer>(material: &Material, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(material)
}

/// As a number.
pub fn as_number<S: Serializer>(moves: &Moves, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(moves.0)
}

/// As a number, or null.
pub fn as_optional_number<S: Serializer>(
    moves: &Option<Moves>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match moves {
        Some(moves) => as_number(moves, serializer),
        None => serializer.serialize_none(),
    }
}

/// As an object, a key for each number of moves.
pub fn as_map<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(histogram.iter().map(|(moves, count)| (moves.0, count)))
}
