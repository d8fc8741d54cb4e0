//! The paths of the service and their common layers.

use crate::board_pictures::board;
use crate::observer::observe;
use crate::openapi::document;
use crate::service::{Service, VARIANT, answer, health, metrics, no_method, page, positions};
use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{DefaultBodyLimit, MatchedPath, Path, Request};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_METHODS, ALLOW, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use sakmak_probe::variant::Variant;
use std::sync::Arc;
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};

/// Lifetime of a cross-origin permission in a browser.
const PERMISSION: Duration = Duration::from_secs(24 * 60 * 60);

/// Lists the methods of the path. axum lists the methods of the pattern, which a page shares with a
/// variant, and the same cross-origin permission for all paths.
async fn methods_of_path(
    pattern: Option<MatchedPath>,
    variant: Result<Path<String>, PathRejection>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let has_post = pattern.is_some_and(|pattern| pattern.as_str() == VARIANT)
        && variant.is_ok_and(|Path(name)| Variant::named(&name).is_ok());
    let methods = HeaderValue::from_static(if has_post { "GET,HEAD,POST" } else { "GET,HEAD" });
    let is_refused = response.status() == StatusCode::METHOD_NOT_ALLOWED;
    let headers = response.headers_mut();
    if let Some(permitted) = headers.get_mut(ACCESS_CONTROL_ALLOW_METHODS) {
        *permitted = methods.clone();
    }
    if is_refused {
        headers.insert(ALLOW, methods);
    }
    response
}

/// Forbids browsers to guess the media type of an answer.
async fn with_fixed_type(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// The paths of a service.
pub fn router(service: &Arc<Service>) -> Router {
    let other_sites = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([CONTENT_TYPE])
        .max_age(PERMISSION);
    Router::new()
        .route(VARIANT, get(answer).post(positions))
        .route("/{variant}/mainline", get(answer))
        .route("/{variant}/draw", get(answer))
        .route("/{variant}/lists", get(answer))
        .route("/variants", get(answer))
        .route("/{variant}/board.svg", get(board))
        .route("/openapi.json", get(document))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .fallback(page)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(Arc::clone(service), observe))
        .layer(CompressionLayer::new())
        .layer(other_sites)
        .layer(from_fn(methods_of_path))
        .layer(from_fn(with_fixed_type))
        .layer(DefaultBodyLimit::max(service.limits.body))
        .with_state(Arc::clone(service))
}
