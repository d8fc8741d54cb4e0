//! The observer of all requests: time limit, metrics, log, and answers that the client has cached.

use crate::error::ServeError;
use crate::pages::ServedPage;
use crate::service::Service;
use axum::body::{Body, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use prometheus_client::metrics::gauge::Gauge;
use std::sync::Arc;
use std::time::Instant;
use tokio::time::timeout;

/// Path label of page files in metrics.
const PAGE: &str = "page";

/// Increments a gauge as long as it lives.
pub struct GaugeGuard(Gauge);

impl GaugeGuard {
    /// Increments the gauge.
    pub fn new(gauge: &Gauge) -> GaugeGuard {
        gauge.inc();
        GaugeGuard(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Answers a request within the time limit, and counts it.
pub async fn observe(
    State(service): State<Arc<Service>>,
    path: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let _in_flight = GaugeGuard::new(&service.metrics.in_flight);
    let start = Instant::now();
    let asked = service.logs_requests.then(|| (request.method().clone(), request.uri().clone()));
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    let limit = service.limits.request;
    // A body without a length may reach the limit.
    let most = service.limits.body as u64;
    let body = request.body().size_hint().upper().unwrap_or(most).min(most);
    let response = match service.unread.hold_body(body) {
        Some(_held) => match timeout(limit, next.run(request)).await {
            Ok(response) => response,
            Err(_) => ServeError::TimedOut(limit.as_secs()).into_response(),
        },
        None => ServeError::Busy.into_response(),
    };
    let unchanged = known.is_some_and(|known| {
        let known = known.to_str().unwrap_or_default();
        tag_of(response.headers()).is_some_and(|tag| is_listed(tag, known))
    });
    let response = if unchanged { not_modified(response) } else { response };
    let response = match response.extensions().get::<ServedPage>() {
        Some(page) if page.is_in_program => response,
        _ => service.unread.hold(response),
    };
    let (time, status) = (start.elapsed(), response.status().as_u16());
    // A page may have the path of a variant.
    let is_page = response.extensions().get::<ServedPage>().is_some();
    let path = path.as_ref().map(MatchedPath::as_str).filter(|_| !is_page).unwrap_or(PAGE);
    service.metrics.answered(path, status, time);
    if let Some((method, uri)) = asked {
        let milliseconds = time.as_micros() as f64 / 1e3;
        tracing::info!(%method, %uri, status, milliseconds, "request");
    }
    response
}

fn tag_of(headers: &HeaderMap) -> Option<&str> {
    headers.get(ETAG)?.to_str().ok()
}

/// Whether a header `If-None-Match` lists a tag.
fn is_listed(tag: &str, known: &str) -> bool {
    known.split(',').map(str::trim).any(|known| known == tag || known == "*")
}

/// A response without its body, for a client that has the body cached.
fn not_modified(response: Response) -> Response {
    let (mut parts, _) = response.into_parts();
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.remove(CONTENT_TYPE);
    Response::from_parts(parts, Body::empty())
}
