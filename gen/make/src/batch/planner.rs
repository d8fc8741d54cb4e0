//! Plans one table of a batch: its existing files and its needs.

use crate::batch::need::{Need, PlacedNeed, TableSizes, WdlNeed};
use crate::batch::presence::scratch_folder;
use crate::batch::settings::{BatchSettings, PackedOutput};
use crate::batch::step::PlanStep;
use crate::output::wdl::{WdlSources, opened};
use crate::store::TableStore;
use crate::system::ByteSize;
use crate::system::directory;
use crate::system::scratch_file::DiskFolder;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::open_file::FileError;
use sakmak_probe::file::packed::PackedFile;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_solve::solver::saved_layers;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::Index;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::king_tile::FixedKings;
use sakmak_tables::values::table::Table;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Plans the tables of a batch one by one, in a directory that may have some of the tables.
pub(super) struct Planner<'a> {
    rules: &'a Rules,
    directory: &'a Path,
    /// Folder for solved files that packed tables need temporarily.
    scratch: PathBuf,
    store: TableStore<'a>,
    settings: &'a BatchSettings,
}

/// Lengths of the scratch files of a table from an earlier run, in bytes.
#[derive(Default)]
struct Leftovers {
    /// The saved layers, and whether they are complete, so that the table is only packed.
    layers: Option<ByteSize>,
    saved: bool,
    /// The solved file.
    solved: Option<ByteSize>,
}

impl Leftovers {
    /// Returns the need of a table that has these files, and perhaps a solved file beside them.
    fn reduced(&self, need: Need, is_solved: bool) -> Need {
        let unless_solved = |need| if is_solved { ByteSize::default() } else { need };
        Need {
            spilled: match self.layers.filter(|_| self.saved) {
                Some(length) => length,
                None => unless_solved(need.spilled),
            },
            scratch: self.solved.unwrap_or_else(|| unless_solved(need.scratch)),
            ..need
        }
    }
}

