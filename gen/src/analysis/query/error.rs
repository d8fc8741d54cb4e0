//! Why a search cannot be.

use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;

/// A search that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// What is asked takes counted distances.
    #[error("what is asked takes the table {0}")]
    NotCounted(TableName),
    /// The table of counted distance is another material's.
    #[error("counted distances of {counted} say nothing of {mate}")]
    Materials {
        /// That of the distances to mate.
        mate: Material,
        /// That of the counted distances.
        counted: Material,
    },
    /// More is said to be left than a count can leave.
    #[error(
        "{left} left on the clock is more than a count leaves in {material}: at most {most} in {counting}"
    )]
    TooMuchLeft {
        /// The moves said to be left.
        left: Moves,
        /// The material.
        material: Material,
        /// The most that can be left.
        most: Moves,
        /// The name of the way of counting.
        counting: &'static str,
    },
    /// Moves are said to be left on a clock that does not run.
    #[error("nothing is counted in {material} in {counting}: no clock has moves left")]
    NothingCounted {
        /// The material.
        material: Material,
        /// The name of the way of counting.
        counting: &'static str,
    },
}
