//! Probes Sakmak's endgame tables for Makruk and Ouk Chatrang: the crate an engine links.
//!
//! ```
//! use sakmak_probe::{Category, MAKRUK, Plies, Position, Tablebase};
//!
//! # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
//! // A directory of tables made by the program `sakmak`.
//! let tables = Tablebase::open(directory)?;
//!
//! // Black is to move and has counted 30 of the 32 plies of a rook.
//! let position = Position::from_fen(&MAKRUK, "k7/8/K7/8/8/8/8/R7 b - 32 30 1")?;
//!
//! // Distance to mate, without a count.
//! assert_eq!(tables.dtm(&position)?.plies(), Some(Plies(4)));
//! // Result under the count: White forces mate, but too late.
//! assert_eq!(tables.category(&position)?, Category::BlessedLoss);
//! // Result at a fresh count, for every node of a search: White mates in time.
//! assert_eq!(tables.wdl(&position)?, Category::Loss);
//! // The move to play at the root.
//! let best = tables.best_move(&position)?.ok_or("the game is over")?;
//! assert_eq!(best.mv.uci(&MAKRUK), "a8b8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All results are for the side to move. This crate makes no tables and starts no threads;
//! every type may be shared between threads. Tables come in three kinds of files, all found
//! in the directories of a [`Tablebase`]:
//!
//! | file | made by | answers | time of a probe |
//! |---|---|---|---|
//! | solved, `.smt` | `sakmak generate` | distances | some microseconds |
//! | packed, `.smp` | `sakmak pack` | distances, from a quarter of the space or less | tens of microseconds |
//! | WDL, `.smv` | `sakmak wdl` | [`Tablebase::wdl`] | less than a microsecond |
//!
//! Features: `zstd`, the default, decodes blocks of solved and packed files by the C library. Without it
//! `ruzstd` decodes them in Rust, and no C compiler is needed. `json` adds answers as JSON.
//!
//! The root has what an engine needs; [`source`] has sources of tables other than directories.
//! Positions, materials and counting rules are documented in the crate `sakmak-tables`. Modules
//! without documentation here are for the crates of this project and change without notice. Modules
//! build on one another in this order:
//!
//! ```text
//! file, process, memory -> cache, value_cache -> table_cache, source -> tablebase -> json
//!                                                                     -> boards
//! variant
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods))]

#[cfg(not(any(feature = "zstd", feature = "ruzstd", target_family = "wasm")))]
compile_error!("sakmak-probe needs one of the features zstd and ruzstd");

/// Table files: opened, read, checked.
#[doc(hidden)]
pub mod file {
    pub mod map;

    pub mod bytes;

    pub(crate) mod zstd_decoder;

    pub(crate) mod watch;

    pub mod open_file;

    pub(crate) mod block_file;

    pub mod solved;

    pub mod board_game;

    mod verified_rows;

    mod frequent_contexts;

    pub mod packed;

    pub mod wdl;
}

#[doc(hidden)]
pub mod process;

#[doc(hidden)]
pub mod memory;

#[doc(hidden)]
pub mod cache;

#[doc(hidden)]
pub mod value_cache;

#[doc(hidden)]
pub mod table_cache;

mod error;

pub mod source;

#[doc(hidden)]
pub mod tablebase;

#[doc(hidden)]
pub mod variant;

/// Tables of board games.
#[doc(hidden)]
pub mod boards {
    pub mod tables;

    pub mod answer;

    pub mod open;
}

#[cfg(feature = "json")]
pub mod json;

pub use error::ProbeError;
pub use file::bytes::{ACCESS_VARIABLE, Access, AccessError, Bytes};
pub use file::open_file::{FileError, FileProblem};
pub use memory::OutOfMemory;
pub use sakmak_tables::board::bitboard::Bitboard;
pub use sakmak_tables::board::square::Square;
pub use sakmak_tables::counting::{Category, Clock, CountingRule};
pub use sakmak_tables::distance::{Moves, Plies, Value};
pub use sakmak_tables::format::FormatKind;
pub use sakmak_tables::format::metric::Metric;
pub use sakmak_tables::format::name::TableName;
pub use sakmak_tables::material::Material;
pub use sakmak_tables::position::moves::{Move, MoveList};
pub use sakmak_tables::position::{Outcome, Position};
pub use sakmak_tables::rules::Rules;
pub use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
pub use sakmak_tables::values::table::Table;
pub use sakmak_tables::variant::Variant;
pub use sakmak_tables::variants::{self, MAKRUK, OUK};
pub use tablebase::answer::{Answer, Lines};
pub use tablebase::count::Count;
pub use tablebase::counted_position::{CallError, CountedPosition};
pub use tablebase::line::{CountedLine, LineEnd};
pub use tablebase::listing::TableFile;
pub use tablebase::mate_bounds::LookupBudget;
pub use tablebase::moves::RatedMove;
pub use tablebase::searcher::Searcher;
pub use tablebase::solution::Solution;
pub use tablebase::value::TableValues;
pub use tablebase::{CACHE_BYTES, Tablebase};
