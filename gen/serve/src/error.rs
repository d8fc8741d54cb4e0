//! Errors of requests: a status, a code for programs and a line for people.

use crate::trainer::draw::ExerciseError;
use crate::trainer::lists::ExerciseListError;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sakmak_probe::ProbeError;
use sakmak_probe::json::json_line;
use sakmak_probe::question::QuestionCallError;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::material::Material;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::variants::{CountingRuleError, VariantError};
use serde::Serialize;

/// The reason why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No page and no path of the interface.
    #[error("not found: {0}; see /openapi.json")]
    NoPath(Excerpt),
    /// A method that the path does not have.
    #[error("method not allowed: {0}; see /openapi.json")]
    NoMethod(Excerpt),
    /// An unknown variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// An unknown counting rule.
    #[error(transparent)]
    CountingRule(#[from] CountingRuleError),
    /// A parameter or a body that cannot be read.
    #[error("{0}")]
    Request(String),
    /// Too many positions in one request.
    #[error("the request has {positions} positions: at most {most} are expected")]
    TooMany {
        /// In the request.
        positions: usize,
        /// At most.
        most: usize,
    },
    /// A FEN that cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// An impossible count.
    #[error("{0}{hint}", hint = hint(.0))]
    Call(#[from] QuestionCallError),
    /// No table has the position.
    #[error("{source}")]
    NoTable {
        /// The material of the position.
        material: Material,
        /// The most men of a table of this variant.
        largest: usize,
        /// The error of the tables.
        source: ProbeError,
    },
    /// An exercise that cannot be drawn.
    #[error(transparent)]
    Exercise(#[from] ExerciseError),
    /// Lists of exercises that cannot be made.
    #[error(transparent)]
    ExerciseLists(#[from] ExerciseListError),
    /// The body of a request is too long.
    #[error("the request is too long: at most {0} bytes are expected")]
    TooLarge(usize),
    /// Too many requests wait.
    #[error("the service is busy: try again in a second")]
    Busy,
    /// The request took too long.
    #[error("the request took longer than {0} seconds: try again")]
    TimedOut(u64),
    /// A look-up failed.
    #[error(transparent)]
    Probe(ProbeError),
    /// Tables could not be made, or a thread failed.
    #[error("{0}")]
    Internal(String),
}

/// An error as JSON.
#[derive(Serialize)]
pub struct ErrorJson {
    error: ErrorFields,
}

/// The fields of an error.
#[derive(Serialize)]
struct ErrorFields {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<MissingJson>,
}

/// The kind of positions that no table has.
#[derive(Serialize)]
struct MissingJson {
    material: String,
    men: usize,
    largest: usize,
    too_many: usize,
}

/// A hint what to add to a request, after the reason why its count is impossible.
fn hint(error: &QuestionCallError) -> &'static str {
    use sakmak_tables::counting::ImpossibleCall;
    match error {
        QuestionCallError::Impossible(ImpossibleCall::EitherSide) => {
            ": add counter=white or counter=black"
        }
        _ => "",
    }
}

impl ServeError {
    /// The error of a look-up of a position of this material.
    pub fn of_probe(source: ProbeError, material: Material, largest: usize) -> ServeError {
        match source {
            ProbeError::TooManyMen { .. } | ProbeError::Missing { .. } => {
                ServeError::NoTable { material, largest, source }
            }
            _ => ServeError::Probe(source),
        }
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        match self {
            ServeError::NoPath(_)
            | ServeError::Variant(_)
            | ServeError::Exercise(ExerciseError::NotFound { .. })
            | ServeError::NoTable { .. } => StatusCode::NOT_FOUND,
            ServeError::NoMethod(_) => StatusCode::METHOD_NOT_ALLOWED,
            ServeError::CountingRule(_)
            | ServeError::Request(_)
            | ServeError::Fen(_)
            | ServeError::Call(_)
            | ServeError::Exercise(ExerciseError::NoCount { .. })
            | ServeError::Probe(ProbeError::LeapRights | ProbeError::Illegal(_)) => {
                StatusCode::BAD_REQUEST
            }
            ServeError::TooLarge(_) | ServeError::TooMany { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            ServeError::Busy | ServeError::TimedOut(_) => StatusCode::SERVICE_UNAVAILABLE,
            ServeError::Probe(_)
            | ServeError::Exercise(ExerciseError::Probe(_))
            | ServeError::ExerciseLists(_)
            | ServeError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The name of the error for programs.
    pub fn code(&self) -> &'static str {
        match self {
            ServeError::NoPath(_) => "no_path",
            ServeError::NoMethod(_) => "no_method",
            ServeError::Variant(_) => "no_variant",
            ServeError::CountingRule(_) | ServeError::Request(_) => "bad_request",
            ServeError::Fen(_) | ServeError::Probe(ProbeError::Illegal(_)) => "bad_fen",
            ServeError::Probe(ProbeError::LeapRights) => "leap_rights",
            ServeError::Call(_) => "bad_call",
            ServeError::NoTable { .. } => "no_table",
            ServeError::Exercise(ExerciseError::NotFound { .. }) => "no_exercise",
            ServeError::Exercise(ExerciseError::NoCount { .. }) => "no_count",
            ServeError::TooLarge(_) | ServeError::TooMany { .. } => "too_large",
            ServeError::Busy => "busy",
            ServeError::TimedOut(_) => "timed_out",
            ServeError::Probe(_) | ServeError::Exercise(ExerciseError::Probe(_)) => "bad_table",
            ServeError::ExerciseLists(_) => "internal",
            ServeError::Internal(_) => "internal",
        }
    }

    /// The error as JSON.
    pub fn json(&self) -> ErrorJson {
        let missing = match self {
            ServeError::NoTable { material, largest, .. } => Some(MissingJson {
                material: material.to_string(),
                men: material.men(),
                largest: *largest,
                too_many: material.men().saturating_sub(*largest),
            }),
            _ => None,
        };
        // Paths of files are the business of the one who runs the service.
        let message = match self {
            ServeError::NoTable { material, largest, source: ProbeError::Missing { .. } } => {
                format!(
                    "no table of {material}, which has {} men: the largest tables here have \
                     {largest}",
                    material.men()
                )
            }
            ServeError::Probe(_) if self.code() == "bad_table" => {
                "a table cannot be read: the log of the service has the reason".to_string()
            }
            _ => self.to_string(),
        };
        ErrorJson { error: ErrorFields { code: self.code(), message, missing } }
    }
}

impl IntoResponse for ServeError {
    fn into_response(self) -> Response {
        let status = self.status();
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            tracing::error!(code = self.code(), "{self}");
        }
        let body = json_line(&self.json()).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
