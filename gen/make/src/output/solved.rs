//! Writes solved files.
//!
//! ```text
//! write the header
//! for each wave of chunks:      bounds memory, whatever the number of threads
//!     compress its chunks in parallel
//!     meanwhile write the wave before in order, remember the length and checksum of each block
//! write the rows of the offset table and the trailer
//! sync the file, rename it, sync the directory
//! ```
//!
//! The bytes of a file depend on the table alone, and not on the number of threads, which decides
//! what a zstd context has compressed before: a context that was used compresses to the same bytes
//! as a new one. That is tested for levels of every strategy, as zstd does not promise it.

use crate::output::hashed_writer::HashedWriter;
use crate::system::atomic_file::write_atomically;
use rayon::prelude::*;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::preamble::Preamble;
use sakmak_tables::format::solved::header::SolvedHeader;
use sakmak_tables::format::solved::offsets::{BlockNumber, OffsetRow, ROW_BLOCKS};
use sakmak_tables::format::solved::{BlockContent, SolvedLayout};
use sakmak_tables::format::{HEADER_LENGTH, Trailer, block_checksum};
use sakmak_tables::index::Slot;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use zstd::zstd_safe::{CParameter, ParamSwitch};

/// Blocks per chunk. One thread compresses a chunk.
pub(super) const CHUNK_BLOCKS: u64 = 64;
/// Rows of the offset table that are written at a time.
const ROWS_PER_WRITE: usize = 1 << 10;
/// Blocks per wave. A wave is compressed in parallel, then written while the next is compressed.
const WAVE_BLOCKS: u64 = 128 * CHUNK_BLOCKS;

/// The shortest match of zstd, in bytes. Shorter matches do not make these files smaller, only
/// slower to decode.
const MIN_MATCH: u32 = 7;

/// Options of writing a solved file. None changes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// The quantity that the values of the table measure.
    pub metric: Metric,
    /// The level of zstd, at most 22. A higher level makes a smaller file, more slowly; a negative
    /// one searches for fewer matches. 0 is the default of zstd, 3.
    pub level: i32,
    /// Codes per block, a power of two. Larger blocks make a smaller file with slower look-ups.
    pub block_codes: u32,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions { metric: Metric::DistanceToMate, level: -10, block_codes: 1 << 11 }
    }
}

impl WriteOptions {
    /// Codes per wave: the greatest number that is in memory at a time.
    pub const fn wave_codes(&self) -> u64 {
        WAVE_BLOCKS * self.block_codes as u64
    }
}

/// A written file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenFile {
    /// Its path.
    pub path: PathBuf,
    /// Its length in bytes.
    pub length: u64,
    /// The checksum at its end.
    pub checksum: u64,
}

/// A file of a table could not be written. No file was left behind, and an older file is unchanged.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {problem}", path = path.display())]
pub struct WriteError<P = WriteProblem> {
    /// The path of the file that was to be written.
    pub path: PathBuf,
    /// The cause.
    #[source]
    pub problem: P,
}

/// The reason why a table could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteProblem {
    /// The directory or the file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The format cannot hold the table.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// The number of codes of a side to move is not the number of slots.
    #[error("the codes with {side} to move have {bytes} bytes, but its slots need {expected}", side = side.name())]
    Codes {
        /// The side to move.
        side: Side,
        /// Bytes of its codes.
        bytes: u64,
        /// Bytes that its slots need.
        expected: u64,
    },
    /// A code has no value.
    #[error("slot {slot} with {side} to move holds the code {code}, which no value has", slot = slot.0, side = side.name())]
    Code {
        /// The side to move.
        side: Side,
        /// The slot.
        slot: Slot,
        /// Its code.
        code: u16,
    },
}

