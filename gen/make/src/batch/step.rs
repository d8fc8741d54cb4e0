//! Steps of a plan.

use crate::batch::need::{Need, SolverArrays, Storage, WdlNeed, without_surplus};
use crate::system::ByteSize;
use sakmak_solve::solver::Spill;
use sakmak_solve::solver::scratch::ScratchFolder;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use std::fmt::{Debug, Display};

/// Name of a table of a plan.
pub trait StepName: Copy + Ord + Debug + Display + Send + Sync {}

impl<N: Copy + Ord + Debug + Display + Send + Sync> StepName for N {}

/// A table of a plan, with its dependencies and needs.
#[derive(Clone, Debug)]
pub struct PlanStep<N = TableName> {
    /// The table.
    pub name: N,
    /// Number of men.
    pub men: usize,
    /// Number of slots, both sides to move counted.
    pub slots: u64,
    /// The table has its file already. A packed table is not finished if another table of the plan
    /// needs its solved table.
    pub finished: bool,
    /// An earlier run solved the table and saved its layers, so that it is only packed. The chunks
    /// of the layers are not checked yet.
    pub saved: bool,
    /// Tables that the table depends on.
    pub subtables: Vec<N>,
    /// WDL file to make with the table, and the memory it needs.
    pub wdl: Option<(WdlName, WdlNeed)>,
    /// Other tables that the WDL file is made from.
    pub wdl_sources: Vec<N>,
    /// Storage of the sets, conversions and layers.
    pub storage: Storage,
    /// Need with the chosen storage, within the memory limit if possible.
    pub need: Need,
    /// Need with everything in memory.
    pub in_memory: Need,
    /// Need with as much on disk as possible.
    pub on_disk: Need,
    /// Length of the scratch files that an earlier run left. The need includes them.
    pub present: ByteSize,
    /// Memory of the codes.
    pub codes: ByteSize,
    /// Maximum threads of the table, if it is large, and of its WDL file.
    pub(super) threads: [usize; 2],
    /// Arrays of the solver.
    pub(super) arrays: SolverArrays,
}

impl<N> PlanStep<N> {
    /// Returns the tables that are read while this table is made.
    pub fn read(&self) -> impl Iterator<Item = &N> {
        self.subtables.iter().chain(&self.wdl_sources)
    }

    /// Returns whether the table has its file and lacks its WDL file only.
    pub fn has_file(&self) -> bool {
        !self.finished && self.need.file == ByteSize::default()
    }

    /// Returns whether the subtables are in memory while the table is made.
    pub fn are_subtables_loaded(&self) -> bool {
        self.need.subtables > ByteSize::default()
    }

    /// Divides the memory for arrays of the solver; the rest goes into a folder.
    pub fn spill<'a>(
        &self,
        arrays: ByteSize,
        spill: bool,
        folder: &'a dyn ScratchFolder,
    ) -> Spill<'a> {
        let arrays = without_surplus(arrays);
        let [sets, logs] = self.arrays.share(arrays, spill);
        Spill { folder, sets, logs, saved: None }
    }
}
