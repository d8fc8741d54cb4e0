//! An open WDL file: its models and the offsets of its rows in memory, its rows decoded on demand.

mod section;
mod symbols;

use crate::file::bytes::{Access, Bytes, FileBytes, open_regular};
use crate::file::open_file::{FileError, OpenFile};
use crate::file::watch::FileWatch;
use crate::file::wdl::section::WdlSection;
use crate::file::zstd_decoder::decode_whole;

pub use crate::file::wdl::symbols::RowSymbols;
use sakmak_tables::counting::Category;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::wdl::model::{MAX_MODEL_LENGTH, SymbolStrings, WdlModel};
use sakmak_tables::format::wdl::{RowForm, WdlHeader, WdlName, layouts};
use sakmak_tables::format::{CHECKSUM_LENGTH, FormatKind, HEADER_LENGTH};
use sakmak_tables::index::Index;
use sakmak_tables::position::Position;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::tiles::cells::{Cells, FixedKings};
use sakmak_tables::tiles::order::CellOrder;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use xxhash_rust::xxh3::xxh3_64;

/// The most bytes of models and offsets: no memory is taken for more.
const MAX_INDEX: u64 = 1 << 24;

/// An open WDL file. A row is checked when it is first used; [`WdlFile::ensure_unchanged`] reports a
/// later change.
#[derive(Debug)]
pub struct WdlFile {
    file: OpenFile<Box<dyn Bytes>>,
    sections: [Option<WdlSection>; 2],
    symmetric: bool,
}

/// The address of a position in a WDL file.
#[derive(Clone, Copy, Debug)]
pub struct WdlAddress<'a> {
    section: &'a WdlSection,
    exchanged: bool,
    row: u64,
    /// Counted from the first of the row.
    cell: u32,
}

impl WdlFile {
    /// Opens a WDL file. `fixed_kings` are the fixed kings of the symmetries of the index.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not a WDL file of this version, is cut short, its header,
    /// models or offsets are damaged, or it differs in material, rules or counting rule.
    pub fn open(
        path: &Path,
        access: Access,
        name: WdlName,
        index: &Index,
        rules: &Rules,
        fixed_kings: &Arc<FixedKings>,
    ) -> Result<WdlFile, FileError> {
        let opened = || -> io::Result<(Option<FileWatch>, FileBytes)> {
            let mut file = open_regular(path)?;
            // Bytes read into memory do not change.
            let watch = match access {
                Access::Mapped => Some(FileWatch::new(&file)?),
                Access::Read => None,
            };
            Ok((watch, FileBytes::new(&mut file, access)?))
        };
        let (watch, bytes) = opened().map_err(|error| FileError::new(path, error))?;
        let file = OpenFile::new(path, Box::new(bytes) as Box<dyn Bytes>, watch, FormatKind::Wdl)?;
        WdlFile::new(file, name, index, rules, fixed_kings)
    }

    /// The WDL file with these bytes. `path` is used in errors only.
    ///
    /// # Errors
    ///
    /// As [`WdlFile::open`].
    pub fn from_bytes(
        path: &Path,
        bytes: Box<dyn Bytes>,
        name: WdlName,
        index: &Index,
        rules: &Rules,
        fixed_kings: &Arc<FixedKings>,
    ) -> Result<WdlFile, FileError> {
        let file = OpenFile::new(path, bytes, None, FormatKind::Wdl)?;
        WdlFile::new(file, name, index, rules, fixed_kings)
    }

