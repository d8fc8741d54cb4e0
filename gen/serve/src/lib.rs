//! A service over HTTP: answers for positions, and web pages.
//!
//! ```text
//! connections   accept, time out, end         hyper, a task for each connection
//! router        paths, limits, compression    axum and tower-http
//! lookups       look-ups on a few threads     never on a thread of the runtime
//! tables        files and tables made here    opened again when files change
//! inventory     tables and files              -> start_log, metrics
//! opened_tables files that are open, and tables made here
//! service       requests, answers, pages
//! board_pictures    boards of Janggi, Rek and Min Rek Chanh as SVG
//! board_games   those games that have tables  -> /variants
//! openapi       paths and types               -> /openapi.json
//! exercise_lists    lists of exercises, from a file in the program
//! pages         files inside the program
//! served_atlas  files of a report             in the language of the reader
//! answer_cache  cached answers
//! observer      time limit, metrics, log, ETag
//! unread        memory of answers that clients have not read
//! ```
//!
//! No request solves a table of more than [`ON_THE_SPOT`](sakmak_make::store::ON_THE_SPOT) men, and
//! no two requests solve at the same time.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod limits;

pub mod error;

pub mod metrics;

pub mod lookups;

pub mod inventory;

pub mod opened_tables;

pub mod exercise_lists;

pub mod tables;

pub mod start_log;

pub mod reloader;

pub mod positions_body;

pub mod pages;

pub mod served_atlas;

pub mod preview;

pub mod answer_cache;
mod board_games;

pub mod service;

mod board_pictures;

pub mod openapi;

pub mod unread;

pub mod observer;

pub mod router;

pub mod patient_stream;

pub mod connections;
