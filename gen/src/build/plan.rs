//! The plan of a batch: the order of its tables and what each needs, before work begins.
//!
//! **Order.** A table comes after those it leads to. Among the others, tables that lead to
//! one another stand together: those of one material with some of its promoted pieces still
//! pawns. So a large table is needed for a short while after it is made, then let go of.
//!
//! **Memory.** A table needs, all at once: the sets and the conversions of its solver, what
//! its layers find, the whole tables it leads to, what is being compressed, and the
//! program; when it is solved the codes take the place of the sets. If that is more than is
//! allowed the layers go to disk, and the codes are gathered part by part as they are
//! written.

use crate::output::solved::WriteOptions;
use crate::solver::Estimate;
use crate::store::TableStore;
use crate::system::ByteSize;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The program, its threads and the buffers of its libraries.
const PROGRAM: ByteSize = ByteSize(16 << 20);
/// What one thread takes for itself.
const THREAD: ByteSize = ByteSize(2 << 20);
/// Memory of the solver that is used again may be so much larger than what is asked for,
/// as a part of that.
const SURPLUS: u64 = 16;
/// Bits of a file for each slot, those of each side to move counted: what the tables that
/// compress worst take; most take less than half of it.
const FILE_BITS: u64 = 3;
/// Bytes of a code while it is gathered from disk, at most.
const GATHERED_BYTES: u64 = 2;

/// Where the layers of a table are kept until it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerStorage {
    /// In memory.
    Memory,
    /// On disk, for want of memory.
    Disk,
}

/// How tables are to be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildSettings {
    /// How they are written.
    pub options: WriteOptions,
    /// The memory that may be taken.
    pub memory: ByteSize,
    /// Whether layers are to be kept on disk even where memory would do.
    pub spill: bool,
}

/// One table of a plan.
#[derive(Clone, Debug)]
pub struct PlanStep {
    /// The table.
    pub name: TableName,
    /// Slots, those of each side to move counted.
    pub slots: u64,
    /// Whether its file is there already.
    pub finished: bool,
    /// The tables it leads to.
    pub smaller: Vec<TableName>,
    /// Where its layers are to be kept.
    pub layers: LayerStorage,
    /// What it needs with its layers in memory.
    pub in_memory: Need,
    /// What it needs with its layers on disk.
    pub on_disk: Need,
}

/// What a table needs while it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// Arrays of the solver: sets and codes.
    pub arrays: ByteSize,
    /// The whole tables it leads to.
    pub smaller: ByteSize,
    /// All other memory: conversions, what is being compressed, the program.
    pub other: ByteSize,
    /// The layers on disk, gone when the table is written.
    pub layers: ByteSize,
    /// The table's file, a guess.
    pub file: ByteSize,
}

impl Need {
    /// All the memory.
    pub fn memory(&self) -> ByteSize {
        self.arrays + self.smaller + self.other
    }
}

impl PlanStep {
    /// What the table needs, its layers kept where the plan says.
    pub fn need(&self) -> &Need {
        match self.layers {
            LayerStorage::Memory => &self.in_memory,
            LayerStorage::Disk => &self.on_disk,
        }
    }
}

/// A plan that cannot be carried out on this machine.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A table there already is broken or another's.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table needs more memory than is allowed.
    #[error("{table} needs {needed} of memory, {allowed} are allowed")]
    Memory {
        /// The table.
        table: TableName,
        /// What it needs at least.
        needed: ByteSize,
        /// What is allowed.
        allowed: ByteSize,
    },
    /// A table, and those made before it, do not go on the disk.
    #[error("no room for {table} on the disk: up to it about {needed} are needed, {free} are free")]
    Disk {
        /// The table.
        table: TableName,
        /// What is needed up to this table, at a cautious guess.
        needed: ByteSize,
        /// What is free.
        free: ByteSize,
    },
}

/// Tables in the order in which they are to be made.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The tables, finished ones too.
    pub steps: Vec<PlanStep>,
    /// The memory that is allowed.
    pub memory: ByteSize,
}

