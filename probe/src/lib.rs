//! Answers from Sakmak table files: what an engine links.
//!
//! This crate makes no tables and starts no thread; all of it may be used from many threads.
//! Modules come in the order in which they build on one another:
//!
//! ```text
//! file -> cache -> tablebase -> answer
//! ```

/// Table files: opened, looked up, checked.
pub mod file {
    pub mod map;

    pub mod bytes;

    mod zstd_decoder;

    pub mod open_file;

    pub mod solved;

    pub mod packed;

    pub mod wdl;
}

pub mod cache;

mod error;
pub use error::ProbeError;

pub mod tablebase;

pub mod answer;
