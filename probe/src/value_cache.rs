//! A cache of values of single positions, for tables in which a value needs many blocks: bounded,
//! lock-free.
//!
//! A position has one entry: a word with its value and the part of its key that the index of the
//! entry does not determine. The key is mixed by an invertible function, so different positions are
//! never confused. A word is read and written at once, and no other memory depends on it.

use crate::memory::filled;
use crate::process::OwnerProcess;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::rules::piece::Side;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words that are allocated together.
const SEGMENT_WORDS: usize = 1 << 12;

/// Consecutive words.
///
/// `None` if there was no memory.
type ValueSegment = Option<Box<[AtomicU64]>>;

/// Bits of a word that hold the value.
const VALUE_BITS: u32 = u16::BITS;

/// Bits of a key that number the position within its table and side.
const POSITION_BITS: u32 = 40;

/// A position of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionKey {
    /// The number of the table in its tablebase, from 1.
    pub table: u32,
    /// The side to move in the table.
    pub side: Side,
    /// The number of the position within the table and side.
    pub position: u64,
}

impl PositionKey {
    /// A unique number of the key. `None` if the numbers do not fit.
    fn number(self) -> Option<u64> {
        let table = u64::from(self.table) << 1 | self.side.index() as u64;
        let fits = self.position >> POSITION_BITS == 0 && table >> (u64::BITS - POSITION_BITS) == 0;
        fits.then_some(table << POSITION_BITS | self.position)
    }
}

/// Values of positions, up to a bound on their bytes.
#[derive(Debug)]
pub struct ValueCache {
    /// A segment is allocated when the first value is put into it.
    segments: OnceLock<Option<Box<[OnceLock<ValueSegment>]>>>,
    /// The binary logarithm of the number of words. `None` if nothing is cached.
    bits: Option<u32>,
    owner: OwnerProcess,
}

impl ValueCache {
    /// A cache of at most this many bytes. Below 512 KiB nothing is cached.
    pub fn new(bytes: usize) -> ValueCache {
        let bits = (bytes / size_of::<u64>()).checked_ilog2().filter(|&bits| bits >= VALUE_BITS);
        ValueCache { segments: OnceLock::new(), bits, owner: OwnerProcess::current() }
    }

    /// The value of a position. `None` if it is not cached.
    #[inline]
    pub fn get(&self, key: PositionKey) -> Option<Value> {
        let (index, rest) = self.index(key)?;
        let segment = self.segments.get()?.as_ref()?.get(index / SEGMENT_WORDS)?.get()?.as_ref()?;
        let word = segment.get(index % SEGMENT_WORDS)?.load(Ordering::Relaxed);
        if word & !VALUE_MASK == rest { decoded(word & VALUE_MASK) } else { None }
    }

    /// Caches the value of a position. It replaces another value with the same index.
    pub fn insert(&self, key: PositionKey, value: Value) {
        let entry = self.index(key).zip(encoded(value));
        let Some(((index, rest), value)) = entry else { return };
        let number = (1usize << self.bits.unwrap_or(0)).div_ceil(SEGMENT_WORDS);
        let segments = self.owner.get_or_init(&self.segments, || filled(number));
        let Some(Some(segments)) = segments else { return };
        let Some(segment) = segments.get(index / SEGMENT_WORDS) else { return };
        let segment = self.owner.get_or_init(segment, || filled(SEGMENT_WORDS));
        let Some(Some(segment)) = segment else { return };
        if let Some(word) = segment.get(index % SEGMENT_WORDS) {
            word.store(rest | value, Ordering::Relaxed);
        }
    }

    /// The index of the word of a position, and the part of its key that the index does not
    /// determine.
    #[inline]
    fn index(&self, key: PositionKey) -> Option<(usize, u64)> {
        let mixed = mixed(key.number()?);
        Some(((mixed >> (u64::BITS - self.bits?)) as usize, mixed << VALUE_BITS))
    }
}

const VALUE_MASK: u64 = (1 << VALUE_BITS) - 1;

/// Mixes the bits of a number. Injective, since each step has an inverse.
#[inline]
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number ^ number >> 32
}

/// Encodes a value as a number from 1. `None` if it has too many moves.
#[inline]
fn encoded(value: Value) -> Option<u64> {
    match value.plies() {
        None => Some(1),
        Some(plies) => {
            let number = u64::from(plies.0) + 2;
            (number <= VALUE_MASK && Value::from_plies(plies) == value).then_some(number)
        }
    }
}

/// Decodes a number of [`encoded`]. `None` for 0, an empty word.
#[inline]
fn decoded(number: u64) -> Option<Value> {
    match number {
        0 => None,
        1 => Some(Value::Draw),
        plies => u32::try_from(plies - 2).ok().map(|plies| Value::from_plies(Plies(plies))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::distance::Moves;

    fn key(table: u32, side: Side, position: u64) -> PositionKey {
        PositionKey { table, side, position }
    }

    #[test]
    fn cached_values_come_back_for_their_own_position_only() {
        let cache = ValueCache::new(1 << 20);
        let value = |n: u64| match n % 3 {
            0 => Value::Draw,
            1 => Value::Win(Moves(1 + n as u32 % 300)),
            _ => Value::Loss(Moves(n as u32 % 300)),
        };
        let keys = (0..200_000u64).map(|n| {
            let side = if n % 2 == 0 { Side::White } else { Side::Black };
            key(1 + n as u32 % 3, side, n / 6 * 977)
        });
        let mut found = 0;
        for (n, key) in (0..).zip(keys.clone()) {
            assert_eq!(cache.get(key), None);
            cache.insert(key, value(n));
            assert_eq!(cache.get(key), Some(value(n)));
        }
        for (n, key) in (0..).zip(keys) {
            if let Some(cached) = cache.get(key) {
                assert_eq!(cached, value(n));
                found += 1;
            }
        }
        // The number of words, minus the words that two of the last positions share.
        assert!((80_000..=1 << 17).contains(&found), "{found}");
    }

    #[test]
    fn what_does_not_fit_is_not_cached() {
        let cache = ValueCache::new(1 << 20);
        for key in [key(1, Side::White, 1 << 40), key(1 << 23, Side::White, 0)] {
            cache.insert(key, Value::Draw);
            assert_eq!(cache.get(key), None);
        }
        let key = key((1 << 23) - 1, Side::Black, (1 << 40) - 1);
        for value in [Value::Win(Moves(40_000)), Value::Win(Moves(0))] {
            cache.insert(key, value);
            assert_eq!(cache.get(key), None);
        }
        cache.insert(key, Value::Loss(Moves(0)));
        assert_eq!(cache.get(key), Some(Value::Loss(Moves(0))));
        let none = ValueCache::new((1 << 19) - 1);
        none.insert(key, Value::Draw);
        assert_eq!(none.get(key), None);
    }
}
