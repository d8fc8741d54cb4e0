//! The lock-free cache under the model checker loom, which runs a test once for each order in
//! which threads and memory may behave. A set has two ways there, and a line two words.
//!
//! ```sh
//! RUSTFLAGS="--cfg loom" cargo test --release -p sakmak-probe --test cache_model
//! ```
#![cfg(loom)]

use loom::model::Builder;
use loom::sync::Arc;
use loom::thread::{self, JoinHandle};
use sakmak_probe::cache::{BlockCache, BlockKey, LINE, WAYS};
use sakmak_tables::format::solved::offsets::BlockNumber;

/// Offsets in the first and the second word of a line.
const WORDS: [usize; 2] = [0, LINE / 2];

fn key(block: u64) -> BlockKey {
    BlockKey { table: 1, block: BlockNumber(block), length: LINE }
}

/// Runs a test in all orders with up to this many preemptions of a thread.
fn all_orders(preemptions: usize, test: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(test);
}

/// A cache of one set.
fn one_set() -> Arc<BlockCache> {
    Arc::new(BlockCache::new(WAYS * LINE))
}

/// Puts the first bytes of a block into the cache, all of which are its number.
fn insert(cache: &BlockCache, block: u64, bytes: usize) {
    cache.insert(key(block), &vec![block as u8; bytes]);
}

fn inserting(cache: &Arc<BlockCache>, block: u64, bytes: usize) -> JoinHandle<()> {
    let cache = Arc::clone(cache);
    thread::spawn(move || insert(&cache, block, bytes))
}

/// Reads both words of a block. What is there is of the block. Returns how many were there.
fn read(cache: &BlockCache, block: u64) -> usize {
    let found = WORDS.map(|at| cache.get(key(block), at));
    found.into_iter().flatten().inspect(|bytes| assert_eq!(*bytes, [block as u8; 2])).count()
}

#[test]
fn a_reader_never_sees_a_line_that_is_being_replaced() {
    all_orders(3, || {
        let cache = one_set();
        (1..=WAYS as u64).for_each(|block| insert(&cache, block, LINE));
        let writer = inserting(&cache, 3, LINE);
        for block in [1, 3, 2, 3] {
            read(&cache, block);
        }
        writer.join().unwrap();
        assert_eq!([1, 2, 3].map(|block| read(&cache, block)).iter().sum::<usize>(), 4);
    });
}

#[test]
fn two_writers_never_mix_lines() {
    all_orders(2, || {
        let cache = one_set();
        (1..=WAYS as u64).for_each(|block| insert(&cache, block, LINE));
        let writers = [3, 4].map(|block| inserting(&cache, block, LINE));
        for block in [3, 4, 1] {
            read(&cache, block);
        }
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        let found = [1, 2, 3, 4].map(|block| read(&cache, block));
        // One writer may give way to the other.
        assert!(found.iter().sum::<usize>() == 2 * WAYS && found[2] + found[3] > 0);
    });
}

#[test]
fn bytes_past_the_cached_part_of_a_block_are_never_read() {
    all_orders(2, || {
        let cache = one_set();
        // Leaves the bytes of another block behind the part.
        insert(&cache, 1, LINE);
        insert(&cache, 2, LINE);
        let writers = [LINE / 2, LINE].map(|bytes| inserting(&cache, 3, bytes));
        read(&cache, 3);
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        assert!(read(&cache, 3) > 0);
    });
}
