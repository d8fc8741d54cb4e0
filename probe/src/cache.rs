//! A cache of decoded blocks: bounded, set-associative, read without a lock.
//!
//! ```text
//! get:     set = hash(tag); find the way with this tag, preferred way first
//!          read state; read word; read state again: if it changed, it is a miss
//!          mark the way as used
//! insert:  choose the way with this tag, else an empty one, else by the clock algorithm:
//!          clear marks of ways until one has none; replace its line
//! ```
//!
//! Blocks are cut into lines. A line belongs to one set and may be in any of its ways, but is put
//! into its preferred way if possible. A processor predicts that way, and so loads tag and line at
//! the same time. Each way is a seqlock: its state changes with its line and includes whether the
//! line is being written (H.-J. Boehm, "Can seqlocks get along with programming language memory
//! models?", 2012). Built with `--cfg loom`, the cache is small and its atomics are those of the
//! model checker loom, which tries all interleavings: see `tests/cache_model.rs`.

use crate::file::bytes::prefetch;
use crate::memory::filled;
use crate::process::OwnerProcess;
#[cfg(loom)]
use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering, fence};
use sakmak_tables::format::solved::offsets::BlockNumber;
use std::sync::OnceLock;
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering, fence};

/// Bytes of a line.
pub const LINE: usize = if cfg!(loom) { 1 << 4 } else { 1 << 8 };
/// Lines per set.
pub const WAYS: usize = if cfg!(loom) { 2 } else { 4 };
/// Words per line.
const WORDS: usize = LINE / size_of::<u64>();
/// Sets that are allocated together.
const SEGMENT: usize = 256;
/// Bits of a tag that number the line within its table.
const LINE_BITS: u32 = 40;

/// A block of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockKey {
    /// The number of the table in its tablebase, from 1.
    pub table: u32,
    /// The block.
    pub block: BlockNumber,
    /// Decoded bytes of a full block of the table.
    pub length: usize,
}

impl BlockKey {
    /// The tag of a line of the block, never zero. `None` if the numbers do not fit into a tag.
    fn tag(self, line: usize) -> Option<u64> {
        let lines = self.length.div_ceil(LINE) as u64;
        let number = self.block.0.checked_mul(lines)?.checked_add(line as u64)?;
        let table = u64::from(self.table);
        let fits = number >> LINE_BITS == 0 && table >> (u64::BITS - LINE_BITS) == 0;
        fits.then_some(table << LINE_BITS | number)
    }
}

/// Decoded blocks, up to a bound on their bytes.
#[derive(Debug)]
pub struct BlockCache {
    /// A segment is allocated when the first line is put into it. `None` if there was no memory for
    /// it.
    segments: OnceLock<Segments>,
    /// The number of sets.
    sets: usize,
    owner: OwnerProcess,
}

/// `None` if there was no memory.
type Segments = Option<Box<[OnceLock<Option<Segment>>]>>;

/// Consecutive sets. Data that a lookup reads together is close together.
#[derive(Debug)]
struct Segment {
    sets: Box<[SetHeader]>,
    /// By set: a bit for each way whose line was used since the clock algorithm last cleared it.
    marks: Box<[AtomicU8]>,
    /// By set, way and word.
    words: Box<[AtomicU64]>,
}

/// The headers of the ways of a set: one cache line of the processor.
#[derive(Debug, Default)]
#[repr(align(64))]
struct SetHeader([WayHeader; WAYS]);

/// The tag and state of the line in a way.
#[derive(Debug, Default)]
struct WayHeader {
    /// The tag of the line, zero if the way is empty.
    tag: AtomicU64,
    /// A [`WayState`].
    state: AtomicU64,
}

/// A counter of changes, the number of valid bytes of the line, and in the lowest bit whether the
/// line is being written.
#[derive(Clone, Copy)]
struct WayState(u64);

impl WayState {
    const LENGTH_BITS: u32 = LINE.ilog2() + 1;

    const fn is_busy(self) -> bool {
        self.0 & 1 != 0
    }

    const fn length(self) -> usize {
        (self.0 >> 1) as usize & ((1 << WayState::LENGTH_BITS) - 1)
    }

