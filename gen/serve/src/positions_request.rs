//! Requests about many positions.

use crate::error::{ErrorJson, ServeError};
use crate::lookup_json::LookupJson;
use crate::query::PositionQuery;
use sakmak_tables::excerpt::Excerpt;
use serde::{Deserialize, Serialize};

/// The body of a request about many positions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionsRequest {
    /// The positions.
    pub fens: Vec<String>,
    /// Name of the counting rule.
    #[serde(default)]
    counting: Option<String>,
    /// Whether answers have lines of best play.
    #[serde(default)]
    line: Option<bool>,
    /// Whether mates in time that are not in the tables are searched.
    #[serde(default)]
    mate_in_time: Option<bool>,
}

/// The answer for one of many positions.
#[derive(Serialize)]
#[serde(untagged)]
pub enum PositionsEntry {
    /// An answer.
    Position(Box<LookupJson>),
    /// The reason why there is none.
    Error(ErrorJson),
}

impl PositionsRequest {
    /// Parses a body.
    ///
    /// # Errors
    ///
    /// If it is not such a request, or has too many positions.
    pub fn read(body: &[u8], most: usize) -> Result<PositionsRequest, ServeError> {
        let request: PositionsRequest = serde_json::from_slice(body).map_err(|error| {
            let expected = r#"{"fens": ["FEN", ...]} is expected"#;
            let error = Excerpt::of(&error.to_string());
            ServeError::Request(format!("the body cannot be read: {error}; {expected}"))
        })?;
        match request.fens.len() {
            positions if positions > most => Err(ServeError::TooMany { positions, most }),
            _ => Ok(request),
        }
    }

    /// The requests about single positions.
    pub fn into_queries(self) -> impl Iterator<Item = PositionQuery> {
        let PositionsRequest { fens, counting, line, mate_in_time } = self;
        let query = move |fen| PositionQuery::of_fen(fen, counting.clone(), line, mate_in_time);
        fens.into_iter().map(query)
    }
}
