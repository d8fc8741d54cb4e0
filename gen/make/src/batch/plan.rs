//! The plan of a batch: the order of its tables and the memory and disk that each needs.
//!
//! **Order.** A table comes after those it depends on. Tables of one family stand together: those
//! of one material with some of its promoted pieces still pawns. A large table is therefore
//! needed for a short time only, and then dropped from memory. Large families come first: at the end
//! only small tables are left to fill the cores.
//!
//! **WDL files.** A WDL file is made with the table that decides the category under its counting rule,
//! from that table, the one of distance to mate, and those after a capture. They are part of the plan.
//!
//! **Packed tables.** A plan of packed files has solved files only as long as another table needs
//! them: one with more men, or any table if the codes do not fit into memory. Then packing reads
//! the codes of one white king at a time from the log, and the king pairs that these lead to from the
//! subtables. The log is on the disk as a whole then, saved for a run after a kill.

use crate::batch::need::Storage;
use crate::batch::planner::Planner;
use crate::batch::settings::{BatchSettings, PackedOutput};
use crate::batch::step::PlanStep;
use crate::output::wdl::WdlSources;
use crate::system::ByteSize;
use crate::system::machine::free_disk;
use sakmak_probe::file::open_file::FileError;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, Side};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Tables to be made in one directory.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The rules that shape them.
    pub rules: &'a Rules,
    /// The directory for their files; created if missing.
    pub directory: &'a Path,
    /// How they are made.
    pub settings: BatchSettings,
}

impl Batch<'_> {
    /// The plan for these tables and all they depend on. A plan that does not fit the machine is no
    /// error yet; see [`Plan::fits`].
    ///
    /// # Errors
    ///
    /// If the file of one of these tables is broken.
    pub fn plan(&self, names: impl IntoIterator<Item = TableName>) -> Result<Plan, PlanError> {
        Plan::new(names, self.rules, self.directory, &self.settings)
    }

    /// The file of a table: packed, or solved.
    pub(crate) fn path(&self, name: TableName) -> PathBuf {
        self.directory.join(match self.settings.packed {
            Some(_) => name.packed_file_name(),
            None => name.file_name(),
        })
    }

    /// The disk that may be used. `None` if no limit is known.
    pub fn disk(&self) -> Option<ByteSize> {
        self.settings.disk.or_else(|| free_disk(self.directory))
    }
}

/// Why a plan cannot be carried out on this machine.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file of a table is broken, or is the file of another table.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table needs more memory than is allowed.
    #[error("{table} needs {needed} of memory; {allowed} are allowed")]
    Memory {
        /// The table.
        table: TableName,
        /// The least that it needs.
        needed: ByteSize,
        /// The memory allowed.
        allowed: ByteSize,
    },
    /// A table, with those made before it, does not fit on the disk.
    #[error(
        "no room for {table} on the disk: it and the tables before it need up to {needed}; {free} are \
         free or allowed"
    )]
    Disk {
        /// The table.
        table: TableName,
        /// A high estimate of the disk needed up to this table.
        needed: ByteSize,
        /// The disk that is free, or allowed.
        free: ByteSize,
    },
}

/// The tables of a plan that have one number of men and are to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlanStage {
    /// The number of men.
    pub men: usize,
    /// The number of tables.
    pub tables: usize,
    /// Their slots.
    pub slots: u64,
    /// The most memory that one of them needs.
    pub memory: ByteSize,
    /// The most disk needed while they are made, with that of the stages before.
    pub disk: ByteSize,
}

/// Tables in the order in which they are to be made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The tables, those with a file included.
    pub steps: Vec<PlanStep>,
    /// The memory allowed.
    pub memory: ByteSize,
    /// Packed files in place of solved ones.
    pub(crate) packed: Option<PackedOutput>,
}

impl Plan {
    /// The plan for these tables and all they depend on, in a directory that may have some of them.
    /// Whether the plan fits the machine is checked by [`Plan::fits`].
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

    /// The tables without a file, which are to be made.
    pub fn open(&self) -> impl Iterator<Item = &PlanStep> + Clone {
        self.steps.iter().filter(|step| !step.finished)
    }

    /// The slots of the tables to be made.
    pub fn slots(&self) -> u64 {
        self.open().map(|step| step.slots).sum()
    }

