//! Decoded blocks kept for the next look-up: bounded, and split so that threads seldom
//! wait for one another.
//!
//! Each shard is a clock: blocks stand in a ring, a look-up marks its block, and whoever
//! needs room goes round, clearing marks, and takes out the first block without one.

use sakmak_tables::format::offsets::BlockNumber;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Shards of a cache, a power of two.
const SHARDS: usize = 16;

/// Which block of which table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockKey {
    /// The table, numbered by its tablebase.
    pub table: u32,
    /// The block.
    pub block: BlockNumber,
}

/// Decoded blocks, at most so many bytes of them.
#[derive(Debug)]
pub struct BlockCache {
    shards: [Mutex<Shard>; SHARDS],
    /// Bytes a shard may hold.
    room: usize,
}

#[derive(Debug, Default)]
struct Shard {
    places: HashMap<BlockKey, usize>,
    ring: Vec<Kept>,
    hand: usize,
    bytes: usize,
}

#[derive(Debug)]
struct Kept {
    key: BlockKey,
    codes: Arc<Vec<u8>>,
    asked_for: bool,
}

impl BlockCache {
    /// A cache of at most so many bytes of codes.
    pub fn new(bytes: usize) -> BlockCache {
        BlockCache { shards: Default::default(), room: bytes / SHARDS }
    }

    /// The codes of a block, if they are here.
    pub fn get(&self, key: BlockKey) -> Option<Arc<Vec<u8>>> {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        let place = *shard.places.get(&key)?;
        let kept = shard.ring.get_mut(place)?;
        kept.asked_for = true;
        Some(Arc::clone(&kept.codes))
    }

    /// Keeps the codes of a block, others going for it. Blocks too large for a shard are
    /// not kept; of a block that is here already the longer codes stay.
    pub fn insert(&self, key: BlockKey, codes: &Arc<Vec<u8>>) {
        if codes.len() > self.room {
            return;
        }
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        // It may be here with fewer codes, or another thread may have decoded it meanwhile.
        if let Some(&place) = shard.places.get(&key) {
            shard.replace(place, codes);
            while shard.bytes > self.room {
                shard.evict();
            }
            return;
        }
        while shard.bytes + codes.len() > self.room {
            shard.evict();
        }
        let place = shard.ring.len();
        shard.places.insert(key, place);
        shard.ring.push(Kept { key, codes: Arc::clone(codes), asked_for: false });
        shard.bytes += codes.len();
    }

    /// Bytes of codes kept now.
    pub fn bytes(&self) -> usize {
        let bytes =
            |shard: &Mutex<Shard>| shard.lock().unwrap_or_else(PoisonError::into_inner).bytes;
        self.shards.iter().map(bytes).sum()
    }

    fn shard(&self, key: BlockKey) -> &Mutex<Shard> {
        // Neighbouring blocks go to different shards, as do first blocks of tables.
        let mixed = (key.block.0 ^ u64::from(key.table) << 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.shards[(mixed >> 32) as usize % SHARDS]
    }
}

impl Shard {
    /// Puts longer codes in the place of a block's.
    fn replace(&mut self, place: usize, codes: &Arc<Vec<u8>>) {
        let Some(kept) = self.ring.get_mut(place) else { return };
        if kept.codes.len() < codes.len() {
            self.bytes += codes.len() - kept.codes.len();
            kept.codes = Arc::clone(codes);
        }
    }

    /// Takes out one block not asked for since the hand last passed it.
    fn evict(&mut self) {
        loop {
            if self.hand >= self.ring.len() {
                self.hand = 0;
            }
            match self.ring.get_mut(self.hand) {
                Some(kept) if kept.asked_for => {
                    kept.asked_for = false;
                    self.hand += 1;
                }
                Some(_) => break,
                None => {
                    // Nothing is left to take out.
                    self.bytes = 0;
                    return;
                }
            }
        }
        let gone = self.ring.swap_remove(self.hand);
        self.places.remove(&gone.key);
        self.bytes = self.bytes.saturating_sub(gone.codes.len());
        // The last one stands in its place now.
        if let Some(moved) = self.ring.get(self.hand) {
            self.places.insert(moved.key, self.hand);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(block: u64) -> BlockKey {
        BlockKey { table: 1, block: BlockNumber(block) }
    }

    #[test]
    fn the_bound_holds_and_blocks_asked_for_stay_longer() {
        let cache = BlockCache::new(SHARDS * 4 * 100);
        cache.insert(key(0), &Arc::new(vec![7; 100]));
        for block in 1..1000 {
            assert_eq!(cache.get(key(0)).as_deref(), Some(&vec![7; 100]), "at {block}");
            cache.insert(key(block), &Arc::new(vec![block as u8; 100]));
            assert!(cache.bytes() <= SHARDS * 4 * 100);
        }
        for block in 0..1000 {
            if let Some(codes) = cache.get(key(block)) {
                assert!(block == 0 || codes[0] == block as u8);
            }
        }
        assert_eq!(cache.bytes(), SHARDS * 4 * 100);
    }

    #[test]
    fn of_a_block_the_longer_codes_stay() {
        let cache = BlockCache::new(SHARDS * 4 * 100);
        for (length, kept) in [(10, 10), (5, 10), (20, 20)] {
            cache.insert(key(7), &Arc::new(vec![1; length]));
            assert_eq!(cache.get(key(7)).map(|codes| codes.len()), Some(kept));
            assert_eq!(cache.bytes(), kept);
        }
        for block in 0..1000 {
            cache.insert(key(block), &Arc::new(vec![1; 50]));
            cache.insert(key(block), &Arc::new(vec![1; 120]));
            assert!(cache.bytes() <= SHARDS * 4 * 100);
        }
    }

    #[test]
    fn what_does_not_fit_is_not_kept() {
        for bytes in [0, SHARDS * 99] {
            let cache = BlockCache::new(bytes);
            cache.insert(key(0), &Arc::new(vec![0; 100]));
            assert_eq!(cache.get(key(0)), None);
            assert_eq!(cache.bytes(), 0);
        }
    }
}
