//! Decoded blocks kept for the next look-up: bounded, and read without a lock.
//!
//! Blocks are cut into lines. A line may stand in one set only, in any of its ways, first of
//! all in one that is its own: there a processor guesses it to be, and asks memory for what
//! is said of the line and for the line at the same time. Whoever puts one in goes round the
//! ways, clearing marks that look-ups have left, and takes out the first line without one.
//! The state of a way changes with its line and says when it is being
//! changed: a reader that finds the same state before and after has read one line (a
//! "seqlock"; H.-J. Boehm, "Can seqlocks get along with programming language memory models?",
//! 2012).

use sakmak_tables::format::solved::offsets::BlockNumber;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering, fence};

/// Bytes of a line.
pub const LINE: usize = 1 << 8;
/// Lines of a set.
const WAYS: usize = 4;
/// Words of a line.
const WORDS: usize = LINE / size_of::<u64>();
/// Sets that take memory together.
const SEGMENT: usize = 256;
/// Bits of a line's name that say which line of its table it is.
const LINE_BITS: u32 = 40;

/// Which block of which table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockKey {
    /// The table, numbered by its tablebase from 1.
    pub table: u32,
    /// The block.
    pub block: BlockNumber,
    /// Bytes of a whole block of the table.
    pub length: usize,
}

impl BlockKey {
    /// The name of a line of the block, zero for none; nothing where it would have none of
    /// its own.
    fn line(self, line: usize) -> Option<u64> {
        let lines = self.length.div_ceil(LINE) as u64;
        let number = self.block.0.checked_mul(lines)?.checked_add(line as u64)?;
        let table = u64::from(self.table);
        let fits = number >> LINE_BITS == 0 && table >> (u64::BITS - LINE_BITS) == 0;
        fits.then_some(table << LINE_BITS | number)
    }
}

/// Decoded blocks, at most so many bytes of them.
#[derive(Debug)]
pub struct BlockCache {
    /// A segment takes memory once a line is put in.
    segments: OnceLock<Box<[OnceLock<Segment>]>>,
    /// How many sets there may be.
    sets: usize,
}

/// Some sets, what is looked at together close together.
#[derive(Debug)]
struct Segment {
    ways: Box<[Ways]>,
    /// By set: a bit for each way whose line was asked for.
    marks: Box<[AtomicU8]>,
    /// By set, way and word.
    words: Box<[AtomicU64]>,
}

/// The ways of a set: as much as a processor brings from memory at a time.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Ways([Way; WAYS]);

/// What is said of a line.
#[derive(Debug, Default)]
struct Way {
    /// The name of the line, zero for none.
    name: AtomicU64,
    /// A [`State`].
    state: AtomicU64,
}

/// How often a way has changed, how many bytes of its line are there, and in the lowest bit
/// whether it is being changed.
#[derive(Clone, Copy)]
struct State(u64);

impl State {
    const LENGTH_BITS: u32 = LINE.ilog2() + 1;

    const fn is_busy(self) -> bool {
        self.0 & 1 != 0
    }

    const fn length(self) -> usize {
        (self.0 >> 1) as usize & ((1 << State::LENGTH_BITS) - 1)
    }

    const fn busy(self) -> State {
        State(self.0 | 1)
    }

    /// After one more change.
    const fn next(self, length: usize) -> State {
        let changes = (self.0 >> (1 + State::LENGTH_BITS)) + 1;
        State(changes << (1 + State::LENGTH_BITS) | (length as u64) << 1)
    }
}

impl BlockCache {
    /// A cache of at most so many bytes of codes.
    pub fn new(bytes: usize) -> BlockCache {
        BlockCache { segments: OnceLock::new(), sets: bytes / (WAYS * LINE) }
    }

