//! An open packed file: codes block by block, and verification.

mod block_part;

use crate::file::bytes::{Access, Bytes};
use crate::file::frequent_contexts::{DecodedBlock, FrequentContexts};
use crate::file::map::prefetch_line;
use crate::file::open_file::{FileError, OpenFile};
use crate::file::verified_rows::VerifiedRows;
use crate::file::zstd_decoder;
use arrayvec::ArrayVec;
pub use block_part::{BlockPart, PartCodes};
use sakmak_codec::decode::{code_of_empty_blocks, decode, decode_to};
use sakmak_codec::error::CodecError;
use sakmak_codec::lane_decode::{BlockEnd, LaneDecoder};
use sakmak_codec::lanes::LANES;
use sakmak_codec::lanes::registers::LaneRegisters;
use sakmak_codec::model::Model;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Value;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::packed::PackedLayout;
use sakmak_tables::format::packed::header::MAX_TILES;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::format::packed::row::{
    OFFSET_LENGTH, PackedRow, ROW_BLOCKS, ROW_OFFSETS_LENGTH, row_offset, row_range,
};
use sakmak_tables::format::preamble::Preamble;
use sakmak_tables::format::{FormatKind, HEADER_LENGTH};
use sakmak_tables::index::{Index, Placement};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::TileCodes;
use sakmak_tables::tiles::tile::shape::TileShape;
use sakmak_tables::tiles::tile::{TileNumber, TileSquare, Tiles};
use sakmak_tables::variant::Variant;
use std::cell::Cell;
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

/// An upper bound on the bytes of a decompressed model.
const MAX_MODEL: usize = 1 << 23;

/// An upper bound on the bytes of a row: no memory is allocated for a longer row.
const MAX_ROW: u64 = 1 << 24;

/// Minimum number of blocks for which wide registers are faster than one block after the other.
const LEAST_WIDE_LANES: usize = 5;

/// Minimum number of blocks for which portable registers are faster.
const LEAST_PORTABLE_LANES: usize = 12;

/// Number of rows that are prefetched: enough for nearly every look-ahead.
const PREFETCHED_ROWS: usize = 2 * LANES;

/// Bytes of a cache line.
const CACHE_LINE: u64 = 64;

/// Returns the code of a tile square of a block; `None` if it is not known.
pub type KnownCodes<'a> = dyn Fn(u64, TileSquare) -> Option<u16> + Sync + 'a;

/// The decoders of a thread and their buffers, reused for every lookup.
struct BlockDecoders {
    lanes: LaneDecoder,
    /// Minimum number of blocks that are decoded in lanes.
    least_lanes: usize,
    /// By part: the number of tiles of the longest part.
    tiles: Vec<TileCodes>,
    /// The shapes of these tiles, up to the last of each part.
    shapes: Vec<TileShape>,
    /// Indexes of parts that need no decoding, and the code of all their squares.
    same: Vec<(usize, u16)>,
}

/// Parts that are decoded together.
#[derive(Default)]
struct PartBatch<'a> {
    /// Their indexes in the list of the caller.
    numbers: ArrayVec<usize, LANES>,
    parts: ArrayVec<BlockPart, LANES>,
    /// The bytes of their blocks; empty if the file is not in memory.
    bytes: ArrayVec<&'a [u8], LANES>,
}

impl Default for BlockDecoders {
    fn default() -> BlockDecoders {
        let registers = LaneRegisters::widest();
        let is_portable = matches!(registers, LaneRegisters::Portable);
        let least_lanes = if is_portable { LEAST_PORTABLE_LANES } else { LEAST_WIDE_LANES };
        let lanes = LaneDecoder::new(registers);
        let (tiles, shapes, same) = Default::default();
        BlockDecoders { lanes, least_lanes, tiles, shapes, same }
    }
}

thread_local! {
    /// `None` until the first lookup.
    static DECODERS: Cell<Option<Box<BlockDecoders>>> = const { Cell::new(None) };
}

/// Calls `use_it` with the decoders of the thread. A nested call gets new ones.
fn with_decoders<T>(use_it: impl FnOnce(&mut BlockDecoders) -> T) -> T {
    let mut decoders = DECODERS.take().unwrap_or_default();
    let result = use_it(&mut decoders);
    DECODERS.set(Some(decoders));
    result
}

