//! Writes files of solved materials of board games.

use rayon::prelude::*;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::BoardGame;
use sakmak_probe::boards::file;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_64;

/// The level of zstd.
const LEVEL: i32 = 3;

/// Writes a solved material.
///
/// # Errors
///
/// The errors of the writer.
pub fn write<G: BoardGame>(
    game: &G,
    material: G::Material,
    codes: &Codes,
    out: &mut impl Write,
) -> io::Result<()> {
    let blocks: io::Result<Vec<Vec<u8>>> = match codes {
        Codes::Narrow(codes) => {
            codes.par_chunks(file::BLOCK).map(|codes| zstd::bulk::compress(codes, LEVEL)).collect()
        }
        Codes::Wide(codes) => {
            let bytes = |codes: &[u16]| {
                codes.iter().flat_map(|code| code.to_le_bytes()).collect::<Vec<u8>>()
            };
            codes
                .par_chunks(file::BLOCK)
                .map(|codes| zstd::bulk::compress(&bytes(codes), LEVEL))
                .collect()
        }
    };
    let blocks = blocks?;
    let mut head = file::MAGIC.to_vec();
    for text in file::texts(game, material) {
        head.extend((text.len() as u16).to_le_bytes());
        head.extend(text.as_bytes());
    }
    head.extend(codes.slots().to_le_bytes());
    head.push(if matches!(codes, Codes::Narrow(_)) { 1 } else { 2 });
    let mut end = 0u64;
    for block in &blocks {
        end += block.len() as u64;
        head.extend(end.to_le_bytes());
        head.extend(xxh3_64(block).to_le_bytes());
    }
    head.extend(xxh3_64(&head).to_le_bytes());
    out.write_all(&head)?;
    blocks.iter().try_for_each(|block| out.write_all(block))?;
    out.flush()
}
