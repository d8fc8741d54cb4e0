//! The zstd context and the read buffer of a thread, reused from block to block. Without the feature
//! `zstd`, and in WebAssembly, the decoder is in Rust.

use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::solved::offsets::BlockNumber;
use std::cell::RefCell;

/// The decoder of the C library.
#[cfg(all(feature = "zstd", not(target_family = "wasm")))]
mod in_c {
    /// A context that decodes frames.
    pub struct Context(zstd::zstd_safe::DCtx<'static>);

    impl Context {
        /// A new context. `None` without memory.
        pub fn new() -> Option<Context> {
            zstd::zstd_safe::DCtx::try_create().map(Context)
        }

        /// Decodes a frame. Returns the decoded length; `None` if it is damaged or too long.
        pub fn decode(&mut self, frame: &[u8], buffer: &mut [u8]) -> Option<usize> {
            self.0.decompress(buffer, frame).ok()
        }
    }

    /// Decodes a frame of at most `longest` bytes.
    pub fn decode_whole(frame: &[u8], longest: usize) -> Option<Vec<u8>> {
        zstd::bulk::decompress(frame, longest).ok()
    }
}

/// The decoder in Rust.
#[cfg(any(not(feature = "zstd"), target_family = "wasm", test))]
mod in_rust {
    /// A context that decodes frames.
    pub struct Context(ruzstd::decoding::FrameDecoder);

    impl Context {
        /// A new context.
        pub fn new() -> Option<Context> {
            Some(Context(ruzstd::decoding::FrameDecoder::new()))
        }

        /// Decodes a frame. Returns the decoded length; `None` if it is damaged or too long.
        pub fn decode(&mut self, frame: &[u8], buffer: &mut [u8]) -> Option<usize> {
            self.0.decode_all(frame, buffer).ok()
        }
    }

    /// Decodes a frame of at most `longest` bytes.
    pub fn decode_whole(frame: &[u8], longest: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; longest];
        let length = Context::new()?.decode(frame, &mut bytes)?;
        bytes.truncate(length);
        Some(bytes)
    }
}

#[cfg(all(feature = "zstd", not(target_family = "wasm")))]
use in_c as zstd_context;
#[cfg(any(not(feature = "zstd"), target_family = "wasm"))]
use in_rust as zstd_context;

use zstd_context::Context;
pub use zstd_context::decode_whole;

/// The zstd context and the read buffer of a thread.
#[derive(Default)]
struct ZstdDecoder {
    /// `None` until the first block. Creating it costs more than decoding a small block.
    context: Option<Context>,
    /// Buffer for bytes that are read from a file.
    scratch: Vec<u8>,
}

thread_local! {
    static DECODER: RefCell<ZstdDecoder> = RefCell::default();
}

/// Calls `use_it` with the thread's read buffer. A nested call gets an empty buffer.
pub fn with_scratch<T>(use_it: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    let mut scratch = DECODER
        .with(|decoder| decoder.try_borrow_mut().map(|mut d| std::mem::take(&mut d.scratch)))
        .unwrap_or_default();
    let result = use_it(&mut scratch);
    DECODER.with(|decoder| {
        if let Ok(mut decoder) = decoder.try_borrow_mut() {
            decoder.scratch = scratch;
        }
    });
    result
}

/// Maximum length in bytes of a compressed block that decodes to `length` bytes. A longer block is
/// damaged, and no memory is allocated for it.
pub fn longest_block(length: usize) -> usize {
    // ZSTD_COMPRESSBOUND of zstd.h.
    let margin = (128_usize << 10).saturating_sub(length) >> 11;
    length.saturating_add(length >> 8).saturating_add(margin)
}

/// Decodes a compressed block to exactly the length of the buffer.
pub fn decode(block: BlockNumber, compressed: &[u8], buffer: &mut [u8]) -> Result<(), FormatError> {
    let failed = || FormatError::BlockDecoding(block.0);
    let decoded = DECODER.with(|decoder| {
        let mut decoder = decoder.try_borrow_mut().map_err(|_| failed())?;
        let context = match &mut decoder.context {
            Some(context) => context,
            none => none.insert(Context::new().ok_or_else(failed)?),
        };
        context.decode(compressed, buffer).ok_or_else(failed)
    })?;
    if decoded == buffer.len() { Ok(()) } else { Err(failed()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_block_is_that_of_zstd() {
        for length in [0, 1, 2_047, 4_096, 131_071, 131_072, 131_073, 1 << 23] {
            assert_eq!(longest_block(length), zstd::zstd_safe::compress_bound(length));
        }
    }

    /// Random numbers, the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as usize % end
        }
    }

    #[test]
    fn the_decoder_in_rust_decodes_as_zstd_and_never_panics() {
        let mut random = Random(7);
        let mut context = in_rust::Context::new().unwrap();
        for round in 0..3_000 {
            let (length, spread) = (random.below(5_000), 1 + random.below(60));
            let mut codes: Vec<u8> = Vec::with_capacity(length);
            while codes.len() < length {
                match codes.len() {
                    0..8 => codes.push(random.below(spread) as u8),
                    before => match random.below(4) {
                        0 => codes.extend_from_within(random.below(before)..),
                        1 => codes.extend([codes[before - 1]; 9]),
                        _ => codes.push(random.below(spread) as u8),
                    },
                }
            }
            codes.truncate(length);
            let level = [-10, 1, 9][round % 3];
            let mut block = zstd::bulk::compress(&codes, level).unwrap();
            assert_eq!(in_rust::decode_whole(&block, 10_000), Some(codes));
            for _ in 0..8 {
                let at = random.below(block.len());
                match random.below(8) {
                    0 if block.len() > 1 => block.truncate(at.max(1)),
                    1 => block[at] = random.below(256) as u8,
                    _ => block[at] ^= 1 << random.below(8),
                }
                // Neither decoder finds all damage, and they do not find the same: that is the task
                // of the checksums.
                context.decode(&block, &mut vec![0; length]);
            }
        }
    }
}