    /// The byte at `at` in a decoded block and, where `at` is even, the byte behind it as
    /// the high one, if they are here.
    #[inline]
    pub fn get(&self, key: BlockKey, at: usize) -> Option<[u8; 2]> {
        let name = key.line(at / LINE)?;
        let set = self.set(name);
        self.segments.get()?.get(set / SEGMENT)?.get()?.get(set % SEGMENT, name, at % LINE)
    }

    /// Keeps the bytes of a block, of which there may be fewer than all, others going for
    /// them. What is here of it already stays where it is more.
    pub fn insert(&self, key: BlockKey, bytes: &[u8]) {
        if self.sets == 0 {
            return;
        }
        let number = self.sets.div_ceil(SEGMENT);
        let segments = self.segments.get_or_init(|| (0..number).map(|_| OnceLock::new()).collect());
        for (number, line) in bytes.chunks(LINE).enumerate() {
            let Some(name) = key.line(number) else { return };
            let set = self.set(name);
            if let Some(segment) = segments.get(set / SEGMENT) {
                let sets = (self.sets - set / SEGMENT * SEGMENT).min(SEGMENT);
                segment.get_or_init(|| Segment::new(sets)).insert(set % SEGMENT, name, line);
            }
        }
    }

    /// The set of a line.
    #[inline]
    fn set(&self, name: u64) -> usize {
        let mixed = name.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * self.sets as u128) >> u64::BITS) as usize
    }

    /// Bytes of the lines kept now.
    pub fn bytes(&self) -> usize {
        let segments = self.segments.get().into_iter().flatten().filter_map(OnceLock::get);
        let ways = segments.flat_map(|segment| &segment.ways).flat_map(|ways| &ways.0);
        ways.filter(|way| way.name.load(Ordering::Relaxed) != 0).count() * LINE
    }
}

