//! Large arrays on huge pages, where the system has them, used again and again.
//!
//! A solver touches hundreds of megabytes once. On pages of 4 KiB, or on pages the system
//! has to clear first, the page faults alone take as long as the work. So memory that is
//! let go of is kept for the next array of about its size.

use bytemuck::Pod;
use memmap2::MmapMut;
use rayon::prelude::*;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// The most bytes kept for later.
const KEPT: usize = 3 << 30;
/// The least bytes worth keeping.
const WORTH_KEEPING: usize = 1 << 20;

/// Memory let go of.
static FREE: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

/// An array of a fixed length.
#[derive(Debug)]
pub struct Buffer<T> {
    /// At least as long as the array; taken out when it is dropped.
    map: Option<MmapMut>,
    bytes: usize,
    items: PhantomData<T>,
}

impl<T: Pod + Send + Sync> Buffer<T> {
    /// An array of `len` zeroed items.
    pub fn zeroed(len: usize) -> io::Result<Buffer<T>> {
        let (mut buffer, used) = Buffer::take(len)?;
        if used {
            let zero = |items: &mut [T]| items.fill(T::zeroed());
            buffer.par_chunks_mut(WORTH_KEEPING / size_of::<T>().max(1)).for_each(zero);
        }
        Ok(buffer)
    }

    /// An array of `len` items that hold anything.
    pub fn unspecified(len: usize) -> io::Result<Buffer<T>> {
        Ok(Buffer::take(len)?.0)
    }

    /// An array, and whether its memory was used before.
    fn take(len: usize) -> io::Result<(Buffer<T>, bool)> {
        let bytes = len * size_of::<T>();
        let fits = |map: &MmapMut| (bytes..=2 * bytes).contains(&map.len());
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let best = (0..free.len()).filter(|&at| fits(&free[at])).min_by_key(|&at| free[at].len());
        let used = best.map(|at| free.swap_remove(at));
        drop(free);
        if let Some(map) = used {
            return Ok((Buffer { map: Some(map), bytes, items: PhantomData }, true));
        }
        let map = MmapMut::map_anon(bytes)?;
        // Without huge pages the array is as good, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok((Buffer { map: Some(map), bytes, items: PhantomData }, false))
    }
}

impl<T> Buffer<T> {
    fn bytes(&self) -> &[u8] {
        self.map.as_ref().map_or(&[], |map| &map[..self.bytes])
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        let Some(map) = self.map.take().filter(|map| map.len() >= WORTH_KEEPING) else { return };
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(map);
        // The oldest go first.
        while free.iter().map(|map| map.len()).sum::<usize>() > KEPT {
            free.remove(0);
        }
    }
}

impl AsRef<[u8]> for Buffer<u8> {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(self.bytes())
    }
}

impl<T: Pod> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let bytes = self.bytes;
        bytemuck::cast_slice_mut(self.map.as_mut().map_or(&mut [], |map| &mut map[..bytes]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_used_again_is_zeroed() {
        for _ in 0..3 {
            let mut buffer = Buffer::<u64>::zeroed(WORTH_KEEPING).unwrap();
            assert!(buffer.iter().all(|&item| item == 0));
            buffer.fill(u64::MAX);
        }
    }
}
