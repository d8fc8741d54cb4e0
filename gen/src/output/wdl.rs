//! Verdict files made and verified: the category of every position at a fresh count, as a
//! search asks for it.
//!
//! ```text
//! for a few homes, each way to hang the king tiles: coded on trial      -> the smallest way
//! for each home, all threads at work:
//!     codes of the tables -> verdicts of all its slots                   section
//!     64 king tiles at a time: runs of king tiles one pattern can stand for   coding
//! patterns numbered, the most frequent first; sheets put together         assembling
//! read again and compared with the tables                                 verifying
//! ```
//!
//! Slots that are no legal position may hold anything, which makes most neighbouring
//! king tiles alike.

mod allowed;
mod assemble;
mod captures;
mod coding;
mod grades;
mod make;
mod section;
mod tables;
mod unfolded;
mod verify;

pub use make::{MakeError, Verdicts, make, opened};
pub use tables::Tables;
pub use verify::{VerifyWdlError, verify_wdl};
