//! The tables of a board game that arguments select.

use crate::cli::arguments::{AccessArgument, TablesArgument};
use crate::cli::selection::parts;
use crate::cli::{CommandError, file_names};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_probe::Tablebase;
use sakmak_probe::boards::tables::BoardTables;
use sakmak_probe::file::board_game::material_of;
use sakmak_solve::boards::tables::Tables;

/// Opens the tables of a directory for board games.
pub fn board_tablebase(
    tables: &TablesArgument,
    access: &AccessArgument,
) -> Result<Tablebase, CommandError> {
    Ok(Tablebase::of_directory(&tables.readable()?).with_access(access.access()?))
}

/// Returns the materials of names and numbers of men, each once.
pub fn materials<G: Notation + SolvableGame>(
    game: &G,
    texts: &[String],
) -> Result<Vec<G::Material>, CommandError> {
    selected(game, texts, |_| Ok(true))
}

/// Returns the materials of names and numbers of men, each once. A number of men selects only
/// materials that have a table; no name and no number selects all tables.
pub fn materials_with_tables<G: Notation + SolvableGame>(
    texts: &[String],
    board_tables: &BoardTables<'_, G>,
) -> Result<Vec<G::Material>, CommandError> {
    if texts.is_empty() {
        return all_materials(board_tables);
    }
    let has_table = |material| Ok(board_tables.file(material)?.is_some());
    let materials = selected(board_tables.game(), texts, has_table)?;
    if materials.is_empty() {
        let path = board_tables.path();
        let message = format!("no tables of that many men in {}", path.display());
        return Err(CommandError::failure(message));
    }
    Ok(materials)
}

/// Returns the materials that have a table, by number of men.
fn all_materials<G: Notation + SolvableGame>(
    board_tables: &BoardTables<'_, G>,
) -> Result<Vec<G::Material>, CommandError> {
    let path = board_tables.path();
    let mut names = file_names(&path)?;
    // A letter for each man.
    names.sort_by_key(String::len);
    let named = |name: &String| board_tables.game().material_of_name(material_of(name)?).ok();
    let materials: Vec<G::Material> = names.iter().filter_map(named).collect();
    if materials.is_empty() {
        return Err(CommandError::failure(format!("no tables in {}", path.display())));
    }
    Ok(materials)
}

fn selected<G: Notation + SolvableGame>(
    game: &G,
    texts: &[String],
    is_selected: impl Fn(G::Material) -> Result<bool, CommandError>,
) -> Result<Vec<G::Material>, CommandError> {
    let mut materials = Vec::new();
    let mut add = |material| {
        if !materials.contains(&material) {
            materials.push(material);
        }
    };
    for text in parts(texts) {
        match text.parse::<u8>() {
            Ok(men @ 2..=8) => {
                for material in (2..=men).flat_map(|men| game.materials_of_men(men)) {
                    if is_selected(material)? {
                        add(material);
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
    Ok(materials)
}

/// Keeps only the tables of some materials in memory. Reads the missing tables.
pub fn load<G: Notation + SolvableGame>(
    board_tables: &BoardTables<'_, G>,
    tables: &mut Tables<G>,
    needed: &[G::Material],
) -> Result<(), CommandError> {
    tables.retain(needed);
    for &material in needed {
        if tables.get(material).is_none() {
            tables.insert(board_tables.game(), material, board_tables.codes(material)?);
        }
    }
    Ok(())
}
