//! Writes a packed file.

use crate::output::packed::encoder::encode::BlockEncoder;
use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::error::PackProblem;
use crate::output::packed::plan::PackPlan;
use crate::output::packed::source::PackSource;
use crate::system::atomic_file::write_atomically;
use rayon::prelude::*;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::Trailer;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::packed::PackedLayout;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::format::packed::row::{PackedRow, ROW_BLOCKS, encode_offset};
use sakmak_tables::format::preamble::Preamble;
use sakmak_tables::index::Index;
use sakmak_tables::packed_codec::TileCodes;
use sakmak_tables::packed_codec::decode::decode;
use sakmak_tables::rules::Rules;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Rows whose blocks are encoded in parallel before they are written.
const WAVE_ROWS: u64 = 512;

/// The zstd level of the model: one a file, some kilobytes.
const MODEL_LEVEL: i32 = 19;

/// Writes the file and returns its length and checksum.
///
/// # Errors
///
/// As [`pack`](crate::output::packed::pack).
pub fn write(
    source: &PackSource<'_>,
    plan: &PackPlan,
    name: TableName,
    rules: &Rules,
    directory: &Path,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(u64, u64), PackProblem> {
    let model = zstd::bulk::compress(&plan.model.encode(), MODEL_LEVEL)?;
    let layout = PackedLayout::new(header(source, plan, name, rules, &model)?, &plan.tiles);
    let writer = PackedWriter { source, plan, layout: &layout };
    write_atomically(directory, &name.packed_file_name(), |file| {
        writer.write_to(file, &model, progress)
    })
}

fn header(
    source: &PackSource<'_>,
    plan: &PackPlan,
    name: TableName,
    rules: &Rules,
    model: &[u8],
) -> Result<PackedHeader, PackProblem> {
    let index: &Index = plan.tiles.index();
    let header = PackedHeader {
        preamble: Preamble::new(name, rules),
        slots: index.slots(),
        kept: source.side(),
        block_tiles: u8::try_from(plan.model.tiles()).unwrap_or(u8::MAX),
        dont_care: true,
        tile_order: PackedHeader::encoded_tile_order(&plan.order).ok_or(FormatError::TileOrder)?,
        model_length: u32::try_from(model.len()).map_err(|_| FormatError::Model)?,
        model_checksum: xxh3_64(model),
        coding: source.coding(),
    };
    // The checks of a reader, before the work is done.
    PackedHeader::decode(&header.encode())?.expect(&header.preamble, index)?;
    header.tile_order(index)?;
    Ok(header)
}

/// Writes the parts of a file.
struct PackedWriter<'a> {
    source: &'a PackSource<'a>,
    plan: &'a PackPlan,
    layout: &'a PackedLayout,
}

impl PackedWriter<'_> {
    fn write_to(
        &self,
        file: &mut File,
        model: &[u8],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(u64, u64), PackProblem> {
        let header = self.layout.header();
        let mut out =
            ChecksumWriter { writer: BufWriter::new(file), hash: Xxh3Default::new(), length: 0 };
        out.put(&header.encode())?;
        out.put(model)?;
        let (mut offsets, mut row_bytes) = (Vec::new(), 0);
        for wave in (0..self.layout.rows()).step_by(WAVE_ROWS as usize) {
            let wave = wave..self.layout.rows().min(wave + WAVE_ROWS);
            let encoded: Vec<Vec<u8>> = wave
                .clone()
                .into_par_iter()
                .map(|row| self.row(row, progress))
                .collect::<Result<_, PackProblem>>()?;
            for (row, bytes) in wave.zip(encoded) {
                offsets.push(encode_offset(row_bytes).ok_or(FormatError::RowOffset(row))?);
                row_bytes += bytes.len() as u64;
                out.put(&bytes)?;
            }
        }
        let rows = self.layout.rows();
        offsets.push(encode_offset(row_bytes).ok_or(FormatError::RowOffset(rows))?);
        out.put(offsets.as_flattened())?;
        out.put(&Trailer::covered(row_bytes))?;
        let checksum = out.hash.digest();
        out.put(&checksum.to_le_bytes())?;
        out.writer.flush()?;
        Ok((out.length, checksum))
    }

    /// Encodes a row, and decodes each of its blocks again.
    fn row(&self, row: u64, progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<u8>, PackProblem> {
        let tiles = &self.plan.tiles;
        let size = u64::from(self.layout.header().block_tiles);
        let mut encoder = BlockEncoder::new(&self.plan.model);
        let mut room = vec![[0; SQUARES]; self.plan.model.tiles()];
        let (mut blocks, mut lengths, mut slots) = (Vec::new(), Vec::new(), 0);
        for block in (row * ROW_BLOCKS..).take(self.layout.blocks_of_row(row)) {
            let target =
                self.source.tiles(tiles, block * size..tiles.len().min((block + 1) * size));
            let (bytes, _) = encoder.encode(&target)?;
            let room = &mut room[..target.len()];
            decode(&self.plan.model, bytes, |tile| target[tile].shape, room)?;
            if !self.decodes_to(&target, room) {
                return Err(PackProblem::ReadBack(block));
            }
            lengths.push(bytes.len());
            blocks.extend_from_slice(bytes);
            slots += (target.len() * SQUARES) as u64;
        }
        progress(slots);
        let encoded = PackedRow::encode(row, &lengths, &blocks);
        Ok(encoded.ok_or(FormatError::RowOffset(row))?)
    }

    /// Whether the tiles of a block allow the codes that it decodes to.
    fn decodes_to(&self, block: &[TargetTile], codes: &[TileCodes]) -> bool {
        let scale = self.plan.model.scale();
        block.iter().zip(codes).all(|(tile, codes)| {
            let mut kept = (0..SQUARES).filter(|square| tile.shape.kept >> square & 1 != 0);
            kept.all(|square| tile.allows(square, codes[square], scale))
        })
    }
}

/// Writes bytes, and keeps their number and checksum.
struct ChecksumWriter<W> {
    writer: W,
    hash: Xxh3Default,
    length: u64,
}

impl<W: Write> ChecksumWriter<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        self.writer.write_all(bytes)
    }
}
