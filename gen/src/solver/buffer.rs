//! Large arrays on huge pages, where the system has them, used again and again.
//!
//! A solver touches hundreds of megabytes once. On pages of 4 KiB, or on pages the system
//! has to clear first, the page faults alone take as long as the work. So memory that is
//! let go of is kept for the next array of about its size, within a limit on all of it.

use bytemuck::Pod;
use memmap2::MmapMut;
use rayon::prelude::*;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most bytes kept for later.
const KEPT: usize = 3 << 30;
/// The least bytes worth keeping.
const WORTH_KEEPING: usize = 1 << 20;

/// All memory of arrays.
static POOL: Mutex<BufferPool> =
    Mutex::new(BufferPool { free: Vec::new(), used: 0, limit: usize::MAX });

/// Memory of arrays, and how much of it there may be.
struct BufferPool {
    /// Let go of, the oldest first.
    free: Vec<MmapMut>,
    /// Bytes that arrays hold.
    used: usize,
    /// The most bytes that arrays and what they let go of may hold.
    limit: usize,
}

impl BufferPool {
    fn open() -> MutexGuard<'static, BufferPool> {
        POOL.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives memory back to the system until no more is free than this; the oldest goes
    /// first.
    fn trim(&mut self, most: usize) {
        let mut free: usize = self.free.iter().map(|map| map.len()).sum();
        let mut gone = 0;
        while free > most && gone < self.free.len() {
            free -= self.free[gone].len();
            gone += 1;
        }
        self.free.drain(..gone);
    }

    /// Free memory for an array of so many bytes, if there is any.
    fn take_free(&mut self, bytes: usize) -> Option<MmapMut> {
        // More than this over what is asked for would be too much of the limit.
        let fits = |map: &MmapMut| (bytes..=bytes + bytes / 16).contains(&map.len());
        let free = &mut self.free;
        let best = (0..free.len()).filter(|&at| fits(&free[at])).min_by_key(|&at| free[at].len());
        let map = best.map(|at| free.swap_remove(at))?;
        self.used += map.len();
        Some(map)
    }

    /// Makes room for an array of so many bytes.
    fn take_new(&mut self, bytes: usize) -> io::Result<()> {
        let left = self.limit.saturating_sub(self.used);
        let Some(left) = left.checked_sub(bytes) else {
            return Err(io::Error::new(
                io::ErrorKind::OutOfMemory,
                "more memory than is allowed would be needed",
            ));
        };
        self.trim(left);
        self.used += bytes;
        Ok(())
    }
}

/// Sets the most bytes of memory that arrays may hold from now on, all of them together;
/// what is more than that fails.
pub fn limit_buffers(bytes: u64) {
    let mut pool = BufferPool::open();
    pool.limit = usize::try_from(bytes).unwrap_or(usize::MAX);
    let left = pool.limit.saturating_sub(pool.used);
    pool.trim(left);
}

/// The bytes of memory that arrays hold.
pub fn buffers_in_use() -> u64 {
    BufferPool::open().used as u64
}

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
        let of = |map| Buffer { map: Some(map), bytes, items: PhantomData };
        let mut pool = BufferPool::open();
        if let Some(map) = pool.take_free(bytes) {
            return Ok((of(map), true));
        }
        pool.take_new(bytes)?;
        drop(pool);
        let map = MmapMut::map_anon(bytes).inspect_err(|_| BufferPool::open().used -= bytes)?;
        // Without huge pages the array is as good, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok((of(map), false))
    }
}

impl<T> Buffer<T> {
    fn bytes(&self) -> &[u8] {
        self.map.as_ref().map_or(&[], |map| &map[..self.bytes])
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        let Some(map) = self.map.take() else { return };
        let mut pool = BufferPool::open();
        pool.used -= map.len();
        if map.len() >= WORTH_KEEPING {
            pool.free.push(map);
            let left = pool.limit.saturating_sub(pool.used);
            pool.trim(KEPT.min(left));
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
