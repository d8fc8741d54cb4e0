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
//! A slot represents its images under the symmetries of the board. If both sides have the same
//! pieces, it also represents the images with exchanged colours. A condition on squares may hold
//! for some images only, so it is evaluated for each image. A match is a slot and its first image
//! that meets the condition. If two slots are mirror images, only one of them is a match. A count
//! has two numbers: matches, and all images that meet the condition.
//!
//! Codes are read window by window; the table may be on disk.

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
    Comparison, Condition, Expression, Measure, MenDistance, MoveTest, SharedCondition,
};
pub use image::QueryMatch;
pub use order::{MatchOrder, MatchRank, OrderColumn};
pub use parse::parse;
pub use parse_error::ParseError;
pub use scan::OtherRuleTable;
pub use search::{MatchCount, Query};
