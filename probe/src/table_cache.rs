//! The memory for decoded blocks and values, which tablebases may share.
//!
//! A table has a unique number in its cache, so tables of different rules, and tables of a
//! directory that was opened again, are never confused. The least recently used blocks of all
//! tables are evicted.

use crate::cache::BlockCache;
use crate::memory::{OutOfMemory, ensure_available};
use crate::value_cache::ValueCache;
use std::sync::atomic::{AtomicU32, Ordering};

/// Fraction 1/n of the cache used for values.
const VALUE_PART: usize = 8;

/// Number of tables after which a cache is spent. Keys of blocks and of values have room for twice
/// as many tables, so no table is slower before.
const NUMBERS: u32 = 1 << 22;

/// Decoded blocks and values, up to a bound on their bytes.
#[derive(Debug)]
pub struct TableCache {
    pub(crate) blocks: BlockCache,
    pub(crate) values: ValueCache,
    /// The number of the next table, from 1.
    next_table: AtomicU32,
}

impl TableCache {
    /// A cache of at most this many bytes. It allocates memory while it is filled, and stops
    /// growing when the system has none left.
    ///
    /// # Errors
    ///
    /// If less memory is available.
    pub fn new(bytes: usize) -> Result<TableCache, OutOfMemory> {
        ensure_available(bytes)?;
        Ok(TableCache::unchecked(bytes))
    }

    /// [`TableCache::new`] without a check of the available memory.
    pub(crate) fn unchecked(bytes: usize) -> TableCache {
        TableCache::with_next(bytes, 1)
    }

    /// An empty cache in which the tables of this cache keep their numbers.
    pub(crate) fn successor(&self, bytes: usize) -> TableCache {
        TableCache::with_next(bytes, self.next_table.load(Ordering::Relaxed))
    }

    fn with_next(bytes: usize, next_table: u32) -> TableCache {
        TableCache {
            blocks: BlockCache::new(bytes - bytes / VALUE_PART),
            values: ValueCache::new(bytes / VALUE_PART),
            next_table: AtomicU32::new(next_table),
        }
    }

    /// The bytes of decoded blocks.
    pub fn bytes(&self) -> usize {
        self.blocks.bytes()
    }

    /// Whether so many tables were opened that a new cache should replace this one. Keys will have
    /// no room for the numbers of further tables, whose blocks are then not cached.
    pub fn is_spent(&self) -> bool {
        self.next_table.load(Ordering::Relaxed) > NUMBERS
    }

    /// Returns a unique table number in this cache.
    pub fn new_table(&self) -> u32 {
        self.next_table.fetch_add(1, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_spent_long_before_numbers_of_tables_do_not_fit() {
        let cache = TableCache::unchecked(0);
        for number in 1..=NUMBERS {
            assert!(!cache.is_spent());
            assert_eq!(cache.new_table(), number);
        }
        assert!(cache.is_spent());
        assert!(TableCache::new(1 << 60).is_err());
    }
}