/// An open packed file. Header, trailer and model are in memory; blocks are decoded on demand.
#[derive(Debug)]
pub struct PackedFile {
    file: OpenFile<Box<dyn Bytes>>,
    layout: PackedLayout,
    tiles: Tiles,
    model: Model,
    /// See [`code_of_empty_blocks`].
    code_of_empty_blocks: Option<u16>,
    frequent_contexts: FrequentContexts,
    /// A bit for each row that matched its checksums, its blocks included.
    verified_rows: VerifiedRows,
}

impl PackedFile {
    /// Opens the packed file of a table and checks its header, model and length.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not a packed file of this version, is truncated, or
    /// differs in rules, material or metric.
    pub fn open(
        path: &Path,
        access: Access,
        name: TableName,
        variant: &'static Variant,
    ) -> Result<PackedFile, FileError> {
        PackedFile::new(OpenFile::open(path, access, FormatKind::Packed)?, name, variant)
    }

    /// A packed file with these bytes. `path` is used in errors only.
    ///
    /// # Errors
    ///
    /// The errors of [`PackedFile::open`].
    pub fn from_bytes(
        path: &Path,
        bytes: Box<dyn Bytes>,
        name: TableName,
        variant: &'static Variant,
    ) -> Result<PackedFile, FileError> {
        PackedFile::new(OpenFile::new(path, bytes, None, FormatKind::Packed)?, name, variant)
    }

