//! The answer for a position, or for those of its moves that lead into tables.

use crate::error::{AnswerError, MissingJson};
use sakmak_probe::Answer;
use sakmak_probe::json::AnswerJson;
use sakmak_probe::tablebase::partial_answer::PartialAnswer;
use serde::Serialize;
use utoipa::ToSchema;

/// The answer about a position, whole or in part.
#[derive(Debug)]
pub enum FoundAnswer {
    /// The answer.
    Whole(Answer),
    /// Some of its moves, and the error of the position.
    Partial(PartialAnswer, AnswerError),
}

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

impl FoundAnswer {
    /// The JSON.
    pub fn json(&self) -> FoundAnswerJson<'_> {
        match self {
            FoundAnswer::Whole(answer) => {
                FoundAnswerJson { answer: AnswerJson::new(answer), missing: None }
            }
            FoundAnswer::Partial(answer, error) => {
                FoundAnswerJson { answer: AnswerJson::partial(answer), missing: error.missing() }
            }
        }
    }
}
