//! What can be wrong with the bytes of a table file.

use crate::format::{MAX_BLOCK_CODES, MIN_BLOCK_CODES, PACKED_VERSION, VERSION, WDL_VERSION};
use crate::material::Material;

/// What is wrong with the bytes of a table file; whoever read them adds which file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// Too few bytes to be a table file at all.
    #[error("cut short: {length} bytes are no table file, the least is {least}")]
    Short {
        /// Bytes there are.
        length: u64,
        /// Bytes the smallest file has.
        least: u64,
    },
    /// The first bytes are not those of a table file.
    #[error("no Sakmak table: the first bytes are not those of a table file")]
    Magic,
    /// Another version of the format.
    #[error("format version {0}, but this program reads version {VERSION}")]
    Version(u32),
    /// Another version of the packed form.
    #[error("version {0} of packed tables, but this program reads version {PACKED_VERSION}")]
    PackedVersion(u32),
    /// The header does not match its checksum.
    #[error("the header is damaged: it does not match its checksum")]
    HeaderChecksum,
    /// A metric this program does not know.
    #[error("metric number {0} is not known to this program")]
    Metric(u32),
    /// The material's name is none, or not in its usual form.
    #[error("the header names no material")]
    MaterialName,
    /// A block size that no file may have.
    #[error(
        "blocks of {0} codes: a power of two from {MIN_BLOCK_CODES} to {MAX_BLOCK_CODES} is \
         expected"
    )]
    BlockCodes(u32),
    /// A number of tiles that no block may have.
    #[error("blocks of {0} tiles: 1 to 64 are expected")]
    BlockTiles(u8),
    /// An tile_order of tiles that the material does not have.
    #[error("the order of its pieces is none that its material has")]
    TileOrder,
    /// The model cannot be read.
    #[error("its model is damaged: it does not match its checksum or does not decode")]
    Model,
    /// Longest win and loss that no two-byte code can hold, or none where some must be.
    #[error("the longest win and loss of {0} to move make no coding")]
    Coding(&'static str),
    /// Bytes that must be zero are not.
    #[error("reserved bytes of the {0} are not zero: perhaps made by a later version")]
    Reserved(&'static str),
    /// The table of another material.
    #[error("holds the table of {found}, not of {expected}")]
    Material {
        /// The material asked for.
        expected: Material,
        /// The material the header names.
        found: Material,
    },
    /// Another metric than the one asked for.
    #[error("holds metric '{found}', not '{expected}'")]
    OtherMetric {
        /// The metric asked for.
        expected: &'static str,
        /// The metric the header names.
        found: &'static str,
    },
    /// Made by other rules.
    #[error("made by other rules: fingerprint {found:016x}, but {expected:016x} is expected")]
    Rules {
        /// The fingerprint of the rules asked for.
        expected: u64,
        /// The fingerprint in the header.
        found: u64,
    },
    /// The number of slots is not that of the material.
    #[error("{found} slots, but its material has {expected}")]
    Slots {
        /// The slots of the material.
        expected: u64,
        /// The slots the header says.
        found: u64,
    },
    /// The file is longer or shorter than its header and trailer say.
    #[error("cut short, overlong or damaged at its end: {length} bytes do not fit its trailer")]
    Length {
        /// Bytes there are.
        length: u64,
    },
    /// A row of the offset table does not match its checksum.
    #[error("row {0} of the offset table is damaged: it does not match its checksum")]
    RowChecksum(u64),
    /// A row of the offset table does not go on where the one before it ends, or leads
    /// out of the blocks.
    #[error("row {0} of the offset table leads astray")]
    RowPlace(u64),
    /// A block does not match its checksum.
    #[error("block {0} is damaged: it does not match its checksum")]
    BlockChecksum(u64),
    /// A block cannot be decoded, or not to the length it must have.
    #[error("block {0} is damaged: it does not decode")]
    BlockDecoding(u64),
    /// A code that stands for no value.
    #[error("block {block} holds the code {code}, which stands for no value")]
    Code {
        /// The block.
        block: u64,
        /// The code.
        code: u16,
    },
    /// Another version of the form of verdict files.
    #[error("verdict format version {0}, but this program reads version {WDL_VERSION}")]
    WdlVersion(u32),
    /// A part of a verdict file leads nowhere.
    #[error("damaged: {0}")]
    Wdl(&'static str),
    /// The file does not match its checksum.
    #[error("damaged: the file does not match its checksum")]
    FileChecksum,
}
