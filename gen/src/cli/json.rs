//! Values that several subcommands write as JSON.

use sakmak_tables::distance::Value;
use serde::Serialize;

/// A distance to mate.
#[derive(Serialize)]
pub struct DistanceJson {
    plies: u32,
    moves: u32,
}

impl DistanceJson {
    /// The distance of a value, or `None` for a draw.
    pub fn new(value: Value) -> Option<DistanceJson> {
        Some(DistanceJson { plies: value.plies()?.0, moves: value.moves()?.0 })
    }
}

/// The attacker's moves of a value, or `None` for a draw.
pub fn moves_of(value: Value) -> Option<u32> {
    value.moves().map(|moves| moves.0)
}
