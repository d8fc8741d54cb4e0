//! What a batch reports: its progress, the tables it has made, and why it ended early.

use crate::batch::need::Storage;
use crate::batch::plan::{Plan, PlanError};
use crate::batch::step::PlanStep;
use crate::output::packed::error::PackError;
use crate::output::solved::{WriteError, WrittenFile};
use crate::output::wdl::MakeWdlError;
use crate::store::TableStoreError;
use sakmak_probe::file::open_file::FileError;
use sakmak_solve::solver::saved_layers::SavedLayersError;
use sakmak_solve::solver::{SolveError, SolveTimes};
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::rules::piece::Side;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Receives the progress of a batch, which is ignored by default. Several tables are made at once;
/// what concerns one of them is reported by the threads that make it.
pub trait BatchObserver: Sync {
    /// The plan fits and work begins.
    fn planned(&self, _plan: &Plan) {}
    /// Another process has made this table.
    fn made_elsewhere(&self, _step: &PlanStep) {}
    /// The batch waits for another process to make this table.
    fn waiting(&self, _table: TableName) {}
    /// Solving of this table begins.
    fn solving(&self, _step: &PlanStep) {}
    /// An earlier run has solved this table and saved its layers: they are packed.
    fn resumed(&self, _step: &PlanStep) {}
    /// The layers that an earlier run saved cannot be used: they are removed, and the table is solved.
    fn discarded(&self, _step: &PlanStep, _reason: &SavedLayersError) {}
    /// The solved file of this table that an earlier run left in the scratch folder is damaged: it is
    /// removed, and the table is solved again.
    fn discarded_file(&self, _table: TableName, _reason: &FileError) {}
    /// The attacker's mates of this length have been found.
    fn layer(&self, _step: &PlanStep, _attacker: Side, _moves: Moves) {}
    /// Writing of this table begins.
    fn writing(&self, _step: &PlanStep) {}
    /// Counting of this table begins.
    fn counting(&self, _step: &PlanStep) {}
    /// Encoding of the WDL file begins; about the slots of the table will be written.
    fn encoding(&self, _step: &PlanStep) {}
    /// Packing of this table begins; about `slots` slots will be written.
    fn packing(&self, _step: &PlanStep, _slots: u64) {}
    /// The next `slots` slots of this table have been written or counted.
    fn written(&self, _step: &PlanStep, _slots: u64) {}
    /// A table is finished.
    fn finished(&self, report: &TableReport);
}

/// How a table was made.
#[derive(Clone, Debug)]
pub struct TableReport {
    /// The table.
    pub name: TableName,
    /// Its slots, those of each side to move counted.
    pub slots: u64,
    /// Where it was planned to be worked on.
    pub storage: Storage,
    /// The longest win of White and of Black with that side to move.
    pub longest: [Option<Moves>; 2],
    /// The file; `None` if it had one and was solved or read once more.
    pub file: Option<WrittenFile>,
    /// The WDL file that was made with it.
    pub wdl: Option<WrittenFile>,
    /// The time to solve it.
    pub solving: Duration,
    /// The parts of that time.
    pub times: SolveTimes,
    /// The time to compress and write it.
    pub writing: Duration,
}

/// Why a batch ended early. The files of finished tables stay.
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
        table: TableName,
        /// The directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A subtable cannot be loaded.
    #[error("cannot make {table}: {source}")]
    Subtable {
        /// The table to be made.
        table: TableName,
        /// Why.
        source: TableStoreError,
    },
    /// A table could not be solved.
    #[error("cannot make {table} in {path}: {source}", path = path.display())]
    Solve {
        /// The table to be made.
        table: TableName,
        /// The directory, which also takes what does not fit into memory.
        path: PathBuf,
        /// Why.
        source: SolveError,
    },
    /// A table could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A table could not be counted.
    #[error("cannot count {table}: {problem}")]
    Census {
        /// The table.
        table: TableName,
        /// Why.
        problem: String,
    },
    /// A WDL file could not be made.
    #[error("cannot make {name}: {source}")]
    Wdl {
        /// The WDL file.
        name: WdlName,
        /// Why.
        source: Box<MakeWdlError>,
    },
    /// A table could not be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
}

impl BatchError {
    /// The error of a directory that cannot be used.
    pub(crate) fn directory(path: &Path, source: io::Error) -> BatchError {
        BatchError::Directory { path: path.to_path_buf(), source }
    }
}
