//! `sakmak fetch`: a published set of tables, into a directory.
//!
//! A set is a local folder or a folder on an HTTP host, with a list `set.json` of its files. A file
//! is downloaded under its name with `.part` appended, compared with its checksum in the list, and
//! renamed: a file under its own name is complete and correct. A partial download is kept, and the
//! next run resumes it.
//!
//! Lists and hosts are not trusted: only names of table files are accepted, links in the directory
//! are not followed, and every wait has a timeout. Modules in order of their dependencies:
//!
//! ```text
//! name -> set -> error -> source -> transfer
//! ```

mod error;
mod name;
mod set;
mod source;
#[cfg(test)]
mod tests;
mod transfer;

use crate::cli::arguments::{ChessVariantArgument, TablesArgument};
use crate::cli::progress::Bars;
use crate::cli::selection::SomeMaterialsArgument;
use crate::cli::{CommandError, make_directory, print};
use clap::Args;
use indicatif::HumanBytes;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::rules::Rules;
use set::SetFile;
use source::Source;
use std::collections::BTreeSet;
use std::path::Path;
use transfer::{Fetch, FetchOutcome};

/// The help after the options.
const AFTER: &str = "\
A set is a folder with tables and set.json, the list of its files with their lengths and SHA-256. A file \
gets its name when all its bytes have arrived and have that checksum. Files that are there are kept, and \
another file of the same name is never replaced. The same command resumes after an interruption.

  sakmak fetch https://example.org/sakmak/makruk-5
  sakmak fetch /media/disk/makruk-5 KRNvKM --tables DIR";

/// The set to fetch.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct FetchArguments {
    /// Folder of the set: a path, or an address that begins with http:// or https://
    #[arg(value_name = "SET")]
    source: String,
    #[command(flatten)]
    materials: SomeMaterialsArgument,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    variant: ChessVariantArgument,
}

pub fn run(arguments: FetchArguments) -> Result<(), CommandError> {
    let FetchArguments { source, materials, tables, variant } = arguments;
    let variant = variant.variant();
    let asked = materials.materials(variant)?.map(|asked| asked.without_colours());
    let source = Source::of(&source);
    let set = source.set()?;
    let files = match asked {
        None => set.files,
        Some(asked) => {
            let material = |file: &SetFile| material(file, &variant.rules);
            let found: BTreeSet<Material> = set.files.iter().filter_map(material).collect();
            if let Some(missing) = asked.iter().find(|material| !found.contains(material)) {
                let title = Excerpt::of(&set.title);
                return Err(CommandError::bad_input(format!(
                    "no table of {missing} of {} in '{title}'",
                    variant.name
                )));
            }
            // A lookup needs the subtables too.
            let needed = Material::closure(asked, &variant.rules);
            let is_needed =
                |file: &SetFile| material(file).is_some_and(|material| needed.contains(&material));
            set.files.into_iter().filter(is_needed).collect()
        }
    };
    let directory = tables.directory()?;
    make_directory(&directory)?;
    let fetch = Fetch { source: &source, directory: &directory };
    let bars = Bars::new();
    let meter = bars.meter("files", fetch.missing(&files)?, "bytes");
    let (mut arrived, mut bytes) = (0, 0);
    for file in &files {
        meter.set_message(&file.path);
        if fetch.file(file, &|bytes| meter.advance(bytes))? == FetchOutcome::Arrived {
            arrived += 1;
            bytes += file.bytes;
        }
    }
    meter.finish();
    let (there, bytes) = (files.len() - arrived, HumanBytes(bytes));
    let place = directory.display();
    print(&format!("{arrived} files fetched, {bytes}; {there} were there; in {place}\n"))
}

/// Returns the material of a file of tables with these rules: the beginning of its name.
fn material(file: &SetFile, rules: &Rules) -> Option<Material> {
    let path = Path::new(&file.path);
    let name = path.strip_prefix(rules.folder.unwrap_or_default()).ok()?.to_str()?;
    let material = OrientedMaterial::read(name.split('.').next()?, rules.material_letters);
    material.ok().map(|read| read.material)
}
