//! What whole tables hold: statistics, queries, zugzwangs, and what has been published of them.

pub mod statistics;

pub mod query;

pub mod zugzwang;

pub mod colours;

pub mod published;
