//! Makes tables, verifies them, and answers questions about whole tables and games.
//!
//! Modules come in the order in which they build on one another:
//!
//! ```text
//! system -> slots -> planes -> solver -> store -> verify -> analysis -> output -> build
//!        -> lookup -> games -> uci -> language -> atlas -> trainer -> serve
//! ```

/// What the machine gives: memory, disk, files written as a whole.
pub mod system {
    pub mod clock;

    pub mod machine;

    pub mod directory;

    pub mod open_files;

    pub mod transient;

    pub mod lock_file;

    pub mod atomic_file;

    pub mod scratch_file;

    pub use bytesize::ByteSize;
}

pub mod store;

pub mod verify;

/// What whole tables hold: counts, statistics, queries, zugzwangs.
pub mod analysis {
    pub mod census;

    pub mod statistics;

    pub mod query;

    pub mod zugzwang;

    pub mod colours;
}

/// Files written: solved, packed and WDL.
pub mod output {
    pub mod solved;

    pub mod packed;

    pub mod wdl;
}

/// Batches: which tables, in which order, within which memory, by which process.
pub mod build {
    pub mod need;

    pub mod plan;

    pub mod claim;

    pub mod batch;

    pub mod packed_batch;
}

/// Questions about positions as players ask them, and the answers as JSON.
pub mod lookup {
    pub mod question;

    pub mod json;

    pub mod answer_json;
}

/// Games: read from PGN, replayed, held against the tables.
pub mod games {
    pub mod pgn;

    pub mod mets;

    pub mod dialect;

    pub mod reading;

    pub mod assumption;

    pub mod game_error;

    pub mod replay;

    pub mod review;
}

/// An engine over the tables, by the protocol UCI: from a line to a command, a search, an answer.
pub mod uci {
    pub mod command;

    pub mod game;

    pub mod budget;

    pub mod signals;

    pub mod score;

    mod evaluation;

    pub mod transpositions;

    pub mod report;

    mod node_search;

    mod deepening;

    mod table_moves;

    pub mod search;

    mod setting;

    pub mod engine;
}

pub mod language;

pub mod atlas;

pub mod trainer;

pub mod serve;
