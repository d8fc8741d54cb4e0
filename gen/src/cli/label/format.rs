//! The formats of positions.

use std::path::Path;

/// A format of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A FEN or EPD on each line.
    Epd,
    /// The text of variant-nnue-tools.
    Plain,
    /// A JSON object on each line.
    Json,
    /// Games.
    Pgn,
}

/// A name that is no format.
#[derive(Debug, thiserror::Error)]
#[error("'{name}' is not a format")]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] = [Format::Epd, Format::Plain, Format::Json, Format::Pgn];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Epd => "epd",
            Format::Plain => "plain",
            Format::Json => "json",
            Format::Pgn => "pgn",
        }
    }

    /// Returns the format of this name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the format of a file by the end of its name.
    pub fn of(path: &Path) -> Format {
        let end = path.extension().map(|end| end.to_ascii_lowercase());
        match end.as_ref().and_then(|end| end.to_str()) {
            Some("plain") => Format::Plain,
            Some("json" | "jsonl" | "ndjson") => Format::Json,
            Some("pgn") => Format::Pgn,
            _ => Format::Epd,
        }
    }
}
