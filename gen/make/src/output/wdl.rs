//! Makes and verifies WDL files: the category of every position at a fresh count, for search.
//!
//! ```text
//! some fixed kings, each swept king, order, filling:  code a sample on trial    trial
//! the best:  frequent strings of categories become symbols                      grammar, parser
//! for each fixed king, in parallel:
//!     codes of the tables -> categories that each cell allows                   section, captures, king_cells
//!     one of them for each cell, in runs -> symbols                             allowed, rows
//! counts of the symbols by context -> codes -> bytes                            codes, rows
//! decode all rows and compare                                                   make
//! ```
//!
//! Cells without a legal position are don't-care: any category is allowed there.

mod allowed;
mod captures;
mod category_bits;
mod codes;
mod full_board;
mod grammar;
mod king_cells;
mod make;
mod parser;
mod rows;
mod section;
mod sources;
mod trial;
mod verify;

pub use make::{MakeWdlError, make, opened};
pub(crate) use section::section_bytes;
pub use sources::WdlSources;
pub(crate) use sources::capture_bytes;
pub use verify::{VerifyWdlError, verify_wdl};
