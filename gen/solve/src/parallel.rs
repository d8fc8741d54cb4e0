//! Work on all cores: rayon with the feature `threads`, the same calls on one thread without.

#[cfg(feature = "threads")]
pub use rayon::{current_num_threads, current_thread_index, prelude::*};

#[cfg(not(feature = "threads"))]
pub use one_thread::*;

#[cfg(not(feature = "threads"))]
mod one_thread {
    use std::slice::{Chunks, ChunksMut, Iter};

    /// The number of threads.
    pub fn current_num_threads() -> usize {
        1
    }

    /// The index of the calling thread.
    pub fn current_thread_index() -> Option<usize> {
        Some(0)
    }

    /// Substitute for rayon's `into_par_iter`.
    pub trait IntoParallelIterator: IntoIterator + Sized {
        fn into_par_iter(self) -> Self::IntoIter {
            self.into_iter()
        }
    }

    impl<I: IntoIterator> IntoParallelIterator for I {}

    /// Substitutes for rayon's iterators over slices.
    pub trait ParallelSlice<T> {
        fn par_iter(&self) -> Iter<'_, T>;
        fn par_chunks(&self, len: usize) -> Chunks<'_, T>;
        fn par_chunks_mut(&mut self, len: usize) -> ChunksMut<'_, T>;
        fn par_sort_unstable_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);
    }

    impl<T> ParallelSlice<T> for [T] {
        fn par_iter(&self) -> Iter<'_, T> {
            self.iter()
        }

        fn par_chunks(&self, len: usize) -> Chunks<'_, T> {
            self.chunks(len)
        }

        fn par_chunks_mut(&mut self, len: usize) -> ChunksMut<'_, T> {
            self.chunks_mut(len)
        }

        fn par_sort_unstable_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
            self.sort_unstable_by_key(key);
        }
    }

    /// Methods of rayon's iterators that iterators of the standard library lack.
    pub trait ParallelIterator: Iterator + Sized {
        fn with_min_len(self, _: usize) -> Self {
            self
        }

        fn flat_map_iter<I: IntoIterator>(
            self,
            map: impl FnMut(Self::Item) -> I,
        ) -> impl Iterator<Item = I::Item> {
            self.flat_map(map)
        }

        fn find_map_first<T>(mut self, find: impl FnMut(Self::Item) -> Option<T>) -> Option<T> {
            self.find_map(find)
        }

        fn map_init<S, R>(
            self,
            init: impl FnOnce() -> S,
            mut map: impl FnMut(&mut S, Self::Item) -> R,
        ) -> impl Iterator<Item = R> {
            let mut state = init();
            self.map(move |item| map(&mut state, item))
        }

        fn try_reduce<T, E>(
            mut self,
            identity: impl FnOnce() -> T,
            mut reduce: impl FnMut(T, T) -> Result<T, E>,
        ) -> Result<T, E>
        where
            Self: Iterator<Item = Result<T, E>>,
        {
            self.try_fold(identity(), |folded, item| reduce(folded, item?))
        }
    }

    impl<I: Iterator> ParallelIterator for I {}
}
