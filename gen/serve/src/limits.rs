//! The limits of a service: work in parallel, memory and time.

use std::time::Duration;

/// The limits of a service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceLimits {
    /// Look-ups at a time, and as many for lines beside them.
    pub lookups: usize,
    /// Searches at a time, beside both.
    pub searches: usize,
    /// Requests that may wait in each of these queues.
    pub waiting: usize,
    /// Open connections.
    pub connections: usize,
    /// Bytes of the body of a request.
    pub body: usize,
    /// Positions in one request.
    pub positions: usize,
    /// The time for one request, from its headers to its answer.
    pub request: Duration,
    /// The time for the headers of a request, and for the next request of a connection.
    pub head: Duration,
    /// The time in which a client that is to read an answer must read some of it.
    pub reading: Duration,
    /// Bytes of a connection that wait in memory: of headers that arrive, and of answers that are
    /// not read.
    pub buffer: usize,
    /// Bytes of answers that are kept to be given again.
    pub kept: usize,
    /// Bytes of all answers that are not read, and of all bodies of requests.
    pub unread: usize,
    /// The time for requests to end when the service ends.
    pub grace: Duration,
    /// The time for requests to end while tables are made.
    pub making_grace: Duration,
    /// The time between two polls for replaced tables.
    pub reload: Duration,
}

impl ServiceLimits {
    /// The limits of a machine with this many cores.
    pub const fn of_cores(cores: usize) -> ServiceLimits {
        ServiceLimits {
            lookups: if cores == 0 { 1 } else { cores },
            // The others stay free for look-ups.
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
