//! The tables to verify, and the errors.

use crate::cli::arguments::TablesArgument;
use crate::cli::selection::{SomeMaterialsArgument, TablesOf};
use crate::cli::{CommandError, file_names};
use sakmak_make::output::wdl::VerifyWdlError;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::material::Material;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::path::{Path, PathBuf};

/// The reason why a target cannot be verified, or the fault of a target.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("no tables in {}", .0.display())]
    Empty(PathBuf),
    #[error("no tables of {variant} in {path}, but of {other}: add '--variant {other}'", path = .0.display(), variant = .1.name, other = .2.name)]
    OtherGame(PathBuf, &'static Variant, &'static Variant),
    #[error("{path} is not the name of a table file: expected a name such as {example}", path = .0.display(), example = .1.file_name())]
    Name(PathBuf, TableName),
    #[error("no {tables} {names} in {directory}", directory = .1.display(), names = .0.join(", "), tables = if .0.len() == 1 { "table" } else { "tables" })]
    Missing(Vec<String>, PathBuf),
    #[error("{0}: {1}")]
    Wrong(TableName, String),
    #[error("{0}: {1}")]
    Wdl(WdlName, VerifyWdlError),
}

/// The tables to verify.
pub struct Target {
    /// The directory of the tables.
    pub directory: PathBuf,
    /// The solved tables.
    pub solved: Vec<TableName>,
    /// The packed tables.
    pub packed: Vec<TableName>,
    /// The WDL files, the smallest material first.
    pub wdl: Vec<WdlName>,
    /// Other variants that have tables in the directory.
    pub others: Vec<&'static Variant>,
}

/// Returns the tables of a variant in a directory: all tables, or the tables of some materials.
pub fn target(
    materials: &SomeMaterialsArgument,
    tables: &TablesArgument,
    variant: &'static Variant,
) -> Result<Target, CommandError> {
    let asked = materials.tables(variant)?;
    let directory = tables.readable_files(&variant.rules)?;
    let Some(asked) = asked else { return tables_in(&directory, variant) };
    let mut target = Target::empty(&directory);
    for of in asked {
        match of {
            TablesOf::Name(name) => target.add(name, variant),
            TablesOf::UpTo(men) => {
                let mut all = tables_in(&directory, variant)?;
                all.retain(|material, _| material.men() <= men);
                target.solved.extend(all.solved);
                target.packed.extend(all.packed);
                target.wdl.extend(all.wdl);
            }
        }
    }
    if target.is_empty() {
        return Err(TargetError::Empty(directory).into());
    }
    target.sort();
    Ok(target)
}

impl Target {
    fn empty(directory: &Path) -> Target {
        let (solved, packed, wdl, others) = Default::default();
        Target { directory: directory.to_path_buf(), solved, packed, wdl, others }
    }

    fn is_empty(&self) -> bool {
        self.solved.is_empty() && self.packed.is_empty() && self.wdl.is_empty()
    }

    /// Keeps the tables of some materials and metrics.
    fn retain(&mut self, mut keeps: impl FnMut(Material, Metric) -> bool) {
        self.solved.retain(|name| keeps(name.material, name.metric));
        self.packed.retain(|name| keeps(name.material, name.metric));
        self.wdl.retain(|name| keeps(name.material, Metric::Counted(name.counting_rule)));
    }

    /// Puts each WDL file once, the smallest material first.
    fn sort(&mut self) {
        self.wdl.sort_by_key(|name| (name.material, name.counting_rule.id));
        self.wdl.dedup();
    }

    /// Adds the table with a name, and the WDL files of its material.
    fn add(&mut self, name: TableName, variant: &'static Variant) {
        // A file that cannot be examined is opened, which reports the error.
        let is_there = |file: &str| self.directory.join(file).try_exists().unwrap_or(true);
        let is_packed = is_there(&name.packed_file_name());
        // A table without any file is reported as a missing solved table.
        if !is_packed || is_there(&name.file_name()) {
            self.solved.push(name);
        }
        if is_packed {
            self.packed.push(name);
        }
        if name.metric.counting_rule().is_none() {
            let material = name.material;
            let is_of = |rule: &&'static CountingRule| Metric::Counted(rule).is_of(&variant.rules);
            let names = variants::counting_rules().filter(is_of);
            let names = names.map(|counting_rule| WdlName { material, counting_rule });
            let there = names.filter(|name| is_there(&name.to_string()));
            self.wdl.extend(there.collect::<Vec<_>>());
        }
    }
}

/// Tables of a variant in a directory.
fn tables_in(directory: &Path, variant: &'static Variant) -> Result<Target, CommandError> {
    let mut target = Target::empty(directory);
    for name in file_names(directory)? {
        let path = directory.join(&name);
        let known = match path.extension() {
            Some(end) if end == FormatKind::Solved.extension() => {
                TableName::of_file_name(&name, &variant.rules).map(|name| target.solved.push(name))
            }
            Some(end) if end == FormatKind::Packed.extension() => {
                TableName::of_packed_file_name(&name, &variant.rules)
                    .map(|name| target.packed.push(name))
            }
            Some(end) if end == FormatKind::Wdl.extension() => {
                WdlName::of_file_name(&name).map(|name| target.wdl.push(name))
            }
            _ => continue,
        };
        if known.is_none() {
            let example = Material::all_of(3).into_iter().next().unwrap_or(Material::BARE_KINGS);
            let example = TableName::of_distance(example, &variant.rules);
            return Err(TargetError::Name(path, example).into());
        }
    }
    if target.is_empty() {
        return Err(TargetError::Empty(target.directory).into());
    }
    let mut others: Vec<&'static Variant> = Vec::new();
    target.retain(|_, metric| {
        let is_of = metric.is_of(&variant.rules);
        if !is_of && !others.iter().any(|other| metric.is_of(&other.rules)) {
            let all = variants::all();
            others.extend(all.filter(|other| metric.is_of(&other.rules)).take(1));
        }
        is_of
    });
    if let Some(other) = others.first().filter(|_| target.is_empty()) {
        return Err(TargetError::OtherGame(target.directory, variant, other).into());
    }
    target.sort();
    Ok(Target { others, ..target })
}
