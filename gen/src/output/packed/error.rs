//! Why a table was not packed.

use sakmak_tables::format::error::FormatError;
use sakmak_tables::packed_codec::error::CodecError;
use std::io;
use std::path::PathBuf;

/// A table could not be packed; nothing was left behind under its name.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {problem}", path = path.display())]
pub struct PackError {
    /// The file that was to be written.
    pub path: PathBuf,
    /// What went wrong.
    #[source]
    pub problem: PackProblem,
}

/// What went wrong in packing a table.
#[derive(Debug, thiserror::Error)]
pub enum PackProblem {
    /// The directory or the file could not be written to.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The table cannot be a file.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// Its codes cannot be written.
    #[error("{0}")]
    Codec(#[from] CodecError),
    /// A block does not come back as it was written.
    #[error("block {0} is not read back as it was written")]
    ReadBack(u64),
    /// The table holds no value.
    #[error("the table holds no values")]
    Empty,
}
