//! Lookups on a few threads that may wait for the disk.

use crate::error::ServeError;
use crate::limits::ServiceLimits;
use sakmak_requests::query::PositionRequest;
use std::sync::Arc;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;

/// The queue in which a request waits. No queue blocks another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LookupQueue {
    /// Requests of at most a millisecond.
    Light,
    /// Requests for lines of best play, of some ten milliseconds.
    Lines,
    /// Requests that search.
    Search,
}

impl LookupQueue {
    /// The queue of a request that does not search.
    pub fn of(request: &PositionRequest) -> LookupQueue {
        if request.lines { LookupQueue::Lines } else { LookupQueue::Light }
    }
}

/// A queue of lookups, which run in order on a limited number of threads.
#[derive(Debug)]
pub struct Lookups {
    threads: Arc<Semaphore>,
    /// A permit for each running or waiting lookup.
    places: Semaphore,
}

/// The permit of a request to wait in a queue.
#[derive(Debug)]
pub struct LookupPlace<'a> {
    threads: &'a Arc<Semaphore>,
    _place: SemaphorePermit<'a>,
}

impl Lookups {
    /// A queue within these limits.
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

    /// Reserves a permit for a request.
    ///
    /// # Errors
    ///
    /// If too many requests wait.
    pub fn place(&self) -> Result<LookupPlace<'_>, ServeError> {
        let place = self.places.try_acquire().map_err(|_| ServeError::Busy)?;
        Ok(LookupPlace { threads: &self.threads, _place: place })
    }
}

impl LookupPlace<'_> {
    /// Runs a lookup. A lookup of a cancelled request runs to its end and holds its thread until
    /// then.
    ///
    /// # Errors
    ///
    /// If the lookup panics.
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
