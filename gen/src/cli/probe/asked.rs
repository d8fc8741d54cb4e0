//! What is asked, and of which tables.

use crate::cli::Failure;
use sakmak_gen::store::table_store::ShelfError;
use sakmak_probe::ProbeError;
use sakmak_probe::answer::Answer;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::Profile;
use sakmak_tables::position::Position;
use std::path::PathBuf;

/// A position written down.
pub fn position(profile: &'static Profile, fen: &str) -> Result<Position, Failure> {
    Position::from_fen_counted(profile, fen).map_err(Failure::bad_input)
}

/// The tables asked, and how positions are counted.
pub struct Asked {
    /// How positions are counted.
    pub profile: &'static Profile,
    /// The tables.
    pub tablebase: Tablebase,
    /// Where they are.
    pub directory: PathBuf,
}

impl Asked {
    /// The answer about a position.
    pub fn answer(&self, position: &Position) -> Result<Answer, Failure> {
        self.tablebase.probe(position).map_err(|error| match error {
            ProbeError::TooManyMen { .. } | ProbeError::LeapRights | ProbeError::Illegal(_) => {
                Failure::bad_input(error)
            }
            ProbeError::Missing { table, .. } => {
                ShelfError::Missing { table, directory: self.directory.clone() }.into()
            }
            _ => error.into(),
        })
    }
}