impl Plan {
    /// The plan for these tables and all they lead to, beside a store of what is there.
    ///
    /// # Errors
    ///
    /// When a table there already is broken; a plan that does not fit is a plan.
    pub fn new(
        names: impl IntoIterator<Item = TableName>,
        rules: &Rules,
        store: &TableStore<'_>,
        settings: &BuildSettings,
    ) -> Result<Plan, PlanError> {
        let memory = settings.memory;
        let mut sizes: HashMap<TableName, ByteSize> = HashMap::new();
        let mut steps = Vec::new();
        for name in ordered(names, rules) {
            let material = name.material;
            let file = store.file(name)?;
            let index = Index::new(material, rules);
            let slots = index.slots() * if material.is_symmetric() { 1 } else { 2 };
            // Codes take two bytes in hardly any table; the solver is not let take more
            // than is allowed where it comes to that.
            sizes.insert(name, file.as_ref().map_or(ByteSize(slots), decoded));
            let smaller = name.successors(rules);
            let held = smaller.iter().filter_map(|smaller| sizes.get(smaller)).copied().sum();
            let needs = Needs { estimate: Estimate::of(material, rules), index, slots, held };
            let in_memory = needs.of(LayerStorage::Memory, &settings.options);
            let on_disk = needs.of(LayerStorage::Disk, &settings.options);
            // Of a small table what is gathered from disk is more than all its codes.
            let least = in_memory.memory().min(on_disk.memory()).max(memory);
            let layers = match in_memory.memory() <= least && !settings.spill {
                true => LayerStorage::Memory,
                false => LayerStorage::Disk,
            };
            let finished = file.is_some();
            steps.push(PlanStep { name, slots, finished, smaller, layers, in_memory, on_disk });
        }
        Ok(Plan { steps, memory })
    }

    /// The tables that are still to be made.
    pub fn open(&self) -> impl Iterator<Item = &PlanStep> + Clone {
        self.steps.iter().filter(|step| !step.finished)
    }

    /// Slots of the tables still to be made.
    pub fn slots(&self) -> u64 {
        self.open().map(|step| step.slots).sum()
    }

    /// The table that needs most memory, of those still to be made.
    pub fn greatest(&self) -> Option<&PlanStep> {
        self.open().max_by_key(|step| (step.need().memory(), Reverse(step.name)))
    }

    /// The most disk needed at any moment: the files made until then, and layers.
    pub fn disk(&self) -> ByteSize {
        self.disk_needed().map(|(_, needed)| needed).max().unwrap_or_default()
    }

    /// By table still to be made: the disk needed up to it.
    fn disk_needed(&self) -> impl Iterator<Item = (TableName, ByteSize)> {
        let mut files = ByteSize::default();
        self.open().map(move |step| {
            files = files + step.need().file;
            (step.name, files + step.need().layers)
        })
    }

    /// Finds out whether all fits into the memory allowed, and into a disk of which so much
    /// is free, if that is known. Sizes of files being guesses, only half of what they come
    /// to must be there.
    ///
    /// # Errors
    ///
    /// When it does not fit; the first table that does not is named.
    pub fn fits(&self, free: Option<ByteSize>) -> Result<(), PlanError> {
        for step in self.open() {
            let (table, needed) = (step.name, step.need().memory());
            if needed > self.memory {
                return Err(PlanError::Memory { table, needed, allowed: self.memory });
            }
        }
        let Some(free) = free else { return Ok(()) };
        match self.disk_needed().find(|(_, needed)| needed.0 / 2 > free.0) {
            Some((table, needed)) => {
                Err(PlanError::Disk { table, needed: ByteSize(needed.0 / 2), free })
            }
            None => Ok(()),
        }
    }
}

/// These tables and all they lead to, in the order described above; tables of counted
/// distance after those of distance to mate of as many men.
fn ordered(names: impl IntoIterator<Item = TableName>, rules: &Rules) -> Vec<TableName> {
    let mut order = TableName::closure(names, rules);
    // Stable, so that among those of one family pawns stay last.
    order.sort_by_cached_key(|name| {
        (name.material.men(), name.metric.number(), family(name.material, rules))
    });
    order
}

/// The material after all its pawns are promoted.
fn family(material: Material, rules: &Rules) -> Material {
    let promoted = |side| material.after(None, Some(side), rules);
    match Side::BOTH.into_iter().find_map(promoted) {
        Some(after) => family(after.material, rules),
        None => material,
    }
}