/// Writes the solved file of a table into a directory. Replaces an older file atomically.
///
/// Every slot must hold a code that has a value, even if it is not a legal position.
///
/// # Errors
///
/// When the directory cannot be written, the disk is full, or the codes do not match the index or
/// the coding.
pub fn write(
    table: &dyn TableCodes,
    rules: &Rules,
    directory: &Path,
    options: &WriteOptions,
) -> Result<WrittenFile, WriteError> {
    let name = TableName { material: table.index().material(), metric: options.metric }.file_name();
    let path = directory.join(&name);
    let fill = |file: &mut File| write_to(table, rules, file, options);
    match write_atomically(directory, &name, fill) {
        Ok((length, checksum)) => Ok(WrittenFile { path, length, checksum }),
        Err(problem) => Err(WriteError { path, problem }),
    }
}

/// Writes the bytes of a solved file from front to back. Returns their number and their checksum.
///
/// # Errors
///
/// The errors of [`write()`].
pub fn write_to(
    table: &dyn TableCodes,
    rules: &Rules,
    writer: &mut (impl Write + Send),
    options: &WriteOptions,
) -> Result<(u64, u64), WriteProblem> {
    let layout = layout(table, rules, options)?;
    let mut blocks = BlockWriter::new(writer, &layout.header().encode())?;
    let mut compressed = Vec::new();
    for first in (0..layout.blocks()).step_by(WAVE_BLOCKS as usize) {
        let wave = first..layout.blocks().min(first + WAVE_BLOCKS);
        let (next, written) = rayon::join(
            || compress_wave(table, &layout, wave, options.level),
            || blocks.put(&compressed),
        );
        written?;
        compressed = next?;
    }
    blocks.put(&compressed)?;
    Ok(blocks.finish()?)
}

/// Returns the layout of the file to be written.
fn layout(
    table: &dyn TableCodes,
    rules: &Rules,
    options: &WriteOptions,
) -> Result<SolvedLayout, WriteProblem> {
    let index = table.index();
    let coding = |side| table.coding(side);
    let name = TableName { material: index.material(), metric: options.metric };
    let header = SolvedHeader {
        preamble: Preamble::new(name, rules),
        slots: index.slots(),
        block_codes: options.block_codes,
        white: coding(Side::White).unwrap_or_default(),
        black: coding(Side::Black),
    };
    // The checks of the reader, before hours of work are lost.
    SolvedHeader::decode(&header.encode())?.expect(&header.preamble, index)?;
    Ok(SolvedLayout::new(header))
}

/// Writes a file of compressed blocks from front to back, and knows the offset table of the blocks
/// written.
pub(super) struct BlockWriter<W> {
    out: HashedWriter<W>,
    rows: Vec<OffsetRow>,
    /// Bytes of all blocks written.
    bytes: u64,
    /// The number of the next block.
    number: u64,
}

impl<W: Write> BlockWriter<W> {
    /// Writes the header of a file.
    pub fn new(writer: W, header: &[u8; HEADER_LENGTH]) -> io::Result<BlockWriter<W>> {
        let mut out = HashedWriter::new(writer);
        out.put(header)?;
        Ok(BlockWriter { out, rows: Vec::new(), bytes: 0, number: 0 })
    }

    /// Writes the offset table and the trailer. Returns the length of the file and its checksum.
    pub fn finish(mut self) -> io::Result<(u64, u64)> {
        for (run, first) in self.rows.chunks(ROWS_PER_WRITE).zip((0..).step_by(ROWS_PER_WRITE)) {
            let bytes: Vec<u8> =
                (first..).zip(run).flat_map(|(number, row)| row.encode(number)).collect();
            self.out.put(&bytes)?;
        }
        self.out.put(&Trailer::covered(self.bytes))?;
        self.out.finish()
    }

    /// Writes the next blocks.
    pub fn put(&mut self, chunks: &[CompressedBlocks]) -> io::Result<()> {
        for chunk in chunks {
            self.out.put(&chunk.bytes)?;
            for &(length, checksum) in &chunk.blocks {
                let position = BlockNumber(self.number).index_in_row();
                if position == 0 {
                    self.rows.push(OffsetRow { start: self.bytes, ..OffsetRow::default() });
                }
                if let Some(row) = self.rows.last_mut() {
                    row.lengths[position] = length;
                    row.checksums[position] = checksum;
                }
                self.bytes += u64::from(length);
                self.number += 1;
            }
        }
        Ok(())
    }
}

