//! Errors of packing a table.

use sakmak_codec::error::CodecError;
use sakmak_tables::format::error::FormatError;
use std::io;
use std::path::PathBuf;

/// A table could not be packed; no file was left under its name.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {problem}", path = path.display())]
pub struct PackError {
    /// The path of the file.
    pub path: PathBuf,
    /// The cause.
    #[source]
    pub problem: PackProblem,
}

/// The cause of a [`PackError`].
#[derive(Debug, thiserror::Error)]
pub enum PackProblem {
    /// The directory or the file could not be written to.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The solved table or a smaller one could not be read.
    #[error("cannot read solved codes: {0}")]
    Read(#[source] io::Error),
    /// The table does not fit the format.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// The codes cannot be encoded.
    #[error("{0}")]
    Codec(#[from] CodecError),
    /// A block does not decode to its codes.
    #[error("block {0} does not decode to the codes it was made of")]
    ReadBack(u64),
    /// The table holds no values.
    #[error("the table holds no values")]
    Empty,
}
