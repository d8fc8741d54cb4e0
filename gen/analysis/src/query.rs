//! Positions of a table that meet a condition: counted, listed, or drawn at random.
//!
//! A condition is a short text, `side=white and win and not in_time`; [`parse`] lists its words.
//! It is evaluated for 64 slots at a time, one bit per slot:
//!
//! ```text
//! text -> Expression -> for each image of a slot: Mask over rows of 64 slots
//!                           codes    a look-up table by code: in the set or not
//!                           squares  the fixed pieces of the row, and the one that moves in it
//!                           moves    slot by slot, where the other conditions leave it open
//! ```
//!
//! A slot represents its images under the symmetries of the board and, where both sides have the
//! same pieces, those with the colours changed. A condition on squares may hold for some images
//! only, so it is evaluated for each image. A match is a slot and the first of its images that
//! meets the condition; of two slots that are mirror images, only one is a match. A count has two
//! numbers: matches, and all images that meet the condition.
//!
//! Codes are read window by window; the table need not be in memory.

mod clock;
mod code_set;
mod expression;
pub(crate) mod grammar;
mod image;
pub(crate) mod language;
mod mask;
mod mirror;
mod order;
mod parse;
mod parse_error;
mod pieces;
pub(crate) mod region;
mod scan;
mod search;
mod slot_test;
mod token;
pub(crate) mod words;

pub use clock::QueryError;
pub use expression::{
    Apart, Comparison, Condition, Expression, Measure, MoveTest, SharedCondition,
};
pub use image::QueryMatch;
pub use order::{MatchOrder, MatchRank, OrderColumn};
pub use parse::parse;
pub use parse_error::ParseError;
pub use scan::OtherCounted;
pub use search::{MatchCount, Query};
