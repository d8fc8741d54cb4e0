//! Looks up positions in the tables of a directory.

use crate::cli::{CommandError, warn_of_refused_files};
use sakmak_gen::store::TableStoreError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Answer, ProbeError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::Position;
use std::cell::Cell;
use std::path::PathBuf;

/// Parses a FEN.
pub fn position(counting_rule: &'static CountingRule, fen: &str) -> Result<Position, CommandError> {
    Position::from_fen_counted(counting_rule, fen).map_err(CommandError::bad_input)
}

/// A tablebase, and the counting rule of the positions.
pub struct Prober {
    /// The counting rule of the positions.
    pub counting_rule: &'static CountingRule,
    /// The tables.
    pub tablebase: Tablebase,
    /// The directory of the tables.
    pub directory: PathBuf,
    /// Refused files that were named.
    pub named: Cell<usize>,
}

impl Prober {
    /// Looks up a position. Names files that were refused on the way.
    pub fn answer(&self, position: &Position) -> Result<Answer, CommandError> {
        let answer = self.tablebase.probe(position);
        self.named.set(warn_of_refused_files(&self.tablebase, self.named.get()));
        answer.map_err(|error| match error {
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
