//! The plan of a batch: the order of its tables, and the memory and disk needs of each table.
//!
//! **Order.** A table comes after its dependencies. The tables of a family are adjacent: one
//! material, and the same material with some promoted pieces still pawns. A large table is
//! therefore needed for a short time only, and then dropped from memory. Large families come first,
//! so that only small tables remain at the end to fill the cores.
//!
//! **WDL files.** A WDL file is made with the table that decides the category under its counting
//! rule. The sources of the WDL file are the table that decides, the table of distance to mate, and
//! the tables after a capture. All sources are part of the plan.
//!
//! **Packed tables.** A plan of packed files has solved files only as long as another table needs
//! them: a table with more men, or any table if the codes do not fit into memory. In the latter
//! case packing reads the codes of one white king at a time from the log, and the king pairs of
//! their successors from the subtables. The whole log is on disk, so that a later run can use it
//! after a kill.

use crate::batch::need::Storage;
use crate::batch::planner::Planner;
use crate::batch::settings::{BatchSettings, PackedOutput};
use crate::batch::step::{PlanStep, StepName};
use crate::output::wdl::WdlSources;
use crate::system::ByteSize;
use crate::system::machine::free_disk;
use sakmak_probe::ProbeError;
use sakmak_probe::file::open_file::FileError;
use sakmak_solve::boards::solver::SolveError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, Side};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Tables to be made in one directory.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Rules of the variant.
    pub rules: &'a Rules,
    /// Directory of the files; created if missing.
    pub directory: &'a Path,
    /// Options and limits.
    pub settings: BatchSettings,
}

impl Batch<'_> {
    /// Plans tables and all their dependencies. A plan may exceed the limits; see [`Plan::fits`].
    ///
    /// # Errors
    ///
    /// If the file of one of these tables is broken.
    pub fn plan(&self, names: impl IntoIterator<Item = TableName>) -> Result<Plan, PlanError> {
        Plan::new(names, self.rules, self.directory, &self.settings)
    }

    /// Returns the path of the packed or solved file of a table.
    pub(crate) fn path(&self, name: TableName) -> PathBuf {
        self.directory.join(match self.settings.packed {
            Some(_) => name.packed_file_name(),
            None => name.file_name(),
        })
    }

    /// Returns the disk limit: the limit given, or else the free space; `None` if neither is known.
    pub fn disk(&self) -> Option<ByteSize> {
        self.settings.disk.or_else(|| free_disk(self.directory))
    }
}

/// The reason why a plan is refused.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file of a table is broken, or is the file of another table.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file of a board game's table is refused.
    #[error(transparent)]
    BoardFile(#[from] ProbeError),
    /// A table of a board game exceeds the limits of its solver.
    #[error(transparent)]
    Board(#[from] SolveError),
    /// A table exceeds the memory limit.
    #[error("{table} needs {needed} of memory; the limit is {allowed}")]
    Memory {
        /// The table.
        table: String,
        /// Minimum memory of the table.
        needed: ByteSize,
        /// Memory limit.
        allowed: ByteSize,
    },
    /// A table, with the tables made before it, exceeds the disk limit.
    #[error(
        "not enough disk for {table}: up to {needed} needed with the tables before it, {free} free or \
         allowed"
    )]
    Disk {
        /// The table.
        table: String,
        /// Upper estimate of the disk needed up to this table.
        needed: ByteSize,
        /// Disk limit, or free space.
        free: ByteSize,
    },
}

/// Unfinished tables of a plan with the same number of men.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlanStage {
    /// The number of men.
    pub men: usize,
    /// The number of tables.
    pub tables: usize,
    /// Number of slots of the tables.
    pub slots: u64,
    /// Maximum memory that one table needs.
    pub memory: ByteSize,
    /// Maximum disk needed while the tables are made, earlier stages included.
    pub disk: ByteSize,
}

/// Tables in the order in which they are to be made.
#[derive(Clone, Debug)]
pub struct Plan<N = TableName> {
    /// All tables, finished ones included.
    pub steps: Vec<PlanStep<N>>,
    /// Memory limit.
    pub memory: ByteSize,
    /// Output of packed files; `None` for solved files.
    pub(crate) packed: Option<PackedOutput>,
}

