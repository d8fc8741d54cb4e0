//! A tablebase with a budget of lookups.

use crate::tablebase::Tablebase;
use crate::tablebase::mate_bounds::LookupBudget;
use std::ops::Deref;

/// A tablebase whose calls search for mates in time, each call within one budget of lookups.
///
/// It has the methods of [`Tablebase`]. Those for mates in time, moves, lines and answers also
/// return lengths of mates in time that are not in the tables. A call searches that of the position
/// first, then those after its moves, then those along the line under the count.
///
/// Whether a length is found depends on the budget and on the position, but not on its mirror image
/// or on its colours. What was found is kept: asked again, with the same budget or a smaller one,
/// it costs no search.
///
/// ```
/// use sakmak_probe::{LookupBudget, MAKRUK, Moves, Position, Tablebase, Value};
///
/// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
/// let tables = Tablebase::open(directory)?;
/// let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1")?;
/// let mate = tables.searching(LookupBudget(1_000)).mate_in_time(&position)?;
/// assert_eq!(mate, Some(Value::Loss(Moves(14))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Searcher<'a> {
    pub(crate) tables: &'a Tablebase,
    pub(crate) budget: LookupBudget,
}

impl Deref for Searcher<'_> {
    type Target = Tablebase;

    fn deref(&self) -> &Tablebase {
        self.tables
    }
}

/// Searches.
impl Tablebase {
    /// This tablebase with a budget of lookups for each call.
    pub fn searching(&self, budget: LookupBudget) -> Searcher<'_> {
        Searcher { tables: self, budget }
    }

    /// This tablebase without a search.
    pub(crate) fn without_search(&self) -> Searcher<'_> {
        self.searching(LookupBudget::NONE)
    }
}
