//! The tables to verify, and the errors.

use crate::cli::arguments::TablesArgument;
use crate::cli::{CommandError, with_table};
use sakmak_gen::output::wdl::VerifyWdlError;
use sakmak_tables::format::FormatKind;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::{TableName, TableNameError};
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::material::{Material, MaterialError};
use sakmak_tables::rules::Rules;
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
    #[error("{path} is not the name of a table file: a name such as {example} expected", path = .0.display(), example = TableName::to_mate(*.1).file_name())]
    Name(PathBuf, Material),
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
}

/// The tables of a directory, or of the material or table with this name under these rules.
pub fn target(
    target: &OsStr,
    tables: &TablesArgument,
    rules: &Rules,
) -> Result<Target, CommandError> {
    let path = Path::new(target);
    // A name that is not UTF-8 is no table's, however it is shown.
    match target.to_string_lossy().parse::<TableName>() {
        Ok(name) => {
            with_table(name.material)?;
            let directory = tables.readable_files(rules)?;
            let packed = directory.join(name.packed_file_name()).exists();
            // A table without any file is reported as a missing solved table.
            let solved = !packed || directory.join(name.file_name()).exists();
            let named = |is: bool| if is { vec![name] } else { Vec::new() };
            let material = name.material;
            let of = |counting_rule| WdlName { material, counting_rule };
            let there = |name: &WdlName| directory.join(name.to_string()).exists();
            let wdl = match name.metric {
                Metric::DistanceToMate => {
                    variants::counting_rules().map(of).filter(there).collect()
                }
                Metric::Counted(_) | Metric::MateInTime(_) => Vec::new(),
            };
            Ok(Target { solved: named(solved), packed: named(packed), wdl, directory })
        }
        Err(_) if path.is_dir() => Ok(tables_in(path)?),
        Err(TableNameError::Material(error @ MaterialError::Form(_))) => {
            Err(CommandError::bad_input(TargetError::Neither(error)))
        }
        Err(error) => Err(CommandError::bad_input(error)),
    }
}

/// All tables in a directory.
fn tables_in(directory: &Path) -> Result<Target, TargetError> {
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
            return Err(TargetError::Name(path, example));
        }
    }
    if solved.is_empty() && packed.is_empty() && wdl_files.is_empty() {
        return Err(TargetError::Empty(directory.to_path_buf()));
    }
    wdl_files.sort_by_key(|name| (name.material, name.counting_rule.number));
    Ok(Target { directory: directory.to_path_buf(), solved, packed, wdl: wdl_files })
}
