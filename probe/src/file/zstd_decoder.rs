//! What one thread needs to decode blocks, kept from one block to the next.

use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::solved::offsets::BlockNumber;
use std::cell::RefCell;
use zstd::zstd_safe::{DCtx, WriteBuf};

/// What one thread needs to decode blocks.
#[derive(Default)]
struct Decoder {
    /// Making one costs more than decoding a small block.
    context: Option<DCtx<'static>>,
    /// Where bytes are read to that are not in memory.
    scratch: Vec<u8>,
}

thread_local! {
    static DECODER: RefCell<Decoder> = RefCell::default();
}

/// Lends the thread's buffer for bytes read from a file.
///
/// Asked for again before it is given back, another is made.
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

/// Decodes a compressed block to exactly `length` bytes.
///
/// `buffer` takes them from its start; it must have room for as many and for no more than
/// a caller is ready to see written.
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