    fn new(
        file: OpenFile<Box<dyn Bytes>>,
        name: WdlName,
        index: &Index,
        rules: &Rules,
        fixed_kings: &Arc<FixedKings>,
    ) -> Result<WdlFile, FileError> {
        let header = WdlHeader::decode(&file.header()?, &name.preamble(rules), index);
        let header = header.map_err(|error| file.error(error))?;
        let cells = header.sides.each_ref().map(|side| {
            let side = side.as_ref()?;
            Some(Cells::new(index, Arc::clone(fixed_kings), &side.order))
        });
        let length = || file.error(FormatError::Length { length: file.length() });
        let (layouts, end) = layouts(&header, &cells).ok_or_else(length)?;
        if end.checked_add(CHECKSUM_LENGTH as u64) != Some(file.length()) {
            return Err(length());
        }
        let rows = layouts.iter().flatten().map(|layout| layout.rows).min().unwrap_or(end);
        let index_length = rows - HEADER_LENGTH as u64;
        if index_length > MAX_INDEX {
            return Err(length());
        }
        let models = file.read(HEADER_LENGTH as u64, index_length as usize, |bytes| {
            if xxh3_64(bytes) != header.index_checksum {
                return Err(FormatError::Wdl("models and offsets do not match their checksum"));
            }
            let mut sections = [None, None];
            for (side, cells) in Side::BOTH.into_iter().zip(cells) {
                let record = header.sides[side.index()].as_ref();
                let (Some(record), Some(cells), Some(layout)) =
                    (record, cells, layouts[side.index()])
                else {
                    continue;
                };
                let at = |offset: u64| (offset - HEADER_LENGTH as u64) as usize;
                let model = bytes.get(at(layout.model)..at(layout.offsets)).unwrap_or_default();
                let model = decode_whole(model, MAX_MODEL_LENGTH).ok_or(FormatError::Model)?;
                let model = WdlModel::decode(&model)?;
                let offsets = bytes.get(at(layout.offsets)..).unwrap_or_default();
                let section = WdlSection::new(index, record, cells, layout.rows, &model, offsets)?;
                sections[side.index()] = Some(section);
            }
            Ok(sections)
        })?;
        let sections = models.map_err(|error| file.error(error))?;
        file.ensure_unchanged_now()?;
        Ok(WdlFile { file, sections, symmetric: index.material().is_symmetric() })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The path of the file, if the path has another file now, or none.
    pub(crate) fn replaced(&self) -> Option<&Path> {
        self.file.replaced()
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.file.length()
    }

    /// The cells of one side to move. `None` if the file does not hold that side.
    pub fn cells(&self, side: Side) -> Option<&Cells> {
        self.sections[side.index()].as_ref().map(|section| &section.cells)
    }

    /// The order of the cells of one side to move. `None` if the file does not hold that side.
    pub fn order(&self, side: Side) -> Option<&CellOrder> {
        self.sections[side.index()].as_ref().map(|section| &section.order)
    }

    /// The groups whose captures a look-up has to search, a bit each.
    pub fn captures(&self, side: Side) -> u8 {
        self.sections[side.index()].as_ref().map_or(0, |section| section.captures)
    }

    /// Checks that the file was not changed since it was opened. Examines the path at most once a
    /// second.
    ///
    /// # Errors
    ///
    /// When the file was changed.
    #[inline]
    pub fn ensure_unchanged(&self) -> Result<(), FileError> {
        self.file.ensure_unchanged()
    }

    /// Whether the file was found changed since it was opened.
    #[inline]
    pub fn was_changed(&self) -> bool {
        self.file.was_changed()
    }

    /// Examines the path if that was done last a second or more ago.
    #[inline]
    pub(crate) fn look_if_due(&self, now: Instant) {
        self.file.look_if_due(now);
    }

    /// The address of a position of this material. `flipped` is that of [`Position::material`].
    /// `None` if a piece stands on a square that it can never stand on.
    #[inline]
    pub fn locate(&self, position: &Position, flipped: bool) -> Option<WdlAddress<'_>> {
        let exchanged = flipped || self.symmetric && position.side() == Side::Black;
        let side = if exchanged { !position.side() } else { position.side() };
        let section = self.sections[side.index()].as_ref()?;
        let (fixed_king, cell) = section.cells.locate(position, exchanged)?;
        let (row, cell) = section.row_of(fixed_king, cell);
        Some(WdlAddress { section, exchanged, row, cell })
    }

    /// Begins to load the span of an address into the cache of the processor: the first of two reads
    /// that are rarely in a cache, the second depending on the first. A caller with a batch of
    /// positions calls this for all, then [`WdlFile::prefetch_symbols`] for all, then
    /// [`WdlFile::category`].
    #[inline]
    pub fn prefetch_span(&self, address: &WdlAddress<'_>) {
        if let Some(at) = address.section.span_at(address.row, address.cell) {
            self.file.prefetch(at);
        }
    }

