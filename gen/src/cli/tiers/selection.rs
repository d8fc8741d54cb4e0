//! The tables that a command line of these games selects.

use crate::cli::arguments::TablesArgument;
use crate::cli::selection::parts;
use crate::cli::{CommandError, file_names};
use clap::Args;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_probe::boards::directory::Directory;
use sakmak_probe::file::board_game::material_of;
use sakmak_solve::boards::tables::Tables;

/// Which tables of which game.
#[derive(Args)]
pub struct SelectionArguments {
    /// Materials such as KRHvKAA or KMMvKM, or numbers of men, kings included; blanks or commas
    /// between them
    #[arg(required = true, value_name = "MATERIAL|MEN")]
    pub materials: Vec<String>,
    #[command(flatten)]
    pub directory: TablesArgument,
    /// Variant
    #[arg(long, value_name = "NAME")]
    pub variant: String,
}

/// The tiers of these materials and numbers of men, each once.
pub fn tiers<G: Notation + SolvableGame>(
    game: &G,
    materials: &[String],
) -> Result<Vec<G::Material>, CommandError> {
    tiers_with(game, materials, |_| Ok(true))
}

/// The tiers of these materials and numbers of men, each once. Of those that a number of men selects, only
/// the ones with a file.
pub fn tiers_with_files<G: Notation + SolvableGame>(
    materials: &[String],
    directory: &Directory<'_, G>,
) -> Result<Vec<G::Material>, CommandError> {
    let tiers =
        tiers_with(directory.game(), materials, |tier| Ok(directory.file(tier)?.is_some()))?;
    if tiers.is_empty() {
        let path = directory.path();
        let message = format!("no tables of that many men in {}", path.display());
        return Err(CommandError::failure(message));
    }
    Ok(tiers)
}

/// The tiers that have a file, by number of men.
pub fn all_tiers<G: Notation + SolvableGame>(
    directory: &Directory<'_, G>,
) -> Result<Vec<G::Material>, CommandError> {
    let path = directory.path();
    let mut names = file_names(&path)?;
    // A letter for each man.
    names.sort_by_key(String::len);
    let named = |name: &String| directory.game().material_of_name(material_of(name)?).ok();
    let tiers: Vec<G::Material> = names.iter().filter_map(named).collect();
    if tiers.is_empty() {
        return Err(CommandError::failure(format!("no tables in {}", path.display())));
    }
    Ok(tiers)
}

fn tiers_with<G: Notation + SolvableGame>(
    game: &G,
    materials: &[String],
    is_there: impl Fn(G::Material) -> Result<bool, CommandError>,
) -> Result<Vec<G::Material>, CommandError> {
    let mut tiers = Vec::new();
    let mut add = |tier| {
        if !tiers.contains(&tier) {
            tiers.push(tier);
        }
    };
    for text in parts(materials) {
        match text.parse::<u8>() {
            Ok(men @ 2..=8) => {
                for tier in (2..=men).flat_map(|men| game.materials_of_men(men)) {
                    if is_there(tier)? {
                        add(tier);
                    }
                }
            }
            Ok(men) => {
                let message = format!("no tables of {men} men: 2 to 8 can be made");
                return Err(CommandError::bad_input(message));
            }
            Err(_) => add(game.material_of_name(text).map_err(CommandError::bad_input)?),
        }
    }
    Ok(tiers)
}

/// Keeps these tables in memory and no others; those that are not there are read.
pub fn load<G: Notation + SolvableGame>(
    directory: &Directory<'_, G>,
    tables: &mut Tables<G>,
    needed: &[G::Material],
) -> Result<(), CommandError> {
    tables.retain(needed);
    for &tier in needed {
        if tables.get(tier).is_none() {
            tables.insert(directory.game(), tier, directory.codes(tier)?);
        }
    }
    Ok(())
}
