//! The tables to verify, and the errors.

use crate::cli::CommandError;
use crate::cli::arguments::TablesArgument;
use crate::cli::selection::{SomeMaterialsArgument, TablesOf};
use sakmak_make::output::wdl::VerifyWdlError;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::material::Material;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// A target that cannot be verified, or is wrong.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("no tables in {}", .0.display())]
    Empty(PathBuf),
    #[error("no tables of {variant} in {path}, but of {other}: add '--variant {other}'", path = .0.display(), variant = .1.name, other = .2.name)]
    OtherGame(PathBuf, &'static Variant, &'static Variant),
    #[error("{path} is not the name of a table file: a name such as {example} expected", path = .0.display(), example = .1.file_name())]
    Name(PathBuf, TableName),
    #[error("cannot read the directory {path}: {error}", path = .0.display(), error = .1)]
    Directory(PathBuf, io::Error),
    #[error("no table {name} in {directory}", directory = .1.display(), name = .0.file_name())]
    Missing(TableName, PathBuf),
    #[error("{0}: {1}")]
    Wrong(TableName, String),
    #[error("{0}: {1}")]
    Wdl(WdlName, VerifyWdlError),
}

/// The tables to verify.
pub struct Target {
    /// Their directory.
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

/// The tables of a variant in a directory: all, or those of some materials.
pub fn target(
    materials: &SomeMaterialsArgument,
    tables: &TablesArgument,
    variant: &'static Variant,
) -> Result<Target, CommandError> {
    let asked = materials.tables(variant)?;
    let directory = tables.readable_files(&variant.rules)?;
    let Some(asked) = asked else { return Ok(tables_in(&directory, variant)?) };
    let (solved, packed, wdl) = (Vec::new(), Vec::new(), Vec::new());
    let mut target = Target { directory, solved, packed, wdl, others: Vec::new() };
    for of in asked {
        match of {
            TablesOf::Name(name) => target.add(name, variant),
            TablesOf::UpTo(men) => {
                let Target { solved, packed, wdl, .. } = tables_in(&target.directory, variant)?;
                let is_asked = |material: Material| material.men() <= men;
                target.solved.extend(solved.into_iter().filter(|name| is_asked(name.material)));
                target.packed.extend(packed.into_iter().filter(|name| is_asked(name.material)));
                target.wdl.extend(wdl.into_iter().filter(|name| is_asked(name.material)));
            }
        }
    }
    if target.solved.is_empty() && target.packed.is_empty() && target.wdl.is_empty() {
        return Err(TargetError::Empty(target.directory).into());
    }
    for names in [&mut target.solved, &mut target.packed] {
        let mut seen = BTreeSet::new();
        names.retain(|&name| seen.insert(name));
    }
    let mut seen = BTreeSet::new();
    target.wdl.retain(|name| seen.insert(name.to_string()));
    Ok(target)
}

impl Target {
    /// Adds the table with a name, and the WDL files of its material.
    fn add(&mut self, name: TableName, variant: &'static Variant) {
        // A file that cannot be examined is opened, and the error reported then.
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

/// All tables of a variant in a directory.
fn tables_in(directory: &Path, variant: &'static Variant) -> Result<Target, TargetError> {
    let unreadable = |error| TargetError::Directory(directory.to_path_buf(), error);
    let (mut solved, mut packed, mut wdl_files) = (Vec::new(), Vec::new(), Vec::new());
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let known = match path.extension() {
            Some(end) if end == FormatKind::Solved.extension() => {
                name.and_then(TableName::of_file_name).map(|name| solved.push(name))
            }
            Some(end) if end == FormatKind::Packed.extension() => {
                name.and_then(TableName::of_packed_file_name).map(|name| packed.push(name))
            }
            Some(end) if end == FormatKind::Wdl.extension() => {
                name.and_then(WdlName::of_file_name).map(|name| wdl_files.push(name))
            }
            _ => continue,
        };
        if known.is_none() {
            let example = Material::all_of(3).into_iter().next().unwrap_or(Material::BARE_KINGS);
            let example = TableName::of_distance(example, &variant.rules);
            return Err(TargetError::Name(path, example));
        }
    }
    if solved.is_empty() && packed.is_empty() && wdl_files.is_empty() {
        return Err(TargetError::Empty(directory.to_path_buf()));
    }
    let mut others: Vec<&'static Variant> = Vec::new();
    let mut is_of = |metric: Metric| {
        let is_of = metric.is_of(&variant.rules);
        if !is_of && !others.iter().any(|other| metric.is_of(&other.rules)) {
            let all = variants::all().into_iter();
            others.extend(all.filter(|other| metric.is_of(&other.rules)).take(1));
        }
        is_of
    };
    solved.retain(|name: &TableName| is_of(name.metric));
    packed.retain(|name: &TableName| is_of(name.metric));
    wdl_files.retain(|name: &WdlName| is_of(Metric::Counted(name.counting_rule)));
    if let Some(other) = others.first()
        && solved.is_empty()
        && packed.is_empty()
        && wdl_files.is_empty()
    {
        return Err(TargetError::OtherGame(directory.to_path_buf(), variant, other));
    }
    wdl_files.sort_by_key(|name| (name.material, name.counting_rule.id));
    Ok(Target { directory: directory.to_path_buf(), solved, packed, wdl: wdl_files, others })
}
