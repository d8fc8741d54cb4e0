//! Writes files of solved materials of board games.

use crate::output::solved::{BlockCompressor, BlockWriter, CHUNK_BLOCKS, CompressedBlocks};
use rayon::prelude::*;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::BoardGame;
use sakmak_probe::file::board_game::{BLOCK_CODES, header};
use std::io::{self, Write};

/// The level of zstd. Compression takes a fraction of the time of solving.
const LEVEL: i32 = 9;

/// Writes a solved material. Returns the length of the file and its checksum.
///
/// # Errors
///
/// The errors of the writer.
pub fn write<G: BoardGame>(
    game: &G,
    material: G::Material,
    codes: &Codes,
    out: &mut impl Write,
) -> io::Result<(u64, u64)> {
    let bytes = codes.little_endian();
    let code_bytes = (bytes.len() as u64).checked_div(codes.slots()).unwrap_or(1) as u32;
    let block_bytes = BLOCK_CODES as usize * code_bytes as usize;
    let compress = |compressor: &mut io::Result<BlockCompressor>, chunk: &[u8]| {
        let compressor = compressor.as_mut().map_err(|error| io::Error::from(error.kind()))?;
        let blocks = chunk.chunks(block_bytes).map(Ok);
        CompressedBlocks::compress(blocks, chunk.len() / 2, compressor)
    };
    let chunks = bytes.par_chunks(block_bytes * CHUNK_BLOCKS as usize);
    let chunks: Vec<CompressedBlocks> =
        chunks.map_init(|| BlockCompressor::new(LEVEL), compress).collect::<io::Result<_>>()?;
    let header = header(game, material, codes.slots(), code_bytes);
    let mut blocks = BlockWriter::new(out, &header.encode())?;
    blocks.put(&chunks)?;
    blocks.finish()
}
