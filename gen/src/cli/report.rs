//! `sakmak report`: the atlas of a directory of tables.

use crate::cli::progress::Bars;
use crate::cli::{Failure, ThreadsArgument, print, tablebase};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use rayon::prelude::*;
use sakmak_gen::atlas::{Atlas, Findings, Play, ReportError};
use sakmak_gen::store::TableStore;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::variants::MAKRUK;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What comes of it.
const AFTER: &str = "\
A page for each material whose table of distance to mate is in DIR, all of them in a table \
that can be sorted, for Makruk and for Ouk, with data beside: open index.html of the atlas. \
Where a table of counted distance is needed and missing, the pages say so; those of at most \
four men are solved on the spot.";

/// Of what, and where to.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// The directory of the tables
    #[arg(value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    tables: PathBuf,
    /// The directory of the atlas, made if it is not there; files in it are replaced
    #[arg(short, long, value_name = "ATLAS",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadsArgument,
}

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let Arguments { tables, output, threads } = arguments;
    let materials = materials(&tables)?;
    threads.apply()?;
    let atlas = Atlas::begin(&output)?;
    let bars = Bars::new();
    let bar = bars.slots("counting", materials.iter().map(|&m| Findings::slots(m)).sum());
    let store = TableStore::new(&MAKRUK.rules, &tables);
    let mut all = Vec::new();
    for &material in &materials {
        bar.set_message(material.to_string());
        all.push(Findings::of(&store, material, &|slots| bar.inc(slots))?);
    }
    bar.finish_and_clear();
    let bar = bars.materials("pages", all.len() as u64);
    let tablebase = tablebase(&tables)?;
    let written: Vec<Result<(), ReportError>> = all
        .par_iter()
        .map(|findings| {
            let written = atlas.material(findings, &Play::of(findings, &tablebase)?);
            bar.inc(1);
            written
        })
        .collect();
    written.into_iter().collect::<Result<(), ReportError>>()?;
    atlas.finish(&all)?;
    bar.finish_and_clear();
    let index = output.join("index.html");
    print(&format!("{} materials in {}\n", all.len(), index.display()))
}

/// The materials whose tables of distance to mate are in a directory, by pieces, then in order.
fn materials(directory: &Path) -> Result<Vec<Material>, Failure> {
    let unreadable = |error: std::io::Error| Failure {
        message: format!("cannot read {}: {error}", directory.display()),
        code: 2,
    };
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let table = name.to_str().and_then(TableName::of_file_name);
        found.extend(table.filter(|table| table.metric == Metric::DistanceToMate));
    }
    if found.is_empty() {
        let message = format!("no table of distance to mate in {}", directory.display());
        return Err(Failure { message, code: 2 });
    }
    let found: Vec<Material> = found.into_iter().map(|table| table.material).collect();
    // In the order of `sakmak stats`: the strongest pieces first.
    let men: BTreeSet<usize> = found.iter().map(Material::men).collect();
    let ordered = men.into_iter().flat_map(Material::all_of);
    Ok(ordered.filter(|material| found.contains(material)).collect())
}
