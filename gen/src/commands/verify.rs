//! `sakmak verify`: checksums, then every value against its successors.

use super::progress::Bars;
use super::{Failure, TablesArgument, ThreadsArgument, with_table};
use clap::Args;
use sakmak_gen::shelf::{Shelf, ShelfError};
use sakmak_gen::verify::{slots_to_verify, verify};
use sakmak_tables::format::metric::{EXTENSION, Metric};
use sakmak_tables::material::{Material, MaterialError};
use sakmak_tables::variant::Variant;
use std::io;
use std::path::{Path, PathBuf};

/// What to verify.
#[derive(Args)]
pub struct Arguments {
    /// A directory of tables, or one material from the directory of tables
    #[arg(value_name = "DIR|MATERIAL")]
    target: String,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The game, makruk or ouk; their tables are the same
    #[arg(long, default_value = "makruk", value_parser = super::variant_named)]
    variant: &'static Variant,
}

#[derive(Debug, thiserror::Error)]
enum TargetError {
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

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let target = Path::new(&arguments.target);
    let (directory, materials) = match arguments.target.parse::<Material>() {
        Ok(material) => {
            let material = with_table(material)?;
            (arguments.tables.readable()?, vec![material])
        }
        Err(_) if target.is_dir() => (target.to_path_buf(), materials_in(target)?),
        Err(error @ MaterialError::Form(_)) => {
            return Err(Failure::bad_input(TargetError::Neither(error)));
        }
        Err(error) => return Err(Failure::bad_input(error)),
    };
    arguments.threads.apply()?;
    let rules = &arguments.variant.rules;
    let mut shelf = Shelf::new(rules, &directory);
    let bars = Bars::new();
    let all = bars.counted("tables", materials.len() as u64);
    // Successors come first, so that the smallest wrong table is the one named.
    let order = Material::closure(materials.iter().copied(), rules);
    for material in order.into_iter().filter(|material| materials.contains(material)) {
        let wrong = |error: String| TargetError::Wrong(material, error);
        let Some(file) = shelf.file(material)? else {
            return Err(TargetError::Missing(material, directory).into());
        };
        file.verify_checksums()?;
        let table = shelf.bring(material)?;
        shelf.bring_successors(material).map_err(|error: ShelfError| wrong(error.to_string()))?;
        let bar = bars.slots(&material.to_string(), slots_to_verify(&table));
        verify(&table, arguments.variant, &|smaller| shelf.held(smaller), &|slots| bar.inc(slots))
            .map_err(|error| wrong(error.to_string()))?;
        bar.finish_and_clear();
        all.inc(1);
        bars.print(&format!(
            "{material:<8} every value right, checksum {:016x}\n",
            file.checksum()
        ))?;
    }
    all.finish_and_clear();
    Ok(())
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
