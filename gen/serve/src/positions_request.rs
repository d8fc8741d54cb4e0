//! Requests about many positions.

use crate::error::ServeError;
use sakmak_requests::error::ErrorJson;
use sakmak_requests::found_answer::FoundAnswerJson;
use sakmak_requests::query::{Parameter, PositionQuery};
use sakmak_tables::excerpt::Excerpt;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// A request about many positions.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = positions)]
pub struct PositionsRequest {
    /// Positions, 100 at most.
    pub fens: Vec<String>,
    /// Name of a counting rule of the variant; `none` if nobody counts.
    #[serde(default)]
    counting: Option<String>,
    /// As for one position.
    #[serde(default, deserialize_with = "flag")]
    line: Option<bool>,
    /// As for one position; the look-ups are shared evenly by the positions that need a search.
    #[serde(default, deserialize_with = "flag")]
    mate_in_time: Option<bool>,
}

/// The answer for one of many positions, or the reason why there is none.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = positions_entry)]
pub enum PositionsEntry<'a> {
    /// An answer.
    Answer(Box<FoundAnswerJson<'a>>),
    /// The reason why there is none.
    Error(ErrorJson),
}

/// Reads a boolean: of JSON, or as a parameter has it, such as `"False"`, `1` or `"0"`.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    let Some(value) = Option::<Value>::deserialize(deserializer)? else { return Ok(None) };
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let wrong = || format!("{}: {} is expected", Excerpt::of(&text), bool::EXPECTED);
    bool::read(&text).map(Some).ok_or_else(|| D::Error::custom(wrong()))
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
            ServeError::request(format!("the body cannot be read: {error}; {expected}"))
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
