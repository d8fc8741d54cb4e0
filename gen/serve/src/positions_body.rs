//! The body of a request about many positions.

use crate::error::ServeError;
use sakmak_requests::query::{Parameter, PositionParameters};
use sakmak_tables::excerpt::Excerpt;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use serde_json::Value;
use utoipa::ToSchema;

/// A request about many positions.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = positions)]
pub struct PositionsBody {
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
    /// As for one position; searches as `mate_in_time` does.
    #[serde(default, deserialize_with = "flag")]
    solution: Option<bool>,
}

/// Reads a boolean: of JSON, or as a parameter has it, such as `"False"`, `1` or `"0"`.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    let Some(value) = Option::<Value>::deserialize(deserializer)? else { return Ok(None) };
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    let wrong = || format!("{}: expected {}", Excerpt::of(&text), bool::EXPECTED);
    bool::read(&text).map(Some).ok_or_else(|| D::Error::custom(wrong()))
}

impl PositionsBody {
    /// Parses a body.
    ///
    /// # Errors
    ///
    /// If the body is not such a request or has too many positions.
    pub fn read(body: &[u8], most: usize) -> Result<PositionsBody, ServeError> {
        let request: PositionsBody = serde_json::from_slice(body).map_err(|error| {
            let expected = r#"expected {"fens": ["FEN", ...]}"#;
            let error = Excerpt::of(&error.to_string());
            ServeError::request(format!("the body cannot be read: {error}; {expected}"))
        })?;
        match request.fens.len() {
            positions if positions > most => Err(ServeError::TooMany { positions, most }),
            _ => Ok(request),
        }
    }

    /// The parameters of requests about single positions.
    pub fn into_parameters(self) -> impl Iterator<Item = PositionParameters> {
        let PositionsBody { fens, counting, line, mate_in_time, solution } = self;
        let parameters = move |fen| {
            PositionParameters::of_fen(fen, counting.clone(), line, mate_in_time, solution)
        };
        fens.into_iter().map(parameters)
    }
}