impl<'a> Planner<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        directory: &'a Path,
        settings: &'a BatchSettings,
    ) -> Planner<'a> {
        let (store, scratch) = (TableStore::new(rules, directory), scratch_folder(directory));
        let store = match settings.packed {
            Some(_) => store.with_scratch(&scratch),
            None => store,
        };
        Planner { rules, directory, scratch, store, settings }
    }

    /// Returns the name of the WDL file of a material; `None` if the batch makes no WDL files.
    pub(super) fn wdl_of(&self, name: TableName) -> Option<WdlName> {
        let (material, counting_rule) = (name.material, self.settings.wdl?);
        Some(WdlName { material, counting_rule })
    }

    /// Returns the WDL file to make with a table.
    ///
    /// # Errors
    ///
    /// Fails if the file exists and is broken.
    pub(super) fn wdl_with(&self, name: TableName) -> Result<Option<WdlName>, FileError> {
        // The WDL file is made with the table that decides, which comes after the table of distance
        // to mate.
        let decides = |wdl: &WdlName| WdlSources::names(*wdl).nth(1) == Some(name);
        match self.wdl_of(name).filter(decides) {
            Some(wdl) if self.has_wdl(wdl)? => Ok(None),
            wdl => Ok(wdl),
        }
    }

    /// Returns the solved file of a table, from the directory or the scratch folder.
    ///
    /// # Errors
    ///
    /// If the file in the directory is broken. A broken file in the scratch folder is removed when
    /// the table is made.
    pub(super) fn solved_file(&self, name: TableName) -> Result<Option<SolvedFile>, FileError> {
        let path = self.store.path(name);
        match self.store.file(name) {
            Err(_) if path.is_some_and(|path| path.starts_with(&self.scratch)) => Ok(None),
            file => file,
        }
    }

    /// Plans a table that has this solved file. With `is_read`, another table of the plan reads the
    /// solved table. `codes` is the memory of the codes of earlier tables.
    ///
    /// # Errors
    ///
    /// If its packed file is broken.
    pub(super) fn step(
        &self,
        name: TableName,
        wdl: Option<WdlName>,
        solved: Option<&SolvedFile>,
        is_read: bool,
        codes: &HashMap<TableName, ByteSize>,
    ) -> Result<PlanStep, FileError> {
        let BatchSettings { options, packed, memory, spill, .. } = *self.settings;
        let index = Index::new(name.material, self.rules);
        let slots = Table::slots_of_sides(&index);
        let subtables = name.successors(self.rules);

        let loaded = subtables.iter().filter_map(|subtable| codes.get(subtable)).copied().sum();
        let packing = packed.map(|output| output.options);
        let wdl = wdl.map(|wdl| (wdl, WdlNeed::new(&index, memory)));
        let sizes = TableSizes::new(name.metric, &index, &subtables, self.rules, loaded, packing)
            .with_wdl(wdl.map(|(_, need)| need));
        let has_solved_file = packed.is_none() || is_read;
        let sizes = if has_solved_file { sizes.with_solved_file(&options) } else { sizes };
        let PlacedNeed { storage, within, in_memory, on_disk, arrays } = sizes.needs(memory, spill);

        let has_file = match packed {
            Some(output) => self.is_packed(name, output)?,
            None => solved.is_some(),
        };
        let finished = has_file && wdl.is_none();
        let leftovers = match packed {
            Some(_) => self.leftovers(name, &index, finished),
            None => Leftovers::default(),
        };
        // A solved file beside the packed files stays, and adds nothing to the need.
        let is_solved = packed.is_some() && solved.is_some();
        let [in_memory, on_disk, need] = [in_memory, on_disk, within].map(|need| Need {
            // Only the WDL file may be missing.
            file: if has_file && !finished { ByteSize::default() } else { need.file },
            ..leftovers.reduced(need, is_solved)
        });

        let is_other = |source: &TableName| *source != name && !subtables.contains(source);
        let wdl_sources = wdl.into_iter().flat_map(|(wdl, _)| WdlSources::names(wdl));
        let wdl_sources: BTreeSet<TableName> = wdl_sources.filter(is_other).collect();
        let squares = FixedKings::new(index.kings().symmetries()).squares().len();
        Ok(PlanStep {
            name,
            men: name.material.men(),
            slots,
            finished,
            saved: leftovers.saved,
            subtables,
            wdl,
            wdl_sources: wdl_sources.into_iter().collect(),
            storage,
            need,
            in_memory,
            on_disk,
            present: leftovers.layers.into_iter().chain(leftovers.solved).sum(),
            // Hardly any table needs two bytes a code. The solver's limit holds for a table with
            // codes of two bytes all the same.
            codes: solved.map_or(ByteSize(slots), decoded),
            threads: [index.kings().len(), squares],
            arrays,
        })
    }

    /// Returns the scratch files of a table.
    fn leftovers(&self, name: TableName, index: &Index, finished: bool) -> Leftovers {
        let folder = DiskFolder(&self.scratch);
        let layers = || saved_layers::open(&folder, name, self.rules, index.kings().len());
        Leftovers {
            layers: length(&self.scratch.join(saved_layers::file_name(name))),
            saved: !finished && matches!(layers(), Ok(Some(_))),
            solved: length(&self.scratch.join(name.file_name())),
        }
    }

    /// Returns whether a table has a packed file.
    ///
    /// # Errors
    ///
    /// If the file is broken.
    fn is_packed(&self, name: TableName, output: PackedOutput) -> Result<bool, FileError> {
        let path = self.directory.join(name.packed_file_name());
        match has_file(&path)? {
            true => PackedFile::open(&path, Access::default(), name, output.variant).map(|_| true),
            false => Ok(false),
        }
    }

    /// Returns whether a WDL file exists.
    ///
    /// # Errors
    ///
    /// If the file is broken.
    fn has_wdl(&self, name: WdlName) -> Result<bool, FileError> {
        match has_file(&self.directory.join(name.to_string()))? {
            true => opened(self.directory, name, Access::default()).map(|_| true),
            false => Ok(false),
        }
    }
}

/// Returns whether a file exists.
///
/// # Errors
///
/// If the system cannot report whether the file exists.
pub(super) fn has_file(path: &Path) -> Result<bool, FileError> {
    directory::exists(path).map_err(|error| FileError::new(path, error))
}

/// Returns the length of a file; `None` if it does not exist.
fn length(path: &Path) -> Option<ByteSize> {
    std::fs::metadata(path).ok().map(|metadata| ByteSize(metadata.len()))
}

/// Returns the memory of the table of a file.
fn decoded(file: &SolvedFile) -> ByteSize {
    let header = file.layout().header();
    let widths = Side::BOTH.into_iter().filter_map(|side| Some(header.coding(side)?.width()));
    ByteSize(header.slots * widths.sum::<usize>() as u64)
}