/// The bytes a file's table takes in memory.
fn decoded(file: &SolvedFile) -> ByteSize {
    let header = file.layout().header();
    let widths = Side::BOTH.into_iter().filter_map(|side| Some(header.coding(side)?.width()));
    ByteSize(header.slots * widths.sum::<usize>() as u64)
}

/// What the needs of a table follow from.
struct Needs {
    estimate: Estimate,
    index: Index,
    slots: u64,
    held: ByteSize,
}

impl Needs {
    fn of(&self, layers: LayerStorage, options: &WriteOptions) -> Need {
        let threads = rayon::current_num_threads() as u64;
        let wave = self.slots.min(options.wave_codes());
        let estimate = &self.estimate;
        let (arrays, gathered, on_disk) = match layers {
            // The sets are let go of before the codes are gathered.
            LayerStorage::Memory => (estimate.layers + estimate.sets.max(estimate.codes), 0, 0),
            LayerStorage::Disk => {
                // The pairs of a wave, and all of it in a row; each thread has a pair more.
                let pair = self.index.slots_per_pair();
                let gathered = GATHERED_BYTES * (2 * wave + 2 * (threads + 1) * pair);
                (estimate.sets, gathered, estimate.layers)
            }
        };
        let other = ByteSize(estimate.conversions + wave + gathered);
        Need {
            arrays: ByteSize(arrays + arrays / SURPLUS),
            smaller: self.held,
            other: other + PROGRAM + ByteSize(threads * THREAD.0),
            layers: ByteSize(on_disk),
            file: ByteSize(self.slots * FILE_BITS / u64::from(u8::BITS)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;
    use std::collections::BTreeSet;
    use std::path::Path;

    fn plan(materials: Vec<Material>, memory: u64) -> Plan {
        let rules = &MAKRUK.rules;
        let store = TableStore::new(rules, Path::new("no-such-directory"));
        let (options, memory) = (WriteOptions::default(), ByteSize(memory));
        let settings = BuildSettings { options, memory, spill: false };
        Plan::new(materials.into_iter().map(TableName::to_mate), rules, &store, &settings).unwrap()
    }

    #[test]
    fn tables_come_after_those_they_lead_to_and_families_stay_together() {
        let plan = plan((3..=5).flat_map(Material::all_of).collect(), u64::MAX);
        let order: Vec<Material> = plan.steps.iter().map(|step| step.name.material).collect();
        assert_eq!(order.len(), 145);
        let mut seen = BTreeSet::new();
        for step in &plan.steps {
            assert!(step.smaller.iter().all(|smaller| seen.contains(smaller)), "{}", step.name);
            seen.insert(step.name);
        }
        let mut families: Vec<_> =
            order.iter().map(|&m| (m.men(), family(m, &MAKRUK.rules))).collect();
        families.dedup();
        assert_eq!(families.iter().collect::<BTreeSet<_>>().len(), families.len());
    }

    #[test]
    fn five_men_fit_into_sixteen_gigabytes() {
        let plan = plan(Material::all_of(5), 16 << 30);
        plan.fits(None).unwrap();
        assert!(plan.steps.iter().all(|step| step.layers == LayerStorage::Memory));
    }

    #[test]
    fn what_does_not_fit_goes_to_disk_or_is_named() {
        let material: Material = "KNMMMvK".parse().unwrap();
        let greatest = |plan: &Plan| plan.steps.last().cloned().unwrap();
        let ample = plan(vec![material], u64::MAX);
        let step = greatest(&ample);
        assert_eq!((step.name.material, step.layers), (material, LayerStorage::Memory));
        let less = plan(vec![material], step.in_memory.memory().0 - 1);
        assert_eq!(greatest(&less).layers, LayerStorage::Disk);
        less.fits(Some(less.disk())).unwrap();
        let error = less.fits(Some(ByteSize(less.disk().0 / 2 - 1))).unwrap_err().to_string();
        assert!(error.starts_with("no room for KNMMMvK on the disk"), "{error}");
        let little = plan(vec![material], step.on_disk.memory().0 - 1);
        let error = little.fits(None).unwrap_err().to_string();
        assert!(error.starts_with("KNMMMvK needs "), "{error}");
    }
}
