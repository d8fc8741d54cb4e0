//! `sakmak report`: writes the atlas of a directory of tables.

mod boards;

use crate::cli::arguments::{AccessArgument, TablesArgument, ThreadsArgument, variant_parser};
use crate::cli::progress::Bars;
use crate::cli::selection::SomeMaterialsArgument;
use crate::cli::{CommandError, file_names, make_directory, print, tablebase};
use clap::Args;
use clap::builder::{OsStringValueParser, PossibleValuesParser, TypedValueParser};
use rayon::prelude::*;
use sakmak_atlas::language::Language;
use sakmak_atlas::{
    Atlas, AtlasConfig, AtlasVariants, Claims, MaterialReport, ReportError, longest_wins,
};
use sakmak_make::census::file::{of_census_file_name, require_censuses};
use sakmak_make::store::TableStore;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::variant::Variant as ChosenVariant;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::variant::Variant;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The help after the options.
const AFTER: &str = "\
Writes a page for each material whose table of distance to mate, or its census file, is \
available, an overview page, and all numbers as JSON and CSV. Open index.html in a browser; \
no server is needed. Tables of counted distance of at most four men that are missing are solved on \
the spot; if a larger one is missing, the pages show which numbers need it.

For Janggi, Rek and Min Rek Chanh the pages have results, histograms and the longest wins with their best \
line, and there are no data files.

  sakmak report --tables DIR -o ATLAS";

/// The tables, and the directory of the atlas.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct ReportArguments {
    #[command(flatten)]
    materials: SomeMaterialsArgument,
    #[command(flatten)]
    tables: TablesArgument,
    /// Output: directory of the atlas; created if missing, existing files are overwritten
    #[arg(short, long, value_name = "PATH",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    output: PathBuf,
    /// Language of the pages: English, Thai or Khmer
    #[arg(long, value_name = "CODE", default_value = Language::English.code(),
        value_parser = language_parser())]
    language: Language,
    /// Variant [default: makruk and ouk, side by side]
    #[arg(long, value_name = "NAME", value_parser = variant_parser())]
    variant: Option<ChosenVariant>,
    /// Show published statements with their verdicts, from a file that scripts/claims/claims.py
    /// --data writes
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    claims: Option<PathBuf>,
    #[command(flatten)]
    access: AccessArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
}

/// Returns a parser for the codes of languages.
pub fn language_parser() -> impl TypedValueParser<Value = Language> {
    PossibleValuesParser::new(Language::ALL.map(Language::code))
        .map(|code| Language::of_code(&code).unwrap_or_default())
}

pub fn run(arguments: ReportArguments) -> Result<(), CommandError> {
    let variants = match arguments.variant {
        None => AtlasVariants::makruk_and_ouk(),
        Some(ChosenVariant::Chess(variant)) => AtlasVariants::only(variant),
        Some(ChosenVariant::Board(game)) => return game.visit(&arguments),
    };
    let ReportArguments {
        materials: asked, tables, output, language, claims, access, threads, ..
    } = arguments;
    let claims = claims.map(|path| read_claims(&path)).transpose()?;
    let access = access.access()?;
    let asked = asked.materials(variants.first())?.map(|asked| asked.without_colours());
    let tables = tables.readable()?;
    let files = variants.rules().files_in(&tables);
    let rules = variants.rules();
    let store = TableStore::new(rules, &files).with_access(access);
    let distance = |material: Material| TableName::of_distance(material, rules);
    let mut materials = materials(&files, variants.first())?;
    if let Some(asked) = asked {
        let missing = asked.iter().filter(|material| !materials.contains(material));
        let missing = missing.map(|&material| distance(material));
        TableStore::new(rules, &files).with_access(access).without_solving().require(missing)?;
        materials.retain(|material| asked.contains(material));
    }
    threads.apply()?;
    let counted = |material: Material| {
        variants.countings().map(move |rule| TableName::deciding(material, Metric::Counted(rule)))
    };
    require_censuses(&store, materials.iter().map(|&material| distance(material)), rules)?;
    for name in materials.iter().flat_map(|&material| counted(material)) {
        store.file(name)?;
    }
    make_directory(&output)?;
    let config = AtlasConfig { language, variants: variants.clone() };
    let atlas = Atlas::begin(&output, config, materials.clone(), claims)?;
    let bars = Bars::new();
    let all = reports(&bars, &store, &materials, &variants)?;
    write_pages(&bars, &atlas, &all, &tablebase(&tables, access)?)?;
    let index = output.join("index.html");
    let materials = if all.len() == 1 { "material" } else { "materials" };
    print(&format!("{} {materials} in {}\n", all.len(), index.display()))
}

/// Counts the materials.
fn reports(
    bars: &Bars,
    store: &TableStore<'_>,
    materials: &[Material],
    variants: &AtlasVariants,
) -> Result<Vec<MaterialReport>, ReportError> {
    let slots = materials.iter().map(|&material| MaterialReport::slots(material, variants)).sum();
    let bar = bars.slots("counting", slots);
    let mut all = Vec::new();
    for &material in materials {
        bar.set_message(&material.to_string());
        all.push(MaterialReport::of(store, material, variants, &|slots| bar.advance(slots))?);
    }
    bar.finish();
    Ok(all)
}

/// Writes the pages and the data files.
fn write_pages(
    bars: &Bars,
    atlas: &Atlas,
    all: &[MaterialReport],
    tablebase: &Tablebase,
) -> Result<(), ReportError> {
    let bar = bars.meter("pages", all.len() as u64, "pages");
    let written = all.par_iter().map(|report| {
        let written = atlas.material(report, &longest_wins(report, tablebase)?);
        bar.advance(1);
        written
    });
    written.collect::<Vec<_>>().into_iter().collect::<Result<(), ReportError>>()?;
    atlas.finish(all)?;
    bar.finish();
    Ok(())
}

/// Reads the statements of an atlas.
fn read_claims(path: &Path) -> Result<Claims, CommandError> {
    let failed = |error: &dyn std::fmt::Display| {
        CommandError::bad_input(format!("cannot read {}: {error}", path.display()))
    };
    #[expect(clippy::disallowed_methods, reason = "the user may name a pipe")]
    let text = std::fs::read_to_string(path).map_err(|error| failed(&error))?;
    serde_json::from_str(&text).map_err(|error| failed(&error))
}

/// Returns the materials of a variant with a solved table of distances or its census file in a
/// directory, by number of men.
fn materials(directory: &Path, variant: &Variant) -> Result<Vec<Material>, CommandError> {
    let mut found = BTreeSet::new();
    for name in file_names(directory)? {
        let rules = &variant.rules;
        let table = TableName::of_file_name(&name, rules);
        let table = table.or_else(|| of_census_file_name(&name, rules));
        let table = table.filter(|table| table.metric == Metric::distance(&variant.rules));
        let material = table.map(|table| table.material);
        found.extend(material.filter(|&material| !variant.refuses(material)));
    }
    if found.is_empty() {
        let goal = variant.rules.end.goal();
        return Err(CommandError::failure(format!(
            "no solved table of distance to {goal} in {}",
            directory.display()
        )));
    }
    // The order of `sakmak stats`: the strongest pieces first.
    let men: BTreeSet<usize> = found.iter().map(Material::men).collect();
    let ordered = men.into_iter().flat_map(Material::all_of);
    let letters = variant.rules.material_letters;
    let found = ordered.filter(|material| found.contains(material));
    Ok(found.map(|material| material.written_in(letters)).collect())
}
