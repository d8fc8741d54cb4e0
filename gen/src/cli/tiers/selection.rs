//! The tables that a command line of these games selects.

use crate::cli::CommandError;
use crate::cli::arguments::TablesArgument;
use crate::cli::selection::parts;
use clap::Args;
use sakmak_tiers::notation::Notation;
use sakmak_tiers::probe::Directory;
use sakmak_tiers::table::Tables;

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

impl SelectionArguments {
    /// The selected tiers, in the order of the arguments.
    pub fn tiers<G: Notation>(&self, game: &G) -> Result<Vec<G::Tier>, CommandError> {
        self.tiers_with(game, |_| Ok(true))
    }

    /// The selected tiers. Of those that a number of men selects, only the ones with a file.
    pub fn tiers_with_files<G: Notation>(
        &self,
        game: &G,
        directory: &Directory<'_, G>,
    ) -> Result<Vec<G::Tier>, CommandError> {
        let tiers = self.tiers_with(game, |tier| Ok(directory.file(tier)?.is_some()))?;
        if tiers.is_empty() {
            let path = directory.path();
            let message = format!("no tables of that many men in {}", path.display());
            return Err(CommandError::failure(message));
        }
        Ok(tiers)
    }

    fn tiers_with<G: Notation>(
        &self,
        game: &G,
        is_there: impl Fn(G::Tier) -> Result<bool, CommandError>,
    ) -> Result<Vec<G::Tier>, CommandError> {
        let mut tiers = Vec::new();
        for text in parts(&self.materials) {
            match text.parse::<u8>() {
                Ok(men @ 2..=8) => {
                    for tier in (2..=men).flat_map(|men| game.tiers_of_men(men)) {
                        if is_there(tier)? {
                            tiers.push(tier);
                        }
                    }
                }
                Ok(men) => {
                    let message = format!("no tables of {men} men: 2 to 8 can be made");
                    return Err(CommandError::bad_input(message));
                }
                Err(_) => tiers.push(game.tier_of_name(text).map_err(CommandError::bad_input)?),
            }
        }
        Ok(tiers)
    }
}

/// Keeps these tables in memory and no others; those that are not there are read.
pub fn load<G: Notation>(
    game: &G,
    directory: &Directory<'_, G>,
    tables: &mut Tables<G>,
    needed: &[G::Tier],
) -> Result<(), CommandError> {
    tables.retain(needed);
    for &tier in needed {
        if tables.get(tier).is_none() {
            tables.insert(game, tier, directory.codes(tier)?);
        }
    }
    Ok(())
}
