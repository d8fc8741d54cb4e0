//! Why an atlas could not be made.

use crate::analysis::census::CensusError;
use crate::analysis::statistics::StatisticsError;
use crate::store::TableStoreError;
use sakmak_probe::ProbeError;
use std::io;
use std::path::PathBuf;

/// An atlas that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A table cannot be had.
    #[error(transparent)]
    TableStore(#[from] TableStoreError),
    /// A table could not be counted.
    #[error(transparent)]
    Census(#[from] CensusError),
    /// What was counted makes no sense.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// A line cannot be played.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Data cannot be written as JSON.
    #[error("cannot write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Data cannot be written as CSV.
    #[error("cannot write CSV: {0}")]
    Csv(#[from] csv::Error),
    /// Data cannot be written as Parquet.
    #[error("cannot write Parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// A table cannot be read.
    #[error("cannot read the tables: {0}")]
    Io(#[from] io::Error),
    /// The directory of the atlas, or a file in it, cannot be written.
    #[error("cannot write {path}: {source}", path = path.display())]
    Write {
        /// What was written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}
