//! Queries of the games of `sakmak-boards`, in the [grammar](crate::query) of all queries.
//!
//! A position shares its slot with its mirror images and, where both sides have the same men, with those
//! with the sides exchanged. As in the queries of chess, a match is a slot and the first of its images
//! that meets the condition, and all such images are counted.

mod facts;
mod language;
mod search;

pub use language::{BoardCondition, parse};
pub use search::{BoardMatch, BoardQuery, BoardQueryError};
