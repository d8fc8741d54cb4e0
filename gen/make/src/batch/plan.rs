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

use crate::batch::need::{
    Need, PlacedNeed, SolverArrays, Storage, TableSizes, WdlNeed, without_surplus,
};
use crate::output::packed::PackOptions;
use crate::output::solved::WriteOptions;
use crate::output::wdl::{WdlSources, opened};
use crate::store::TableStore;
use crate::system::ByteSize;
use crate::system::directory;
use crate::system::machine::free_disk;
use crate::system::scratch_file::DiskFolder;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::packed::PackedFile;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_solve::solver::scratch::ScratchFolder;
use sakmak_solve::solver::{Spill, saved_layers};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::{Piece, Side};
use sakmak_tables::variant::Variant;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The folder of the scratch files in the directory of the tables.
const SCRATCH: &str = ".scratch";

/// How tables are to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchSettings {
    /// How solved files are written.
    pub options: WriteOptions,
    /// Packed files in place of solved ones.
    pub packed: Option<PackedOutput>,
    /// The counting rule of the WDL files that are made besides.
    pub wdl: Option<&'static CountingRule>,
    /// The memory that may be used.
    pub memory: ByteSize,
    /// The disk that may be used; `None` for what is free.
    pub disk: Option<ByteSize>,
    /// Whether conversions and layers go to disk even if memory suffices.
    pub spill: bool,
}

/// How packed files are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedOutput {
    /// How they are written.
    pub options: PackOptions,
    /// The variant of the tables.
    pub variant: &'static Variant,
    /// Whether a census file is written for each.
    pub census: bool,
}

/// Tables to be made in one directory.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The rules that shape them.
    pub rules: &'a Rules,
    /// The directory for their files; created if missing.
    pub directory: &'a Path,
    /// How they are made.
    pub settings: BatchSettings,
    /// A file for the times of all steps.
    pub trace: Option<&'a Path>,
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

    /// The disk that may be used. `None` if no limit is known.
    pub fn disk(&self) -> Option<ByteSize> {
        self.settings.disk.or_else(|| free_disk(self.directory))
    }
}