    /// The table to be made that needs most memory; `None` if there is none to be made.
    pub fn greatest(&self) -> Option<&PlanStep> {
        self.open().max_by_key(|step| (step.need.memory(), Reverse(step.name)))
    }

    /// The most disk needed at any moment, besides what earlier runs left there: the files made until
    /// then, and what is worked on there.
    pub fn disk(&self) -> ByteSize {
        self.disk_needed().map(|(_, needed)| needed).max().unwrap_or_default()
    }

    /// For each table to be made: the disk needed up to it, if they are made one after the other.
    fn disk_needed(&self) -> impl Iterator<Item = (TableName, ByteSize)> {
        let open = self.steps.iter().enumerate().filter(|(_, step)| !step.finished);
        // By table: the last one to be made that reads it.
        let mut last: HashMap<&TableName, usize> = HashMap::new();
        for (place, step) in open.clone() {
            last.extend(step.read().map(|read| (read, place)));
        }
        open.map(move |(place, step)| {
            let is_needed = |name: &TableName| last.get(name).is_some_and(|&last| last >= place);
            (step.name, self.disk_of(|other| other < place, |other| other == place, is_needed))
        })
    }

    /// The disk needed while tables are made and others are done, by place, besides what earlier runs
    /// left there.
    pub(crate) fn disk_with(
        &self,
        is_done: impl Fn(usize) -> bool,
        is_made: impl Fn(usize) -> bool,
    ) -> ByteSize {
        let steps = self.steps.iter().enumerate();
        let open = steps.filter(|&(place, step)| !step.finished && !is_done(place));
        let needed: HashSet<&TableName> = open.flat_map(|(_, step)| step.read()).collect();
        self.disk_of(&is_done, is_made, |name| needed.contains(name))
    }

    /// The disk needed while tables are made and others are done, by place, and some are needed for
    /// those that are not done.
    fn disk_of(
        &self,
        is_done: impl Fn(usize) -> bool,
        is_made: impl Fn(usize) -> bool,
        is_needed: impl Fn(&TableName) -> bool,
    ) -> ByteSize {
        let (mut disk, mut present) = (ByteSize::default(), ByteSize::default());
        for (place, step) in self.steps.iter().enumerate() {
            let is_made = is_made(place);
            if !is_made && !is_done(place) {
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

    /// The numbers of men of the tables, ascending, each with the part of the plan that has them.
    pub fn stages(&self) -> Vec<PlanStage> {
        let mut stages: Vec<PlanStage> = Vec::new();
        let mut disk = self.disk_needed();
        for step in self.open() {
            let men = step.name.material.men();
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

    /// Checks that the plan fits into the memory allowed and, if `free` is known, on a disk with
    /// that much free space. Sizes of files are high estimates.
    ///
    /// # Errors
    ///
    /// The first table that does not fit.
    pub fn fits(&self, free: Option<ByteSize>) -> Result<(), PlanError> {
        for step in self.open() {
            let (table, needed) = (step.name, step.need.memory());
            if needed > self.memory {
                return Err(PlanError::Memory { table, needed, allowed: self.memory });
            }
        }
        let Some(free) = free else { return Ok(()) };
        match self.disk_needed().find(|&(_, needed)| needed > free) {
            Some((table, needed)) => Err(PlanError::Disk { table, needed, free }),
            None => Ok(()),
        }
    }
}

/// These tables and all they depend on, in the order of the plan. In a family, tables of counted
/// distance come after those of distance to mate.
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

/// The material after all its pawns are promoted to the weakest piece that they may become.
fn family(material: Material, rules: &Rules) -> Material {
    let weakest = rules.promotes_to.iter().max().copied();
    let promoted = |side| material.after(None, Some(Piece::new(side, weakest?)));
    match Side::BOTH.into_iter().find_map(promoted) {
        Some(after) => family(after.material, rules),
        None => material,
    }
}

/// Opens finished steps again whose solved table does not exist and is needed by an open one.
fn open_solved_again(steps: &mut [PlanStep], solved: &[bool]) {
    let mut needed: HashSet<TableName> = HashSet::new();
    // Tables come after those they depend on.
    for (step, solved) in steps.iter_mut().zip(solved).rev() {
        step.finished = step.finished && (*solved || !needed.contains(&step.name));
        if !step.finished {
            needed.extend(step.read());
        }
    }
}

/// Takes the scratch files away that no other table needs. A table of as many men needs one only if
/// the codes cannot stay in memory.
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
