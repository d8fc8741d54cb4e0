//! Progress of squares, reported in slots.
//!
//! Blocks have the squares of tiles, of which some have no slot: with pawns up to a quarter. Each
//! share of the squares counts as an equal share of the slots, so the last square completes all
//! slots.

use sakmak_tables::board::square::SQUARES;
use sakmak_tables::tiles::tile::Tiles;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts squares and reports slots.
pub struct SquareProgress<'a> {
    squares: u64,
    slots: u64,
    done: AtomicU64,
    /// Called from all threads with the number of slots just done.
    report: &'a (dyn Fn(u64) + Sync),
}

impl<'a> SquareProgress<'a> {
    /// Returns the progress of all squares of these tiles.
    pub fn new(tiles: &Tiles, report: &'a (dyn Fn(u64) + Sync)) -> SquareProgress<'a> {
        let squares = tiles.len() * SQUARES as u64;
        SquareProgress { squares, slots: tiles.index().slots(), done: AtomicU64::new(0), report }
    }

    /// Adds squares that are done.
    pub fn advance(&self, squares: u64) {
        let before = self.done.fetch_add(squares, Ordering::Relaxed);
        (self.report)(self.slots_of(before + squares) - self.slots_of(before));
    }

    /// Returns the slots that this many squares count as.
    fn slots_of(&self, squares: u64) -> u64 {
        let share = u128::from(squares.min(self.squares)) * u128::from(self.slots);
        share.checked_div(self.squares.into()).unwrap_or(0) as u64
    }
}