    fn new(
        file: OpenFile<Box<dyn Bytes>>,
        name: TableName,
        variant: &'static Variant,
    ) -> Result<PackedFile, FileError> {
        let index = Index::new(name.material, &variant.rules);
        let (header, tiles) =
            header(&file.header()?, name, &index, variant).map_err(|error| file.error(error))?;
        let (layout, length) = (PackedLayout::new(header, &tiles), file.length());
        if layout.file_length(file.trailer().block_bytes) != Some(length) {
            return Err(file.error(FormatError::Length { length }));
        }
        let header = layout.header();
        let model_length = header.model_length as usize;
        let model = file.read(layout.model_offset(), model_length, |bytes| model(header, bytes))?;
        let model = model.ok_or_else(|| file.error(FormatError::Model))?;
        let verified_rows = VerifiedRows::new(layout.rows());
        Ok(PackedFile {
            file,
            layout,
            tiles,
            code_of_empty_blocks: code_of_empty_blocks(&model),
            model,
            frequent_contexts: FrequentContexts::default(),
            verified_rows,
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The path of the file, if it now has another file or none.
    pub(crate) fn replaced(&self) -> Option<&Path> {
        self.file.replaced()
    }

    /// The header and the positions of all parts.
    pub fn layout(&self) -> &PackedLayout {
        &self.layout
    }

    /// The index of the table.
    pub fn index(&self) -> &Index {
        self.tiles.index()
    }

    /// The tiles of the table.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// The side to move whose codes the file holds.
    pub fn kept(&self) -> Side {
        self.layout.header().kept
    }

    /// Whether the file has don't-care codes, see [`PackedHeader::dont_care`].
    pub fn has_dont_care(&self) -> bool {
        self.layout.header().dont_care
    }

    /// The checksum at the end of the file.
    pub fn checksum(&self) -> u64 {
        self.file.trailer().checksum
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.file.length()
    }

    /// The block that holds a placement, and the tile and square within the block. `None` where
    /// [`Index::slot`] is.
    #[inline]
    pub fn locate(&self, placement: &Placement) -> Option<(u64, TileSquare)> {
        let (tile, square) = self.tiles.locate_placement(placement)?;
        Some(tile.in_block(square, self.layout.header().block_tiles.into()))
    }

    /// The last square of a block.
    pub fn last_square(&self, block: u64) -> TileSquare {
        let tile = self.layout.tiles_of(block).saturating_sub(1);
        TileSquare { tile, square: SQUARES - 1 }
    }

    /// All codes of a block, tile by tile. Codes of squares without a legal position are arbitrary.
    ///
    /// # Errors
    ///
    /// If the row or the block cannot be read or is damaged.
    pub fn all_codes(&self, block: u64) -> Result<Vec<TileCodes>, FileError> {
        let last = self.last_square(block);
        let mut codes = vec![[0; SQUARES]; last.tile + 1];
        self.decode(&[BlockPart { block, last }], |_, part| part.copy_tiles(&mut codes))?;
        Ok(codes)
    }

    /// The number of batches: runs of consecutive blocks that are decoded in lockstep.
    pub fn batches(&self) -> u64 {
        self.layout.blocks().div_ceil(LANES as u64)
    }

    /// Decodes the blocks of a batch, and calls `visit` with each block and its codes.
    /// Codes of squares without a legal position are arbitrary.
    ///
    /// # Errors
    ///
    /// If a row or block cannot be read or is damaged.
    pub fn decode_batch(
        &self,
        batch: u64,
        mut visit: impl FnMut(u64, PartCodes<'_>),
    ) -> Result<(), FileError> {
        let first = batch * LANES as u64;
        let blocks = first..self.layout.blocks().min(first + LANES as u64);
        let whole = |block| BlockPart { block, last: self.last_square(block) };
        let parts: ArrayVec<BlockPart, LANES> = blocks.map(whole).collect();
        self.decode(&parts, |index, codes| visit(first + index as u64, codes))
    }

    /// Decodes parts of blocks, and calls `visit` with the index of each part and its codes, in any
    /// order. Codes of squares without a legal position are arbitrary. Decoding is fastest if parts
    /// are sorted by length.
    ///
    /// # Errors
    ///
    /// If a row or block cannot be read or is damaged, or has no such square.
    pub fn decode(
        &self,
        parts: &[BlockPart],
        mut visit: impl FnMut(usize, PartCodes<'_>),
    ) -> Result<(), FileError> {
        let mut rest = parts.iter().enumerate();
        self.expect_rows(parts);
        with_decoders(|decoders| {
            loop {
                let next = parts.len() - rest.len();
                self.prefetch_rows(&parts[next..parts.len().min(next + PREFETCHED_ROWS)]);
                let batch = self.next_batch(&mut rest, &mut decoders.same)?;
                let size = self.set_shapes(&batch.parts, &mut decoders.shapes);
                let alone = batch.parts.len() < decoders.least_lanes;
                match alone {
                    true => self.decode_alone(&batch, size, decoders)?,
                    false => self.decode_lanes(&batch, size, decoders)?,
                }
                // A row is checked once, so only this finds a later change.
                self.file.ensure_unchanged_now()?;
                let BlockDecoders { lanes, tiles, same, .. } = &*decoders;
                for (lane, &number) in batch.numbers.iter().enumerate() {
                    let codes = match alone {
                        true => PartCodes::Tiles(&tiles[lane * size..][..size]),
                        false => PartCodes::Lane(lanes, lane),
                    };
                    visit(number, codes);
                }
                same.iter().for_each(|&(number, code)| visit(number, PartCodes::Same(code)));
                if !self.frequent_contexts.are_known() {
                    self.count_contexts(&batch.parts, size, alone, decoders);
                }
                if rest.len() == 0 {
                    return Ok(());
                }
            }
        })
    }

    /// Returns the next parts that are decoded together. Parts among them that need no decoding are
    /// put into `same`, with the code of all their squares.
    fn next_batch<'a>(
        &'a self,
        parts: &mut impl Iterator<Item = (usize, &'a BlockPart)>,
        same: &mut Vec<(usize, u16)>,
    ) -> Result<PartBatch<'a>, FileError> {
        let mut batch = PartBatch::default();
        let in_memory = self.file.in_memory(0, 1).is_some();
        same.clear();
        for (number, &part) in parts {
            let BlockPart { block, last } = part;
            if last.tile >= self.layout.tiles_of(block) || last.square >= SQUARES {
                return Err(self.file.error(FormatError::BlockDecoding(block)));
            }
            if in_memory {
                let bytes = self.block_in_memory(block)?;
                match self.code_of_empty_blocks {
                    Some(code) if bytes.is_empty() => {
                        same.push((number, code));
                        continue;
                    }
                    _ => batch.bytes.push(bytes),
                }
            }
            batch.numbers.push(number);
            batch.parts.push(part);
            if batch.parts.is_full() {
                break;
            }
        }
        Ok(batch)
    }

    /// Counts the contexts of the parts that were decoded last, as [`PackedFile::decode`] did.
    #[cold]
    fn count_contexts(
        &self,
        parts: &[BlockPart],
        size: usize,
        alone: bool,
        decoders: &mut BlockDecoders,
    ) {
        let BlockDecoders { lanes, tiles, shapes, .. } = decoders;
        tiles.resize(tiles.len().max(parts.len() * size), [0; SQUARES]);
        let tiles = tiles.chunks_exact_mut(size).zip(shapes.chunks_exact(size));
        for ((lane, part), (tiles, shapes)) in parts.iter().enumerate().zip(tiles) {
            if !alone {
                lanes.copy_tiles(lane, tiles);
            }
            self.frequent_contexts
                .count(&self.model, DecodedBlock { shapes, tiles, last: part.last });
        }
    }

    /// Sets the shapes of the tiles of parts. Returns the number of tiles of the longest part,
    /// which is the number of shapes of each part.
    fn set_shapes(&self, parts: &[BlockPart], shapes: &mut Vec<TileShape>) -> usize {
        let most = parts.iter().map(|part| part.last.tile).max().unwrap_or(0);
        let size = most.min(MAX_TILES - 1) + 1;
        shapes.clear();
        shapes.resize(parts.len() * size, TileShape::default());
        for (part, shapes) in parts.iter().zip(shapes.chunks_exact_mut(size)) {
            for (tile, shape) in shapes.iter_mut().enumerate().take(part.last.tile + 1) {
                *shape = self.shape(part.block, tile);
            }
        }
        size
    }

    /// Decodes parts one by one, each to `size` tiles.
    fn decode_alone(
        &self,
        batch: &PartBatch<'_>,
        size: usize,
        decoders: &mut BlockDecoders,
    ) -> Result<(), FileError> {
        let BlockDecoders { tiles, shapes, .. } = decoders;
        tiles.resize(batch.parts.len() * size, [0; SQUARES]);
        let mut rooms = tiles.chunks_exact_mut(size).zip(shapes.chunks_exact(size));
        self.for_each_block(batch, |part, bytes| {
            let Some((codes, shapes)) = rooms.next() else { return Ok(()) };
            let shape = |tile: usize| shapes.get(tile).copied().unwrap_or_default();
            match self.end(part) {
                BlockEnd::Whole(tiles) => decode(&self.model, bytes, shape, &mut codes[..tiles]),
                BlockEnd::Square(last) => decode_to(&self.model, bytes, shape, last, codes),
            }
        })
    }

    /// Decodes parts in lockstep.
    fn decode_lanes(
        &self,
        batch: &PartBatch<'_>,
        size: usize,
        decoders: &mut BlockDecoders,
    ) -> Result<(), FileError> {
        let BlockDecoders { lanes, shapes, .. } = decoders;
        let mut lanes = lanes.start(&self.model);
        let mut shapes = shapes.chunks_exact(size);
        self.for_each_block(batch, |part, bytes| {
            let shapes = shapes.next().unwrap_or(&[]);
            let shape = |tile: usize| shapes.get(tile).copied().unwrap_or_default();
            lanes.add(bytes, shape, self.end(part));
            Ok(())
        })?;
        let results = batch.parts.iter().zip(lanes.decode());
        let mut failed = results.filter(|(_, result)| result.is_err());
        match failed.next() {
            Some((part, _)) => Err(self.file.error(FormatError::BlockDecoding(part.block))),
            None => Ok(()),
        }
    }

    /// The end of a part. The bytes of a whole block must end there too.
    fn end(&self, part: &BlockPart) -> BlockEnd {
        match part.last == self.last_square(part.block) {
            true => BlockEnd::Whole(part.last.tile + 1),
            false => BlockEnd::Square(part.last),
        }
    }

    /// Calls `use_it` with each part and the bytes of its block, after its row was verified.
    fn for_each_block(
        &self,
        batch: &PartBatch<'_>,
        mut use_it: impl FnMut(&BlockPart, &[u8]) -> Result<(), CodecError>,
    ) -> Result<(), FileError> {
        let mut blocks = batch.bytes.iter();
        for part in &batch.parts {
            let used = match blocks.next() {
                Some(bytes) => use_it(part, bytes),
                None => self.with_block(part.block, |bytes| use_it(part, bytes))?,
            };
            used.map_err(|_| self.file.error(FormatError::BlockDecoding(part.block)))?;
        }
        Ok(())
    }

    /// Begins to load the part of the model that most codes need. Worthwhile before other work.
    #[inline]
    pub fn prefetch_model(&self) {
        self.frequent_contexts.prefetch(&self.model);
    }

    /// Starts to load the offset of the row of a block. Worthwhile before other work.
    #[inline]
    pub fn prefetch(&self, block: u64) {
        let row = block / ROW_BLOCKS;
        self.file.prefetch(self.offset_at(row));
        self.verified_rows.prefetch(row);
    }

    /// Starts to load the lengths of the blocks of parts.
    fn prefetch_rows(&self, parts: &[BlockPart]) {
        for part in parts {
            let offset = self.offset_at(part.block / ROW_BLOCKS);
            let offset = self.file.in_memory(offset, OFFSET_LENGTH).and_then(row_offset);
            if let Some(at) = offset.and_then(|at| self.layout.rows_offset().checked_add(at)) {
                self.file.prefetch(at);
                self.file.prefetch(at + CACHE_LINE);
            }
        }
    }

    /// Announces the rows of parts to a source that does not have them in memory.
    fn expect_rows(&self, parts: &[BlockPart]) {
        let bytes = self.file.bytes();
        if bytes.in_memory().is_some() {
            return;
        }
        let rows = || parts.iter().map(|part| part.block / ROW_BLOCKS);
        rows().for_each(|row| bytes.expect(self.offset_at(row), ROW_OFFSETS_LENGTH));
        for range in rows().filter_map(|row| self.row_range(row).ok()) {
            let length = (range.end - range.start) as usize;
            bytes.expect(self.layout.rows_offset() + range.start, length);
        }
    }

    /// Verifies the row of an existing block, starts to load the bytes of the block and returns
    /// them. The file is in memory.
    fn block_in_memory(&self, block: u64) -> Result<&[u8], FileError> {
        let row = block / ROW_BLOCKS;
        self.ensure_verified(row)?;
        let damaged = || FormatError::RowOffset(row);
        let bytes = self.row_in_memory(row).ok_or_else(|| self.file.error(damaged()))?;
        let found = PackedRow::new(row, self.layout.blocks_of_row(row), bytes)
            .and_then(|row| row.block((block % ROW_BLOCKS) as usize));
        let block = found.map_err(|error| self.file.error(error))?;
        block.first().into_iter().chain(block.last()).for_each(prefetch_line);
        Ok(block)
    }

    /// The value of a code of a block.
    ///
    /// # Errors
    ///
    /// If no value has the code.
    pub fn value(&self, block: u64, code: u16) -> Result<Value, FileError> {
        let value = self.layout.header().coding.decode(code);
        value.ok_or_else(|| self.file.error(FormatError::Code { block, code }))
    }

    fn shape(&self, block: u64, tile: usize) -> TileShape {
        let first = block * u64::from(self.layout.header().block_tiles);
        let tile = self.tiles.tile(TileNumber(first + tile as u64));
        self.tiles.shape(&tile, self.kept())
    }

    /// Verifies every byte: the rows, that each block decodes, and the checksum of the file.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn verify_checksums(&self) -> Result<(), FileError> {
        self.verify_rows()?;
        (0..self.batches()).try_for_each(|batch| self.decode_batch(batch, |_, _| ()))?;
        self.verify_file_checksum()
    }

    /// Checks all rows against their checksums and the table of their offsets. Decodes no block.
    ///
    /// # Errors
    ///
    /// The error of the first row that cannot be read or is damaged.
    pub fn verify_rows(&self) -> Result<(), FileError> {
        let mut end = 0;
        for row in 0..self.layout.rows() {
            self.verify_row(row)?;
            let range = self.row_range(row)?;
            if range.start != end {
                return Err(self.file.error(FormatError::RowOffset(row)));
            }
            end = range.end;
        }
        if end != self.file.trailer().block_bytes {
            let last = self.layout.rows().saturating_sub(1);
            return Err(self.file.error(FormatError::RowOffset(last)));
        }
        Ok(())
    }

    /// Checks all bytes against the checksum at the end of the file. Decodes no block.
    ///
    /// # Errors
    ///
    /// When the checksum differs or the file cannot be read.
    pub fn verify_file_checksum(&self) -> Result<(), FileError> {
        self.file.verify_checksum()
    }

    /// Verifies the row of a block and calls `use_it` with the bytes of the block.
    fn with_block<T>(&self, block: u64, use_it: impl FnOnce(&[u8]) -> T) -> Result<T, FileError> {
        if block >= self.layout.blocks() {
            return Err(self.file.error(FormatError::BlockDecoding(block)));
        }
        let row = block / ROW_BLOCKS;
        let index = (block % ROW_BLOCKS) as usize;
        match self.verified_rows.contains(row) {
            true => self.with_row(row, |row| row.block(index).map(use_it)),
            // One read for both.
            false => {
                let used = self.with_row(row, |row| {
                    row.check()?;
                    row.block(index).map(use_it)
                })?;
                self.verified_rows.insert(row);
                Ok(used)
            }
        }
    }

    /// Verifies a row and its blocks unless they are verified.
    fn ensure_verified(&self, row: u64) -> Result<(), FileError> {
        if self.verified_rows.contains(row) { Ok(()) } else { self.verify_row(row) }
    }

    /// Checks a row against its checksum and sets the bit of the row.
    fn verify_row(&self, row: u64) -> Result<(), FileError> {
        self.with_row(row, |row| row.check())?;
        self.verified_rows.insert(row);
        Ok(())
    }

    /// Calls `use_it` with a row, which is not verified.
    fn with_row<T>(
        &self,
        row: u64,
        use_it: impl FnOnce(PackedRow<'_>) -> Result<T, FormatError>,
    ) -> Result<T, FileError> {
        let range = self.row_range(row)?;
        let offset = self.layout.rows_offset() + range.start;
        let used = self.file.read(offset, (range.end - range.start) as usize, |bytes| {
            PackedRow::new(row, self.layout.blocks_of_row(row), bytes).and_then(use_it)
        })?;
        used.map_err(|error| self.file.error(error))
    }

    /// The range of a row in the bytes of all rows.
    fn row_range(&self, row: u64) -> Result<Range<u64>, FileError> {
        let range = self.file.read(self.offset_at(row), ROW_OFFSETS_LENGTH, row_range)?;
        let within = |range: &Range<u64>| {
            let length = range.end.checked_sub(range.start);
            length.is_some_and(|length| length <= MAX_ROW)
                && range.end <= self.file.trailer().block_bytes
        };
        range.filter(within).ok_or_else(|| self.file.error(FormatError::RowOffset(row)))
    }

    /// The bytes of a row. `None` if the file is not in memory.
    fn row_in_memory(&self, row: u64) -> Option<&[u8]> {
        let range = row_range(self.file.in_memory(self.offset_at(row), ROW_OFFSETS_LENGTH)?)?;
        let length = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        self.file.in_memory(self.layout.rows_offset().checked_add(range.start)?, length)
    }

    fn offset_at(&self, row: u64) -> u64 {
        self.layout.row_offset_at(row, self.file.trailer().block_bytes)
    }
}

/// The header of a file, checked against the expected table, and its tiles.
fn header(
    bytes: &[u8; HEADER_LENGTH],
    name: TableName,
    index: &Index,
    variant: &'static Variant,
) -> Result<(PackedHeader, Tiles), FormatError> {
    let header = PackedHeader::decode(bytes)?;
    header.expect(&Preamble::new(name, &variant.rules), index)?;
    let tile_order = header.tile_order(index)?;
    let tiles = Tiles::new(index, variant, &tile_order).ok_or(FormatError::TileOrder)?;
    Ok((header, tiles))
}

/// Decodes a compressed model. `None` if it is damaged.
fn model(header: &PackedHeader, compressed: &[u8]) -> Option<Model> {
    if xxh3_64(compressed) != header.model_checksum {
        return None;
    }
    let bytes = zstd_decoder::decode_whole(compressed, MAX_MODEL)?;
    let model = Model::decode(header.coding, &bytes).ok()?;
    (model.tiles() == usize::from(header.block_tiles)).then_some(model)
}
