//! An open packed file: codes block by block, and verification.

use crate::file::bytes::{Access, Bytes};
use crate::file::open_file::{FileError, OpenFile};
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Value;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::packed::PackedLayout;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::format::packed::row::{PackedRow, ROW_BLOCKS};
use sakmak_tables::format::preamble::Preamble;
use sakmak_tables::format::{FormatKind, HEADER_LENGTH, Trailer};
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::packed_codec::TileCodes;
use sakmak_tables::packed_codec::decode::{decode, decode_to};
use sakmak_tables::packed_codec::model::Model;

use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::shape::TileShape;
use sakmak_tables::tiles::tile::{TileNumber, TileSquare, Tiles};
use sakmak_tables::variant::Variant;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// An upper bound on the bytes of a decompressed model.
const MAX_MODEL: usize = 1 << 23;

/// An open packed file. Header, trailer and model are in memory; blocks are decoded on demand.
#[derive(Debug)]
pub struct PackedFile {
    file: OpenFile<Box<dyn Bytes>>,
    layout: PackedLayout,
    trailer: Trailer,
    tiles: Tiles,
    model: Model,
    /// A bit for each row that matched its checksums, its blocks included.
    verified_rows: Box<[AtomicU64]>,
}

impl PackedFile {
    /// Opens the packed file of a table and checks its header, model and length.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not a packed file of this version, is cut short, or
    /// differs in rules, material or metric.
    pub fn open(
        path: &Path,
        access: Access,
        name: TableName,
        variant: &'static Variant,
    ) -> Result<PackedFile, FileError> {
        PackedFile::new(OpenFile::open(path, access, FormatKind::Packed)?, name, variant)
    }

