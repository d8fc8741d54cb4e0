//! Writes a packed file.

use crate::output::hashed_writer::HashedWriter;
use crate::output::packed::block_group::{BlockGroup, BlockWaves};
use crate::output::packed::encoder::lane_encoder::{EncoderModel, LaneEncoder};
use crate::output::packed::encoder::target_tile::TargetTile;
use crate::output::packed::error::PackProblem;
use crate::output::packed::plan::PackPlan;
use crate::output::packed::source::PackSource;
use crate::output::packed::square_progress::SquareProgress;
use crate::output::packed::tile_source::{TileReader, TileSource};
use crate::system::atomic_file::write_atomically;
use rayon::prelude::*;
use sakmak_codec::lanes::LANES;
use sakmak_codec::model::Model;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::Trailer;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::packed::PackedLayout;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::format::packed::row::{OFFSET_LENGTH, PackedRow, ROW_BLOCKS, encode_offset};
use sakmak_tables::format::preamble::Preamble;
use sakmak_tables::index::Index;
use sakmak_tables::rules::Rules;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// Compression level of the model, which takes some kilobytes per file.
const MODEL_LEVEL: i32 = 19;

/// Writes the file and returns its length and checksum.
///
/// # Errors
///
/// The errors of [`pack`](crate::output::packed::pack).
pub fn write(
    table: &PackSource<'_>,
    plan: &PackPlan,
    name: TableName,
    directory: &Path,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(u64, u64), PackProblem> {
    let model = zstd::bulk::compress(&plan.model.encode(), MODEL_LEVEL)?;
    let layout =
        PackedLayout::new(header(plan, name, &table.variant.rules, &model)?, plan.source.tiles());
    let writer = PackedWriter { table, model: &plan.model, source: &plan.source, layout: &layout };
    let progress = SquareProgress::new(plan.source.tiles(), progress);
    write_atomically(directory, &name.packed_file_name(), |file| {
        writer.write_to(file, &model, &progress)
    })
}

fn header(
    plan: &PackPlan,
    name: TableName,
    rules: &Rules,
    model: &[u8],
) -> Result<PackedHeader, PackProblem> {
    let index: &Index = plan.source.tiles().index();
    let header = PackedHeader {
        preamble: Preamble::new(name, rules),
        slots: index.slots(),
        kept: plan.source.side(),
        block_tiles: u8::try_from(plan.model.tiles()).unwrap_or(u8::MAX),
        dont_care: plan.source.has_dont_care(),
        tile_order: PackedHeader::encoded_tile_order(plan.source.order())
            .ok_or(FormatError::TileOrder)?,
        model_length: u32::try_from(model.len()).map_err(|_| FormatError::Model)?,
        model_checksum: xxh3_64(model),
        coding: plan.source.coding(),
    };
    // The checks of a reader, before the work is done.
    PackedHeader::decode(&header.encode())?.expect(&header.preamble, index)?;
    header.tile_order(index)?;
    Ok(header)
}

/// Writes the parts of a file.
struct PackedWriter<'a> {
    table: &'a PackSource<'a>,
    source: &'a TileSource,
    model: &'a Model,
    layout: &'a PackedLayout,
}

/// Successive blocks.
#[derive(Default)]
struct EncodedBlocks {
    bytes: Vec<u8>,
    /// The length of each block.
    lengths: Vec<usize>,
}

/// The blocks of a wave, by group.
struct EncodedWave {
    groups: Vec<BlockGroup>,
    blocks: Vec<EncodedBlocks>,
}

/// A run of successive blocks among those of a group.
struct BlockRun {
    /// Number of the first block in the file.
    first: u64,
    /// Index of the group in its wave.
    group: usize,
    /// Indices of the blocks in the group.
    places: Range<usize>,
    /// Offset of their bytes in the group.
    start: usize,
}

/// Writes rows of blocks one after another.
struct RowWriter<W: Write> {
    out: HashedWriter<W>,
    /// Blocks of the row that is not written yet.
    row: EncodedBlocks,
    /// Offsets of the written rows.
    offsets: Vec<[u8; OFFSET_LENGTH]>,
    /// Length of the written rows.
    length: u64,
}

impl<W: Write> RowWriter<W> {
    /// Adds a block; writes the row if it is complete.
    fn put_block(&mut self, bytes: &[u8]) -> Result<(), PackProblem> {
        self.row.bytes.extend_from_slice(bytes);
        self.row.lengths.push(bytes.len());
        match self.row.lengths.len() as u64 == ROW_BLOCKS {
            true => self.put_row(),
            false => Ok(()),
        }
    }

    fn put_row(&mut self) -> Result<(), PackProblem> {
        let row = self.offsets.len() as u64;
        let bytes = PackedRow::encode(row, &self.row.lengths, &self.row.bytes);
        let bytes = bytes.ok_or(FormatError::RowOffset(row))?;
        self.put_offset()?;
        self.length += bytes.len() as u64;
        self.row.bytes.clear();
        self.row.lengths.clear();
        Ok(self.out.put(&bytes)?)
    }

    fn put_offset(&mut self) -> Result<(), PackProblem> {
        let row = self.offsets.len() as u64;
        self.offsets.push(encode_offset(self.length).ok_or(FormatError::RowOffset(row))?);
        Ok(())
    }

    /// Writes the last row, the offsets and the trailer. Returns the length and checksum of the
    /// file.
    fn finish(mut self) -> Result<(u64, u64), PackProblem> {
        if !self.row.lengths.is_empty() {
            self.put_row()?;
        }
        self.put_offset()?;
        self.out.put(self.offsets.as_flattened())?;
        self.out.put(&Trailer::covered(self.length))?;
        Ok(self.out.finish()?)
    }
}

