//! Zeroed memory for arrays: pages of the system, huge pages if available; a vector on systems
//! without pages.

#[cfg(not(target_family = "wasm"))]
pub use pages::Memory;
#[cfg(target_family = "wasm")]
pub use vector::Memory;

#[cfg(not(target_family = "wasm"))]
mod pages {
    use memmap2::MmapMut;
    use std::io;
    use std::ops::{Deref, DerefMut};

    /// Zeroed memory, aligned to a page.
    #[derive(Debug)]
    pub struct Memory(MmapMut);

    impl Memory {
        /// Takes this many bytes from the system.
        ///
        /// # Errors
        ///
        /// If the system has not enough memory.
        pub fn zeroed(bytes: usize) -> io::Result<Memory> {
            let map = MmapMut::map_anon(bytes)?;
            // Without huge pages the memory is only slower.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            Ok(Memory(map))
        }
    }

    impl Deref for Memory {
        type Target = [u8];
        fn deref(&self) -> &[u8] {
            &self.0
        }
    }

    impl DerefMut for Memory {
        fn deref_mut(&mut self) -> &mut [u8] {
            &mut self.0
        }
    }
}

// Compiled into the tests of every system, so that every system tests it.
#[cfg(any(target_family = "wasm", test))]
mod vector {
    use bytemuck::{Pod, Zeroable};
    use std::io;
    use std::ops::{Deref, DerefMut};

    /// A line of the cache: the alignment of planes.
    #[derive(Clone, Copy, Pod, Zeroable, Debug)]
    #[repr(C, align(64))]
    struct Line([u8; 64]);

    /// Zeroed memory, aligned to 64 bytes.
    #[derive(Debug)]
    pub struct Memory(Vec<Line>);

    impl Memory {
        /// Takes this many bytes, rounded up to 64, from the allocator.
        ///
        /// # Errors
        ///
        /// If the allocator has not enough memory.
        pub fn zeroed(bytes: usize) -> io::Result<Memory> {
            let lines = bytes.div_ceil(size_of::<Line>());
            let mut memory = Vec::new();
            memory.try_reserve_exact(lines).map_err(|_| io::ErrorKind::OutOfMemory)?;
            memory.resize(lines, Line::zeroed());
            Ok(Memory(memory))
        }
    }

    impl Deref for Memory {
        type Target = [u8];
        fn deref(&self) -> &[u8] {
            bytemuck::cast_slice(&self.0)
        }
    }

    impl DerefMut for Memory {
        fn deref_mut(&mut self) -> &mut [u8] {
            bytemuck::cast_slice_mut(&mut self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{pages, vector};

    #[test]
    fn memory_is_zeroed_writable_and_aligned() {
        for bytes in [1, 64, 65, 1 << 20] {
            let mut vector = vector::Memory::zeroed(bytes).unwrap();
            let mut pages = pages::Memory::zeroed(bytes).unwrap();
            for memory in [&mut vector[..], &mut pages[..]] {
                assert!(memory.len() >= bytes && memory.iter().all(|&byte| byte == 0));
                assert_eq!(memory.as_ptr() as usize % 64, 0);
                memory.fill(1);
            }
        }
        assert!(vector::Memory::zeroed(usize::MAX - 63).is_err());
    }
}