/// Returns the chunks of a wave of blocks, compressed in parallel.
fn compress_wave(
    table: &dyn TableCodes,
    layout: &SolvedLayout,
    wave: Range<u64>,
    level: i32,
) -> Result<Vec<CompressedBlocks>, WriteProblem> {
    let windows = WaveCodes::open(table, layout, wave.clone())?;
    let chunks: Vec<u64> = wave.clone().step_by(CHUNK_BLOCKS as usize).collect();
    let compress = |compressor: &mut io::Result<BlockCompressor>, first: u64| {
        let blocks = (first..wave.end.min(first + CHUNK_BLOCKS)).map(BlockNumber);
        let codes =
            blocks.filter_map(|block| layout.content(block)).map(|block| windows.codes(&block));
        let compressor = compressor.as_mut().map_err(|error| io::Error::from(error.kind()))?;
        // Half a byte a code is enough for most.
        let capacity = CHUNK_BLOCKS as usize * layout.header().block_codes as usize / 2;
        CompressedBlocks::compress(codes, capacity, compressor)
    };
    chunks.into_par_iter().map_init(|| BlockCompressor::new(level), compress).collect()
}

/// A compressor of blocks, one after the other.
pub(super) struct BlockCompressor {
    context: zstd::bulk::Compressor<'static>,
    /// The buffer of a compressed block.
    compressed: Vec<u8>,
}

impl BlockCompressor {
    pub fn new(level: i32) -> io::Result<BlockCompressor> {
        let mut context = zstd::bulk::Compressor::new(level)?;
        // The offset table holds a checksum of the block.
        context.include_checksum(false)?;
        context.set_parameter(CParameter::MinMatch(MIN_MATCH))?;
        // Negative levels leave out the Huffman code by default, which does most of the
        // compression.
        context.set_parameter(CParameter::LiteralCompressionMode(ParamSwitch::Enable))?;
        Ok(BlockCompressor { context, compressed: Vec::new() })
    }

    /// Compresses the codes of a block.
    fn compress(&mut self, codes: &[u8]) -> io::Result<&[u8]> {
        self.compressed.clear();
        self.compressed.reserve(zstd::zstd_safe::compress_bound(codes.len()));
        self.context.compress_to_buffer(codes, &mut self.compressed)?;
        Ok(&self.compressed)
    }
}

/// A fixed run of compressed blocks.
pub(super) struct CompressedBlocks {
    bytes: Vec<u8>,
    /// Length and checksum of each block.
    blocks: Vec<(u32, u32)>,
}

impl CompressedBlocks {
    /// Compresses the codes of blocks, which need about `capacity` bytes.
    pub fn compress<'a, E: From<io::Error>>(
        blocks: impl Iterator<Item = Result<&'a [u8], E>>,
        capacity: usize,
        compressor: &mut BlockCompressor,
    ) -> Result<CompressedBlocks, E> {
        let mut chunk = CompressedBlocks {
            bytes: Vec::with_capacity(capacity),
            blocks: Vec::with_capacity(CHUNK_BLOCKS as usize),
        };
        for codes in blocks {
            let compressed = compressor.compress(codes?)?;
            chunk.blocks.push((compressed.len() as u32, block_checksum(compressed)));
            chunk.bytes.extend_from_slice(compressed);
        }
        Ok(chunk)
    }
}

/// The codes of a run of blocks, which may extend over both sides to move.
struct WaveCodes<'a>(Vec<WaveSide<'a>>);

/// The codes of a range of slots of one side to move.
struct WaveSide<'a> {
    side: Side,
    slots: Range<u64>,
    codes: Cow<'a, [u8]>,
}

