//! Solves tables in memory.
//!
//! Modules come in the order in which they build on one another:
//!
//! ```text
//! parallel -> slots -> planes -> solver
//!          -> boards
//! ```
//!
//! Without the feature `threads`, which is on by default, all work is done on the calling thread.
//!
//! This crate uses no file, clock or signal: the caller provides storage for data that does not fit
//! into memory, see [`ScratchFolder`](solver::scratch::ScratchFolder).

mod parallel;

/// Whole tables read slot by slot, from memory or disk.
pub mod slots {
    pub mod walk;

    pub mod legal;

    pub mod code_run;

    pub mod paged_table;

    pub mod definition;

    pub mod one_ply;
}

/// Planes: 4,096 slots of two pieces, a bit each, and their legality.
pub mod planes {
    pub(crate) mod bits;

    pub(crate) mod geometry;

    pub(crate) mod frame;

    pub(crate) mod check;

    pub mod legal_rows;
}

pub mod solver;

/// Tables of board games, whose materials are not planes of 64 squares.
pub mod boards {
    pub mod progress;

    pub mod tables;

    mod lookahead;

    mod events;

    mod backward;

    mod planes;

    pub mod solver;

    pub mod verify;
}