impl Plan {
    /// Plans tables and all their dependencies in a directory that may have some of their files.
    /// [`Plan::fits`] checks the limits.
    ///
    /// # Errors
    ///
    /// If the file of one of these tables is broken.
    pub fn new(
        names: impl IntoIterator<Item = TableName>,
        rules: &Rules,
        directory: &Path,
        settings: &BatchSettings,
    ) -> Result<Plan, PlanError> {
        let planner = Planner::new(rules, directory, settings);
        let with_wdl = |name: TableName| {
            [name].into_iter().chain(planner.wdl_of(name).into_iter().flat_map(WdlSources::names))
        };
        let names = ordered(names.into_iter().flat_map(with_wdl), rules);
        let wdls = names.iter().map(|&name| planner.wdl_with(name));
        let wdls: Vec<Option<WdlName>> = wdls.collect::<Result<_, FileError>>()?;
        let sources = wdls.iter().flatten().copied().flat_map(WdlSources::names);
        let successors = names.iter().flat_map(|name| name.successors(rules));
        let needed: HashSet<TableName> = successors.chain(sources).collect();
        // The memory of the codes of each table.
        let mut codes: HashMap<TableName, ByteSize> = HashMap::new();
        let mut steps: Vec<PlanStep> = Vec::new();
        let mut solved: Vec<bool> = Vec::new();
        for (name, wdl) in names.into_iter().zip(wdls) {
            let file = planner.solved_file(name)?;
            let step = planner.step(name, wdl, file.as_ref(), needed.contains(&name), &codes)?;
            codes.insert(name, step.codes);
            solved.push(file.is_some());
            steps.push(step);
        }
        if settings.packed.is_some() {
            open_solved_again(&mut steps, &solved);
            without_useless_scratch(&mut steps);
        }
        Ok(Plan { steps, memory: settings.memory, packed: settings.packed })
    }
}

impl<N: StepName> Plan<N> {
    /// Returns the unfinished tables.
    pub fn open(&self) -> impl Iterator<Item = &PlanStep<N>> + Clone {
        self.steps.iter().filter(|step| !step.finished)
    }

    /// Returns the number of slots of the unfinished tables.
    pub fn slots(&self) -> u64 {
        self.open().map(|step| step.slots).sum()
    }

    /// Returns the unfinished table that needs the most memory.
    pub fn greatest(&self) -> Option<&PlanStep<N>> {
        self.open().max_by_key(|step| (step.need.memory(), Reverse(step.name)))
    }

    /// Returns the maximum disk needed at any moment, besides leftovers of earlier runs: the files
    /// made until then, and the scratch files in use.
    pub fn disk(&self) -> ByteSize {
        self.disk_needed().map(|(_, needed)| needed).max().unwrap_or_default()
    }

    /// Returns each unfinished table with the disk needed up to it, if tables are made in sequence.
    fn disk_needed(&self) -> impl Iterator<Item = (N, ByteSize)> {
        let open = self.steps.iter().enumerate().filter(|(_, step)| !step.finished);
        // The last unfinished step that reads each table.
        let mut last: BTreeMap<&N, usize> = BTreeMap::new();
        for (index, step) in open.clone() {
            last.extend(step.read().map(|read| (read, index)));
        }
        open.map(move |(index, step)| {
            let is_needed = |name: &N| last.get(name).is_some_and(|&last| last >= index);
            (step.name, self.disk_of(|other| other < index, |other| other == index, is_needed))
        })
    }

    /// Returns the disk needed while some tables are being made and others are done, besides
    /// leftovers of earlier runs. The functions take indices of steps.
    pub(crate) fn disk_with(
        &self,
        is_done: impl Fn(usize) -> bool,
        is_made: impl Fn(usize) -> bool,
    ) -> ByteSize {
        let steps = self.steps.iter().enumerate();
        let open = steps.filter(|&(index, step)| !step.finished && !is_done(index));
        let needed: BTreeSet<&N> = open.flat_map(|(_, step)| step.read()).collect();
        self.disk_of(&is_done, is_made, |name| needed.contains(name))
    }

