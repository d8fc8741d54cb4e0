//! An open solved file: single values, blocks, the whole table, and verification.

use crate::file::block_file::BlockFile;
use crate::file::bytes::{Access, Bytes};
use crate::file::open_file::{FileError, OpenFile};
use sakmak_tables::distance::Value;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::preamble::Preamble;
use sakmak_tables::format::solved::header::SolvedHeader;
use sakmak_tables::format::solved::offsets::BlockNumber;
use sakmak_tables::format::solved::{BlockContent, SolvedLayout};
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::values::{Coding, Values};
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;

/// An open solved file. Header, trailer and index are in memory; blocks are decoded on demand.
#[derive(Debug)]
pub struct SolvedFile {
    file: BlockFile,
    layout: SolvedLayout,
    index: Index,
}

impl SolvedFile {
    /// Opens the solved file of a table and checks its header and length.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not a solved file of this version, is truncated, or
    /// differs in rules, material or metric.
    pub fn open(
        path: &Path,
        access: Access,
        name: TableName,
        rules: &Rules,
    ) -> Result<SolvedFile, FileError> {
        SolvedFile::new(OpenFile::open(path, access, FormatKind::Solved)?, name, rules)
    }

    /// A solved file with these bytes. `path` is used in errors only.
    ///
    /// # Errors
    ///
    /// The errors of [`SolvedFile::open`].
    pub fn from_bytes(
        path: &Path,
        bytes: Box<dyn Bytes>,
        name: TableName,
        rules: &Rules,
    ) -> Result<SolvedFile, FileError> {
        SolvedFile::new(OpenFile::new(path, bytes, None, FormatKind::Solved)?, name, rules)
    }

