//! The tables of a service, for its log and its metrics.

use sakmak_probe::TableFile;
use sakmak_probe::file::board_game::material_of;
use sakmak_requests::variants_json::ListedTables;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// Maximum number of materials without a counted table in the log.
const NAMED: usize = 8;

/// The kinds of files, as metrics name them.
pub const KINDS: [(FormatKind, &str); 3] =
    [(FormatKind::Solved, "solved"), (FormatKind::Packed, "packed"), (FormatKind::Wdl, "wdl")];

/// The tables of a variant.
#[derive(Debug)]
pub struct VariantInventory {
    /// The variant.
    pub variant: &'static Variant,
    /// Files by kind, as in [`KINDS`].
    pub files: [usize; KINDS.len()],
    /// Materials under the usual counting rule.
    pub listed: ListedTables,
}

impl VariantInventory {
    /// The tables of a variant among the files of its rules.
    pub fn new(variant: &'static Variant, files: &[TableFile]) -> VariantInventory {
        let distance = Metric::distance(&variant.rules);
        let is_own = |file: &&TableFile| match file.table.metric.counting_rule() {
            Some(rule) => variant.counting_rules.contains(&rule),
            None => file.table.metric == distance,
        };
        let of_kind =
            |(kind, _)| files.iter().filter(is_own).filter(|file| file.kind == kind).count();
        let listed = ListedTables::new(&distances(files), variant, variant.counting());
        VariantInventory { variant, files: KINDS.map(of_kind), listed }
    }
}

impl fmt::Display for VariantInventory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VariantInventory { variant, listed, .. } = self;
        let ListedTables { materials, uncounted, .. } = listed;
        let count = materials.len();
        write!(f, "{}: {count} {}", variant.name, noun(count, "material"))?;
        if let Some(largest) = materials.last() {
            write!(f, " of up to {} men", largest.men())?;
        }
        if uncounted.is_empty() {
            return Ok(());
        }
        let named: Vec<String> = uncounted.iter().take(NAMED).map(Material::to_string).collect();
        write!(f, ", {} without counted tables ({}", uncounted.len(), named.join(" "))?;
        match uncounted.len() - named.len() {
            0 => write!(f, ")"),
            others => write!(f, " and {others} more)"),
        }
    }
}

/// The noun in singular or plural.
pub fn noun(count: usize, one: &str) -> String {
    if count == 1 { one.to_string() } else { format!("{one}s") }
}

/// The tables of distances that have a file.
pub fn distances(files: &[TableFile]) -> HashSet<TableName> {
    let distances = files.iter().filter(|file| file.kind != FormatKind::Wdl);
    distances.map(|file| file.table).collect()
}

/// The folders of a directory that hold tables but are not read by the service.
pub fn unread_folders(directory: &Path) -> Vec<PathBuf> {
    let folders = files_in(directory, |path| path.is_dir());
    let has_tables = |folder: &PathBuf| {
        let is_table = |path: &Path| {
            let of = |variant: &Variant| TableFile::of_path(path.to_path_buf(), &variant.rules);
            variants::all().any(|variant| of(variant).is_some())
        };
        !files_in(folder, is_table).is_empty() || !materials_in(folder).is_empty()
    };
    folders.into_iter().filter(has_tables).collect()
}

/// The materials of a board game that have a file in its folder.
pub fn materials_in(folder: &Path) -> Vec<String> {
    let paths = files_in(folder, |_| true);
    let names = paths.iter().filter_map(|path| material_of(path.file_name()?.to_str()?));
    names.map(str::to_string).collect()
}

/// The selected entries of a directory; none if the directory cannot be read.
pub fn files_in(directory: &Path, is_meant: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| is_meant(path)).collect();
    paths.sort();
    paths
}
