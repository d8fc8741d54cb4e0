//! A service over HTTP: answers for positions, and web pages.
//!
//! ```text
//! connections   accept, time out, end         hyper, a task for each connection
//! router        paths, limits, compression    axum and tower-http
//! query         text of a request             -> a question
//! lookups       look-ups on a few threads     never on a thread of the runtime
//! tables        files and tables made here    replaced while the service runs
//! position_json, mainline_json, error         an answer as JSON
//! pages         files inside the program
//! ```
//!
//! No request solves a table of more than [`ON_THE_SPOT`](crate::store::ON_THE_SPOT) men, and no
//! two requests solve at the same time.

pub mod limits;

pub mod error;

pub mod query;

pub mod lookups;

pub mod tables;

pub mod position_json;

pub mod pages;

pub mod service;

pub mod router;

pub mod connections;
