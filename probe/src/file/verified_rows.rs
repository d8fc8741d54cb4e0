//! The rows of a file that matched their checksums. A row is checked when it is first read.

use crate::file::map::prefetch_line;
use std::sync::atomic::{AtomicU64, Ordering};

/// A bit for each row of a file, set once the row is verified.
#[derive(Debug)]
pub struct VerifiedRows(Box<[AtomicU64]>);

impl VerifiedRows {
    /// This many rows, none of them verified.
    pub fn new(rows: u64) -> VerifiedRows {
        VerifiedRows((0..rows.div_ceil(u64::BITS.into())).map(|_| AtomicU64::new(0)).collect())
    }

    /// The word with the bit of a row, and the bit. `None` past the last word.
    #[inline]
    fn bit(&self, row: u64) -> Option<(&AtomicU64, u64)> {
        let bits = u64::from(u64::BITS);
        Some((self.0.get((row / bits) as usize)?, 1 << (row % bits)))
    }

    /// Whether a row was verified.
    #[inline]
    pub fn contains(&self, row: u64) -> bool {
        // `Relaxed`: the bit guards no other memory; a change of the file is an error.
        self.bit(row).is_some_and(|(word, bit)| word.load(Ordering::Relaxed) & bit != 0)
    }

    /// Marks a row as verified.
    pub fn insert(&self, row: u64) {
        if let Some((word, bit)) = self.bit(row) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Starts to load the bit of a row.
    #[inline]
    pub fn prefetch(&self, row: u64) {
        if let Some((word, _)) = self.bit(row) {
            prefetch_line(word);
        }
    }
}
