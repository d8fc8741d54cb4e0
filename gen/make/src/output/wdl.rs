//! Makes and verifies WDL files: the category of every position at a fresh count, for search.
//!
//! ```text
//! for a few fixed kings, each order of king tiles, some rows: encode on trial    -> the smallest order
//! for some fixed kings: count patterns, number the frequent ones                 dictionary
//! for each fixed king, in parallel:
//!     codes of the tables -> categories of all its slots                         section
//!     64 king tiles at a time: runs with one pattern each                        runs
//!     the shortest token for each run                                            tokens
//!     64 tile groups: a row, decoded again and compared                          rows
//! join the rows                                                                  assemble
//! ```
//!
//! Squares without a legal position are don't-care: any category is allowed there, which makes
//! most neighbouring king tiles equal.

mod allowed_categories;
mod assemble;
mod captures;
mod category_planes;
mod code_categories;
mod dictionary;
mod full_board;
mod make;
mod rows;
mod runs;
mod section;
mod sources;
mod tokens;
mod verify;

pub(crate) use make::wanted_bytes;
pub use make::{MakeWdlError, make, open, opened};
pub(crate) use section::section_bytes;
pub use sources::WdlSources;
pub(crate) use sources::capture_bytes;
pub use verify::{VerifyWdlError, verify_wdl};
