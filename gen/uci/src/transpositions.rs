//! A table of positions already searched, for positions reached by other move orders.

use crate::score::Score;
use sakmak_probe::memory::available_memory;
use sakmak_tables::distance::Plies;
use sakmak_tables::position::moves::Move;

/// The relation of a score to the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreBound {
    /// The score is the true score.
    Exact,
    /// The true score is not lower.
    AtLeast,
    /// The true score is not higher.
    AtMost,
}

/// The result of a search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The key of the position.
    pub key: u64,
    /// The score, counted from the position itself.
    pub score: Score,
    /// The relation of the score to the true score.
    pub bound: ScoreBound,
    /// The plies that were searched.
    pub depth: Plies,
    /// The best move.
    pub best: Option<Move>,
}

/// Results by key. A new result replaces an old one, unless the old one is much deeper.
#[derive(Debug)]
pub struct TranspositionTable {
    entries: Vec<Option<SearchResult>>,
}

impl TranspositionTable {
    /// A table of this many MiB; `None` if memory is too small.
    pub fn new(mebibytes: usize) -> Option<TranspositionTable> {
        let bytes = mebibytes.saturating_mul(1 << 20);
        let len = (bytes / size_of::<Option<SearchResult>>()).max(1);
        // The system may promise more memory than it has.
        if available_memory().is_some_and(|free| bytes as u64 > free) {
            return None;
        }
        let mut entries = Vec::new();
        entries.try_reserve_exact(len).ok()?;
        entries.resize(len, None);
        Some(TranspositionTable { entries })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(None);
    }

    /// The index of the entry of a key. A table has at least one entry.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    /// The result for a position.
    pub fn get(&self, key: u64) -> Option<SearchResult> {
        self.entries[self.index(key)].filter(|searched| searched.key == key)
    }

    /// Keeps a result.
    pub fn put(&mut self, searched: SearchResult) {
        let index = self.index(searched.key);
        let entry = &mut self.entries[index];
        // Half the depth is enough to replace another position, so entries of earlier moves are
        // evicted.
        if entry
            .is_none_or(|old| old.key == searched.key || 2 * searched.depth.0 + 1 >= old.depth.0)
        {
            *entry = Some(searched);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_found_under_its_key_only() {
        let mut table = TranspositionTable::new(1).unwrap();
        for (key, depth) in [(7_u64 << 60, 3), (u64::MAX, 9)] {
            let score = Score::centipawns(5);
            let bound = ScoreBound::AtLeast;
            let searched = SearchResult { key, score, bound, depth: Plies(depth), best: None };
            table.put(searched);
            assert_eq!(table.get(key), Some(searched));
            assert_eq!(table.get(key - 1), None);
        }
        table.clear();
        assert_eq!(table.get(u64::MAX), None);
    }

    #[test]
    fn a_shallow_result_does_not_replace_a_deep_one() {
        let mut table = TranspositionTable::new(0).unwrap();
        let result = |key, depth| SearchResult {
            key,
            score: Score::DRAW,
            bound: ScoreBound::Exact,
            depth: Plies(depth),
            best: None,
        };
        table.put(result(1, 8));
        table.put(result(2, 3));
        assert!(table.get(1).is_some() && table.get(2).is_none());
        table.put(result(2, 4));
        assert!(table.get(1).is_none() && table.get(2).is_some());
    }

    #[test]
    fn too_large_a_table_is_refused() {
        assert!(TranspositionTable::new(usize::MAX).is_none());
    }
}
