//! What is asked, and of which tables.

use crate::cli::Failure;
use sakmak_gen::store::TableStoreError;
use sakmak_probe::Answer;
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::Position;
use std::path::PathBuf;

/// A position written down.
pub fn position(counting_rule: &'static CountingRule, fen: &str) -> Result<Position, Failure> {
    Position::from_fen_counted(counting_rule, fen).map_err(Failure::bad_input)
}

/// The tables asked, and how positions are counted.
pub struct Asked {
    /// How positions are counted.
    pub counting_rule: &'static CountingRule,
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
                TableStoreError::Missing { table, directory: self.directory.clone() }.into()
            }
            _ => error.into(),
        })
    }
}
