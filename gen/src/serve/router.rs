//! The paths of the service, and what holds for all of them.

use crate::serve::observer::observe;
use crate::serve::service::{
    Service, health, mainline, metrics, no_method, page, position, positions, variants,
};
use crate::serve::trainer::{draw, lists};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::Method;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use std::sync::Arc;
use std::time::Duration;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};

/// The time for which a browser may keep the permission to ask from another site.
const PERMISSION: Duration = Duration::from_secs(24 * 60 * 60);

/// The paths of a service.
pub fn router(service: &Arc<Service>) -> Router {
    let other_sites = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([CONTENT_TYPE])
        .max_age(PERMISSION);
    Router::new()
        .route("/{variant}", get(position).post(positions))
        .route("/{variant}/mainline", get(mainline))
        .route("/{variant}/draw", get(draw))
        .route("/{variant}/lists", get(lists))
        .route("/variants", get(variants))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .fallback(page)
        .method_not_allowed_fallback(no_method)
        .layer(from_fn_with_state(Arc::clone(service), observe))
        .layer(CompressionLayer::new())
        .layer(other_sites)
        .layer(DefaultBodyLimit::max(service.limits.body))
        .with_state(Arc::clone(service))
}
