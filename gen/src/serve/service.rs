//! What all requests share, and the answers to them.

use crate::lookup::json::json_line;
use crate::serve::error::ServeError;
use crate::serve::limits::ServiceLimits;
use crate::serve::pages::Pages;
use crate::serve::position_json::PositionJson;
use crate::serve::query::PositionQuery;
use crate::serve::tables::ServedTables;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use serde::Serialize;
use std::sync::Arc;

/// What all requests share.
#[derive(Debug)]
pub struct Service {
    /// The tables.
    pub tables: Arc<ServedTables>,
    /// The files of pages.
    pub pages: Pages,
    /// The limits.
    pub limits: ServiceLimits,
}

/// The service as a router hands it to a request.
pub type SharedService = State<Arc<Service>>;

/// The parameters of a request, or why they cannot be read.
pub type Parameters<T> = Result<Query<T>, QueryRejection>;

/// The answer for a position.
pub async fn position(
    State(service): SharedService,
    Path(variant): Path<String>,
    query: Parameters<PositionQuery>,
    uri: Uri,
) -> Result<Response, ServeError> {
    let Ok(variant) = variants::named(&variant) else {
        return service.pages.response(uri.path());
    };
    let request = read_query(query)?.read(variant)?;
    let (question, lines) = (request.question, request.lines);
    let answer = service.tables.look_up(question.position, move |tables| {
        PositionJson::look_up(tables, &mut question.clone(), lines)
    });
    json_response(&answer.await?)
}

/// A file of a page.
pub async fn page(State(service): SharedService, uri: Uri) -> Result<Response, ServeError> {
    service.pages.response(uri.path())
}

/// The answer to a method that a path does not have.
pub async fn no_method(method: Method) -> ServeError {
    ServeError::NoMethod(method.to_string())
}

/// The parameters of a request.
pub fn read_query<T>(query: Parameters<T>) -> Result<T, ServeError> {
    let Query(query) = query.map_err(|error| ServeError::Request(error.body_text()))?;
    Ok(query)
}

/// The variant of a path.
pub fn variant_of(name: &str) -> Result<&'static Variant, ServeError> {
    Ok(variants::named(name)?)
}

/// A response with JSON.
pub fn json_response(value: &impl Serialize) -> Result<Response, ServeError> {
    let body = json_line(value).map_err(|error| ServeError::Internal(error.to_string()))?;
    let json = HeaderValue::from_static("application/json");
    Ok(([(CONTENT_TYPE, json)], body).into_response())
}