    const fn busy(self) -> WayState {
        WayState(self.0 | 1)
    }

    /// The state after one more change.
    const fn next(self, length: usize) -> WayState {
        let changes = (self.0 >> (1 + WayState::LENGTH_BITS)) + 1;
        WayState(changes << (1 + WayState::LENGTH_BITS) | (length as u64) << 1)
    }
}

impl BlockCache {
    /// A cache of at most this many bytes of codes.
    pub fn new(bytes: usize) -> BlockCache {
        BlockCache {
            segments: OnceLock::new(),
            sets: bytes / (WAYS * LINE),
            owner: OwnerProcess::current(),
        }
    }

    /// The bytes at `at` and `at + 1` of a decoded block; the second byte is valid only if `at` is
    /// even. `None` if the line is not cached.
    #[inline]
    pub fn get(&self, key: BlockKey, at: usize) -> Option<[u8; 2]> {
        let tag = key.tag(at / LINE)?;
        let set = self.set(tag);
        self.segment(set)?.get(set % SEGMENT, tag, at % LINE)
    }

    /// [`BlockCache::get`], or else the bytes of the block that `decode` returns, which is cached.
    ///
    /// # Errors
    ///
    /// The errors of `decode`.
    #[inline]
    pub fn get_or_decode<E>(
        &self,
        key: BlockKey,
        at: usize,
        decode: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<[u8; 2], E> {
        if let Some(bytes) = self.get(key, at) {
            return Ok(bytes);
        }
        let codes = decode()?;
        self.insert(key, &codes);
        Ok([at, at + 1].map(|at| codes.get(at).copied().unwrap_or_default()))
    }

    /// Loads the memory that [`BlockCache::get`] reads. The loads for several keys overlap.
    #[inline]
    pub fn prefetch(&self, key: BlockKey, at: usize) {
        let line = || {
            let tag = key.tag(at / LINE)?;
            let set = self.set(tag);
            let segment = self.segment(set)?;
            let (set, way) = (set % SEGMENT, tag as usize % WAYS);
            let header = segment.sets.get(set)?.0.get(way)?.tag.load(Ordering::Relaxed);
            let word = segment.line(set, way)?.get(at % LINE / size_of::<u64>())?;
            Some((header, word.load(Ordering::Relaxed)))
        };
        prefetch(line());
    }

    /// Caches the first bytes of a block. A cached line that has more bytes is kept.
    pub fn insert(&self, key: BlockKey, bytes: &[u8]) {
        for (number, line) in bytes.chunks(LINE).enumerate() {
            self.insert_line(key, number, line);
        }
    }

    /// Caches the first numbers of a block in little-endian order.
    pub fn insert_numbers(&self, key: BlockKey, numbers: impl Iterator<Item = u16>) {
        if self.sets == 0 {
            return;
        }
        let mut numbers = numbers.fuse();
        for number in 0.. {
            let mut line = [[0; size_of::<u16>()]; LINE / size_of::<u16>()];
            let filled = line.iter_mut().zip(&mut numbers).map(|(bytes, number)| {
                *bytes = number.to_le_bytes();
            });
            let filled = filled.count();
            if filled == 0 {
                return;
            }
            self.insert_line(key, number, line[..filled].as_flattened());
        }
    }

    fn insert_line(&self, key: BlockKey, number: usize, line: &[u8]) {
        if self.sets == 0 {
            return;
        }
        let segments = || filled(self.sets.div_ceil(SEGMENT));
        let segments = self.owner.get_or_init(&self.segments, segments);
        let Some(Some(segments)) = segments else { return };
        let Some(tag) = key.tag(number) else { return };
        let set = self.set(tag);
        if let Some(segment) = segments.get(set / SEGMENT) {
            let sets = (self.sets - set / SEGMENT * SEGMENT).min(SEGMENT);
            let segment = self.owner.get_or_init(segment, || Segment::new(sets));
            let Some(Some(segment)) = segment else { return };
            segment.insert(set % SEGMENT, tag, line);
        }
    }

    #[inline]
    fn segment(&self, set: usize) -> Option<&Segment> {
        self.segments.get()?.as_ref()?.get(set / SEGMENT)?.get()?.as_ref()
    }

    /// The set of a line.
    #[inline]
    fn set(&self, tag: u64) -> usize {
        let mixed = tag.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * self.sets as u128) >> u64::BITS) as usize
    }

    /// Bytes of all cached lines.
    pub fn bytes(&self) -> usize {
        let segments = self.segments.get().into_iter().flatten().flatten();
        let segments = segments.filter_map(|segment| segment.get()?.as_ref());
        let ways = segments.flat_map(|segment| &segment.sets).flat_map(|set| &set.0);
        ways.filter(|way| way.tag.load(Ordering::Relaxed) != 0).count() * LINE
    }
}

