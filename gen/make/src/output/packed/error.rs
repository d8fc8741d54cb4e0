//! Errors of packing a table.

use crate::output::solved::WriteError;
use sakmak_codec::error::CodecError;
use sakmak_tables::format::error::FormatError;
use std::io;

/// A table could not be packed. No file was left behind, and an older file is unchanged.
pub type PackError = WriteError<PackProblem>;

/// The cause of a [`PackError`].
#[derive(Debug, thiserror::Error)]
pub enum PackProblem {
    /// The directory or the file could not be written to.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The solved table or a subtable could not be read.
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
