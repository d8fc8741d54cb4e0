//! One file of tables, opened: what the three formats have in common.

use crate::file::bytes::{Access, Bytes};
use sakmak_tables::format::error::FormatError;
use std::io;
use std::path::{Path, PathBuf};

/// Something is wrong with a table file.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}", path = path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    #[source]
    pub problem: FileProblem,
}

/// What is wrong with a table file.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Its bytes are not what they must be.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// There is not memory enough to hold it decoded.
    #[error("not enough memory for its {0} bytes")]
    Memory(u64),
}

/// The bytes of a file read this way.
///
/// # Errors
///
/// When it cannot be opened or mapped.
pub fn bytes_of(path: &Path, access: Access) -> Result<Box<dyn Bytes>, FileError> {
    access.open(path).map_err(|error| FileError { path: path.to_path_buf(), problem: error.into() })
}
