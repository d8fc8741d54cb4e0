//! Errors of probing.

use crate::file::open_file::FileError;
use crate::memory::OutOfMemory;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::{MAX_MADE_MEN, Material};
use sakmak_tables::position::{IllegalPosition, Position};
use sakmak_tables::variants;
use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// An error of probing: the reason why a position has no answer.
///
/// Often only a table is missing, and a program continues without it:
///
/// ```
/// use sakmak_probe::{MAKRUK, Position, ProbeError, Tablebase};
///
/// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
/// let tables = Tablebase::open(directory)?;
/// let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4N3/4K3 w")?;
/// match tables.category(&position) {
///     Ok(category) => println!("{category}"),
///     Err(ProbeError::Missing { table, .. }) => assert_eq!(table.to_string(), "KNvK"),
///     Err(error) => return Err(error.into()),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(thiserror::Error)]
pub enum ProbeError {
    /// The position has more men than any table.
    #[error("the position has {men} men, but tables have at most {MAX_MADE_MEN}, kings included")]
    TooManyMen {
        /// Pieces on the board, kings included.
        men: usize,
    },
    /// A first-move leap is still allowed. Tables are made without such moves.
    #[error(
        "the position still allows a first-move leap, and tables hold only positions without \
         leaps: put '-' into the third field of the FEN if the right is gone"
    )]
    LeapRights,
    /// The position is illegal.
    #[error("illegal position: {0}")]
    Illegal(#[from] IllegalPosition),
    /// The table is in no directory.
    #[error("no table {} {}{}", .table.file_name(), looked_in(.directories), uncounted(*.table))]
    Missing {
        /// The table.
        table: TableName,
        /// The directories that were searched.
        directories: Arc<[PathBuf]>,
    },
    /// The table is not open yet, and the tablebase was made by another process, of which this
    /// one is a fork.
    #[error("the tablebase belongs to the parent of this process: open it again after a fork")]
    OtherProcess,
    /// A directory of tables cannot be read.
    #[error("cannot read the directory {path}: {source}", path = path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A cache is larger than the available memory.
    #[error("cache: {0}")]
    Memory(#[from] OutOfMemory),
    /// A file is damaged, or is not the table that its name promises.
    #[error(transparent)]
    File(#[from] FileError),
    /// The solver failed on a table that is in no directory.
    #[error("cannot solve {table}: {source}")]
    Solver {
        /// The table.
        table: TableName,
        /// The error of the solver.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The value of a position does not follow from its successors: one of the tables is
    /// wrong.
    #[error("the table {material} and the tables it depends on contradict each other at {fen}")]
    Contradiction {
        /// The material.
        material: Material,
        /// The position.
        fen: String,
    },
}

sakmak_tables::readable_error!(ProbeError);

impl ProbeError {
    /// The missing table of counted distance or of mates in time. `None` for any other error. If a
    /// table is returned, the position may have an answer without counting.
    pub fn missing_counts(&self) -> Option<TableName> {
        match self {
            ProbeError::Missing { table, .. } => table.metric.counting_rule().map(|_| *table),
            _ => None,
        }
    }

    /// Tables contradict each other at a position.
    pub(crate) fn contradiction(position: &Position) -> ProbeError {
        let material = position.material().material;
        ProbeError::Contradiction { material, fen: position.fen() }
    }
}

/// The directories in the message about a missing table.
fn looked_in(directories: &[PathBuf]) -> String {
    if directories.is_empty() {
        return "(the tablebase has no directory)".to_string();
    }
    let names: Vec<String> = directories.iter().map(|path| path.display().to_string()).collect();
    format!("in {}", names.join(", "))
}

/// The counting rule that needs no table of counted distance.
fn uncounted(table: TableName) -> String {
    let counted = table.metric.counting_rule();
    let uncounted = counted.map(|rule| variants::counted_by(rule).uncounted.name);
    uncounted.map_or(String::new(), |name| format!("; the counting rule {name} needs none"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::format::name::TableNameError;
    use sakmak_tables::material::MaterialError;
    use sakmak_tables::position::fen::FenError;
    use sakmak_tables::variants::{CountingRuleError, MAKRUK, VariantError};

    #[test]
    fn what_main_prints_of_an_error_is_its_message() {
        let illegal = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/3R4/4K3 w");
        let illegal: FenError = illegal.unwrap_err();
        assert!(format!("{illegal:?}").starts_with("the black king on d5 is in check"));
        let missing = crate::Tablebase::new();
        let rook = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
        let missing: ProbeError = missing.category(&rook).unwrap_err();
        assert_eq!(
            format!("{missing:?}"),
            "no table KRvK.dtm.smt (the tablebase has no directory)"
        );
        let variant: VariantError = variants::named("xiangqi").unwrap_err();
        let counting: CountingRuleError = variants::counting_rule("xiangqi").unwrap_err();
        let material: MaterialError = "KXvK".parse::<Material>().unwrap_err();
        let table: TableNameError = "KRvK.elo".parse::<TableName>().unwrap_err();
        let errors: [Box<dyn Error>; 4] =
            [variant.into(), counting.into(), material.into(), table.into()];
        for error in errors {
            assert_eq!(format!("{error:?}"), error.to_string());
        }
    }
}
