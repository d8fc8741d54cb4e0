//! The zstd context and the read buffer of a thread, reused from block to block.

use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::solved::offsets::BlockNumber;
use std::cell::RefCell;
use zstd::zstd_safe::{DCtx, WriteBuf};

/// The zstd context and the read buffer of a thread.
#[derive(Default)]
struct ZstdDecoder {
    /// `None` until the first block. Creating it costs more than decoding a small block.
    context: Option<DCtx<'static>>,
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

/// The most bytes that a compressed block takes which decodes to `length` bytes. A longer one
/// is damaged, and no memory is taken for it.
pub fn longest_block(length: usize) -> usize {
    zstd::zstd_safe::compress_bound(length)
}

/// Decodes a compressed block to exactly `length` bytes.
///
/// Writes from the start of `buffer`, which must have room for them. A damaged block may fill
/// all of its capacity.
pub fn decode<B: WriteBuf + ?Sized>(
    block: BlockNumber,
    compressed: &[u8],
    buffer: &mut B,
    length: usize,
) -> Result<(), FormatError> {
    let failed = || FormatError::BlockDecoding(block.0);
    let decoded = DECODER.with(|decoder| {
        let mut decoder = decoder.try_borrow_mut().map_err(|_| failed())?;
        let context = match &mut decoder.context {
            Some(context) => context,
            none => none.insert(DCtx::try_create().ok_or_else(failed)?),
        };
        context.decompress(buffer, compressed).map_err(|_| failed())
    })?;
    if decoded == length { Ok(()) } else { Err(failed()) }
}
