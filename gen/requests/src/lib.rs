//! The answers of the service as JSON, without HTTP: for the service itself, and for a module in a
//! page that has no service.
//!
//! ```text
//! request, query                      path and parameters        -> a typed request
//! exercise, draw                      exercises of the trainer
//! mainline_json, variants_json, exercise_json, exercise_lists    beside those of sakmak-probe
//! error                               a status, a code, a line
//! found_answer                        an answer, or only moves into tables
//! answer                              request                    -> JSON, on the calling thread
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod exercise;

pub mod draw;

pub mod error;

pub mod found_answer;

pub mod query;

pub mod exercise_json;

pub mod exercise_lists;

pub mod mainline_json;

pub mod variants_json;

pub mod request;

pub mod answer;
