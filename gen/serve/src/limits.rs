//! The limits of a service: work in parallel, memory and time.

use std::time::Duration;

/// The limits of a service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceLimits {
    /// Concurrent lookups without lines, and concurrent lookups with lines.
    pub lookups: usize,
    /// Concurrent searches.
    pub searches: usize,
    /// Maximum number of waiting requests in each queue.
    pub waiting: usize,
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum body of a request, in bytes.
    pub body: usize,
    /// Maximum number of positions in one request.
    pub positions: usize,
    /// Time limit of a request, from its headers to its answer.
    pub request: Duration,
    /// Time limit for the headers of a request, and for the next request of a connection.
    pub head: Duration,
    /// Time limit for a client to read a part of its answer.
    pub reading: Duration,
    /// Buffer of a connection in bytes, for incoming headers and for unread answers.
    pub buffer: usize,
    /// Size of the cache of answers in bytes.
    pub kept: usize,
    /// Maximum memory of all unread answers and all bodies of requests, in bytes.
    pub unread: usize,
    /// Grace period of requests when the service ends.
    pub grace: Duration,
    /// Grace period while tables are generated.
    pub making_grace: Duration,
    /// Poll interval for changed tables.
    pub reload: Duration,
}

impl ServiceLimits {
    /// The limits of a machine with this many cores.
    pub const fn of_cores(cores: usize) -> ServiceLimits {
        ServiceLimits {
            lookups: if cores == 0 { 1 } else { cores },
            // The other cores stay free for lookups.
            searches: if cores < 4 { 1 } else { cores / 2 },
            waiting: 1024,
            connections: 12_000,
            body: 64 << 10,
            positions: 100,
            request: Duration::from_secs(20),
            head: Duration::from_secs(20),
            reading: Duration::from_secs(60),
            buffer: 64 << 10,
            kept: 32 << 20,
            unread: 256 << 20,
            grace: Duration::from_secs(2),
            making_grace: Duration::from_secs(10),
            reload: Duration::from_secs(1),
        }
    }
}
