//! Sakmak in a page or in Node: the answers of the service, without a service.
//!
//! ```text
//! border    plain exports and imports of WebAssembly; the only unsafe code
//! module    requests and answers as text
//! announce  lookups ahead, so that the host fetches in few steps
//! sources   tables: files of the host, and tables of few men solved on the spot
//! ```
//!
//! The host has the bytes of files. If it lacks some, it notes them, the answer is that it would
//! block, and the host asks again when it has fetched them all: see
//! [`AnswerError::would_block`](sakmak_requests::error::AnswerError::would_block).

#[cfg(target_family = "wasm")]
mod border;

mod announce;

pub mod module;

pub mod sources;