impl<'a> WaveCodes<'a> {
    fn open(
        table: &'a dyn TableCodes,
        layout: &SolvedLayout,
        blocks: Range<u64>,
    ) -> Result<WaveCodes<'a>, WriteProblem> {
        let mut windows = Vec::new();
        for &side in Table::sides(table.index()) {
            let contents = blocks.clone().filter_map(|block| layout.content(BlockNumber(block)));
            let slots = contents.filter(|content| content.side == side).map(|content| {
                (content.first.0, content.first.0 + content.codes as u64, content.coding.width())
            });
            let Some((start, end, width)) = slots.reduce(|a, b| (a.0, b.1, a.2)) else { continue };
            let codes = table.window(side, start..end)?;
            let (bytes, expected) = (codes.len() as u64, (end - start) * width as u64);
            if bytes != expected {
                return Err(WriteProblem::Codes { side, bytes, expected });
            }
            windows.push(WaveSide { side, slots: start..end, codes });
        }
        Ok(WaveCodes(windows))
    }

    /// Returns the codes of a block. An error if one of them has no value.
    fn codes(&self, content: &BlockContent) -> Result<&[u8], WriteProblem> {
        let BlockContent { side, coding, first, .. } = *content;
        let window = self.0.iter().find(|window| window.side == side);
        let codes = window.and_then(|window| {
            let start = (first.0 - window.slots.start) as usize * coding.width();
            window.codes.get(start..start + content.length())
        });
        let codes = codes.unwrap_or_default();
        let Some(code) = coding.without_value(codes) else { return Ok(codes) };
        let position =
            (0..content.codes).find(|&position| coding.read(codes, position) == Some(code));
        let slot = Slot(first.0 + position.unwrap_or(0) as u64);
        Err(WriteProblem::Code { side, slot, code })
    }
}

const _: () = assert!(CHUNK_BLOCKS.is_multiple_of(ROW_BLOCKS as u64));

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_probe::file::bytes::Access;
    use sakmak_probe::file::solved::SolvedFile;
    use sakmak_tables::distance::Moves;
    use sakmak_tables::index::Index;
    use sakmak_tables::values::table::Table;
    use sakmak_tables::values::{Coding, Values};
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn a_used_context_compresses_to_the_bytes_of_a_new_one() {
        // Runs of codes. Blocks follow one another in memory, as those of a table do, and come
        // twice.
        let mut random = 1u64;
        let mut codes = Vec::new();
        while codes.len() < 1 << 17 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            codes.extend(std::iter::repeat_n((random >> 40) as u8 % 23, (random >> 60) as usize));
        }
        codes.extend_from_within(..);
        for level in [-50, WriteOptions::default().level, 1, 3, 5, 7, 11, 13, 16, 18, 19, 22] {
            let mut used = BlockCompressor::new(level).unwrap();
            for block in codes.chunks(1 << 11) {
                let mut new = BlockCompressor::new(level).unwrap();
                assert_eq!(used.compress(block).unwrap(), new.compress(block).unwrap(), "{level}");
            }
        }
    }

    #[test]
    fn windows_of_a_file_are_those_of_its_table() {
        let name: TableName = "KRvK".parse().unwrap();
        let index = Index::new(name.material, &MAKRUK.rules);
        let slots = index.slots();
        let directory = tempfile::tempdir().unwrap();
        for wins in [200, 300] {
            let coding = Coding { wins: Moves(wins), losses: None };
            let values = |factor: u64| {
                let codes = (0..slots).map(|slot| (slot * factor % u64::from(wins)) as u16);
                let bytes = codes.flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
                let step = 2 / coding.width();
                Values::new(coding, bytes.into_iter().step_by(step).collect::<Vec<u8>>())
            };
            let table = Table::new(index.clone(), values(7), Some(values(11)));
            let options = WriteOptions { block_codes: 1 << 12, ..WriteOptions::default() };
            let path = write(&table, &MAKRUK.rules, directory.path(), &options).unwrap().path;
            let file = SolvedFile::open(&path, Access::default(), name, &MAKRUK.rules).unwrap();
            for side in Side::BOTH {
                assert_eq!(TableCodes::coding(&file, side), Some(coding));
                for window in [0..slots, 5..6, 4090..4100, slots - 5000..slots, 7..7, slots..slots]
                {
                    let codes = file.window(side, window.clone()).unwrap();
                    assert_eq!(codes, table.window(side, window).unwrap());
                }
            }
        }
    }
}
