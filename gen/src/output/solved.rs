//! Writing a table to its file.
//!
//! ```text
//! header
//! for each wave of chunks:      bounds memory, the same for any number of threads
//!     compress all chunks of it in parallel, a fresh zstd context for each
//!     write them in order, remember where each block begins
//! rows of the offset table, trailer
//! sync the file, give it its name, sync the directory
//! ```
//!
//! A zstd context that was used before may choose other bytes for the same block, and
//! which blocks one thread sees depends on the number of threads. A context lives for one
//! chunk, a fixed run of blocks, so the bytes of a file depend on the table alone.

use crate::slots::codes::TableCodes;
use crate::system::atomic_file::write_atomically;
use rayon::prelude::*;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::preamble::Preamble;
use sakmak_tables::format::solved::header::SolvedHeader;
use sakmak_tables::format::solved::offsets::{BlockNumber, OffsetRow, ROW_BLOCKS};
use sakmak_tables::format::solved::{BlockContent, SolvedLayout};
use sakmak_tables::format::{Trailer, block_checksum};
use sakmak_tables::index::Slot;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3Default;
use zstd::zstd_safe::CParameter;

/// Blocks compressed one after the other by one thread.
const CHUNK_BLOCKS: u64 = 128;
/// Chunks compressed in parallel before what they became is written.
const WAVE_CHUNKS: u64 = 128;

/// The least codes of a match: shorter ones make noise no smaller, only slower to decode.
const MIN_MATCH: u32 = 6;

/// Choices in writing a table, none of which changes a value in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WriteOptions {
    /// What the table's numbers measure.
    pub metric: Metric,
    /// The level of zstd, 1 to 22: higher is smaller and slower.
    pub level: i32,
    /// Codes of a block, a power of two: more is smaller, and slower to look up.
    pub block_codes: u32,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions { metric: Metric::DistanceToMate, level: 3, block_codes: 1 << 10 }
    }
}

impl WriteOptions {
    /// The most codes at work at a time: they are asked for and compressed together.
    pub const fn wave_codes(&self) -> u64 {
        WAVE_CHUNKS * CHUNK_BLOCKS * self.block_codes as u64
    }
}

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its length in bytes.
    pub length: u64,
    /// Its checksum, as in its trailer.
    pub checksum: u64,
}

/// A table could not be written; nothing was left behind under its name.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {problem}", path = path.display())]
pub struct WriteError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What went wrong.
    #[source]
    pub problem: WriteProblem,
}

/// What went wrong in writing a table.
#[derive(Debug, thiserror::Error)]
pub enum WriteProblem {
    /// The directory or the file could not be written to.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The table cannot be a file.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// A side to move has too many or too few codes, or none at all.
    #[error("{bytes} bytes of codes with {side} to move, but its slots take {expected}", side = side.name())]
    Codes {
        /// The side to move.
        side: Side,
        /// Bytes there are.
        bytes: u64,
        /// Bytes there must be.
        expected: u64,
    },
    /// A slot holds a code that stands for no value.
    #[error("slot {slot} with {side} to move holds code {code}, which stands for no value", slot = slot.0, side = side.name())]
    Code {
        /// The side to move.
        side: Side,
        /// The slot.
        slot: Slot,
        /// Its code.
        code: u16,
    },
}

/// Writes a table into a directory, under the name of its material.
///
/// Every slot must hold a code that stands for a value, also those that are no legal
/// position. A file of this name is replaced at once and whole.
///
/// # Errors
///
/// When the directory cannot be written to, the disk is full, or the table is not as it
/// must be. The error names the file; none is left behind, nor is an old one changed.
pub fn write(
    table: &dyn TableCodes,
    rules: &Rules,
    directory: &Path,
    options: &WriteOptions,
) -> Result<WrittenFile, WriteError> {
    let name = TableName { material: table.index().material(), metric: options.metric }.file_name();
    let path = directory.join(&name);
    let written = write_as(table, rules, directory, &name, options);
    match written {
        Ok((length, checksum)) => Ok(WrittenFile { path, length, checksum }),
        Err(problem) => Err(WriteError { path, problem }),
    }
}

/// Writes the file under a temporary name, then gives it its own.
fn write_as(
    table: &dyn TableCodes,
    rules: &Rules,
    directory: &Path,
    name: &str,
    options: &WriteOptions,
) -> Result<(u64, u64), WriteProblem> {
    write_atomically(directory, name, |file| write_to(table, rules, file, options))
}

