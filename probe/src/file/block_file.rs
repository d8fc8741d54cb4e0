//! A file of zstd blocks with an offset table: the container of solved and board-game files.

use crate::file::bytes::Bytes;
use crate::file::open_file::{FileError, FileProblem, OpenFile};
use crate::file::zstd_decoder;
use sakmak_tables::format::error::FormatError;
use sakmak_tables::format::solved::offsets::{
    BlockNumber, Extent, OffsetRow, OffsetTable, ROW_BLOCKS, ROW_LENGTH,
};
use sakmak_tables::format::{HEADER_LENGTH, block_checksum};
use std::path::Path;

/// An open file of blocks. Header and trailer are in memory; blocks are decoded on demand.
#[derive(Debug)]
pub(super) struct BlockFile {
    file: OpenFile<Box<dyn Bytes>>,
    offsets: OffsetTable,
}

impl BlockFile {
    /// A file whose header says that it has these blocks.
    ///
    /// # Errors
    ///
    /// If the length of the file contradicts its header or trailer.
    pub fn new(
        file: OpenFile<Box<dyn Bytes>>,
        offsets: OffsetTable,
    ) -> Result<BlockFile, FileError> {
        let length = file.length();
        match offsets.file_length(file.trailer().block_bytes) == Some(length) {
            true => Ok(BlockFile { file, offsets }),
            false => Err(file.error(FormatError::Length { length })),
        }
    }

    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The path of the file, if it now has another file or none.
    pub fn replaced(&self) -> Option<&Path> {
        self.file.replaced()
    }

    /// The checksum at the end of the file.
    pub fn checksum(&self) -> u64 {
        self.file.trailer().checksum
    }

    pub fn length(&self) -> u64 {
        self.file.length()
    }

    /// An error of this file.
    pub fn error(&self, problem: impl Into<FileProblem>) -> FileError {
        self.file.error(problem)
    }

    /// A buffer of zeros for decoded codes.
    pub fn buffer(&self, bytes: u64) -> Result<Vec<u8>, FileError> {
        let memory = || self.error(FileProblem::Memory(bytes));
        let length = usize::try_from(bytes).map_err(|_| memory())?;
        let mut codes = Vec::new();
        codes.try_reserve_exact(length).map_err(|_| memory())?;
        codes.resize(length, 0);
        Ok(codes)
    }

    /// The decoded codes of a block of this many bytes.
    ///
    /// # Errors
    ///
    /// When the block cannot be read or is damaged.
    pub fn block(&self, block: BlockNumber, length: usize) -> Result<Vec<u8>, FileError> {
        let mut codes = self.buffer(length as u64)?;
        self.decode(block, &mut codes)?;
        Ok(codes)
    }

    /// Decodes a block into a buffer of its length.
    ///
    /// # Errors
    ///
    /// When the block cannot be read or is damaged.
    pub fn decode(&self, block: BlockNumber, codes: &mut [u8]) -> Result<(), FileError> {
        // The checksums below find every change; this error states the cause.
        self.file.ensure_unchanged()?;
        let Extent { start, length: bytes, checksum } = self
            .row(block.row())?
            .extent(block, self.file.trailer().block_bytes)
            .map_err(|e| self.file.error(e))?;
        // Bounds the memory for a forged length: zstd never makes a longer block.
        if bytes as usize > zstd_decoder::longest_block(codes.len()) {
            return Err(self.file.error(FormatError::RowOffset(block.row())));
        }
        let decoded =
            self.file.read(HEADER_LENGTH as u64 + start, bytes as usize, |compressed| {
                if block_checksum(compressed) != checksum {
                    return Err(FormatError::BlockChecksum(block.0));
                }
                zstd_decoder::decode(block, compressed, codes)
            })?;
        decoded.map_err(|error| self.file.error(error))
    }

    /// Checks that the rows of the offset table cover all blocks without a gap.
    ///
    /// # Errors
    ///
    /// The first error.
    pub fn verify_rows(&self) -> Result<(), FileError> {
        let mut end = 0;
        for row in 0..self.offsets.rows() {
            let offsets = self.row(row)?;
            if offsets.start != end {
                return Err(self.file.error(FormatError::RowOffset(row)));
            }
            end = offsets.end().ok_or_else(|| self.file.error(FormatError::RowOffset(row)))?;
            let in_row = (self.offsets.blocks - row * ROW_BLOCKS as u64).min(ROW_BLOCKS as u64);
            let past = in_row as usize..;
            let rest = offsets.lengths[past.clone()].iter().chain(&offsets.checksums[past]);
            if rest.into_iter().any(|&number| number != 0) {
                return Err(self.file.error(FormatError::Reserved("offset table")));
            }
        }
        if end != self.file.trailer().block_bytes {
            return Err(self.file.error(FormatError::RowOffset(self.offsets.rows() - 1)));
        }
        Ok(())
    }

    /// Checks all bytes against the checksum at the end of the file. Decodes no block.
    ///
    /// # Errors
    ///
    /// When the checksum differs or the file cannot be read.
    pub fn verify_checksum(&self) -> Result<(), FileError> {
        self.file.verify_checksum()
    }

    /// A row of the offset table.
    fn row(&self, row: u64) -> Result<OffsetRow, FileError> {
        let offset = self.offsets.row_offset(row, self.file.trailer().block_bytes);
        let decoded = self.file.read(offset, ROW_LENGTH, |bytes| {
            let bytes = bytes.try_into().map_err(|_| FormatError::RowChecksum(row))?;
            OffsetRow::decode(row, bytes)
        })?;
        decoded.map_err(|error| self.file.error(error))
    }
}
