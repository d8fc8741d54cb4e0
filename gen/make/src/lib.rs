//! Tables in files: solved, written, packed, verified, many in a batch and within any memory.
//!
//! Modules come in the order in which they build on one another:
//!
//! ```text
//! system -> store -> output -> census -> verify -> batch
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods))]

/// The machine: memory, disk, files written atomically.
pub mod system {
    pub mod hexadecimal;

    pub mod clock;

    pub mod machine;

    pub mod directory;

    pub mod regular_file;

    pub mod open_files;

    pub mod transient;

    pub mod lock_file;

    pub mod atomic_file;

    pub mod scratch_file;

    pub mod temporary_directory;

    pub use bytesize::ByteSize;
}

pub mod store;

/// Writers of files: solved, packed, WDL, and those of board games.
pub mod output {
    mod hashed_writer;

    mod transposed;

    pub mod solved;

    pub mod packed;

    pub mod wdl;

    pub mod boards;
}

pub mod census;

pub mod verify;

/// Batches: the order of tables, memory and disk limits, and several processes.
pub mod batch {
    pub mod settings;

    pub mod need;

    pub mod step;

    mod planner;

    pub mod plan;

    pub mod claim;

    mod presence;

    pub mod report;

    mod workshop;

    mod schedule;

    mod chess;

    pub mod boards;

    mod job;

    mod forecast;
}
