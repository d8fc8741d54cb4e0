//! Connections: accepted, timed out, and ended in order.

use crate::limits::ServiceLimits;
use crate::observer::GaugeGuard;
use crate::patient_stream::PatientStream;
use crate::service::Service;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Pause after a failed accept, for instance at the limit of open files.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);

/// Size of the system's send buffer of a connection, in bytes. The system reports room when a third
/// of the buffer is free, so a larger buffer would long hide the reads of a client.
const SENDING: usize = 128 << 10;

/// Serves connections until `ended`, then waits for running requests within the grace period.
/// Returns the number of connections that were cut off after the grace period.
pub async fn serve_connections(
    listener: TcpListener,
    router: Router,
    service: &Service,
    ended: impl Future<Output = ()>,
) -> usize {
    let limits = &service.limits;
    keep_little_to_send(&listener);
    let places = Arc::new(Semaphore::new(limits.connections));
    let connections = GracefulShutdown::new();
    let mut ended = std::pin::pin!(ended);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut ended => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                sleep(ACCEPT_AGAIN).await;
                continue;
            }
        };
        let connection = connections.watch(connection(stream, router.clone(), limits));
        let open = GaugeGuard::new(&service.metrics.connections);
        tokio::spawn(async move {
            // A client that breaks off or is too slow is not an error of the service.
            let _ = connection.await;
            drop((open, place));
        });
    }
    drop(listener);
    let mut shutdown = std::pin::pin!(connections.shutdown());
    let mut has_ended = timeout(limits.grace, &mut shutdown).await.is_ok();
    if !has_ended && service.tables.is_making() {
        let left = limits.making_grace.saturating_sub(limits.grace);
        has_ended = timeout(left, shutdown).await.is_ok();
    }
    if has_ended { 0 } else { limits.connections - places.available_permits() }
}

/// Limits the system's send buffers. A failure costs memory only.
fn keep_little_to_send(listener: &TcpListener) {
    #[cfg(unix)]
    if let Err(error) = rustix::net::sockopt::set_socket_send_buffer_size(listener, SENDING) {
        tracing::warn!("cannot limit what connections hold in the system: {error}");
    }
    #[cfg(not(unix))]
    let _ = (listener, SENDING);
}

/// Serves one connection within these limits.
fn connection(
    stream: TcpStream,
    router: Router,
    limits: &ServiceLimits,
) -> http1::Connection<TokioIo<PatientStream>, TowerToHyperService<Router>> {
    // Otherwise a small answer may wait for an acknowledgement of the client.
    let _ = stream.set_nodelay(true);
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(limits.buffer);
    let stream = PatientStream::new(stream, limits.reading);
    builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
}
