//! A UCI engine over the tables: from a line to a command, a search, an answer.

pub mod command;

mod folder_tables;

pub mod game;

pub mod budget;

pub mod signals;

pub mod score;

mod evaluation;

pub mod transpositions;

pub mod report;

mod node_search;

mod deepening;

mod table_moves;

pub mod search;

mod setting;

pub mod engine;
