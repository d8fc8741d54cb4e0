//! Search of the root, one ply deeper each time, until a limit is reached.

use crate::budget::SearchBudget;
use crate::node_search::{NodeSearch, ScoreWindow};
use crate::score::Score;
use crate::signals::SearchSignals;
use sakmak_tables::distance::Plies;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;

/// A move of the root and the play expected after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootLine {
    /// The score for the side to move.
    pub score: Score,
    /// The moves.
    pub moves: Vec<Move>,
}

/// The root of a search.
pub struct SearchRoot<'a> {
    /// The position.
    pub position: &'a Position,
    /// The moves to choose from, at least one.
    pub moves: &'a [Move],
    /// The number of best moves wanted.
    pub lines: usize,
    /// The limits.
    pub budget: SearchBudget,
    /// The signals that stop the search.
    pub signals: &'a SearchSignals,
}

impl SearchRoot<'_> {
    /// The best moves, the best first. Calls `each` with the lines of every completed depth, and
    /// with the lines of an interrupted depth if it prefers another move.
    pub fn deepen(
        &self,
        search: &mut NodeSearch<'_>,
        mut each: impl FnMut(&NodeSearch<'_>, Plies, &[RootLine]),
    ) -> Vec<RootLine> {
        let mut lines: Vec<RootLine> = Vec::new();
        for depth in (1..=self.budget.depth.0).map(Plies) {
            let mut deeper: Vec<RootLine> = Vec::new();
            let mut stopped = false;
            while deeper.len() < self.lines.min(self.moves.len()) && !stopped {
                let best;
                (best, stopped) = self.best(search, depth, &lines, &deeper);
                deeper.extend(best);
            }
            let complete = !stopped;
            let before = lines.first().map(|line| line.moves[0]);
            // Lines that this depth has not reached come from the depth before.
            for line in lines {
                let wanted = deeper.len() < self.lines;
                if wanted && deeper.iter().all(|found| found.moves[0] != line.moves[0]) {
                    deeper.push(line);
                }
            }
            lines = deeper;
            let preferred = lines.first().map(|line| line.moves[0]);
            if preferred.is_some() && (complete || preferred != before) {
                each(search, depth, &lines);
            }
            if !complete || self.is_enough(depth, &lines) {
                break;
            }
        }
        lines
    }

    /// Whether a deeper search is unnecessary.
    fn is_enough(&self, depth: Plies, lines: &[RootLine]) -> bool {
        let SearchBudget { mate, new_depth, .. } = self.budget;
        let time = self.signals.time();
        let late = time.zip(new_depth).is_some_and(|(time, limit)| time >= limit);
        let no_choice = new_depth.is_some() && time.is_some() && self.moves.len() == 1;
        let score = lines.first().map_or(Score::DRAW, |line| line.score);
        let mated = mate.is_some_and(|moves| score.mates_within(moves));
        // Every line up to the length of the mate has been searched, so no other mate is shorter.
        let last =
            lines.iter().all(|line| line.score.mate().is_some_and(|(plies, _)| plies <= depth));
        late || no_choice || mated || last
    }

    /// The best move outside of `found`, and whether the search has to end.
    fn best(
        &self,
        search: &mut NodeSearch<'_>,
        depth: Plies,
        before: &[RootLine],
        found: &[RootLine],
    ) -> (Option<RootLine>, bool) {
        let mut moves = self.moves.to_vec();
        // The best moves of the depth before come first.
        let rank = |mv: &Move| before.iter().position(|line| line.moves[0] == *mv);
        moves.sort_by_key(|mv| rank(mv).unwrap_or(usize::MAX));
        moves.retain(|mv| found.iter().all(|line| line.moves[0] != *mv));
        let mut best: Option<RootLine> = None;
        let mut rest = Vec::new();
        for mv in moves {
            let alpha = best.as_ref().map_or(Score::WORST, |best| best.score);
            let window = ScoreWindow { alpha, ..ScoreWindow::FULL };
            let mut score = alpha.above();
            if best.is_some() {
                match search.root_move(self.position, mv, depth, window.narrow(), &mut rest) {
                    Ok(found) => score = found,
                    Err(_) => return (best, true),
                }
            }
            if score > alpha {
                match search.root_move(self.position, mv, depth, window, &mut rest) {
                    Ok(found) => score = found,
                    Err(_) => return (best, true),
                }
            }
            if score > alpha {
                let moves = std::iter::once(mv).chain(rest.drain(..)).collect();
                best = Some(RootLine { score, moves });
            }
        }
        (best, false)
    }
}
