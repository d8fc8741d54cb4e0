//! Operations of a family of tables that the schedule of a batch needs.

use crate::batch::claim::Claim;
use crate::batch::need::WdlNeed;
use crate::batch::report::{BatchError, BatchObserver, TableReport};
use crate::batch::step::{PlanStep, StepName};
use crate::system::ByteSize;
use sakmak_tables::format::wdl::WdlName;
use std::io;
use std::path::Path;

/// Limit of small tables in slots: a smaller table is made by one thread of the pool.
pub(super) const SMALL: u64 = 1 << 24;

/// Files of one table of the plan, at the last check of this process.
#[derive(Clone, Copy, Default)]
pub(super) struct StepFiles {
    /// The file of the batch exists: packed, or solved.
    pub table: bool,
    /// The WDL file exists, or the step has none.
    pub wdl: bool,
    /// The solved file exists, in the directory or in the scratch folder.
    pub solved: bool,
}

impl StepFiles {
    pub fn are_complete(self) -> bool {
        self.table && self.wdl
    }
}

/// The job of making one table.
pub(super) struct Job<'a, N> {
    pub step: &'a PlanStep<N>,
    /// Memory for the arrays of the solver.
    pub arrays: ByteSize,
    /// The file of the table exists.
    pub has_file: bool,
    /// WDL file to make, and the memory it needs.
    pub wdl: Option<(WdlName, WdlNeed)>,
    /// The solved table is in memory or has a file.
    pub is_available: bool,
    /// Another table still to be made reads this table.
    pub is_needed: bool,
    /// A table with more men that is still to be made reads this table.
    pub is_needed_later: bool,
}

/// A family of tables: their files in a directory, the tables in memory, and the making of one
/// table. The schedule decides which table is made when. Methods with a default are for families
/// that solve tables once more for others, or save solved tables in a scratch folder.
pub(super) trait Workshop: Sync {
    /// Name of a table.
    type Name: StepName;

    fn observer(&self) -> &dyn BatchObserver<Self::Name>;

    /// Returns the directory of the files.
    fn directory(&self) -> &Path;

    /// Claims a table; `None` if another process has claimed it.
    fn claim(&self, table: Self::Name) -> io::Result<Option<Claim>>;

    /// Returns the files that a table has.
    ///
    /// # Errors
    ///
    /// If the system cannot report whether a file exists.
    fn files(&self, step: &PlanStep<Self::Name>) -> Result<StepFiles, BatchError>;

    /// Returns the memory of a solved table; `None` if it is not in memory.
    fn held(&self, table: Self::Name) -> Option<ByteSize>;

    /// Drops the tables from memory that are not kept.
    fn retain(&self, is_kept: &dyn Fn(Self::Name) -> bool);

    /// Makes the missing files of a table. Calls `available` when other tables can be made from the
    /// table, with the memory that its arrays take from then on.
    fn make(
        &self,
        job: &Job<'_, Self::Name>,
        available: &dyn Fn(ByteSize),
    ) -> Result<TableReport<Self::Name>, BatchError>;

    /// Limits the arrays of all solvers together.
    fn limit_arrays(&self, _memory: ByteSize) {}

    /// Returns whether a table that has its files may be solved once more for another table.
    fn solves_again(&self) -> bool {
        false
    }

    /// Writes a table in memory to the scratch folder if it has no file. Returns whether a file is
    /// written.
    fn save(&self, _step: &PlanStep<Self::Name>) -> Result<bool, BatchError> {
        Ok(false)
    }

    /// Removes the solved file of a table from the scratch folder if it is damaged. The check is of
    /// the header, or of the whole file. Returns whether the file was damaged.
    fn discard_damaged(&self, _table: Self::Name, _whole: bool) -> Result<bool, BatchError> {
        Ok(false)
    }

    /// Returns whether no other batch needs scratch files that this batch does not need.
    fn may_remove_scratch(&self) -> bool {
        false
    }

    /// Removes the saved layers of a table from the scratch folder.
    fn remove_saved(&self, _table: Self::Name) {}

    /// Removes all scratch files of a table.
    fn remove_scratch(&self, _table: Self::Name) {}
}
