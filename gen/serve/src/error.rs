//! Errors of requests: a status, a code for programs and a line for people.

use crate::trainer::draw::ExerciseError;
use crate::trainer::lists::ExerciseListError;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sakmak_probe::json::json_line;
use sakmak_probe::{CallError, ProbeError};
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::material::Material;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::variants::{CountingRuleError, VariantError};
use serde::Serialize;
use utoipa::ToSchema;

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
    Call(#[from] CallError),
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

/// The name of an error for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = error_code)]
pub enum ErrorCode {
    /// There is no such path.
    NoPath,
    /// The path does not have the method.
    NoMethod,
    /// There is no such variant.
    NoVariant,
    /// A parameter or a body that cannot be read.
    BadRequest,
    /// A FEN that cannot be read.
    BadFen,
    /// A first-move leap that is still allowed.
    LeapRights,
    /// A count that cannot be.
    BadCall,
    /// No table has the position.
    NoTable,
    /// No position that fits was drawn.
    NoExercise,
    /// An exercise with a margin where no count runs.
    NoCount,
    /// A body that is too long, or too many positions.
    TooLarge,
    /// Too many requests wait.
    Busy,
    /// The request took too long.
    TimedOut,
    /// A table that cannot be read.
    BadTable,
    /// Another failure of the service.
    Internal,
}

impl ErrorCode {
    /// The status of the response.
    pub const fn status(self) -> StatusCode {
        match self {
            ErrorCode::BadRequest
            | ErrorCode::BadFen
            | ErrorCode::LeapRights
            | ErrorCode::BadCall
            | ErrorCode::NoCount => StatusCode::BAD_REQUEST,
            ErrorCode::NoPath
            | ErrorCode::NoVariant
            | ErrorCode::NoTable
            | ErrorCode::NoExercise => StatusCode::NOT_FOUND,
            ErrorCode::NoMethod => StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::Busy | ErrorCode::TimedOut => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::BadTable | ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// An error.
#[derive(Serialize, ToSchema)]
#[schema(as = error)]
pub struct ErrorJson {
    error: ErrorFields,
}

/// The fields of an error.
#[derive(Serialize, ToSchema)]
#[schema(as = error_fields)]
struct ErrorFields {
    code: ErrorCode,
    /// The error in one line.
    message: String,
    /// With the code no_table only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    missing: Option<MissingJson>,
}

/// The kind of positions that no table has.
#[derive(Serialize, ToSchema)]
#[schema(as = missing)]
struct MissingJson {
    /// Material of the position.
    material: String,
    /// Its men, kings included.
    men: usize,
    /// The most men of a position that has an answer.
    largest: usize,
    /// Men above that; 0 if only this material is missing.
    too_many: usize,
}

/// A hint what to add to a request, after the reason why its count is impossible.
fn hint(error: &CallError) -> &'static str {
    use sakmak_tables::counting::ImpossibleCall;
    match error {
        CallError::Impossible(ImpossibleCall::EitherSide) => ": add counter=white or counter=black",
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

    /// The name of the error for programs.
    pub fn code(&self) -> ErrorCode {
        match self {
            ServeError::NoPath(_) => ErrorCode::NoPath,
            ServeError::NoMethod(_) => ErrorCode::NoMethod,
            ServeError::Variant(_) => ErrorCode::NoVariant,
            ServeError::CountingRule(_) | ServeError::Request(_) => ErrorCode::BadRequest,
            ServeError::Fen(_) | ServeError::Probe(ProbeError::Illegal(_)) => ErrorCode::BadFen,
            ServeError::Probe(ProbeError::LeapRights) => ErrorCode::LeapRights,
            ServeError::Call(_) => ErrorCode::BadCall,
            ServeError::NoTable { .. } => ErrorCode::NoTable,
            ServeError::Exercise(ExerciseError::NotFound { .. }) => ErrorCode::NoExercise,
            ServeError::Exercise(ExerciseError::NoCount { .. }) => ErrorCode::NoCount,
            ServeError::TooLarge(_) | ServeError::TooMany { .. } => ErrorCode::TooLarge,
            ServeError::Busy => ErrorCode::Busy,
            ServeError::TimedOut(_) => ErrorCode::TimedOut,
            ServeError::Probe(_) | ServeError::Exercise(ExerciseError::Probe(_)) => {
                ErrorCode::BadTable
            }
            ServeError::ExerciseLists(_) | ServeError::Internal(_) => ErrorCode::Internal,
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
            ServeError::Probe(_) if self.code() == ErrorCode::BadTable => {
                "a table cannot be read: the log of the service has the reason".to_string()
            }
            _ => self.to_string(),
        };
        ErrorJson { error: ErrorFields { code: self.code(), message, missing } }
    }
}

impl IntoResponse for ServeError {
    fn into_response(self) -> Response {
        let status = self.code().status();
        if status == StatusCode::INTERNAL_SERVER_ERROR {
            tracing::error!(code = ?self.code(), "{self}");
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