impl Segment {
    fn new(sets: usize) -> Segment {
        Segment {
            ways: (0..sets).map(|_| Ways::default()).collect(),
            marks: (0..sets).map(|_| AtomicU8::new(0)).collect(),
            words: (0..sets * WAYS * WORDS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The words of a line.
    #[inline]
    fn line(&self, set: usize, way: usize) -> Option<&[AtomicU64]> {
        let first = (set * WAYS + way) * WORDS;
        self.words.get(first..first + WORDS)
    }

    #[inline]
    fn get(&self, set: usize, name: u64, at: usize) -> Option<[u8; 2]> {
        let ways = &self.ways.get(set)?.0;
        let named = |&way: &usize| ways[way].name.load(Ordering::Relaxed) == name;
        let number = round(name).find(named)?;
        let way = &ways[number];
        let before = State(way.state.load(Ordering::Acquire));
        let same = way.name.load(Ordering::Relaxed) == name;
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

    fn insert(&self, set: usize, name: u64, bytes: &[u8]) {
        let Some(Ways(ways)) = self.ways.get(set) else { return };
        let held_by =
            |held: u64| round(name).find(|&way| ways[way].name.load(Ordering::Relaxed) == held);
        let number = held_by(name).or_else(|| held_by(0)).or_else(|| self.room(set, name));
        let Some(number) = number else { return };
        let (way, Some(line)) = (&ways[number], self.line(set, number)) else { return };
        // One writer at a time; who comes second leaves it at that.
        let before = State(way.state.load(Ordering::Relaxed));
        let (free, busy) = (before.0, before.busy().0);
        if before.is_busy()
            || way.state.compare_exchange(free, busy, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        let known = way.name.load(Ordering::Relaxed) == name;
        let held = if known { before.length() } else { 0 };
        if held < bytes.len() {
            way.name.store(name, Ordering::Relaxed);
            for (to, from) in line.iter().zip(bytes.chunks(size_of::<u64>())) {
                let mut word = [0; size_of::<u64>()];
                word[..from.len()].copy_from_slice(from);
                to.store(u64::from_le_bytes(word), Ordering::Relaxed);
            }
        }
        way.state.store(before.next(held.max(bytes.len())).0, Ordering::Release);
    }

    /// The way of a line not asked for since it was last passed.
    fn room(&self, set: usize, name: u64) -> Option<usize> {
        let mut chosen = None;
        let pass = |mut marks: u8| {
            let unmarked = |marks: u8| round(name).find(|&way| marks >> way & 1 == 0);
            chosen = unmarked(marks);
            let passed = round(name).take_while(|&way| Some(way) != chosen);
            marks = passed.fold(marks, |marks, way| marks & !(1 << way));
            chosen = chosen.or_else(|| unmarked(marks));
            Some(marks)
        };
        // It always has an answer, so that it never fails.
        let _ = self.marks.get(set)?.fetch_update(Ordering::Relaxed, Ordering::Relaxed, pass);
        chosen
    }
}

/// All ways, a line's own first.
#[inline]
fn round(name: u64) -> impl Iterator<Item = usize> {
    (0..WAYS).map(move |step| (name as usize + step) % WAYS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn key(block: u64) -> BlockKey {
        BlockKey { table: 1, block: BlockNumber(block), length: 3 * LINE }
    }

    #[test]
    fn what_is_put_in_comes_out() {
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
    fn the_bound_holds_and_lines_asked_for_stay_longer() {
        let cache = BlockCache::new(4 * WAYS * LINE);
        cache.insert(key(0), &[7; LINE]);
        let mut stayed = 0;
        for block in 1..1000 {
            stayed += u32::from(cache.get(key(0), 1) == Some([7, 7]));
            cache.insert(key(block), &[block as u8; LINE]);
            assert!(cache.bytes() <= 4 * WAYS * LINE);
        }
        for block in 0..1000 {
            if let Some([byte, _]) = cache.get(key(block), 0) {
                assert!(block == 0 || byte == block as u8);
            }
        }
        assert_eq!(stayed, 999);
        assert_eq!(cache.bytes(), 4 * WAYS * LINE);
    }

    #[test]
    fn of_a_block_the_longer_part_stays() {
        let cache = BlockCache::new(4 * WAYS * LINE);
        for (length, kept) in [(10, 10), (5, 10), (20, 20), (LINE + 3, LINE + 3)] {
            cache.insert(key(7), &vec![1; length]);
            assert_eq!(cache.get(key(7), kept - 1).map(|bytes| bytes[0]), Some(1));
            assert_eq!(cache.get(key(7), kept), None);
        }
    }

    #[test]
    fn what_does_not_fit_is_not_kept() {
        for bytes in [0, WAYS * LINE - 1] {
            let cache = BlockCache::new(bytes);
            cache.insert(key(0), &[0; 100]);
            assert_eq!((cache.get(key(0), 0), cache.bytes()), (None, 0));
        }
        let cache = BlockCache::new(WAYS * LINE);
        let nameless = BlockKey { table: 1, block: BlockNumber(u64::MAX), length: LINE };
        cache.insert(nameless, &[1]);
        assert_eq!(cache.get(nameless, 0), None);
    }

    #[test]
    fn readers_meet_whole_lines_while_others_write() {
        // Two sets and lines enough to be taken out all the time.
        let cache = BlockCache::new(2 * WAYS * LINE);
        let met = AtomicU64::new(0);
        thread::scope(|scope| {
            for seed in 0..4u64 {
                let (cache, met) = (&cache, &met);
                scope.spawn(move || {
                    let mut number = seed;
                    for _ in 0..200_000 {
                        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let block = (number >> 33) % 12;
                        let at = ((number >> 40) as usize % LINE) & !1;
                        match cache.get(key(block), at) {
                            Some(bytes) => {
                                assert_eq!(bytes, [block as u8; 2]);
                                met.fetch_add(1, Ordering::Relaxed);
                            }
                            None => cache.insert(key(block), &[block as u8; LINE]),
                        }
                    }
                });
            }
        });
        assert!(met.into_inner() > 0);
    }
}
