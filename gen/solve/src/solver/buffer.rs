//! Large arrays on huge pages, if the system has them, from a pool of memory.
//!
//! A solver touches hundreds of megabytes once. On pages of 4 KiB, or on pages that the system has
//! to clear first, page faults alone take as long as the work. So the memory of a dropped array
//! stays in the pool for the next array of about its size, within a limit on all memory.

use crate::parallel::*;
use crate::solver::memory::Memory;
use bytemuck::Pod;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The maximum number of free bytes in the pool. 0 in a web page: its memory is short and is zeroed
/// by the host.
const KEPT: usize = if cfg!(target_family = "wasm") { 0 } else { 3 << 30 };
/// Arrays of at least this many bytes return their memory to the pool.
const WORTH_KEEPING: usize = 1 << 20;

/// The memory of all arrays.
static POOL: Mutex<BufferPool> =
    Mutex::new(BufferPool { free: Vec::new(), used: 0, limit: usize::MAX, limits: 0 });

/// Free memory for arrays, and the limit on all memory of arrays.
struct BufferPool {
    /// Memory of dropped arrays, the oldest first.
    free: Vec<Memory>,
    /// Bytes of arrays in use, and reserved bytes.
    used: usize,
    /// The maximum number of bytes, in use and free together.
    limit: usize,
    /// The number of [`BufferLimit`]s.
    limits: usize,
}

impl BufferPool {
    fn open() -> MutexGuard<'static, BufferPool> {
        POOL.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns free memory to the system, the oldest first, until at most `most` bytes are free.
    fn trim(&mut self, most: usize) {
        let mut free: usize = self.free.iter().map(|memory| memory.len()).sum();
        let mut gone = 0;
        while free > most && gone < self.free.len() {
            free -= self.free[gone].len();
            gone += 1;
        }
        self.free.drain(..gone);
    }

    /// Takes free memory for an array of this many bytes; `None` if no free memory fits.
    fn take_free(&mut self, bytes: usize) -> Option<Memory> {
        // Memory much larger than the array would waste the limit.
        let fits = |memory: &Memory| (bytes..=bytes + bytes / 16).contains(&memory.len());
        let free = &mut self.free;
        let best = (0..free.len()).filter(|&at| fits(&free[at])).min_by_key(|&at| free[at].len());
        let memory = best.map(|at| free.swap_remove(at))?;
        self.used += memory.len();
        Some(memory)
    }

    /// Reserves this many bytes for an array.
    fn take_new(&mut self, bytes: usize) -> io::Result<()> {
        let left = self.limit.saturating_sub(self.used);
        let Some(left) = left.checked_sub(bytes) else {
            return Err(io::Error::new(
                io::ErrorKind::OutOfMemory,
                "the limit on memory is reached",
            ));
        };
        self.trim(left);
        self.used += bytes;
        Ok(())
    }
}

/// A limit on the memory of all arrays together, which ends when this value is dropped. If several
/// values set a limit, the last number holds until all are dropped.
#[derive(Debug)]
pub struct BufferLimit(());

impl BufferLimit {
    /// Starts without a limit.
    pub fn none() -> BufferLimit {
        BufferPool::open().limits += 1;
        BufferLimit(())
    }

    /// Sets the limit. An array that would exceed it is an error.
    pub fn set(&self, bytes: u64) {
        let mut pool = BufferPool::open();
        pool.limit = usize::try_from(bytes).unwrap_or(usize::MAX);
        let left = pool.limit.saturating_sub(pool.used);
        pool.trim(left);
    }
}

impl Drop for BufferLimit {
    fn drop(&mut self) {
        let mut pool = BufferPool::open();
        pool.limits -= 1;
        if pool.limits == 0 {
            pool.limit = usize::MAX;
        }
    }
}

/// Bytes of memory of all arrays in use.
pub fn buffers_in_use() -> u64 {
    BufferPool::open().used as u64
}

/// Memory outside of arrays that counts as theirs until this value is dropped, so that the pool
/// keeps less free memory.
#[derive(Debug)]
pub struct ReservedMemory(usize);

impl ReservedMemory {
    /// Reserves this many bytes of the limit.
    pub fn new(bytes: u64) -> ReservedMemory {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let mut pool = BufferPool::open();
        pool.used = pool.used.saturating_add(bytes);
        let left = pool.limit.saturating_sub(pool.used);
        pool.trim(KEPT.min(left));
        ReservedMemory(bytes)
    }
}

impl Drop for ReservedMemory {
    fn drop(&mut self) {
        let mut pool = BufferPool::open();
        pool.used = pool.used.saturating_sub(self.0);
    }
}

/// An array of a fixed length.
#[derive(Debug)]
pub struct Buffer<T> {
    /// Memory at least as long as the array; taken when the array is dropped.
    memory: Option<Memory>,
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

    /// An array of `len` items with unspecified values.
    pub fn unspecified(len: usize) -> io::Result<Buffer<T>> {
        Ok(Buffer::take(len)?.0)
    }

    /// An array, and whether its memory has been used before.
    fn take(len: usize) -> io::Result<(Buffer<T>, bool)> {
        let bytes = len * size_of::<T>();
        let of = |memory| Buffer { memory: Some(memory), bytes, items: PhantomData };
        let mut pool = BufferPool::open();
        if let Some(memory) = pool.take_free(bytes) {
            return Ok((of(memory), true));
        }
        pool.take_new(bytes)?;
        drop(pool);
        let memory = Memory::zeroed(bytes).inspect_err(|_| BufferPool::open().used -= bytes)?;
        Ok((of(memory), false))
    }
}

impl<T> Buffer<T> {
    fn bytes(&self) -> &[u8] {
        self.memory.as_ref().map_or(&[], |memory| &memory[..self.bytes])
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        let Some(memory) = self.memory.take() else { return };
        let mut pool = BufferPool::open();
        pool.used -= memory.len();
        if memory.len() >= WORTH_KEEPING {
            pool.free.push(memory);
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
        bytemuck::cast_slice_mut(
            self.memory.as_mut().map_or(&mut [], |memory| &mut memory[..bytes]),
        )
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

    #[test]
    fn a_limit_ends_with_the_last_that_set_it() {
        // A limit that other tests do not reach.
        let limited = usize::MAX / 2;
        let limit = || BufferPool::open().limit;
        let (one, other) = (BufferLimit::none(), BufferLimit::none());
        one.set(limited as u64);
        drop(one);
        assert_eq!(limit(), limited);
        drop(other);
        assert_eq!(limit(), usize::MAX);
    }
}
