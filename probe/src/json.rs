//! Values that several answers have, and JSON as text.

pub mod answer_json;

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

/// A value as JSON in one line.
///
/// # Errors
///
/// If the value cannot be written.
pub fn json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string(value).map(escaped)
}

/// A value as JSON in lines.
///
/// # Errors
///
/// If the value cannot be written.
pub fn pretty_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(value).map(escaped)
}

/// JSON with all control characters escaped. Some are left as they are by the library; they occur
/// in strings only.
fn escaped(json: String) -> String {
    let is_raw = |letter: char| ('\u{7f}'..='\u{9f}').contains(&letter);
    if !json.contains(is_raw) {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        match is_raw(letter) {
            true => escaped += &format!("\\u{:04x}", u32::from(letter)),
            false => escaped.push(letter),
        }
    }
    escaped
}

/// The attacker's moves of a value, or `None` for a draw.
pub fn moves_of(value: Value) -> Option<u32> {
    value.moves().map(|moves| moves.0)
}
