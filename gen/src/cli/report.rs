//! `sakmak report`: writes the atlas of a directory of tables.

use crate::cli::arguments::{AccessArgument, ThreadsArgument};
use crate::cli::progress::Bars;
use crate::cli::{CommandError, print, tablebase};
use clap::Args;
use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use rayon::prelude::*;
use sakmak_gen::analysis::census::file::of_census_file_name;
use sakmak_gen::atlas::{Atlas, Findings, LongestWins, ReportError};
use sakmak_gen::language::Language;
use sakmak_gen::store::TableStore;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::variants::MAKRUK;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What comes after the options in the help.
const AFTER: &str = "\
Writes a page for each material whose table of distance to mate, or its census file, is in DIR, \
an overview page for each variant, and all numbers as JSON, CSV and Parquet. Open index.html in a \
browser; no server is needed. Tables of counted distance of at most four men that are missing are solved on the \
spot; if a larger one is missing, the pages say which numbers need it.";

/// The tables, and the directory of the atlas.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct ReportArguments {
    /// Directory of the tables
    #[arg(value_name = "DIR", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    tables: PathBuf,
    /// Directory of the atlas; created if missing, existing files are overwritten
    #[arg(short, long, value_name = "ATLAS",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    output: PathBuf,
    /// Language of the pages: English, Thai or Khmer
    #[arg(long, value_name = "CODE", default_value = Language::English.code(),
        value_parser = language_parser())]
    language: Language,
    #[command(flatten)]
    access: AccessArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
}

/// A parser for the codes of languages.
fn language_parser() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(Language::code))
        .map(|code| Language::of_code(&code).unwrap_or_default())
}

pub fn run(arguments: ReportArguments) -> Result<(), CommandError> {
    let ReportArguments { tables, output, language, access, threads } = arguments;
    let access = access.access()?;
    let materials = materials(&tables)?;
    threads.apply()?;
    let atlas = Atlas::begin(&output, language, materials.clone())?;
    let bars = Bars::new();
    let bar = bars.slots("counting", materials.iter().map(|&m| Findings::slots(m)).sum());
    let store = TableStore::new(&MAKRUK.rules, &tables).with_access(access);
    let mut all = Vec::new();
    for &material in &materials {
        bar.say(&material.to_string());
        all.push(Findings::of(&store, material, &|slots| bar.advance(slots))?);
    }
    bar.finish();
    let bar = bars.pages("pages", all.len() as u64);
    let tablebase = tablebase(&tables, access)?;
    let written: Vec<Result<(), ReportError>> = all
        .par_iter()
        .map(|findings| {
            let written = atlas.material(findings, &LongestWins::of(findings, &tablebase)?);
            bar.advance(1);
            written
        })
        .collect();
    written.into_iter().collect::<Result<(), ReportError>>()?;
    atlas.finish(&all)?;
    bar.finish();
    let index = output.join("index.html");
    print(&format!("{} materials in {}\n", all.len(), index.display()))
}

/// The materials with a solved table of distance to mate or its census file in a directory, by
/// number of men.
fn materials(directory: &Path) -> Result<Vec<Material>, CommandError> {
    let unreadable = |error: std::io::Error| CommandError {
        message: format!("cannot read {}: {error}", directory.display()),
        code: 2,
    };
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let table = name
            .to_str()
            .and_then(|name| TableName::of_file_name(name).or_else(|| of_census_file_name(name)));
        found.extend(table.filter(|table| table.metric == Metric::DistanceToMate));
    }
    if found.is_empty() {
        let message = format!("no table of distance to mate in {}", directory.display());
        return Err(CommandError { message, code: 2 });
    }
    let found: Vec<Material> = found.into_iter().map(|table| table.material).collect();
    // The order of `sakmak stats`: the strongest pieces first.
    let men: BTreeSet<usize> = found.iter().map(Material::men).collect();
    let ordered = men.into_iter().flat_map(Material::all_of);
    Ok(ordered.filter(|material| found.contains(material)).collect())
}
