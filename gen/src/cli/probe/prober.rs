//! Looks up positions in the tables of a directory.

use crate::cli::{CommandError, warn_of_refused_files};
use sakmak_boards::list::GameName;
use sakmak_make::store::{MAKEABLE, TableStoreError};
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Answer, CountedPosition, LookupBudget, ProbeError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::fen::FenError;
use std::cell::Cell;
use std::path::PathBuf;

/// Parses a FEN.
pub fn counted_position(
    counting_rule: &'static CountingRule,
    fen: &str,
) -> Result<CountedPosition, CommandError> {
    CountedPosition::from_fen(counting_rule, fen).map_err(|error| {
        let hint = match error {
            FenError::Material(material) if MAKEABLE.contains(&material.men()) => {
                format!("; see also 'sakmak stats {material}'")
            }
            FenError::OtherVariant { ref variants, .. } if GameName::named(variants).is_some() => {
                format!(": add '--variant {variants}'")
            }
            _ => String::new(),
        };
        CommandError::bad_input(format!("{error}{hint}"))
    })
}

/// A tablebase and the refused files that were named to the user.
pub struct Prober {
    /// The tables.
    pub tablebase: Tablebase,
    /// The directory of the tables.
    pub directory: PathBuf,
    /// Whether answers have the solution.
    pub solution: bool,
    /// Refused files that were named.
    pub named: Cell<usize>,
}

impl Prober {
    /// Looks up a position, without the count if a table of counted distance is missing. Names
    /// files that were refused on the way.
    pub fn answer(&self, asked: CountedPosition) -> Result<Answer, CommandError> {
        let variant = asked.position.variant();
        let searching = self.tablebase.searching(LookupBudget::THOROUGH);
        let answer = match searching.probe_or_uncounted(asked, true) {
            Ok(answer) if self.solution => searching.with_solution(answer),
            answer => answer,
        };
        self.named.set(warn_of_refused_files(&self.tablebase, self.named.get()));
        let missing = |table| {
            let (tables, variant, directory) = (vec![table], Some(variant), self.directory.clone());
            TableStoreError::Missing { tables, variant, directory }
        };
        let mut answer = answer.map_err(|error| match error {
            ProbeError::TooManyMen { .. } | ProbeError::LeapRights | ProbeError::Illegal(_) => {
                CommandError::bad_input(error)
            }
            ProbeError::Missing { table, .. } => missing(table).into(),
            _ => error.into(),
        })?;
        let is_over = answer.count.is_some_and(|count| count.clock.is_over());
        // A count that is over decides without the table.
        let left_out = if is_over { "no moves of the count known" } else { "no count considered" };
        answer.notes.extend(answer.missing.map(|table| format!("{left_out}: {}", missing(table))));
        Ok(answer)
    }
}
