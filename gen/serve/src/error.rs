//! Errors of requests over HTTP.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use sakmak_probe::json::json_line;
use sakmak_requests::error::{AnswerError, ErrorCode, ErrorJson};
use sakmak_tables::excerpt::Excerpt;

/// The reason why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// An error of the request or of the tables.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// A method that the path does not have.
    #[error("method not allowed: {0}; see /openapi.json")]
    NoMethod(Excerpt),
    /// Too many positions in one request.
    #[error("the request has {positions} positions: expected at most {most}")]
    TooMany {
        /// Positions in the request.
        positions: usize,
        /// Maximum number of positions.
        most: usize,
    },
    /// The body of a request is too long.
    #[error("the request is too long: expected at most {0} bytes")]
    TooLarge(usize),
    /// Too many requests wait.
    #[error("the service is busy: try again in a second")]
    Busy,
    /// The request took too long.
    #[error("the request took longer than {0} seconds: try again")]
    TimedOut(u64),
}

impl ServeError {
    /// The error for a path that is neither a page nor part of the interface.
    pub fn no_path(path: &str) -> ServeError {
        AnswerError::NoPath(Excerpt::of(path)).into()
    }

    /// The error for an unreadable parameter or body.
    pub fn request(message: impl Into<String>) -> ServeError {
        AnswerError::Request(message.into()).into()
    }

    /// The error for a failure of the service itself.
    pub fn internal(message: impl ToString) -> ServeError {
        AnswerError::Internal(message.to_string()).into()
    }

    /// The name of the error for programs.
    pub fn code(&self) -> ErrorCode {
        match self {
            ServeError::Answer(error) => error.code(),
            ServeError::NoMethod(_) => ErrorCode::NoMethod,
            ServeError::TooLarge(_) | ServeError::TooMany { .. } => ErrorCode::TooLarge,
            ServeError::Busy => ErrorCode::Busy,
            ServeError::TimedOut(_) => ErrorCode::TimedOut,
        }
    }

    /// The error as JSON.
    pub fn json(&self) -> ErrorJson {
        match (self, self.code()) {
            // Only the log shows paths of files.
            (_, code @ ErrorCode::BadTable) => {
                let message = "a table cannot be read: the log of the service has the reason";
                ErrorJson::new(code, message.to_string())
            }
            (ServeError::Answer(error), _) => error.json(),
            (_, code) => ErrorJson::new(code, self.to_string()),
        }
    }
}

/// The status of a response with an error.
pub fn status(code: ErrorCode) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

impl IntoResponse for ServeError {
    fn into_response(self) -> Response {
        let status = status(self.code());
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
