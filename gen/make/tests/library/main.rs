//! The laws of tables: each file compares results with another way to them.
//!
//! One program, so that it is linked once and its tests run side by side.

#![allow(clippy::disallowed_methods)]

mod answers;
mod board_files;
mod boards_equal_planes;
mod chess;
mod counted_equals_reference;
mod counted_in_play;
mod end_rules;
mod files;
#[path = "../forged/mod.rs"]
mod forged;
mod from_scratch;
mod from_scratch_packed;
mod from_scratch_wdl;
mod frozen_endings;
mod mates_in_time;
mod neighbours;
mod packed_files;
mod paged_tables;
mod plane_equals_reference;
mod published;
mod right_tables;
/// Parts of readers written from `FORMAT.md` alone.
mod scratch {
    pub mod attacks;
    pub mod packed;
    pub mod slots;
    pub mod symbols;
}
mod solutions;
mod solved;
mod solver;
mod uncounted;
mod under_the_count;
mod unreliable_files;
mod verify;
mod wdl;
