//! Look-ups, a few at a time, on threads that may wait for the disk.

use crate::error::ServeError;
use crate::limits::ServiceLimits;
use sakmak_requests::query::PositionRequest;
use std::sync::Arc;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;

/// The queue in which a request waits. No queue blocks another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LookupQueue {
    /// Of requests that take a millisecond at most.
    Light,
    /// Of requests for lines of best play, which take some ten.
    Lines,
    /// Of requests that search.
    Search,
}

impl LookupQueue {
    /// The queue of a request that does not search.
    pub fn of(request: &PositionRequest) -> LookupQueue {
        if request.lines { LookupQueue::Lines } else { LookupQueue::Light }
    }
}

/// Runs look-ups; those that find no thread free wait in order.
#[derive(Debug)]
pub struct Lookups {
    threads: Arc<Semaphore>,
    /// Running and waiting look-ups.
    places: Semaphore,
}

/// The place of a request among running and waiting ones.
#[derive(Debug)]
pub struct LookupPlace<'a> {
    threads: &'a Arc<Semaphore>,
    _place: SemaphorePermit<'a>,
}

impl Lookups {
    /// Look-ups within these limits.
    pub fn new(limits: &ServiceLimits, queue: LookupQueue) -> Lookups {
        let threads = match queue {
            LookupQueue::Light | LookupQueue::Lines => limits.lookups,
            LookupQueue::Search => limits.searches,
        };
        Lookups {
            threads: Arc::new(Semaphore::new(threads)),
            places: Semaphore::new(threads + limits.waiting),
        }
    }

    /// A place for a request.
    ///
    /// # Errors
    ///
    /// If too many wait.
    pub fn place(&self) -> Result<LookupPlace<'_>, ServeError> {
        let place = self.places.try_acquire().map_err(|_| ServeError::Busy)?;
        Ok(LookupPlace { threads: &self.threads, _place: place })
    }
}

impl LookupPlace<'_> {
    /// Runs a look-up. One whose request is given up still runs to its end, and has its thread
    /// until then.
    ///
    /// # Errors
    ///
    /// If the look-up panics.
    pub async fn run<T: Send + 'static>(
        &self,
        lookup: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ServeError> {
        let thread = Arc::clone(self.threads).acquire_owned().await;
        let thread = thread.map_err(|_| ServeError::Busy)?;
        let run = spawn_blocking(move || {
            let found = lookup();
            drop(thread);
            found
        });
        run.await.map_err(|error| ServeError::internal(format!("a look-up failed: {error}")))
    }
}
