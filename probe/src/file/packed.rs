//! One packed table: opened, its codes read a block at a time, checked.

use crate::file::bytes::{Access, Bytes, checksum};
use crate::file::open_file::{FileError, FileProblem, bytes_of};
use crate::file::zstd_decoder;
use sakmak_tables::board::square::SQUARES;
use sakmak_tables::distance::Value;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::packed::PackedLayout;
use sakmak_tables::format::packed::header::PackedHeader;
use sakmak_tables::format::packed::row::{PackedRow, ROW_BLOCKS};
use sakmak_tables::format::solved::header::HEADER_LENGTH;
use sakmak_tables::format::trailer::{CHECKSUM_LENGTH, TRAILER_LENGTH, Trailer};
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::packed_codec::TileCodes;
use sakmak_tables::packed_codec::decode::{decode, decode_to};
use sakmak_tables::packed_codec::model::Model;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::tile::{TileNumber, Tiles};
use sakmak_tables::tiles::tile::{TileSquare, shape::TileShape};
use sakmak_tables::variant::Variant;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// More bytes than any model takes.
const MAX_MODEL: usize = 1 << 23;

/// A packed table, opened: its header, its end and its model are in memory, and which rows
/// were found whole.
#[derive(Debug)]
pub struct PackedFile {
    path: PathBuf,
    bytes: Box<dyn Bytes>,
    layout: PackedLayout,
    trailer: Trailer,
    tiles: Tiles,
    model: Model,
    /// A bit for each row: whether it and its blocks matched their checksums.
    whole: Box<[AtomicU64]>,
}

/// The parts of a packed table that are read when it is opened.
struct Ends {
    layout: PackedLayout,
    trailer: Trailer,
    tiles: Tiles,
    model: Model,
}

impl PackedFile {
    /// Opens the packed file of a table and checks its header, model and length.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is no packed table, is that of other rules, another material,
    /// metric or version, or is cut short.
    pub fn open(
        path: &Path,
        access: Access,
        name: TableName,
        variant: &'static Variant,
    ) -> Result<PackedFile, FileError> {
        PackedFile::from_bytes(path, bytes_of(path, access)?, name, variant)
    }

    /// The packed table these bytes are; `path` is what errors name.
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
        let path = path.to_path_buf();
        match ends(&*bytes, name, variant) {
            Ok(Ends { layout, trailer, tiles, model }) => {
                let words = layout.rows().div_ceil(u64::BITS.into());
                let whole = (0..words).map(|_| AtomicU64::new(0)).collect();
                Ok(PackedFile { path, bytes, layout, trailer, tiles, model, whole })
            }
            Err(problem) => Err(FileError { path, problem }),
        }
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where its parts are, and its header.
    pub fn layout(&self) -> &PackedLayout {
        &self.layout
    }

    /// The index of its slots.
    pub fn index(&self) -> &Index {
        self.tiles.index()
    }

    /// The tiles of its blocks.
    pub fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// The side to move whose codes it keeps.
    pub fn kept(&self) -> Side {
        self.layout.header().kept
    }

    /// Whether a code may stand for less than the position is worth; see
    /// [`PackedHeader::dont_care`].
    pub fn has_dont_care(&self) -> bool {
        self.layout.header().dont_care
    }

    /// The checksum it carries at its end.
    pub fn checksum(&self) -> u64 {
        self.trailer.checksum
    }

    /// Bytes of the file.
    pub fn length(&self) -> u64 {
        self.bytes.length()
    }

    /// The block that holds a slot, and the slot's spot there.
    #[inline]
    pub fn locate(&self, slot: Slot) -> (u64, TileSquare) {
        let (tile, square) = self.tiles.locate(slot);
        tile.in_block(square, self.layout.header().block_tiles.into())
    }

    /// The last spot of a block.
    pub fn last_spot(&self, block: u64) -> TileSquare {
        let tile = self.layout.tiles_of(block).saturating_sub(1);
        TileSquare { tile, square: SQUARES - 1 }
    }

