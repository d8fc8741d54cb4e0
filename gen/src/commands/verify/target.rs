//! What is to be verified, and what may be wrong with it.

use super::super::{Failure, TablesArgument, with_table};
use sakmak_tables::format::metric::{EXTENSION, Metric};
use sakmak_tables::material::{Material, MaterialError};
use std::io;
use std::path::{Path, PathBuf};

/// What is asked for cannot be verified, or is wrong.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("{0}, or a directory of tables")]
    Neither(MaterialError),
    #[error("no tables in {}", .0.display())]
    Empty(PathBuf),
    #[error("{path} is no table file: a name such as {example} is expected", path = .0.display(), example = Metric::DistanceToMate.file_name(*.1))]
    Name(PathBuf, Material),
    #[error("cannot read the directory {path}: {error}", path = .0.display(), error = .1)]
    Directory(PathBuf, io::Error),
    #[error("no table {name} in {directory}", directory = .1.display(), name = Metric::DistanceToMate.file_name(*.0))]
    Missing(Material, PathBuf),
    #[error("{material}: {error}", material = .0, error = .1)]
    Wrong(Material, String),
}

/// The directory and the materials that a directory's or a material's name stands for.
pub fn target(name: &str, tables: &TablesArgument) -> Result<(PathBuf, Vec<Material>), Failure> {
    let path = Path::new(name);
    match name.parse::<Material>() {
        Ok(material) => {
            let material = with_table(material)?;
            Ok((tables.readable()?, vec![material]))
        }
        Err(_) if path.is_dir() => Ok((path.to_path_buf(), materials_in(path)?)),
        Err(error @ MaterialError::Form(_)) => Err(Failure::bad_input(TargetError::Neither(error))),
        Err(error) => Err(Failure::bad_input(error)),
    }
}

/// The materials of all tables in a directory.
fn materials_in(directory: &Path) -> Result<Vec<Material>, TargetError> {
    let unreadable = |error| TargetError::Directory(directory.to_path_buf(), error);
    let mut materials = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_none_or(|extension| extension != EXTENSION) {
            continue;
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let Some((material, _)) = name.and_then(Metric::of_file_name) else {
            let example = Material::all_of(3).into_iter().next().unwrap_or(Material::BARE_KINGS);
            return Err(TargetError::Name(path, example));
        };
        materials.push(material);
    }
    if materials.is_empty() {
        return Err(TargetError::Empty(directory.to_path_buf()));
    }
    Ok(materials)
}