impl Segment {
    /// `None` if there is not enough memory.
    fn new(sets: usize) -> Option<Segment> {
        Some(Segment {
            sets: filled(sets)?,
            marks: filled(sets)?,
            words: filled(sets * WAYS * WORDS)?,
        })
    }

    /// The words of a line.
    #[inline]
    fn line(&self, set: usize, way: usize) -> Option<&[AtomicU64]> {
        let first = (set * WAYS + way) * WORDS;
        self.words.get(first..first + WORDS)
    }

    #[inline]
    fn get(&self, set: usize, tag: u64, at: usize) -> Option<[u8; 2]> {
        let ways = &self.sets.get(set)?.0;
        let has_tag = |&way: &usize| ways[way].tag.load(Ordering::Relaxed) == tag;
        let number = probe_order(tag).find(has_tag)?;
        let way = &ways[number];
        let before = WayState(way.state.load(Ordering::Acquire));
        let same = way.tag.load(Ordering::Relaxed) == tag;
        let word = self.line(set, number)?.get(at / size_of::<u64>())?.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let unchanged = way.state.load(Ordering::Relaxed) == before.0 && !before.is_busy();
        if !(unchanged && same && at < before.length()) {
            return None;
        }
        let (marks, mark) = (self.marks.get(set)?, 1 << number);
        if marks.load(Ordering::Relaxed) & mark == 0 {
            marks.fetch_or(mark, Ordering::Relaxed);
        }
        let bytes = word >> (at % size_of::<u64>() * u8::BITS as usize);
        Some((bytes as u16).to_le_bytes())
    }

    fn insert(&self, set: usize, tag: u64, bytes: &[u8]) {
        let Some(SetHeader(ways)) = self.sets.get(set) else { return };
        let way_with =
            |held: u64| probe_order(tag).find(|&way| ways[way].tag.load(Ordering::Relaxed) == held);
        let number = way_with(tag).or_else(|| way_with(0)).or_else(|| self.victim(set, tag));
        let Some(number) = number else { return };
        let (way, Some(line)) = (&ways[number], self.line(set, number)) else { return };
        // One writer at a time: if another thread writes this way, this line is not cached.
        let before = WayState(way.state.load(Ordering::Relaxed));
        let (free, busy) = (before.0, before.busy().0);
        if before.is_busy()
            || way.state.compare_exchange(free, busy, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        let same = way.tag.load(Ordering::Relaxed) == tag;
        let cached = if same { before.length() } else { 0 };
        if cached < bytes.len() {
            way.tag.store(tag, Ordering::Relaxed);
            for (to, from) in line.iter().zip(bytes.chunks(size_of::<u64>())) {
                let mut word = [0; size_of::<u64>()];
                word[..from.len()].copy_from_slice(from);
                to.store(u64::from_le_bytes(word), Ordering::Relaxed);
            }
        }
        way.state.store(before.next(cached.max(bytes.len())).0, Ordering::Release);
    }

    /// The way whose line is evicted by the clock algorithm: the first without a mark. Clears the
    /// marks of the ways before it.
    fn victim(&self, set: usize, tag: u64) -> Option<usize> {
        let mut chosen = None;
        let pass = |mut marks: u8| {
            let unmarked = |marks: u8| probe_order(tag).find(|&way| marks >> way & 1 == 0);
            chosen = unmarked(marks);
            let passed = probe_order(tag).take_while(|&way| Some(way) != chosen);
            marks = passed.fold(marks, |marks, way| marks & !(1 << way));
            chosen = chosen.or_else(|| unmarked(marks));
            Some(marks)
        };
        // `pass` never returns `None`, so the update never fails.
        let _ = self.marks.get(set)?.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pass);
        chosen
    }
}