/// Writes the bytes of a table's file from front to back and returns their number and
/// their checksum.
///
/// # Errors
///
/// As [`write()`].
pub fn write_to(
    table: &dyn TableCodes,
    rules: &Rules,
    writer: &mut impl Write,
    options: &WriteOptions,
) -> Result<(u64, u64), WriteProblem> {
    let layout = layout(table, rules, options)?;
    let mut sink = Sink { writer, hash: Xxh3Default::new(), length: 0 };
    sink.put(&layout.header().encode())?;
    let mut rows: Vec<OffsetRow> = Vec::new();
    let mut block_bytes = 0;
    let mut number = 0;
    for wave in (0..layout.blocks()).step_by((WAVE_CHUNKS * CHUNK_BLOCKS) as usize) {
        let wave = wave..layout.blocks().min(wave + WAVE_CHUNKS * CHUNK_BLOCKS);
        let windows = Windows::open(table, &layout, wave.clone())?;
        let chunks: Vec<u64> = wave.clone().step_by(CHUNK_BLOCKS as usize).collect();
        let compressed: Vec<Chunk> = chunks
            .into_par_iter()
            .map(|first| {
                let blocks = first..wave.end.min(first + CHUNK_BLOCKS);
                Chunk::compress(blocks, &windows, &layout, options.level)
            })
            .collect::<Result<_, _>>()?;
        for chunk in compressed {
            sink.put(&chunk.bytes)?;
            for (length, checksum) in chunk.blocks {
                let place = BlockNumber(number).place();
                if place == 0 {
                    rows.push(OffsetRow { start: block_bytes, ..OffsetRow::default() });
                }
                if let Some(row) = rows.last_mut() {
                    row.lengths[place] = length;
                    row.checksums[place] = checksum;
                }
                block_bytes += u64::from(length);
                number += 1;
            }
        }
    }
    for (number, row) in (0..).zip(&rows) {
        sink.put(&row.encode(number))?;
    }
    sink.put(&Trailer::covered(block_bytes))?;
    let checksum = sink.hash.digest();
    sink.put(&checksum.to_le_bytes())?;
    Ok((sink.length, checksum))
}

/// The layout of the file to be written, when the table has as many codes as it must.
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
    // Whoever reads it back asks the same, so ask before hours are lost.
    SolvedHeader::decode(&header.encode())?.expect(&header.preamble, index)?;
    Ok(SolvedLayout::new(header))
}

/// Bytes on their way to a file, counted and summed.
struct Sink<'a, W> {
    writer: &'a mut W,
    hash: Xxh3Default,
    length: u64,
}

impl<W: Write> Sink<'_, W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        self.writer.write_all(bytes)
    }
}

/// A fixed run of blocks, compressed.
struct Chunk {
    bytes: Vec<u8>,
    /// Length and checksum of each block.
    blocks: Vec<(u32, u32)>,
}

impl Chunk {
    fn compress(
        blocks: Range<u64>,
        windows: &Windows<'_>,
        layout: &SolvedLayout,
        level: i32,
    ) -> Result<Chunk, WriteProblem> {
        let mut context = zstd::bulk::Compressor::new(level)?;
        // The block has its checksum in the offset table.
        context.include_checksum(false)?;
        context.set_parameter(CParameter::MinMatch(MIN_MATCH))?;
        let mut chunk = Chunk { bytes: Vec::new(), blocks: Vec::new() };
        let mut compressed = Vec::new();
        for block in blocks.map(BlockNumber) {
            let Some(content) = layout.content(block) else { break };
            let codes = windows.codes(&content)?;
            compressed.clear();
            compressed.reserve(zstd::zstd_safe::compress_bound(codes.len()));
            context.compress_to_buffer(codes, &mut compressed)?;
            chunk.blocks.push((compressed.len() as u32, block_checksum(&compressed)));
            chunk.bytes.extend_from_slice(&compressed);
        }
        Ok(chunk)
    }
}

/// The codes of a run of blocks: a part of each side's.
struct Windows<'a>(Vec<Window<'a>>);

/// A run of one side's slots.
struct Window<'a> {
    side: Side,
    slots: Range<u64>,
    codes: Cow<'a, [u8]>,
}

impl<'a> Windows<'a> {
    fn open(
        table: &'a dyn TableCodes,
        layout: &SolvedLayout,
        blocks: Range<u64>,
    ) -> Result<Windows<'a>, WriteProblem> {
        let mut windows = Vec::new();
        for &side in Table::sides(table.index()) {
            let here = blocks.clone().filter_map(|block| layout.content(BlockNumber(block)));
            let slots = here.filter(|content| content.side == side).map(|content| {
                (content.first.0, content.first.0 + content.codes as u64, content.coding.width())
            });
            let Some((start, end, width)) = slots.reduce(|a, b| (a.0, b.1, a.2)) else { continue };
            let codes = table.window(side, start..end)?;
            let (bytes, expected) = (codes.len() as u64, (end - start) * width as u64);
            if bytes != expected {
                return Err(WriteProblem::Codes { side, bytes, expected });
            }
            windows.push(Window { side, slots: start..end, codes });
        }
        Ok(Windows(windows))
    }

    /// The codes of a block, each of which must stand for a value.
    fn codes(&self, content: &BlockContent) -> Result<&[u8], WriteProblem> {
        let BlockContent { side, coding, first, .. } = *content;
        let window = self.0.iter().find(|window| window.side == side);
        let codes = window.and_then(|window| {
            let start = (first.0 - window.slots.start) as usize * coding.width();
            window.codes.get(start..start + content.length())
        });
        let codes = codes.unwrap_or_default();
        let known = coding.codes();
        let highest = if coding.width() == 1 {
            u32::from(codes.iter().copied().max().unwrap_or(0))
        } else {
            let (pairs, _) = codes.as_chunks::<2>();
            u32::from(pairs.iter().map(|&pair| u16::from_le_bytes(pair)).max().unwrap_or(0))
        };
        if highest < known {
            return Ok(codes);
        }
        let code = highest as u16;
        let place = (0..content.codes).find(|&place| coding.read(codes, place) == Some(code));
        let slot = Slot(first.0 + place.unwrap_or(0) as u64);
        Err(WriteProblem::Code { side, slot, code })
    }
}

const _: () = assert!(CHUNK_BLOCKS.is_multiple_of(ROW_BLOCKS as u64));