    /// The codes of a block up to and with that of a spot, tile by tile.
    ///
    /// # Errors
    ///
    /// When it cannot be read or is damaged, or has no such spot.
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
        self.decoded(block, self.last_spot(block))
    }

    /// The tiles of a block up to that of a spot; nothing is said of what is behind the spot.
    fn decoded(&self, block: u64, last: TileSquare) -> Result<Vec<TileCodes>, FileError> {
        // Before memory is taken for tiles that are not there.
        if last.tile >= self.layout.tiles_of(block) || last.square >= SQUARES {
            return Err(self.error(FormatError::BlockDecoding(block)));
        }
        let mut codes = vec![[0; SQUARES]; last.tile + 1];
        let shape = |tile: usize| self.shape(block, tile);
        let whole = last == self.last_spot(block);
        let decoded = self.with_block(block, |bytes| match whole {
            true => decode(&self.model, bytes, shape, &mut codes),
            false => decode_to(&self.model, bytes, shape, last, &mut codes),
        })?;
        decoded.map_err(|_| self.error(FormatError::BlockDecoding(block)))?;
        Ok(codes)
    }

    /// The value a code of a block stands for.
    ///
    /// # Errors
    ///
    /// When it stands for none.
    pub fn value(&self, block: u64, code: u16) -> Result<Value, FileError> {
        let value = self.layout.header().coding.decode(code);
        value.ok_or_else(|| self.error(FormatError::Code { block, code }))
    }

    fn shape(&self, block: u64, tile: usize) -> TileShape {
        let first = block * u64::from(self.layout.header().block_tiles);
        let tile = self.tiles.tile(TileNumber(first + tile as u64));
        self.tiles.shape(&tile, self.kept())
    }

    /// Checks every byte of the file: its checksum, its rows, and that each block decodes.
    ///
    /// # Errors
    ///
    /// The first thing found wrong.
    pub fn verify_checksums(&self) -> Result<(), FileError> {
        self.verify_checksums_by(|mut blocks, check| blocks.try_for_each(check))
    }

    /// As [`PackedFile::verify_checksums`], the blocks checked by `check_all`, in parallel
    /// if it likes; its error should be that of the first block.
    ///
    /// # Errors
    ///
    /// The first thing found wrong.
    pub fn verify_checksums_by(
        &self,
        check_all: impl Fn(Range<u64>, &PackedCheck<'_>) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let mut end = 0;
        for row in 0..self.layout.rows() {
            self.check_row(row)?;
            let whole = self.with_row(row, |row| row.whole())?;
            if whole.start != end {
                return Err(self.error(FormatError::RowPlace(row)));
            }
            end += whole.length as u64;
        }
        if end != self.trailer.block_bytes {
            return Err(self.error(FormatError::RowPlace(self.layout.rows().saturating_sub(1))));
        }
        check_all(0..self.layout.blocks(), &|block| self.all_codes(block).map(drop))?;
        self.verify_sum()
    }

    /// Checks all bytes of the file against the checksum at its end, without decoding any.
    ///
    /// # Errors
    ///
    /// When it does not match or the file cannot be read.
    pub fn verify_sum(&self) -> Result<(), FileError> {
        let end = self.bytes.length() - CHECKSUM_LENGTH as u64;
        let found = checksum(&*self.bytes, end).map_err(|error| self.error(error))?;
        match found == self.trailer.checksum {
            true => Ok(()),
            false => Err(self.error(FormatError::FileChecksum)),
        }
    }

    /// Lends the bytes of a block, whose row was found whole.
    fn with_block<T>(&self, block: u64, use_it: impl FnOnce(&[u8]) -> T) -> Result<T, FileError> {
        if block >= self.layout.blocks() {
            return Err(self.error(FormatError::BlockDecoding(block)));
        }
        let row = block / ROW_BLOCKS;
        self.find_row_whole(row)?;
        let place = (block % ROW_BLOCKS) as usize;
        let extent = self.with_row(row, |row| row.extent(place))?;
        self.read(self.layout.blocks_offset() + extent.start, extent.length, use_it)
    }

    /// The word that says whether a row was found whole, and its bit there.
    fn known_whole(&self, row: u64) -> Option<(&AtomicU64, u64)> {
        let bits = u64::from(u64::BITS);
        Some((self.whole.get((row / bits) as usize)?, 1 << (row % bits)))
    }

    /// Checks a row and its blocks unless that was done before.
    fn find_row_whole(&self, row: u64) -> Result<(), FileError> {
        // Whoever sees the bit needs nothing else of what set it.
        match self.known_whole(row) {
            Some((known, bit)) if known.load(Ordering::Relaxed) & bit != 0 => Ok(()),
            _ => self.check_row(row),
        }
    }

    /// Checks a row and its blocks, and puts down that they are whole.
    fn check_row(&self, row: u64) -> Result<(), FileError> {
        let blocks = self.layout.blocks_of_row(row);
        let checked = self.with_row(row, |row| {
            row.check(blocks).map(|()| (row.whole(), row.blocks_checksum()))
        })?;
        let (whole, checksum) = checked.map_err(|error| self.error(error))?;
        let end = whole.start.checked_add(whole.length as u64);
        if end.is_none_or(|end| end > self.trailer.block_bytes) {
            return Err(self.error(FormatError::RowPlace(row)));
        }
        let offset = self.layout.blocks_offset() + whole.start;
        let sum = |blocks: &[u8]| PackedRow::checksum_of_blocks(row, blocks);
        if self.read(offset, whole.length, sum)? != checksum {
            return Err(self.error(FormatError::BlockChecksum(row * ROW_BLOCKS)));
        }
        if let Some((known, bit)) = self.known_whole(row) {
            known.fetch_or(bit, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Lends a row, not checked.
    fn with_row<T>(
        &self,
        row: u64,
        use_it: impl FnOnce(PackedRow<'_>) -> T,
    ) -> Result<T, FileError> {
        let offset = self.layout.row_offset(row, self.trailer.block_bytes);
        let length_planes = self.layout.header().length_planes;
        let used = self.read(offset, self.layout.row_length(), |bytes| {
            PackedRow::new(row, length_planes, bytes).map(use_it)
        })?;
        used.map_err(|error| self.error(error))
    }

    /// Lends some bytes of the file.
    fn read<T>(
        &self,
        offset: u64,
        length: usize,
        use_them: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, FileError> {
        zstd_decoder::with_scratch(|scratch| self.bytes.read(offset, length, scratch).map(use_them))
            .map_err(|error| self.error(error))
    }

    fn error(&self, problem: impl Into<FileProblem>) -> FileError {
        FileError { path: self.path.clone(), problem: problem.into() }
    }
}

/// Checks one block.
pub type PackedCheck<'a> = dyn Fn(u64) -> Result<(), FileError> + Sync + 'a;

/// The header, trailer and model of a file, read and checked against what is looked for.
fn ends(
    bytes: &dyn Bytes,
    name: TableName,
    variant: &'static Variant,
) -> Result<Ends, FileProblem> {
    let length = bytes.length();
    let least = (HEADER_LENGTH + TRAILER_LENGTH) as u64;
    let short = || FormatError::Short { length, least };
    if length < least {
        return Err(short().into());
    }
    let mut scratch = Vec::new();
    let header = bytes.read(0, HEADER_LENGTH, &mut scratch)?;
    let header = PackedHeader::decode(header.try_into().map_err(|_| short())?)?;
    let index = Index::new(name.material, &variant.rules);
    header.expect(name.metric, &index, name.metric.fingerprint(&variant.rules))?;
    let tile_order = header.tile_order(&index)?;
    let tiles = Tiles::new(&index, variant, &tile_order).ok_or(FormatError::TileOrder)?;
    let trailer = bytes.read(length - TRAILER_LENGTH as u64, TRAILER_LENGTH, &mut scratch)?;
    let trailer = Trailer::decode(trailer.try_into().map_err(|_| short())?);
    let layout = PackedLayout::new(header, &tiles);
    if layout.file_length(trailer.block_bytes) != Some(length) {
        return Err(FormatError::Length { length }.into());
    }
    let header = layout.header();
    let packed = bytes.read(layout.model_offset(), header.model_length as usize, &mut scratch)?;
    if xxh3_64(packed) != header.model_checksum {
        return Err(FormatError::Model.into());
    }
    let model = zstd::bulk::decompress(packed, MAX_MODEL).map_err(|_| FormatError::Model)?;
    let model = Model::decode(header.coding, &model).map_err(|_| FormatError::Model)?;
    if model.tiles() != usize::from(header.block_tiles) {
        return Err(FormatError::Model.into());
    }
    Ok(Ends { layout, trailer, tiles, model })
}