    /// Begins to load the symbols of an address, whose span is read now.
    #[inline]
    pub fn prefetch_symbols(&self, address: &WdlAddress<'_>) {
        let WdlAddress { section, row, cell, .. } = *address;
        let bytes = section.row_range(row).and_then(|(at, length)| self.file.in_memory(at, length));
        if let Some(bytes) = bytes {
            section.prefetch_symbols(row, bytes, cell);
        }
    }

    /// The category that the file gives the legal position of an address. If capturing one of
    /// [`WdlAddress::captured`] reaches the category of the position, the file may give any
    /// category not above it.
    ///
    /// # Errors
    ///
    /// When the row cannot be read or is damaged.
    #[inline]
    pub fn category(&self, address: &WdlAddress<'_>) -> Result<Category, FileError> {
        let WdlAddress { section, row, cell, .. } = *address;
        if let Some(RowForm::Alike(category)) = section.form(row) {
            return Ok(category);
        }
        self.row(section, row, |bytes| section.category(row, bytes, cell))?
            .ok_or_else(|| self.invalid())
    }

    /// The strings of the symbols of a side. `None` if the file does not hold it.
    pub fn strings(&self, side: Side) -> Option<SymbolStrings> {
        self.sections[side.index()].as_ref().map(|section| section.strings())
    }

    /// All symbols of a row; rows are numbered through all fixed kings. Checks all its bytes. `None` if
    /// the file does not hold the side.
    ///
    /// # Errors
    ///
    /// When the row cannot be read or is damaged.
    pub fn row_symbols(&self, side: Side, row: u64) -> Result<Option<RowSymbols>, FileError> {
        let Some(section) = &self.sections[side.index()] else { return Ok(None) };
        if let Some(RowForm::Alike(category)) = section.form(row) {
            let is_empty = section.row_range(row).is_some_and(|(_, length)| length == 0);
            return match is_empty {
                true => Ok(Some(RowSymbols::Alike(category))),
                false => Err(self.invalid()),
            };
        }
        let symbols = self.row(section, row, |bytes| section.symbols(row, bytes))?;
        symbols.map(|symbols| Some(RowSymbols::Symbols(symbols))).ok_or_else(|| self.invalid())
    }

    /// Checks every byte: the checksum of the file, every row, and that rows decode and end where the
    /// next begins.
    ///
    /// # Errors
    ///
    /// The first error found.
    pub fn verify_bytes(&self) -> Result<(), FileError> {
        self.file.verify_checksum()?;
        for side in Side::BOTH {
            let rows = self.sections[side.index()].as_ref().map_or(0, WdlSection::rows);
            for row in 0..rows {
                self.row_symbols(side, row)?;
            }
        }
        Ok(())
    }

    /// Calls `use_it` with the bytes of a row, which are checked the first time.
    #[inline]
    fn row<T>(
        &self,
        section: &WdlSection,
        row: u64,
        use_it: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, FileError> {
        let (at, length) = section.row_range(row).ok_or_else(|| self.invalid())?;
        if let Some(bytes) = self.file.in_memory(at, length) {
            return match section.is_sound(row, bytes) {
                true => Ok(use_it(bytes)),
                false => Err(self.damaged()),
            };
        }
        let used = self
            .file
            .read(at, length, |bytes| section.is_sound(row, bytes).then(|| use_it(bytes)))?;
        used.ok_or_else(|| self.damaged())
    }

    #[cold]
    fn damaged(&self) -> FileError {
        self.file.error(FormatError::Wdl("a row does not match its checksum"))
    }

    #[cold]
    fn invalid(&self) -> FileError {
        self.file.error(FormatError::Wdl("a row does not decode"))
    }
}

impl WdlAddress<'_> {
    /// The pieces, as the position has them, whose captures by any piece but a pawn the caller
    /// has to search.
    #[inline]
    pub fn captured(&self) -> impl Iterator<Item = Piece> + '_ {
        self.section.captured.iter().map(|piece| match self.exchanged {
            true => Piece::new(!piece.side, piece.kind),
            false => *piece,
        })
    }
}
