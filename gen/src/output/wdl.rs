//! Verdict files made and verified: the category of every position at a fresh count, as a
//! search asks for it.
//!
//! ```text
//! for a few fixed kings, each way to hang the king tiles: coded on trial      -> the smallest way
//! for each fixed king, all threads at work:
//!     codes of the tables -> verdicts of all its slots                   section
//!     64 king tiles at a time: runs of king tiles one pattern can stand for   coding
//! patterns numbered, the most frequent first; tile groups put together         assembling
//! read again and compared with the tables                                 verifying
//! ```
//!
//! Slots that are no legal position may hold anything, which makes most neighbouring
//! king tiles alike.

mod allowed_categories;
mod assemble;
mod captures;
mod category_table;
mod full_board;
mod make;
mod pattern_runs;
mod section;
mod sources;
mod verify;

pub use make::{MakeError, Verdicts, make, opened};
pub use sources::WdlSources;
pub use verify::{VerifyWdlError, verify_wdl};
