//! Why a position has no answer.

use crate::file::open_file::FileError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::{MAX_MEN, Material};
use sakmak_tables::position::IllegalPosition;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// Why a position has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// More pieces than any table has.
    #[error("{men} men are too many: tables have at most {MAX_MEN}, kings included")]
    TooManyMen {
        /// Pieces on the board, kings included.
        men: usize,
    },
    /// First-move leaps may still be made, which tables know nothing of.
    #[error(
        "first-move leaps are still allowed here, and tables know positions without them only: \
         put '-' in the third field of the FEN if the right is gone"
    )]
    LeapRights,
    /// No game has this position.
    #[error("illegal position: {0}")]
    Illegal(#[from] IllegalPosition),
    /// There is no such table.
    #[error("no table {} {}", .table.file_name(), looked_in(.directories))]
    Missing {
        /// The table.
        table: TableName,
        /// The directories it was looked for in.
        directories: Vec<PathBuf>,
    },
    /// A directory of tables cannot be read.
    #[error("cannot read the directory {path}: {source}", path = path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A table's file is broken, or not the one its name says.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table that is not on disk could not be solved on the spot.
    #[error("cannot solve {table}: {source}")]
    Solver {
        /// The table.
        table: TableName,
        /// What the solver says.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The tables say of a position what its successors do not bear out: one of them was
    /// not made as it should be.
    #[error("the table of {material} and those it leads to contradict each other at {fen}")]
    Contradiction {
        /// The material.
        material: Material,
        /// The position.
        fen: String,
    },
}

/// Where a missing table was looked for.
fn looked_in(directories: &[PathBuf]) -> String {
    if directories.is_empty() {
        return "(no directory of tables was named)".to_string();
    }
    let names: Vec<String> = directories.iter().map(|path| path.display().to_string()).collect();
    format!("in {}", names.join(", "))
}
