//! Large zeroed arrays on huge pages, where the system has them.
//!
//! A solver touches hundreds of megabytes once; on pages of 4 KiB the page faults alone
//! take as long as the work.

use bytemuck::Pod;
use memmap2::MmapMut;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A zeroed array of a fixed length.
#[derive(Debug)]
pub struct Buffer<T> {
    map: MmapMut,
    items: PhantomData<T>,
}

impl<T: Pod> Buffer<T> {
    /// An array of `len` zeroed items.
    pub fn zeroed(len: usize) -> io::Result<Buffer<T>> {
        let map = MmapMut::map_anon(len * size_of::<T>())?;
        // Without huge pages the array is as good, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Buffer { map, items: PhantomData })
    }
}

impl AsRef<[u8]> for Buffer<u8> {
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map)
    }
}

impl<T: Pod> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map)
    }
}
