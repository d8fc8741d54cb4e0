//! Decoded blocks of files, for look-ups near one another.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The most bytes of a block: 65,536 codes of two bytes.
const BLOCK_BYTES: usize = 1 << 17;

/// The bytes of a cache if no number is given.
const BYTES: usize = 1 << 26;

/// The number of a file, and that of one of its blocks.
type Key = (usize, usize);

/// A block, if one is there.
type Place = Option<(Key, Vec<u8>)>;

/// A cache of decoded blocks that any number of files and threads share. Each block has one place.
#[derive(Debug)]
pub struct BlockCache {
    // A poisoned lock is safe: a block is replaced or not.
    places: Vec<Mutex<Place>>,
    /// The number of the next file.
    next: AtomicUsize,
}

impl Default for BlockCache {
    /// A cache of 64 MiB.
    fn default() -> BlockCache {
        BlockCache::new(BYTES)
    }
}

impl BlockCache {
    /// A cache of at most this number of bytes, but of at least one block.
    pub fn new(bytes: usize) -> BlockCache {
        let places = (bytes / BLOCK_BYTES).max(1);
        let places = std::iter::repeat_with(Mutex::default).take(places).collect();
        BlockCache { places, next: AtomicUsize::new(0) }
    }

    /// The bytes of all cached blocks. Waits for blocks that are being decoded.
    pub fn bytes(&self) -> usize {
        let bytes = |place: &Mutex<Place>| {
            let kept = place.lock().unwrap_or_else(PoisonError::into_inner);
            kept.as_ref().map_or(0, |(_, codes)| codes.len())
        };
        self.places.iter().map(bytes).sum()
    }

    /// A number for a file that no other has.
    pub(crate) fn new_number(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Reads a block, which is decoded if it is not there. Threads that need it meanwhile wait for that.
    ///
    /// # Errors
    ///
    /// The errors of `decode`.
    pub(crate) fn with<T, E>(
        &self,
        key: Key,
        decode: impl FnOnce() -> Result<Vec<u8>, E>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, E> {
        // Blocks near one another have different places, and so have the first blocks of files.
        let place = key.0.wrapping_mul(0x9E37_79B1).wrapping_add(key.1) % self.places.len();
        let mut kept = self.places[place].lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((found, codes)) if *found == key => Ok(read(codes)),
            _ => {
                let codes = decode()?;
                let value = read(&codes);
                *kept = Some((key, codes));
                Ok(value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_decoded_once_until_another_takes_its_place() {
        let cache = BlockCache::new(2 * BLOCK_BYTES);
        let decoded = AtomicUsize::new(0);
        let ask = |file: usize, block: usize| {
            let decode = || {
                decoded.fetch_add(1, Ordering::Relaxed);
                Ok::<_, ()>(vec![file as u8, block as u8])
            };
            let found = cache.with((file, block), decode, <[u8]>::to_vec);
            assert_eq!(found, Ok(vec![file as u8, block as u8]));
            decoded.load(Ordering::Relaxed)
        };
        assert_eq!([ask(0, 0), ask(0, 1), ask(0, 0), ask(0, 1)], [1, 2, 2, 2]);
        assert_eq!([ask(0, 2), ask(0, 1), ask(0, 0)], [3, 3, 4]);
        assert_eq!(cache.bytes(), 4);
        assert_eq!([ask(1, 0), ask(1, 0), ask(0, 1)].last(), Some(&6));
        assert_eq!(cache.with((7, 7), || Err(()), <[u8]>::to_vec), Err(()));
    }
}
