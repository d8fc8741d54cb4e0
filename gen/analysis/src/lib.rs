//! Analysis of whole tables: statistics, queries, zugzwangs, and published results.

pub mod same_material;

pub mod statistics;

pub mod query;

pub mod board_query;

pub mod board_statistics;

pub mod zugzwang;

pub mod colours;

pub mod published;