impl PackedWriter<'_> {
    fn write_to(
        &self,
        file: &mut File,
        model: &[u8],
        progress: &SquareProgress<'_>,
    ) -> Result<(u64, u64), PackProblem> {
        let header = self.layout.header();
        let block_tiles = u64::from(header.block_tiles);
        let mut out = HashedWriter::new(BufWriter::new(file));
        out.put(&header.encode())?;
        out.put(model)?;
        let (row, offsets) = (EncodedBlocks::default(), Vec::new());
        let mut rows = RowWriter { out, row, offsets, length: 0 };
        let encoder_model = EncoderModel::new(self.model);
        let waves = BlockWaves::new(self.source.tiles(), block_tiles);
        // A wave is written while the next one is encoded.
        let mut before = None;
        for tiles in self.source.windows(self.table, block_tiles) {
            let slots = self.source.tiles().slots_of_white_kings(&tiles);
            self.table.in_window(self.source.side(), slots, |window| {
                let reader = self.source.reader(window);
                for groups in waves.of(tiles) {
                    let put = || before.take().map_or(Ok(()), |wave| self.put(&wave, &mut rows));
                    let encode = || self.encode(groups, &reader, &encoder_model, progress);
                    let (wave, put) = rayon::join(encode, put);
                    put?;
                    before = Some(wave?);
                }
                Ok(())
            })?;
        }
        before.map_or(Ok(()), |wave| self.put(&wave, &mut rows))?;
        rows.finish()
    }

    /// Encodes the groups of a wave.
    fn encode(
        &self,
        groups: Vec<BlockGroup>,
        reader: &TileReader<'_>,
        model: &EncoderModel<'_>,
        progress: &SquareProgress<'_>,
    ) -> Result<EncodedWave, PackProblem> {
        let block_tiles = usize::from(self.layout.header().block_tiles);
        let room = || (Vec::new(), LaneEncoder::new(model));
        let blocks = groups.par_iter().map_init(room, |(targets, encoder), group| {
            // Whatever its don't-care squares.
            let is_settled = |block: &[TargetTile]| model.has_no_bytes(block);
            reader.group(group, block_tiles, is_settled, targets);
            self.blocks(group, targets, encoder, progress)
        });
        let blocks = blocks.collect::<Result<_, PackProblem>>()?;
        Ok(EncodedWave { groups, blocks })
    }

    /// Writes the blocks of a wave.
    fn put<W: Write>(
        &self,
        wave: &EncodedWave,
        rows: &mut RowWriter<W>,
    ) -> Result<(), PackProblem> {
        for run in self.runs(wave) {
            let EncodedBlocks { bytes, lengths } = &wave.blocks[run.group];
            let mut start = run.start;
            for &length in &lengths[run.places] {
                rows.put_block(&bytes[start..start + length])?;
                start += length;
            }
        }
        Ok(())
    }

    /// Returns the runs of blocks of a wave, in the order of the file.
    fn runs(&self, wave: &EncodedWave) -> Vec<BlockRun> {
        let block_tiles = u64::from(self.layout.header().block_tiles);
        let mut runs = Vec::new();
        for (place, (group, encoded)) in wave.groups.iter().zip(&wave.blocks).enumerate() {
            let (mut first_place, mut start) = (0, 0);
            for blocks in group.block_runs(block_tiles) {
                let places = first_place..first_place + (blocks.end - blocks.start) as usize;
                first_place = places.end;
                let length: usize = encoded.lengths[places.clone()].iter().sum();
                runs.push(BlockRun { first: blocks.start, group: place, places, start });
                start += length;
            }
        }
        runs.sort_unstable_by_key(|run| run.first);
        runs
    }

    /// Encodes the blocks of a group from their tiles, and checks each by decoding it. Blocks that
    /// take no bytes use no lane.
    fn blocks(
        &self,
        group: &BlockGroup,
        targets: &[TargetTile],
        encoder: &mut LaneEncoder<'_>,
        progress: &SquareProgress<'_>,
    ) -> Result<EncodedBlocks, PackProblem> {
        let block_tiles = u64::from(self.layout.header().block_tiles);
        let targets_of: Vec<&[TargetTile]> = targets.chunks(block_tiles as usize).collect();
        let mut blocks = EncodedBlocks { bytes: Vec::new(), lengths: vec![0; targets_of.len()] };
        let coded = targets_of.iter().enumerate();
        let coded = coded.filter(|(_, targets)| !encoder.model().has_no_bytes(targets));
        let coded: Vec<(usize, &[TargetTile])> =
            coded.map(|(at, &targets)| (at, targets)).collect();
        for coded in coded.chunks(LANES) {
            let (places, targets): (Vec<usize>, Vec<&[TargetTile]>) = coded.iter().copied().unzip();
            for (&place, bytes) in places.iter().zip(encoder.encode(&targets)?) {
                blocks.lengths[place] = bytes.len();
                blocks.bytes.extend_from_slice(bytes);
            }
            if let Some(misread) = encoder.first_misread(&targets) {
                let place = places.get(misread).copied().unwrap_or_default();
                let number = group.block_runs(block_tiles).flatten().nth(place);
                return Err(PackProblem::ReadBack(number.unwrap_or_default()));
            }
        }
        progress.advance((targets.len() * SQUARES) as u64);
        Ok(blocks)
    }
}
