//! What is asked, and of which tables.

use crate::cli::CommandError;
use sakmak_gen::store::table_store::TableStoreError;
use sakmak_probe::ProbeError;
use sakmak_probe::answer::Answer;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::Position;
use std::path::PathBuf;

/// A position written down.
pub fn position(counting_rule: &'static CountingRule, fen: &str) -> Result<Position, CommandError> {
    Position::from_fen_counted(counting_rule, fen).map_err(CommandError::bad_input)
}

/// The tables asked, and how positions are counted.
pub struct Prober {
    /// How positions are counted.
    pub counting_rule: &'static CountingRule,
    /// The tables.
    pub tablebase: Tablebase,
    /// Where they are.
    pub directory: PathBuf,
}

impl Prober {
    /// The answer about a position.
    pub fn answer(&self, position: &Position) -> Result<Answer, CommandError> {
        self.tablebase.probe(position).map_err(|error| match error {
            ProbeError::TooManyMen { .. } | ProbeError::LeapRights | ProbeError::Illegal(_) => {
                CommandError::bad_input(error)
            }
            ProbeError::Missing { table, .. } => {
                TableStoreError::Missing { table, directory: self.directory.clone() }.into()
            }
            _ => error.into(),
        })
    }
}
