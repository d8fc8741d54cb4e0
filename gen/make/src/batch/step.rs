//! One table of a plan.

use crate::batch::need::{Need, SolverArrays, Storage, WdlNeed, without_surplus};
use crate::system::ByteSize;
use sakmak_solve::solver::Spill;
use sakmak_solve::solver::scratch::ScratchFolder;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;

/// One table of a plan.
#[derive(Clone, Debug)]
pub struct PlanStep {
    /// The table.
    pub name: TableName,
    /// Its slots, those of each side to move counted.
    pub slots: u64,
    /// Whether it has a file already. A packed table of which another one of the plan needs the
    /// solved table is not finished.
    pub finished: bool,
    /// Whether an earlier run solved it and saved its layers, so that it is only to be packed. Their
    /// chunks are not checked yet.
    pub saved: bool,
    /// The tables that it depends on.
    pub subtables: Vec<TableName>,
    /// The WDL file to be made with it, and the memory for that.
    pub wdl: Option<(WdlName, WdlNeed)>,
    /// The other tables that the WDL file is made from.
    pub wdl_sources: Vec<TableName>,
    /// Where it is worked on.
    pub storage: Storage,
    /// What it needs there, within the memory allowed if that is enough.
    pub need: Need,
    /// What it needs to be worked on in memory.
    pub in_memory: Need,
    /// What it needs with as much on disk as possible.
    pub on_disk: Need,
    /// What an earlier run left of it in the scratch folder. The need has it as well.
    pub present: ByteSize,
    /// The memory of its codes.
    pub codes: ByteSize,
    /// What the solver keeps of it in arrays.
    pub(super) arrays: SolverArrays,
}

impl PlanStep {
    /// The tables that are read while it is made.
    pub fn read(&self) -> impl Iterator<Item = &TableName> {
        self.subtables.iter().chain(&self.wdl_sources)
    }

    /// Whether its file exists, and only its WDL file is to be made.
    pub fn has_file(&self) -> bool {
        !self.finished && self.need.file == ByteSize::default()
    }

    /// Whether the tables it depends on are in memory while it is made.
    pub fn are_subtables_loaded(&self) -> bool {
        self.need.subtables > ByteSize::default()
    }

    /// How the solver shares the memory for its arrays if the rest goes into a folder.
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
