//! Errors in the bytes of a file.

use crate::format::metric::Metric;
use crate::format::{FormatKind, MAX_BLOCK_CODES, MIN_BLOCK_CODES};
use std::fmt;

/// An error in the bytes of a file. The reader adds the path.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The file has too few bytes for its format.
    #[error("cut short: {length} bytes, but the smallest file of this format has {least}")]
    Short {
        /// Bytes of the file.
        length: u64,
        /// Bytes of the smallest file.
        least: u64,
    },
    /// The first bytes are not the magic of the format.
    #[error("not a {0} file of Sakmak: the first bytes are different")]
    Magic(FormatKind),
    /// Another version of the format.
    #[error("{kind} file of version {found}, but this program reads version {expected}")]
    Version {
        /// The format.
        kind: FormatKind,
        /// The version in the header.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// The header does not match its checksum.
    #[error("the header is damaged: it does not match its checksum")]
    HeaderChecksum,
    /// No metric or counting rule has this number.
    #[error("the header has the unknown metric number {0}")]
    Metric(u32),
    /// The header does not name a material in its usual form.
    #[error("the header does not name a material")]
    MaterialName,
    /// A block size out of range.
    #[error(
        "{0} codes per block, but it must be a power of two from {MIN_BLOCK_CODES} to \
         {MAX_BLOCK_CODES}"
    )]
    BlockCodes(u32),
    /// A number of tiles per block out of range.
    #[error("{0} tiles per block, but it must be from 1 to 64")]
    BlockTiles(u8),
    /// An order of pieces in tiles that the material does not have.
    #[error("the order of pieces in the header does not fit its material")]
    TileOrder,
    /// The model does not match its checksum or does not decode.
    #[error("the model is damaged: it does not match its checksum or does not decode")]
    Model,
    /// Codes of a width that no file has.
    #[error("codes of {0} bytes, expected 1 or 2")]
    CodeBytes(u32),
    /// The longest win and loss need more codes than two bytes can hold.
    #[error("with {0} to move, the longest win and loss need codes of more than two bytes")]
    Coding(&'static str),
    /// Bytes or values that this version does not use.
    #[error("the {0} uses reserved bytes: the file may come from a later version")]
    Reserved(&'static str),
    /// The file is for another material.
    #[error("holds the table of {found}, not of {expected}")]
    Material {
        /// The expected material.
        expected: String,
        /// The material in the header.
        found: String,
    },
    /// The file is for another metric.
    #[error("holds metric '{found}', not '{expected}'")]
    OtherMetric {
        /// The expected metric.
        expected: Metric,
        /// The metric in the header.
        found: Metric,
    },
    /// The file was made under other rules.
    #[error("made under other rules: fingerprint {found:016x}, expected {expected:016x}")]
    Rules {
        /// The expected fingerprint.
        expected: u64,
        /// The fingerprint in the header.
        found: u64,
    },
    /// The number of slots differs from the number of its material.
    #[error("the header gives {found} slots, but its material has {expected}")]
    Slots {
        /// Slots of the material.
        expected: u64,
        /// Slots in the header.
        found: u64,
    },
    /// The length of the file contradicts its header or trailer.
    #[error("cut short, too long or damaged: header and trailer do not fit {length} bytes")]
    Length {
        /// Bytes of the file.
        length: u64,
    },
    /// A row of the offset table does not match its checksum.
    #[error("row {0} of the offset table is damaged: it does not match its checksum")]
    RowChecksum(u64),
    /// A row of a WDL file does not match its checksum.
    #[error("row {row} with {side} to move is damaged: it does not match its checksum")]
    WdlRow {
        /// The side to move.
        side: &'static str,
        /// The row.
        row: u64,
    },
    /// A row of the offset table points outside the blocks, or does not begin where the row
    /// before it ends.
    #[error("row {0} of the offset table points outside its blocks")]
    RowOffset(u64),
    /// A block does not match its checksum.
    #[error("block {0} is damaged: it does not match its checksum")]
    BlockChecksum(u64),
    /// A block does not decode, or decodes to another length.
    #[error("block {0} is damaged: it does not decode")]
    BlockDecoding(u64),
    /// A code without a value.
    #[error("block {block} is damaged: no value has the code {code}")]
    Code {
        /// The block.
        block: u64,
        /// The code.
        code: u16,
    },
    /// A record of a WDL file holds an impossible value or offset.
    #[error("damaged: {0}")]
    Wdl(&'static str),
    /// The file does not match its checksum.
    #[error("damaged: the file does not match its checksum")]
    FileChecksum,
}

crate::readable_error!(FormatError);

impl FormatError {
    /// The error of a file that has another material.
    pub(in crate::format) fn material(
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        FormatError::Material { expected: expected.to_string(), found: found.to_string() }
    }
}
