//! Results of searches for mates in time, kept for later searches.
//!
//! A result depends only on the position, the budget and the tables. So answers do not depend on
//! the thread that found a result, or on whether it is still kept.

use crate::tablebase::mate_bounds::{Bounds, LookupBudget};
use sakmak_tables::position::Position;
use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// Positions in a generation. Two generations have some megabytes.
const GENERATION: usize = 1024;

/// The result of a search from one position.
#[derive(Debug)]
pub(crate) struct FoundMate {
    /// The budget of the search.
    pub budget: LookupBudget,
    /// The lookups left at its end.
    pub left: u32,
    /// Whether it continued with the positions after each move.
    pub with_moves: bool,
    /// Canonical positions and their bounds: the position, and the positions after its moves if
    /// searched.
    pub bounds: Vec<(Position, Bounds)>,
}

impl FoundMate {
    /// Whether it is as good as the result of a search with this budget.
    fn suffices(&self, budget: LookupBudget, with_moves: bool) -> bool {
        // A search that left something has found everything.
        (self.budget >= budget || self.left > 0) && (self.with_moves || !with_moves)
    }
}

/// By canonical position with its count.
type Generation = HashMap<Position, Arc<FoundMate>>;

/// The results of the last searches.
#[derive(Debug, Default)]
pub(crate) struct FoundMates {
    /// The younger generation, and the one that is dropped when the younger is full.
    generations: Mutex<[Generation; 2]>,
}

impl FoundMates {
    /// The kept result for a canonical position, if it is as good as a search with this budget.
    pub fn get(
        &self,
        position: &Position,
        budget: LookupBudget,
        with_moves: bool,
    ) -> Option<Arc<FoundMate>> {
        let generations = self.lock()?;
        let found = generations.iter().find_map(|generation| generation.get(position))?;
        found.suffices(budget, with_moves).then(|| Arc::clone(found))
    }

    /// Keeps the result for a canonical position, unless a better one is kept.
    pub fn keep(&self, position: Position, found: FoundMate) {
        let Some(mut generations) = self.lock() else { return };
        let [young, old] = &mut *generations;
        let kept = young.get(&position).or_else(|| old.get(&position));
        if kept.is_some_and(|kept| kept.suffices(found.budget, found.with_moves)) {
            return;
        }
        if young.len() >= GENERATION {
            *old = mem::take(young);
        }
        young.insert(position, Arc::new(found));
    }

    /// Drops all results, which depend on the tables.
    pub fn clear(&mut self) {
        *self = FoundMates::default();
    }

    /// Never waits: in a child of a fork the lock may stay locked for ever.
    fn lock(&self) -> Option<MutexGuard<'_, [Generation; 2]>> {
        match self.generations.try_lock() {
            Ok(generations) => Some(generations),
            Err(TryLockError::Poisoned(generations)) => Some(generations.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::variants::MAKRUK;

    fn found(budget: u32, left: u32, with_moves: bool) -> FoundMate {
        FoundMate { budget: LookupBudget(budget), left, with_moves, bounds: Vec::new() }
    }

    #[test]
    fn a_result_stands_for_searches_that_would_find_no_more() {
        let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
        let kept = FoundMates::default();
        let has =
            |budget, with_moves| kept.get(&position, LookupBudget(budget), with_moves).is_some();
        assert!(!has(1, false));
        kept.keep(position, found(100, 0, false));
        assert!(has(100, false) && !has(101, false) && !has(100, true));
        kept.keep(position, found(100, 0, true));
        kept.keep(position, found(50, 0, true));
        kept.keep(position, found(100, 0, false));
        assert!(has(100, true) && !has(101, true));
        kept.keep(position, found(200, 3, true));
        assert!(has(1_000_000, true));
    }

    #[test]
    fn the_number_of_results_is_bounded_and_the_last_ones_stay() {
        let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w").unwrap();
        let mut kept = FoundMates::default();
        let numbered = |number| position.with_number(number);
        for number in 0..5 * GENERATION as u32 {
            kept.keep(numbered(number), found(1, 0, false));
            assert!(kept.get(&numbered(number), LookupBudget(1), false).is_some());
        }
        let sizes = kept.lock().unwrap().each_ref().map(HashMap::len);
        assert!(sizes.iter().all(|&size| size <= GENERATION), "{sizes:?}");
        kept.clear();
        assert!(kept.get(&numbered(5 * GENERATION as u32 - 1), LookupBudget(1), false).is_none());
    }
}
