//! `sakmak site`: the pages of the service as files for any host.

use crate::cli::arguments::{TablesArgument, UrlArgument};
use crate::cli::progress::Bars;
use crate::cli::selection::SomeMaterialsArgument;
use crate::cli::{CommandError, file_names, print};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use sakmak_atlas::site::Site;
use sakmak_make::store::ON_THE_SPOT;
use sakmak_make::system::directory;
use sakmak_probe::file::bytes::open_regular;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::variants;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The help after the options.
const AFTER: &str = "\
Writes the pages that 'sakmak serve' has, for a host of files such as GitHub Pages or an object store. \
Answers are made in the browser, by the module of the npm package 'sakmak': tables of up to four men \
are solved there, packed files of more men are read in ranges, those above 100 MB in parts. Results \
under the count need the packed files of the counting rule too: 'sakmak generate KRNvKM --counting \
makruk --packed' makes both. docs/hosting.md has the rest.

  sakmak site SITE KRNvKM --tables DIR";

/// The folder to write, and the sources of its files.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct SiteArguments {
    /// Output: folder of the site; created if missing, existing files are overwritten
    #[arg(value_name = "SITE", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    site: PathBuf,
    #[command(flatten)]
    materials: SomeMaterialsArgument,
    #[command(flatten)]
    tables: TablesArgument,
    /// Folder of the npm package, which has the module for pages
    #[arg(long, value_name = "DIR", default_value = "target/npm",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    module: PathBuf,
    /// Directory of an atlas from 'sakmak report', copied below atlas/; its folders 'th' and 'km'
    /// hold the Thai and Khmer pages
    #[arg(long, value_name = "DIR")]
    atlas: Option<PathBuf>,
    #[command(flatten)]
    url: UrlArgument,
}

pub fn run(arguments: SiteArguments) -> Result<(), CommandError> {
    let SiteArguments { site: output, materials, tables, module, atlas, url } = arguments;
    let asked = materials.materials(variants::default())?.map(|asked| asked.without_colours());
    let tables = tables.readable()?;
    let files = match directory::is_there(&tables)? {
        true => packed_files(&tables, asked.as_deref())?,
        false => BTreeMap::new(),
    };
    let missing = asked.iter().flatten().filter(|&&material| {
        material.men() > ON_THE_SPOT && !files.values().any(|file| file.material == material)
    });
    let missing: Vec<String> = missing.map(Material::to_string).collect();
    if !missing.is_empty() {
        let (directory, names) = (tables.display(), missing.join(", "));
        let (files, them) = if missing.len() == 1 { ("file", "it") } else { ("files", "them") };
        return Err(CommandError::bad_input(format!(
            "no packed {files} of {names} in {directory}: 'sakmak generate {} --packed --tables \
             {directory}' makes {them}",
            missing.join(" ")
        )));
    }
    for path in files.keys().map(|path| tables.join(path)) {
        open_regular(&path).map_err(|error| {
            CommandError::failure(format!("cannot read {}: {error}", path.display()))
        })?;
    }
    if let Some(atlas) = atlas.as_deref() {
        file_names(atlas)?;
    }
    let mut site = Site::new(&output, url.url());
    site.add_module(&module)?;
    let bars = Bars::new();
    let bar = bars.meter("tables", files.len() as u64, "files");
    for path in files.keys() {
        site.add_table(path, &tables.join(path))?;
        bar.advance(1);
    }
    bar.finish();
    if let Some(atlas) = atlas {
        site.add_atlas(&atlas)?;
    }
    site.finish()?;
    let index = output.join("index.html");
    print(&format!("{} packed files, {}\n", files.len(), index.display()))
}

/// Returns the packed files of all variants that a page needs, by path in a directory: the tables
/// with more men than a page solves.
fn packed_files(
    directory: &Path,
    asked: Option<&[Material]>,
) -> Result<BTreeMap<String, TableName>, CommandError> {
    let mut found = BTreeMap::new();
    for variant in variants::all() {
        let rules = &variant.rules;
        let folder = rules.files_in(directory);
        if !directory::is_there(&folder)? {
            continue;
        }
        for name in file_names(&folder)? {
            let Some(table) = TableName::of_packed_file_name(&name, rules) else { continue };
            let is_asked = asked.is_none_or(|asked| asked.contains(&table.material));
            if table.material.men() > ON_THE_SPOT && is_asked {
                let path =
                    rules.folder.map_or_else(|| name.clone(), |folder| format!("{folder}/{name}"));
                found.insert(path, table);
            }
        }
    }
    Ok(found)
}
