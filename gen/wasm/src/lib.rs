//! Sakmak in a page or in Node: the answers of the service, without a service.
//!
//! ```text
//! border    plain exports and imports of WebAssembly; the only unsafe code
//! module    requests and answers as text
//! sources   tables: files of the host, and tables of few men solved on the spot
//! ```
//!
//! The host has the bytes of files. If it lacks some, it notes them, the answer is that it would
//! block, and the host asks again when it has fetched them all: see
//! [`Answers`](sakmak_requests::answer::Answers).

#[cfg(target_family = "wasm")]
mod border;

pub mod module;

pub mod sources;
