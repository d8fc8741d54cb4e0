//! Limit of the memory of all unread answers and of all bodies of requests.

use crate::error::ServeError;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The memory for unread answers and bodies of requests.
#[derive(Debug)]
pub struct UnreadAnswers {
    /// A permit for each byte.
    free: Arc<Semaphore>,
}

/// A body that holds memory until its bytes are sent.
struct HeldBody {
    body: Body,
    /// Moves to the bytes, which may outlive the body in the connection.
    held: Option<OwnedSemaphorePermit>,
}

/// Bytes that hold memory.
struct HeldBytes {
    bytes: Bytes,
    _held: OwnedSemaphorePermit,
}

impl UnreadAnswers {
    /// Memory for this many bytes.
    pub fn new(bytes: usize) -> UnreadAnswers {
        UnreadAnswers { free: Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS))) }
    }

    /// Reserves memory for the body of a request. `None` if too little memory is free.
    pub fn hold_body(&self, bytes: u64) -> Option<OwnedSemaphorePermit> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        Arc::clone(&self.free).try_acquire_many_owned(bytes).ok()
    }

    /// Reserves memory for a response until the client has read it. Returns the error of a busy
    /// service if too little memory is free.
    pub fn hold(&self, response: Response) -> Response {
        let size = response.body().size_hint().lower();
        if size == 0 {
            return response;
        }
        let Some(held) = self.hold_body(size) else {
            return ServeError::Busy.into_response();
        };
        response.map(|body| Body::new(HeldBody { body, held: Some(held) }))
    }
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        let held = match &frame {
            Poll::Ready(Some(Ok(frame))) if frame.is_data() => self.held.take(),
            _ => None,
        };
        let Some(held) = held else { return frame };
        let hold = |bytes| Bytes::from_owner(HeldBytes { bytes, _held: held });
        frame.map(|frame| frame.map(|frame| frame.map(|frame| frame.map_data(hold))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use std::task::Waker;

    fn bytes_of(response: Response) -> Bytes {
        let mut body = response.into_body();
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(&mut body).poll_frame(&mut context) {
            Poll::Ready(Some(Ok(frame))) => frame.into_data().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn answers_hold_memory_until_their_bytes_are_gone() {
        let answers = UnreadAnswers::new(100);
        let hold = |size: usize| answers.hold("x".repeat(size).into_response());
        let (first, empty) = (hold(60), hold(0));
        assert_eq!(empty.status(), StatusCode::OK);
        assert_eq!(hold(41).status(), StatusCode::SERVICE_UNAVAILABLE);
        // The body is dropped; its bytes are not written yet.
        let bytes = bytes_of(first);
        assert_eq!(bytes.len(), 60);
        assert_eq!(hold(41).status(), StatusCode::SERVICE_UNAVAILABLE);
        drop(bytes);
        assert_eq!(hold(100).status(), StatusCode::OK);
        // The client has read nothing of this answer.
        assert_eq!(hold(100).status(), StatusCode::OK);
        assert_eq!(hold(101).status(), StatusCode::SERVICE_UNAVAILABLE);
        // Bodies of requests have the same bound.
        let body = answers.hold_body(60).unwrap();
        assert!(answers.hold_body(41).is_none());
        assert_eq!(hold(41).status(), StatusCode::SERVICE_UNAVAILABLE);
        drop(body);
        assert!(answers.hold_body(100).is_some());
    }
}