    /// Returns the disk needed while some tables are being made, others are done, and some are
    /// needed for unfinished tables.
    fn disk_of(
        &self,
        is_done: impl Fn(usize) -> bool,
        is_made: impl Fn(usize) -> bool,
        is_needed: impl Fn(&N) -> bool,
    ) -> ByteSize {
        let (mut disk, mut present) = (ByteSize::default(), ByteSize::default());
        for (index, step) in self.steps.iter().enumerate() {
            let is_made = is_made(index);
            if !is_made && !is_done(index) {
                continue;
            }
            present += step.present;
            if !step.finished {
                disk += step.need.file + step.need.wdl;
            }
            if is_made {
                disk += step.need.spilled;
            }
            if step.need.scratch.0 > 0 && (is_made || is_needed(&step.name)) {
                disk += step.need.scratch;
            }
        }
        ByteSize(disk.0.saturating_sub(present.0))
    }

    /// Returns the stages of the plan, by ascending number of men.
    pub fn stages(&self) -> Vec<PlanStage> {
        let mut stages: Vec<PlanStage> = Vec::new();
        let mut disk = self.disk_needed();
        for step in self.open() {
            let men = step.men;
            let needed = disk.next().map_or(ByteSize::default(), |(_, needed)| needed);
            if stages.last().is_none_or(|stage| stage.men != men) {
                stages.push(PlanStage { men, ..PlanStage::default() });
            }
            if let Some(stage) = stages.last_mut() {
                stage.tables += 1;
                stage.slots += step.slots;
                stage.memory = stage.memory.max(step.need.memory());
                stage.disk = stage.disk.max(needed);
            }
        }
        stages
    }

    /// Checks that the plan keeps the memory limit and, if `free` is known, fits on a disk with
    /// that much free space. File sizes are upper estimates.
    ///
    /// # Errors
    ///
    /// The first table that does not fit.
    pub fn fits(&self, free: Option<ByteSize>) -> Result<(), PlanError> {
        for step in self.open() {
            let needed = step.need.memory();
            if needed > self.memory {
                let table = step.name.to_string();
                return Err(PlanError::Memory { table, needed, allowed: self.memory });
            }
        }
        let Some(free) = free else { return Ok(()) };
        match self.disk_needed().find(|&(_, needed)| needed > free) {
            Some((name, needed)) => Err(PlanError::Disk { table: name.to_string(), needed, free }),
            None => Ok(()),
        }
    }
}

/// Returns tables and their dependencies in the order of the plan. In a family, tables of counted
/// distance come after tables of distance to mate.
fn ordered(names: impl IntoIterator<Item = TableName>, rules: &Rules) -> Vec<TableName> {
    let mut order = TableName::closure(names, rules);
    // A stable sort: in a family, materials with more pawns stay last.
    order.sort_by_cached_key(|name| {
        let family = family(name.material, rules);
        let slots = Index::new(family, rules).slots();
        (name.material.men(), Reverse(slots), family, name.metric.number())
    });
    order
}

/// Returns the material after all pawns are promoted to the weakest possible piece.
fn family(material: Material, rules: &Rules) -> Material {
    let weakest = rules.promotes_to.iter().max().copied();
    let promoted = |side| material.after(None, Some(Piece::new(side, weakest?)));
    match Side::BOTH.into_iter().find_map(promoted) {
        Some(after) => family(after.material, rules),
        None => material,
    }
}

/// Marks finished steps as open if an open step needs their solved table and it does not exist.
fn open_solved_again(steps: &mut [PlanStep], solved: &[bool]) {
    let mut needed: HashSet<TableName> = HashSet::new();
    // Tables come after their dependencies.
    for (step, solved) in steps.iter_mut().zip(solved).rev() {
        step.finished = step.finished && (*solved || !needed.contains(&step.name));
        if !step.finished {
            needed.extend(step.read());
        }
    }
}

/// Removes scratch files from the needs that no other table reads. A table with the same number of
/// men reads a scratch file only if the codes cannot stay in memory.
fn without_useless_scratch(steps: &mut [PlanStep]) {
    let on_disk: HashSet<TableName> =
        steps.iter().filter(|step| step.storage == Storage::Disk).map(|step| step.name).collect();
    let mut needed: HashSet<TableName> = HashSet::new();
    for step in steps.iter().filter(|step| !step.finished) {
        let men = step.name.material.men();
        let has_file =
            |subtable: &&TableName| subtable.material.men() < men || on_disk.contains(subtable);
        needed.extend(step.read().filter(has_file));
    }
    for step in steps.iter_mut().filter(|step| !needed.contains(&step.name)) {
        for need in [&mut step.in_memory, &mut step.on_disk, &mut step.need] {
            need.scratch = ByteSize::default();
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
