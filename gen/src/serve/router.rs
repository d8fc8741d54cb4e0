//! The paths of the service, and what holds for all of them.

use crate::serve::service::{Service, no_method, page, position};
use axum::Router;
use axum::routing::get;
use std::sync::Arc;
use tower_http::compression::CompressionLayer;
use tower_http::cors::CorsLayer;

/// The paths of a service.
pub fn router(service: &Arc<Service>) -> Router {
    Router::new()
        .route("/{variant}", get(position))
        .fallback(page)
        .method_not_allowed_fallback(no_method)
        .layer(CompressionLayer::new())
        .layer(CorsLayer::permissive())
        .with_state(Arc::clone(service))
}
