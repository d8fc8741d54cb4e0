//! Reports of a batch: its progress, the tables it made, and the error that ended it.

use crate::batch::need::Storage;
use crate::batch::plan::{Plan, PlanError};
use crate::batch::step::PlanStep;
use crate::output::packed::error::PackError;
use crate::output::solved::WriteError;
use crate::output::wdl::MakeWdlError;
use sakmak_solve::solver::SolveTimes;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::rules::piece::Side;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A phase of the work on one table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablePhase {
    /// The batch waits for another process that makes the table.
    Waiting,
    /// The first pass over the slots finds the initial wins and losses.
    Starting,
    /// The table is solved.
    Solving,
    /// The solved file is written.
    Writing,
    /// The census is counted.
    Counting,
    /// The WDL file is encoded.
    EncodingWdl,
    /// The packed file is written.
    Packing,
}

/// Receives the progress of a batch, and ignores it by default. Several tables are made at once;
/// the threads that make a table report its progress.
pub trait BatchObserver<N = TableName>: Sync {
    /// The plan fits and work starts.
    fn planned(&self, _plan: &Plan<N>) {}
    /// Another process has finished a table.
    fn made_elsewhere(&self, _step: &PlanStep<N>) {}
    /// Receives a sentence about a table, for the user.
    fn note(&self, _table: N, _note: &str) {}
    /// A phase of a table starts, with about this many slots.
    fn begins(&self, _step: &PlanStep<N>, _phase: TablePhase, _slots: u64) {}
    /// All wins of this length have been found, for one attacker or for both sides.
    fn layer(&self, _step: &PlanStep<N>, _attacker: Option<Side>, _moves: Moves) {}
    /// This many more slots of a table have been handled in a phase.
    fn written(&self, _step: &PlanStep<N>, _slots: u64) {}
    /// A table is finished.
    fn finished(&self, report: &TableReport<N>);
}

/// Report of a finished table.
#[derive(Clone, Debug)]
pub struct TableReport<N = TableName> {
    /// The table.
    pub name: N,
    /// Number of slots, both sides to move counted.
    pub slots: u64,
    /// Planned storage.
    pub storage: Storage,
    /// Longest wins, each with the name of its side, which is to move.
    pub longest: Vec<(&'static str, Moves)>,
    /// Length of the files written; 0 if the table was only solved or read once more.
    pub bytes: u64,
    /// Solving time.
    pub solving: Duration,
    /// Solving time by phase.
    pub times: SolveTimes,
    /// Time to compress and write the files.
    pub writing: Duration,
}

/// The error that ended a batch early. Files of finished tables stay.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The plan cannot be carried out.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The directory cannot be used.
    #[error("cannot write tables to {path}: {source}", path = path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A table cannot be claimed: the directory can no longer be written to.
    #[error("cannot make {table}: cannot write to {path}: {source}", path = path.display())]
    Claim {
        /// The table to be made.
        table: String,
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A subtable cannot be loaded.
    #[error("cannot make {table}: {source}")]
    Subtable {
        /// The table to be made.
        table: String,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A table could not be solved.
    #[error("cannot make {table} in {path}: {source}", path = path.display())]
    Solve {
        /// The table to be made.
        table: String,
        /// The directory, which also holds the data that does not fit into memory.
        path: PathBuf,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A table could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A table could not be counted.
    #[error("cannot count {table}: {problem}")]
    Census {
        /// The table.
        table: String,
        /// The reason.
        problem: String,
    },
    /// A WDL file could not be made.
    #[error("cannot make {name}: {source}")]
    Wdl {
        /// The WDL file.
        name: WdlName,
        /// The reason.
        source: Box<MakeWdlError>,
    },
    /// A table could not be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
}

impl BatchError {
    /// Returns the error of a directory that cannot be used.
    pub(crate) fn directory(path: &Path, source: io::Error) -> BatchError {
        BatchError::Directory { path: path.to_path_buf(), source }
    }

    /// Returns the error of a table without a subtable.
    pub(crate) fn subtable(
        table: impl Display,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> BatchError {
        BatchError::Subtable { table: table.to_string(), source: source.into() }
    }
}
