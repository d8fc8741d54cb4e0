//! The answer for a position, or for its moves into tables.

use crate::error::{AnswerError, MissingJson};
use sakmak_probe::Answer;
use sakmak_probe::json::AnswerJson;
use sakmak_probe::tablebase::partial_answer::PartialAnswer;
use serde::Serialize;
use utoipa::ToSchema;

/// The answer for a position as JSON.
#[derive(Serialize, ToSchema)]
#[schema(as = found_answer)]
pub struct FoundAnswerJson<'a> {
    #[serde(flatten)]
    answer: AnswerJson<'a>,
    /// The table that the answer lacks: moves to positions without a table are unknown, and there are
    /// no lines. Absent if the answer is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    missing: Option<MissingJson>,
}

impl<'a> FoundAnswerJson<'a> {
    /// The JSON of an answer.
    pub fn whole(answer: &'a Answer) -> FoundAnswerJson<'a> {
        FoundAnswerJson { answer: AnswerJson::new(answer), missing: None }
    }

    /// The JSON of the moves that lead into tables, with the error of the position.
    pub fn partial(answer: &'a PartialAnswer, error: &AnswerError) -> FoundAnswerJson<'a> {
        FoundAnswerJson { answer: AnswerJson::partial(answer), missing: error.missing() }
    }
}
