//! Writing a packed table.

use crate::output::packed::chosen::Chosen;
use crate::output::packed::encoder::encode::Encoder;
use crate::output::packed::encoder::wanted::Wanted;
use crate::output::packed::error::PackProblem;
use crate::output::packed::source::Source;
use crate::system::atomic_file::write_whole;
use rayon::prelude::*;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::format::Trailer;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::packed::PackedLayout;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::format::packed::row::{MAX_PLANES, PackedRow, ROW_BLOCKS, planes_of};
use sakmak_tables::index::Index;
use sakmak_tables::packed_codec::Codes;
use sakmak_tables::packed_codec::decode::decode;
use sakmak_tables::rules::Rules;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Rows whose blocks are made in parallel before they are written.
const WAVE_ROWS: u64 = 512;

/// The level of zstd for the model: there is one a file, of some kilobytes.
const MODEL_LEVEL: i32 = 19;

/// Writes the file and returns its length and checksum.
///
/// # Errors
///
/// As [`pack`](crate::output::packed::pack).
pub fn write(
    source: &Source<'_>,
    chosen: &Chosen,
    name: TableName,
    rules: &Rules,
    directory: &Path,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<(u64, u64), PackProblem> {
    let model = zstd::bulk::compress(&chosen.model.encode(), MODEL_LEVEL)?;
    let mut length_planes = planes_of(chosen.longest);
    loop {
        let header = header(source, chosen, name, rules, &model, length_planes)?;
        let layout = PackedLayout::new(header, &chosen.tiles);
        let job = Job { source, chosen, layout: &layout };
        let file = name.packed_file_name();
        match write_whole(directory, &file, |file| job.write_to(file, &model, progress)) {
            Err(Stopped::Longer(length)) => length_planes = planes_of(length),
            Err(Stopped::Problem(problem)) => return Err(problem),
            Ok(written) => return Ok(written),
        }
    }
}

/// Why a file was not written.
enum Stopped {
    Problem(PackProblem),
    /// A block is longer than any of the sample, and rows have no room for its length.
    Longer(usize),
}

impl<E: Into<PackProblem>> From<E> for Stopped {
    fn from(problem: E) -> Stopped {
        Stopped::Problem(problem.into())
    }
}

fn header(
    source: &Source<'_>,
    chosen: &Chosen,
    name: TableName,
    rules: &Rules,
    model: &[u8],
    length_planes: u8,
) -> Result<PackedHeader, PackProblem> {
    let index: &Index = chosen.tiles.index();
    let header = PackedHeader {
        metric: name.metric,
        fingerprint: name.metric.fingerprint(rules),
        material: name.material,
        slots: index.slots(),
        kept: source.side(),
        block_tiles: u8::try_from(chosen.model.tiles()).unwrap_or(u8::MAX),
        length_planes,
        dont_care: true,
        arrangement: PackedHeader::arranged(&chosen.arrangement).ok_or(FormatError::Arrangement)?,
        model_length: u32::try_from(model.len()).map_err(|_| FormatError::Model)?,
        model_checksum: xxh3_64(model),
        coding: source.coding(),
    };
    // Whoever reads it back asks the same, so ask before the work is done.
    PackedHeader::decode(&header.encode())?.expect(name.metric, index, header.fingerprint)?;
    header.arrangement(index)?;
    Ok(header)
}

/// What is written.
struct Job<'a> {
    source: &'a Source<'a>,
    chosen: &'a Chosen,
    layout: &'a PackedLayout,
}

/// The blocks of a row.
struct Blocks {
    bytes: Vec<u8>,
    lengths: Vec<usize>,
}

impl Job<'_> {
    fn write_to(
        &self,
        file: &mut File,
        model: &[u8],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(u64, u64), Stopped> {
        let header = self.layout.header();
        let mut sink = Sink { writer: BufWriter::new(file), hash: Xxh3Default::new(), length: 0 };
        sink.put(&header.encode())?;
        sink.put(model)?;
        let (mut rows, mut block_bytes) = (Vec::new(), 0);
        for wave in (0..self.layout.rows()).step_by(WAVE_ROWS as usize) {
            let wave = wave..self.layout.rows().min(wave + WAVE_ROWS);
            let made: Vec<Blocks> = wave
                .clone()
                .into_par_iter()
                .map(|row| self.blocks(row, progress))
                .collect::<Result<_, PackProblem>>()?;
            for (row, blocks) in wave.zip(made) {
                let longest = blocks.lengths.iter().copied().max().unwrap_or(0);
                if planes_of(longest) > header.length_planes {
                    return Err(match planes_of(longest) {
                        ..=MAX_PLANES => Stopped::Longer(longest),
                        _ => FormatError::RowOffset(row).into(),
                    });
                }
                let Blocks { bytes, lengths } = &blocks;
                let row = PackedRow::encode(row, header.length_planes, block_bytes, lengths, bytes)
                    .ok_or(FormatError::RowOffset(row))?;
                rows.push(row);
                block_bytes += bytes.len() as u64;
                sink.put(bytes)?;
            }
        }
        for row in &rows {
            sink.put(row)?;
        }
        sink.put(&Trailer::covered(block_bytes))?;
        let checksum = sink.hash.digest();
        sink.put(&checksum.to_le_bytes())?;
        sink.writer.flush()?;
        Ok((sink.length, checksum))
    }

    /// The blocks of a row, each read back.
    fn blocks(&self, row: u64, progress: &(dyn Fn(u64) + Sync)) -> Result<Blocks, PackProblem> {
        let tiles = &self.chosen.tiles;
        let size = u64::from(self.layout.header().block_tiles);
        let mut encoder = Encoder::new(&self.chosen.model);
        let mut room = vec![[0; SQUARES]; self.chosen.model.tiles()];
        let mut blocks = Blocks { bytes: Vec::new(), lengths: Vec::new() };
        let mut slots = 0;
        for block in (row * ROW_BLOCKS..).take(self.layout.blocks_of_row(row)) {
            let wanted =
                self.source.tiles(tiles, block * size..tiles.len().min((block + 1) * size));
            let (bytes, _) = encoder.encode(&wanted)?;
            let room = &mut room[..wanted.len()];
            decode(&self.chosen.model, bytes, |tile| wanted[tile].shape, room)?;
            if !self.comes_back(&wanted, room) {
                return Err(PackProblem::ReadBack(block));
            }
            blocks.lengths.push(bytes.len());
            blocks.bytes.extend_from_slice(bytes);
            slots += (wanted.len() * SQUARES) as u64;
        }
        progress(slots);
        Ok(blocks)
    }

    /// Whether these codes are what tiles had to hold.
    fn comes_back(&self, wanted: &[Wanted], codes: &[Codes]) -> bool {
        let scale = self.chosen.model.scale();
        wanted.iter().zip(codes).all(|(wanted, codes)| {
            (0..SQUARES).filter(|square| wanted.shape.kept >> square & 1 != 0).all(|square| {
                let (code, true_code) = (codes[square], wanted.codes[square]);
                let loose = wanted.loose >> square & 1 != 0;
                code == true_code || loose && scale.is_at_most(code, true_code)
            })
        })
    }
}

/// Bytes on their way to a file, counted and summed.
struct Sink<W> {
    writer: W,
    hash: Xxh3Default,
    length: u64,
}

impl<W: Write> Sink<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        self.writer.write_all(bytes)
    }
}
