//! The program `sakmak` as users run it: its output, exit codes and files.

#![allow(clippy::disallowed_methods)]

mod atlas_games;
mod bad_input;
mod batch;
mod boards;
mod boards_report;
mod check;
mod check_cases;
mod check_files;
mod check_mutated;
mod colour;
mod counts;
mod damaged;
mod data;
mod dialects;
mod disk;
mod documents;
mod fetch;
mod fifty_moves;
#[path = "../../make/tests/forged/mod.rs"]
mod forged;
mod games;
mod generate;
mod generate_packed;
mod interrupted;
mod kar_ouk;
mod label;
mod lawful;
mod layout;
mod likeness;
mod manual;
mod memory;
mod modules;
mod odd_files;
mod output;
mod packed;
mod positions;
mod probe;
mod progress;
mod query;
mod report;
mod requirements;
mod rules_file;
mod sakmak;
mod serve;
mod serve_pages;
mod serve_schema;
#[path = "../served/mod.rs"]
mod served;
mod served_atlas;
mod seven_men;
mod shared;
mod site;
mod stats;
mod trainer;
mod uci;
mod uncounted;
mod verify;
mod wdl;
mod wrong_values;