/// All ways, the preferred way of a tag first.
#[inline]
fn probe_order(tag: u64) -> impl Iterator<Item = usize> {
    (0..WAYS).map(move |step| (tag as usize + step) % WAYS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn key(block: u64) -> BlockKey {
        BlockKey { table: 1, block: BlockNumber(block), length: 3 * LINE }
    }

    #[test]
    fn cached_bytes_come_back() {
        let cache = BlockCache::new(100 * WAYS * LINE);
        let bytes: Vec<u8> = (0..3 * LINE).map(|at| (at * 7 / 3) as u8).collect();
        cache.insert(key(5), &bytes);
        for at in 0..3 * LINE {
            let [low, high] = cache.get(key(5), at).unwrap();
            assert_eq!(low, bytes[at]);
            if at % 2 == 0 {
                assert_eq!(high, bytes[at + 1]);
            }
        }
        let other = BlockKey { table: 2, ..key(5) };
        assert_eq!((cache.get(other, 0), cache.get(key(4), 0)), (None, None));
        assert_eq!(cache.bytes(), 3 * LINE);
    }

    #[test]
    fn the_bound_holds_and_used_lines_stay_longer() {
        let cache = BlockCache::new(4 * WAYS * LINE);
        cache.insert(key(0), &[7; LINE]);
        let mut hits = 0;
        for block in 1..1000 {
            hits += u32::from(cache.get(key(0), 1) == Some([7, 7]));
            cache.insert(key(block), &[block as u8; LINE]);
            assert!(cache.bytes() <= 4 * WAYS * LINE);
        }
        for block in 0..1000 {
            if let Some([byte, _]) = cache.get(key(block), 0) {
                assert!(block == 0 || byte == block as u8);
            }
        }
        assert_eq!(hits, 999);
        assert_eq!(cache.bytes(), 4 * WAYS * LINE);
    }

    #[test]
    fn the_longer_part_of_a_block_is_kept() {
        let cache = BlockCache::new(4 * WAYS * LINE);
        for (length, kept) in [(10, 10), (5, 10), (20, 20), (LINE + 3, LINE + 3)] {
            cache.insert(key(7), &vec![1; length]);
            assert_eq!(cache.get(key(7), kept - 1).map(|bytes| bytes[0]), Some(1));
            assert_eq!(cache.get(key(7), kept), None);
        }
    }

    #[test]
    fn blocks_that_do_not_fit_are_not_cached() {
        for bytes in [0, WAYS * LINE - 1] {
            let cache = BlockCache::new(bytes);
            cache.insert(key(0), &[0; 100]);
            assert_eq!((cache.get(key(0), 0), cache.bytes()), (None, 0));
        }
        let cache = BlockCache::new(WAYS * LINE);
        let untagged = BlockKey { table: 1, block: BlockNumber(u64::MAX), length: LINE };
        cache.insert(untagged, &[1]);
        assert_eq!(cache.get(untagged, 0), None);
    }

    #[test]
    fn readers_see_whole_lines_while_others_write() {
        // Two sets, and enough lines to replace one another all the time.
        let cache = BlockCache::new(2 * WAYS * LINE);
        let hits = AtomicU64::new(0);
        thread::scope(|scope| {
            for seed in 0..4u64 {
                let (cache, hits) = (&cache, &hits);
                scope.spawn(move || {
                    let mut number = seed;
                    for _ in 0..200_000 {
                        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let block = (number >> 33) % 12;
                        let at = ((number >> 40) as usize % LINE) & !1;
                        match cache.get(key(block), at) {
                            Some(bytes) => {
                                assert_eq!(bytes, [block as u8; 2]);
                                hits.fetch_add(1, Ordering::Relaxed);
                            }
                            None => cache.insert(key(block), &[block as u8; LINE]),
                        }
                    }
                });
            }
        });
        assert!(hits.into_inner() > 0);
    }
}
