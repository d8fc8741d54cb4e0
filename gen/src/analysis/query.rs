//! Positions of a table that meet a condition: counted, listed, drawn at random.
//!
//! A condition is a short text, `side=white and win and not in_time`; its words are in
//! [`parse`]. It is worked out for 64 slots at a time, a bit each:
//!
//! ```text
//! text -> Expression -> for each image of a slot: Mask over rows of 64 slots
//!                           codes    a table of codes, yes or no
//!                           squares  the pieces that do not move in the row, and the last one
//! ```
//!
//! A slot stands for its images under the turns of the board, and where both sides have the
//! same pieces for those with colours changed too. A condition on squares may hold for some of
//! them only, so that it is asked of each. What is found is a slot and the first of its
//! images that meets the condition; what is counted is slots and, apart, all such images.
//!
//! Codes come window by window, so that a table need not be in memory.

mod clock;
mod error;
mod expression;
mod hit;
mod mask;
mod pieces;
mod parse;
mod region;
mod scan;
mod search;
mod code_set;
mod token;
mod image;
mod zugzwang;

pub use error::QueryError;
pub use expression::{Comparison, Condition, Expression, Measure, Wdl};
pub use hit::QueryMatch;
pub use parse::{ParseError, parse};
pub use search::{MatchCount, Query};
