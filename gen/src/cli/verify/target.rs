//! The tables to verify, and the errors.

use crate::cli::arguments::TablesArgument;
use crate::cli::{CommandError, with_table};
use sakmak_gen::output::wdl::VerifyWdlError;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::{TableName, TableNameError};
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::material::{Material, MaterialError};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// A target that cannot be verified, or is wrong.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("{0}, or a directory of tables")]
    Neither(MaterialError),
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

/// The tables of a variant in a directory, or of the material or table with this name.
pub fn target(
    target: &OsStr,
    tables: &TablesArgument,
    variant: &'static Variant,
) -> Result<Target, CommandError> {
    let path = Path::new(target);
    // A name that is not UTF-8 is no table's, however it is shown.
    match target.to_string_lossy().parse::<TableName>() {
        Ok(name) => {
            with_table(name.material)?;
            let name = match name.metric {
                Metric::DistanceToMate => TableName::of_distance(name.material, &variant.rules),
                _ => name,
            };
            let directory = tables.readable_files(&variant.rules)?;
            let packed = directory.join(name.packed_file_name()).exists();
            // A table without any file is reported as a missing solved table.
            let solved = !packed || directory.join(name.file_name()).exists();
            let named = |is: bool| if is { vec![name] } else { Vec::new() };
            let material = name.material;
            let of = |counting_rule| WdlName { material, counting_rule };
            let there = |name: &WdlName| directory.join(name.to_string()).exists();
            let is_of = |rule: &&'static CountingRule| Metric::Counted(rule).is_of(&variant.rules);
            let wdl = match name.metric.counting_rule() {
                None => variants::counting_rules().filter(is_of).map(of).filter(there).collect(),
                Some(_) => Vec::new(),
            };
            let (solved, packed) = (named(solved), named(packed));
            Ok(Target { solved, packed, wdl, directory, others: Vec::new() })
        }
        Err(_) if path.is_dir() => Ok(tables_in(path, variant)?),
        Err(TableNameError::Material(error @ MaterialError::Form(_))) => {
            Err(CommandError::bad_input(TargetError::Neither(error)))
        }
        Err(error) => Err(CommandError::bad_input(error)),
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
    wdl_files.sort_by_key(|name| (name.material, name.counting_rule.number));
    Ok(Target { directory: directory.to_path_buf(), solved, packed, wdl: wdl_files, others })
}