/// The folder of a directory of tables for solved files that packed tables need for a while.
pub fn scratch_folder(directory: &Path) -> PathBuf {
    directory.join(SCRATCH)
}

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
    arrays: SolverArrays,
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

    /// The file of the table in the directory: packed, or solved.
    pub(crate) fn path(&self, batch: &Batch<'_>) -> PathBuf {
        batch.directory.join(match batch.settings.packed {
            Some(_) => self.name.packed_file_name(),
            None => self.name.file_name(),
        })
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
        let (store, scratch) = (TableStore::new(rules, directory), scratch_folder(directory));
        let store = match settings.packed {
            Some(_) => store.with_scratch(&scratch),
            None => store,
        };
        let memory = settings.memory;
        let mut decoded_sizes: HashMap<TableName, ByteSize> = HashMap::new();
        let mut steps: Vec<PlanStep> = Vec::new();
        let mut solved: Vec<bool> = Vec::new();
        let wdl_name = |name: TableName| {
            let (material, counting_rule) = (name.material, settings.wdl?);
            Some(WdlName { material, counting_rule })
        };
        let with_wdl = |name: TableName| {
            [name].into_iter().chain(wdl_name(name).into_iter().flat_map(WdlSources::names))
        };
        let names = ordered(names.into_iter().flat_map(with_wdl), rules);
        let wdls = names.iter().map(|&name| {
            // With the table that decides: the other one comes before it.
            let decides = |wdl: &WdlName| WdlSources::names(*wdl).nth(1) == Some(name);
            match wdl_name(name).filter(decides) {
                Some(wdl) if has_wdl(wdl, directory)? => Ok(None),
                wdl => Ok(wdl),
            }
        });
        let wdls: Vec<Option<WdlName>> = wdls.collect::<Result<_, FileError>>()?;
        let sources = wdls.iter().flatten().copied().flat_map(WdlSources::names);
        let successors = names.iter().flat_map(|name| name.successors(rules));
        let needed: HashSet<TableName> = successors.chain(sources).collect();
        for (name, wdl) in names.into_iter().zip(wdls) {
            let material = name.material;
            let is_scratch = || store.path(name).is_some_and(|path| path.starts_with(&scratch));
            let file = match store.file(name) {
                // It is removed when the table is made.
                Err(_) if is_scratch() => None,
                file => file?,
            };
            let index = Index::new(material, rules);
            let slots = index.slots() * if material.is_symmetric() { 1 } else { 2 };
            // Hardly any table needs two bytes a code. For one that does, the solver's limit
            // holds all the same.
            let codes = file.as_ref().map_or(ByteSize(slots), decoded);
            decoded_sizes.insert(name, codes);
            let subtables = name.successors(rules);
            let has_solved_file = settings.packed.is_none() || needed.contains(&name);
            let packed = settings.packed.map(|output| output.options);
            let loaded = subtables.iter().filter_map(|subtable| decoded_sizes.get(subtable));
            let sizes = TableSizes::new(&index, &subtables, rules, loaded.copied().sum(), packed);
            let sizes =
                if has_solved_file { sizes.with_solved_file(&settings.options) } else { sizes };
            let wdl = wdl.map(|wdl| (wdl, WdlNeed::new(&index, memory)));
            let sizes = sizes.with_wdl(wdl.map(|(_, need)| need));
            let mut wdl_sources: Vec<TableName> =
                wdl.into_iter().flat_map(|(wdl, _)| WdlSources::names(wdl)).collect();
            wdl_sources.retain(|source| *source != name && !subtables.contains(source));
            wdl_sources.sort_unstable();
            wdl_sources.dedup();
            let PlacedNeed { storage, within, in_memory, on_disk, arrays } =
                sizes.needs(memory, settings.spill);
            solved.push(file.is_some());
            let finished = match settings.packed {
                Some(output) => is_packed(name, directory, output)?,
                None => file.is_some(),
            };
            // What is left is the WDL file.
            let has_file = finished && wdl.is_some();
            let finished = finished && wdl.is_none();
            let is_saved = |pairs| saved_layers::open(&DiskFolder(&scratch), name, rules, pairs);
            let saved = settings.packed.is_some()
                && !finished
                && matches!(is_saved(index.kings().len()), Ok(Some(_)));
            let [layers, scratch_file] = match settings.packed {
                Some(_) => [saved_layers::file_name(name), name.file_name()]
                    .map(|file_name| length(&scratch.join(file_name))),
                None => [None, None],
            };
            let is_solved = settings.packed.is_some() && file.is_some();
            let [in_memory, on_disk, need] = [in_memory, on_disk, within].map(|need| Need {
                spilled: match layers.filter(|_| saved) {
                    Some(length) => length,
                    None if is_solved => ByteSize::default(),
                    None => need.spilled,
                },
                scratch: match scratch_file {
                    Some(length) => length,
                    // Its solved file is beside the packed ones, and stays.
                    None if is_solved => ByteSize::default(),
                    None => need.scratch,
                },
                file: if has_file { ByteSize::default() } else { need.file },
                ..need
            });
            steps.push(PlanStep {
                name,
                slots,
                finished,
                saved,
                subtables,
                wdl,
                wdl_sources,
                storage,
                need,
                in_memory,
                on_disk,
                present: layers.into_iter().chain(scratch_file).sum(),
                codes,
                arrays,
            });
        }
        if settings.packed.is_some() {
            open_solved_again(&mut steps, &solved);
            without_useless_scratch(&mut steps);
        }
        Ok(Plan { steps, memory, packed: settings.packed })
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

/// The bytes of a file; `None` if there is none.
fn length(path: &Path) -> Option<ByteSize> {
    std::fs::metadata(path).ok().map(|metadata| ByteSize(metadata.len()))
}

/// The bytes that the table of a file takes in memory.
fn decoded(file: &SolvedFile) -> ByteSize {
    let header = file.layout().header();
    let widths = Side::BOTH.into_iter().filter_map(|side| Some(header.coding(side)?.width()));
    ByteSize(header.slots * widths.sum::<usize>() as u64)
}

/// Whether there is a file at this path.
///
/// # Errors
///
/// If that cannot be found out.
pub(crate) fn has_file(path: &Path) -> Result<bool, FileError> {
    directory::exists(path).map_err(|error| FileError::new(path, error))
}

/// Whether a table has a packed file.
///
/// # Errors
///
/// If the file is broken.
fn is_packed(name: TableName, directory: &Path, output: PackedOutput) -> Result<bool, FileError> {
    let path = directory.join(name.packed_file_name());
    match has_file(&path)? {
        true => PackedFile::open(&path, Access::default(), name, output.variant).map(|_| true),
        false => Ok(false),
    }
}

/// Whether there is this WDL file.
///
/// # Errors
///
/// If the file is broken.
fn has_wdl(name: WdlName, directory: &Path) -> Result<bool, FileError> {
    match has_file(&directory.join(name.to_string()))? {
        true => opened(directory, name, Access::default()).map(|_| true),
        false => Ok(false),
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
pub(super) mod tests {
    use super::*;
    use crate::output::solved::write;
    use sakmak_solve::solver::Solver;
    use sakmak_tables::values::codes::TableCodes;
    use sakmak_tables::variants::MAKRUK;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    /// Settings for packed tables with this memory.
    pub fn packed(memory: u64) -> BatchSettings {
        let output =
            PackedOutput { options: PackOptions::default(), variant: &MAKRUK, census: false };
        BatchSettings {
            options: WriteOptions::default(),
            packed: Some(output),
            wdl: None,
            memory: ByteSize(memory),
            disk: None,
            spill: false,
        }
    }

    fn plan(materials: Vec<Material>, memory: u64) -> Plan {
        let rules = &MAKRUK.rules;
        let settings = BatchSettings { packed: None, ..packed(memory) };
        let directory = Path::new("no-such-directory");
        Plan::new(materials.into_iter().map(TableName::to_mate), rules, directory, &settings)
            .unwrap()
    }

    #[test]
    fn what_an_earlier_run_left_is_no_further_need_of_disk() {
        let directory = tempfile::tempdir().unwrap();
        let rules = &MAKRUK.rules;
        let settings = BatchSettings { spill: true, ..packed(1 << 40) };
        let name: TableName = "KSPvK".parse().unwrap();
        let plan = || Plan::new([name], rules, directory.path(), &settings).unwrap();
        let before = plan();
        let scratch = scratch_folder(directory.path());
        std::fs::create_dir(&scratch).unwrap();
        let store = TableStore::in_memory(rules);
        for subtable in name.successors(rules) {
            write(&*store.table(subtable).unwrap(), rules, &scratch, &settings.options).unwrap();
        }
        let with_files = plan();
        assert!(with_files.disk() < before.disk());
        let folder = DiskFolder(&scratch);
        let spill = Spill { folder: &folder, sets: 0, logs: 0, saved: Some(&folder) };
        let solver = Solver { spill: Some(spill), ..Solver::default() };
        let subtable = |name| Some(store.memory.get(name)? as Arc<dyn TableCodes>);
        solver.solve_with_progress(name, rules, &subtable, &|_, _| ()).unwrap();
        let plan = plan();
        let step = plan.steps.last().unwrap();
        assert!(step.saved && !step.finished);
        assert_eq!(step.present, step.need.spilled);
        // The packed files are still to be written.
        let files: ByteSize = plan.open().map(|step| step.need.file).sum();
        assert_eq!(plan.disk(), files);
        assert!(plan.disk() < with_files.disk());
    }

    #[test]
    fn tables_come_after_their_subtables_and_families_stay_together() {
        let plan = plan((3..=5).flat_map(Material::all_of).collect(), u64::MAX);
        let order: Vec<Material> = plan.steps.iter().map(|step| step.name.material).collect();
        assert_eq!(order.len(), 145);
        let mut seen = BTreeSet::new();
        for step in &plan.steps {
            assert!(step.subtables.iter().all(|subtable| seen.contains(subtable)), "{}", step.name);
            seen.insert(step.name);
        }
        let mut families: Vec<_> =
            order.iter().map(|&m| (m.men(), family(m, &MAKRUK.rules))).collect();
        families.dedup();
        assert_eq!(families.iter().collect::<BTreeSet<_>>().len(), families.len());
    }

    #[test]
    fn a_plan_needs_the_disk_of_each_of_its_moments() {
        let names = Material::all_of(4).into_iter().map(TableName::to_mate);
        let directory = Path::new("no-such-directory");
        let plan = Plan::new(names, &MAKRUK.rules, directory, &packed(1 << 30)).unwrap();
        let steps = plan.steps.iter().enumerate();
        let expected = steps.map(|(place, step)| {
            (step.name, plan.disk_with(|other| other < place, |other| other == place))
        });
        assert!(plan.disk_needed().eq(expected));
        assert!(plan.steps.iter().any(|step| step.need.scratch > ByteSize(0)));
    }

    #[test]
    fn five_men_fit_into_sixteen_gigabytes() {
        let plan = plan(Material::all_of(5), 16 << 30);
        plan.fits(None).unwrap();
        assert!(plan.steps.iter().all(|step| step.storage == Storage::Memory));
    }

    #[test]
    fn what_does_not_fit_goes_to_disk_or_is_named() {
        let material: Material = "KNMMMvK".parse().unwrap();
        let greatest = |plan: &Plan| plan.steps.last().cloned().unwrap();
        let ample = plan(vec![material], u64::MAX);
        let step = greatest(&ample);
        assert_eq!((step.name.material, step.storage), (material, Storage::Memory));
        let less = plan(vec![material], step.in_memory.memory().0 - 1);
        assert_eq!(greatest(&less).storage, Storage::Disk);
        less.fits(Some(less.disk())).unwrap();
        let error = less.fits(Some(ByteSize(less.disk().0 - 1))).unwrap_err().to_string();
        assert!(error.starts_with("no room for KNMMMvK on the disk"), "{error}");
        let little = plan(vec![material], step.on_disk.memory().0 - 1);
        let error = little.fits(None).unwrap_err().to_string();
        assert!(error.starts_with("KNMMMvK needs "), "{error}");
    }
}