    fn new(
        file: OpenFile<Box<dyn Bytes>>,
        name: TableName,
        rules: &Rules,
    ) -> Result<SolvedFile, FileError> {
        let index = Index::new(name.material, rules);
        let header = SolvedHeader::decode(&file.header()?).map_err(|error| file.error(error))?;
        let expected = Preamble::new(name, rules);
        header.expect(&expected, &index).map_err(|error| file.error(error))?;
        let layout = SolvedLayout::new(header);
        Ok(SolvedFile { file: BlockFile::new(file, layout.offsets())?, layout, index })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The path of the file, if it now has another file or none.
    pub(crate) fn replaced(&self) -> Option<&Path> {
        self.file.replaced()
    }

    /// The index of the table.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The header and the positions of all parts.
    pub fn layout(&self) -> &SolvedLayout {
        &self.layout
    }

    /// The checksum at the end of the file.
    pub fn checksum(&self) -> u64 {
        self.file.checksum()
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.file.length()
    }

    /// The value at a slot. Decodes the block that holds it. `None` if the file does not hold the
    /// side, or past the last slot.
    ///
    /// # Errors
    ///
    /// When the block or its row cannot be read or is damaged.
    pub fn value(&self, side: Side, slot: Slot) -> Result<Option<Value>, FileError> {
        let Some((block, index)) = self.layout.locate(side, slot) else {
            return Ok(None);
        };
        let codes = self.block(block)?;
        let coding = self.content(block)?.coding;
        self.value_of(block, coding, coding.read(&codes, index)).map(Some)
    }

    /// The decoded codes of a block.
    ///
    /// # Errors
    ///
    /// When the block does not exist, cannot be read or is damaged.
    pub fn block(&self, block: BlockNumber) -> Result<Vec<u8>, FileError> {
        self.file.block(block, self.content(block)?.length())
    }

    /// The value of a code of a block.
    ///
    /// # Errors
    ///
    /// If the code is `None` or no value has it.
    pub fn value_of(
        &self,
        block: BlockNumber,
        coding: Coding,
        code: Option<u16>,
    ) -> Result<Value, FileError> {
        let code = code.ok_or_else(|| self.file.error(FormatError::BlockDecoding(block.0)))?;
        let value = coding.decode(code);
        value.ok_or_else(|| self.file.error(FormatError::Code { block: block.0, code }))
    }

    /// Decodes the whole table on the calling thread.
    ///
    /// # Errors
    ///
    /// When a block cannot be read or is damaged, or memory runs out.
    pub fn table(&self) -> Result<Table, FileError> {
        self.table_by(|blocks| blocks.into_iter().try_for_each(BlockTarget::decode))
    }

    /// Decodes the whole table. `decode_all` calls [`BlockTarget::decode`] for each block, possibly
    /// in parallel.
    ///
    /// # Errors
    ///
    /// The errors of [`SolvedFile::table`].
    pub fn table_by(
        &self,
        decode_all: impl Fn(Vec<BlockTarget<'_>>) -> Result<(), FileError>,
    ) -> Result<Table, FileError> {
        let values = |side: Side| -> Result<Option<Values>, FileError> {
            let Some(coding) = self.layout.header().coding(side) else { return Ok(None) };
            let bytes = self.layout.header().slots.saturating_mul(coding.width() as u64);
            let mut codes = self.file.buffer(bytes)?;
            let block_bytes = self.layout.header().block_codes as usize * coding.width();
            let first = self.layout.blocks_per_side() * side.index() as u64;
            let blocks = codes.chunks_mut(block_bytes).zip((first..).map(BlockNumber));
            decode_all(
                blocks.map(|(codes, block)| BlockTarget { file: self, block, codes }).collect(),
            )?;
            Ok(Some(Values::new(coding, codes)))
        };
        let white = values(Side::White)?.unwrap_or_else(|| Values::new(Default::default(), vec![]));
        Ok(Table::new(self.index.clone(), white, values(Side::Black)?))
    }

    /// Verifies every byte: the offset table, each block (checksum, decoding, codes that have
    /// values), and the checksum of the file.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn verify_checksums(&self) -> Result<(), FileError> {
        self.verify_checksums_by(|mut blocks, check| blocks.try_for_each(check))
    }

    /// [`SolvedFile::verify_checksums`] with `check_all` to check the blocks, possibly in parallel.
    /// It should return the error of the first damaged block.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn verify_checksums_by(
        &self,
        check_all: impl Fn(BlockNumbers, &BlockCheck<'_>) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        self.file.verify_rows()?;
        let blocks: BlockNumbers = (0..self.layout.blocks()).map(BlockNumber);
        check_all(blocks, &|block| self.verify_block(block))?;
        // Last, because errors of the checks above have the damaged row or block.
        self.verify_file_checksum()
    }

    /// Checks that a block matches its checksum and decodes to codes that have values.
    fn verify_block(&self, block: BlockNumber) -> Result<(), FileError> {
        let content = self.content(block)?;
        let codes = self.block(block)?;
        match content.coding.without_value(&codes) {
            Some(code) => Err(self.file.error(FormatError::Code { block: block.0, code })),
            None => Ok(()),
        }
    }

    /// Checks all bytes against the checksum at the end of the file. Decodes no block.
    ///
    /// # Errors
    ///
    /// When the checksum differs or the file cannot be read.
    pub fn verify_file_checksum(&self) -> Result<(), FileError> {
        self.file.verify_checksum()
    }

    fn content(&self, block: BlockNumber) -> Result<BlockContent, FileError> {
        let content = self.layout.content(block);
        content.ok_or_else(|| self.file.error(FormatError::BlockDecoding(block.0)))
    }
}

/// The numbers of all blocks of a file, ascending.
pub type BlockNumbers = std::iter::Map<std::ops::Range<u64>, fn(u64) -> BlockNumber>;

/// Checks one block.
pub type BlockCheck<'a> = dyn Fn(BlockNumber) -> Result<(), FileError> + Sync + 'a;

/// A block of a file and the buffer that its codes are decoded to.
#[derive(Debug)]
pub struct BlockTarget<'a> {
    file: &'a SolvedFile,
    block: BlockNumber,
    codes: &'a mut [u8],
}

impl BlockTarget<'_> {
    /// Decodes the block into its buffer.
    ///
    /// # Errors
    ///
    /// When the block cannot be read or is damaged.
    pub fn decode(self) -> Result<(), FileError> {
        self.file.file.decode(self.block, self.codes)
    }
}

/// Each window decodes all blocks that it overlaps; a block that overlaps two windows is decoded
/// twice.
impl TableCodes for SolvedFile {
    fn index(&self) -> &Index {
        SolvedFile::index(self)
    }

    fn coding(&self, side: Side) -> Option<Coding> {
        self.layout().header().coding(side)
    }

    fn window(&self, side: Side, slots: Range<u64>) -> io::Result<Cow<'_, [u8]>> {
        let width = self.layout().header().coding(side).map_or(0, Coding::width);
        let mut codes = Vec::with_capacity(slots.end.saturating_sub(slots.start) as usize * width);
        let mut next = slots.start;
        while next < slots.end {
            let Some((block, index)) = self.layout().locate(side, Slot(next)) else { break };
            let Some(content) = self.layout().content(block) else { break };
            let decoded = self.block(block).map_err(io::Error::other)?;
            let end = content.codes.min(index + (slots.end - next) as usize);
            codes.extend_from_slice(decoded.get(index * width..end * width).unwrap_or_default());
            next += (end - index) as u64;
        }
        Ok(Cow::Owned(codes))
    }
}