    /// The packed file with these bytes. `path` is used in errors only.
    ///
    /// # Errors
    ///
    /// As [`PackedFile::open`].
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
        let (layout, trailer) = (PackedLayout::new(header, &tiles), file.trailer()?);
        let length = file.length();
        if layout.file_length(trailer.block_bytes) != Some(length) {
            return Err(file.error(FormatError::Length { length }));
        }
        let header = layout.header();
        let model_length = header.model_length as usize;
        let model = file.read(layout.model_offset(), model_length, |bytes| model(header, bytes))?;
        let model = model.ok_or_else(|| file.error(FormatError::Model))?;
        let words = layout.rows().div_ceil(u64::BITS.into());
        let verified_rows = (0..words).map(|_| AtomicU64::new(0)).collect();
        Ok(PackedFile { file, layout, trailer, tiles, model, verified_rows })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The path of the file, if the path has another file now, or none.
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
        self.trailer.checksum
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.file.length()
    }

    /// The block that holds a slot, and the tile and square within the block.
    #[inline]
    pub fn locate(&self, slot: Slot) -> (u64, TileSquare) {
        let (tile, square) = self.tiles.locate(slot);
        tile.in_block(square, self.layout.header().block_tiles.into())
    }

    /// The last square of a block.
    pub fn last_square(&self, block: u64) -> TileSquare {
        let tile = self.layout.tiles_of(block).saturating_sub(1);
        TileSquare { tile, square: SQUARES - 1 }
    }

    /// The codes of a block up to `last`, inclusive, tile by tile.
    ///
    /// # Errors
    ///
    /// When the block does not have `last`, cannot be read or is damaged.
    pub fn codes(&self, block: u64, last: TileSquare) -> Result<Vec<u16>, FileError> {
        let mut codes = self.decoded(block, last)?.into_flattened();
        codes.truncate(last.tile * SQUARES + last.square + 1);
        Ok(codes)
    }

    /// All codes of a block, tile by tile.
    ///
    /// # Errors
    ///
    /// As [`PackedFile::codes`].
    pub fn all_codes(&self, block: u64) -> Result<Vec<TileCodes>, FileError> {
        self.decoded(block, self.last_square(block))
    }

    /// The tiles of a block up to that of `last`. Codes after `last` are unspecified.
    fn decoded(&self, block: u64, last: TileSquare) -> Result<Vec<TileCodes>, FileError> {
        // Before memory is allocated for tiles that do not exist.
        if last.tile >= self.layout.tiles_of(block) || last.square >= SQUARES {
            return Err(self.file.error(FormatError::BlockDecoding(block)));
        }
        let mut codes = vec![[0; SQUARES]; last.tile + 1];
        let shape = |tile: usize| self.shape(block, tile);
        let all = last == self.last_square(block);
        let decoded = self.with_block(block, |bytes| match all {
            true => decode(&self.model, bytes, shape, &mut codes),
            false => decode_to(&self.model, bytes, shape, last, &mut codes),
        })?;
        decoded.map_err(|_| self.file.error(FormatError::BlockDecoding(block)))?;
        // A row is checked once, so a later change of it is found here only. Takes a hundredth of
        // the time of decoding.
        self.file.ensure_unchanged_now()?;
        Ok(codes)
    }

    /// The value of a code of a block.
    ///
    /// # Errors
    ///
    /// When the code stands for no value.
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
        self.verify_checksums_by(|mut blocks, check| blocks.try_for_each(check))
    }

    /// As [`PackedFile::verify_checksums`], with `check_all` to check the blocks, in parallel if it
    /// likes. It should return the error of the first damaged block.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn verify_checksums_by(
        &self,
        check_all: impl Fn(Range<u64>, &PackedCheck<'_>) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let mut end = 0;
        for row in 0..self.layout.rows() {
            self.verify_row(row)?;
            let extent = self.with_row(row, |row| row.blocks())?;
            if extent.start != end {
                return Err(self.file.error(FormatError::RowOffset(row)));
            }
            end += extent.length as u64;
        }
        if end != self.trailer.block_bytes {
            return Err(self
                .file
                .error(FormatError::RowOffset(self.layout.rows().saturating_sub(1))));
        }
        check_all(0..self.layout.blocks(), &|block| self.all_codes(block).map(drop))?;
        self.verify_file_checksum()
    }

    /// Checks all bytes against the checksum at the end of the file. Decodes no block.
    ///
    /// # Errors
    ///
    /// When the checksum differs or the file cannot be read.
    pub fn verify_file_checksum(&self) -> Result<(), FileError> {
        self.file.verify_checksum()
    }

    /// Calls `use_it` with the bytes of a block, after its row was verified.
    fn with_block<T>(&self, block: u64, use_it: impl FnOnce(&[u8]) -> T) -> Result<T, FileError> {
        if block >= self.layout.blocks() {
            return Err(self.file.error(FormatError::BlockDecoding(block)));
        }
        let row = block / ROW_BLOCKS;
        self.ensure_verified(row)?;
        let place = (block % ROW_BLOCKS) as usize;
        let extent = self.with_row(row, |row| row.extent(place))?;
        self.file.read(self.layout.blocks_offset() + extent.start, extent.length, use_it)
    }

    /// The word of [`PackedFile::verified_rows`] that has the bit of a row, and the bit.
    fn verified_bit(&self, row: u64) -> Option<(&AtomicU64, u64)> {
        let bits = u64::from(u64::BITS);
        Some((self.verified_rows.get((row / bits) as usize)?, 1 << (row % bits)))
    }

    /// Verifies a row and its blocks unless that was done before.
    fn ensure_verified(&self, row: u64) -> Result<(), FileError> {
        // `Relaxed`: the bit guards no other memory; a change of the file is an error.
        match self.verified_bit(row) {
            Some((word, bit)) if word.load(Ordering::Relaxed) & bit != 0 => Ok(()),
            _ => self.verify_row(row),
        }
    }

    /// Checks a row and its blocks against their checksums and sets the bit of the row.
    fn verify_row(&self, row: u64) -> Result<(), FileError> {
        let blocks = self.layout.blocks_of_row(row);
        let checked = self.with_row(row, |row| {
            row.check(blocks).map(|()| (row.blocks(), row.blocks_checksum()))
        })?;
        let (extent, checksum) = checked.map_err(|error| self.file.error(error))?;
        let end = extent.start.checked_add(extent.length as u64);
        if end.is_none_or(|end| end > self.trailer.block_bytes) {
            return Err(self.file.error(FormatError::RowOffset(row)));
        }
        let offset = self.layout.blocks_offset() + extent.start;
        let found = |blocks: &[u8]| PackedRow::checksum_of_blocks(row, blocks);
        if self.file.read(offset, extent.length, found)? != checksum {
            return Err(self.file.error(FormatError::BlockChecksum(row * ROW_BLOCKS)));
        }
        if let Some((word, bit)) = self.verified_bit(row) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Calls `use_it` with a row, which is not verified.
    fn with_row<T>(
        &self,
        row: u64,
        use_it: impl FnOnce(PackedRow<'_>) -> T,
    ) -> Result<T, FileError> {
        let offset = self.layout.row_offset(row, self.trailer.block_bytes);
        let length_planes = self.layout.header().length_planes;
        let used = self.file.read(offset, self.layout.row_length(), |bytes| {
            PackedRow::new(row, length_planes, bytes).map(use_it)
        })?;
        used.map_err(|error| self.file.error(error))
    }
}

/// Checks one block.
pub type PackedCheck<'a> = dyn Fn(u64) -> Result<(), FileError> + Sync + 'a;

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
    let bytes = zstd::bulk::decompress(compressed, MAX_MODEL).ok()?;
    let model = Model::decode(header.coding, &bytes).ok()?;
    (model.tiles() == usize::from(header.block_tiles)).then_some(model)
}
