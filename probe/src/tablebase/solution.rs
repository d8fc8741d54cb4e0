//! The solution of a position as a problem: how many moves are right, here and up to the mate.
//!
//! A move is right if it keeps the result under the count. In a win in time, the right moves are the
//! moves of [`Category::Win`]. The two questions about a whole win have one definition:
//!
//! ```text
//! one right move always (position of the winner):
//!     exactly one move is right, and after it and each reply: one right move always
//! ```
//!
//! For [`Solution::shortest_unique`], a move is right if no other mates sooner in time. Both walks
//! end at the first turn with several right moves. So they meet only one move of the winner at each
//! turn, and it makes progress: the only move that wins is also the shortest.
//!
//! A walk visits canonical positions with their counts, each once, and all positions of one depth
//! before the next depth. So its result within a budget is the same for all images of a position.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::mate_in_time::MateSearch;
use crate::tablebase::searcher::Searcher;
use crate::tablebase::value::material_with_table;
use sakmak_tables::counting::Category;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use std::collections::HashSet;

/// The number of right moves in a position, and whether the solution of a win is unique.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Number of legal moves that keep the result under the count, see
    /// [`Tablebase::keeping_moves`].
    pub kept: u32,
    /// Number of legal moves that keep the result if nobody counts.
    pub kept_uncounted: u32,
    /// Whether exactly one move wins in time at every turn of the winner, against all defences.
    /// `None` if the side to move does not win in time, and if the budget does not suffice.
    pub unique: Option<bool>,
    /// Whether exactly one move has the shortest mate in time at every turn of the winner, against
    /// all defences. `None` as for `unique`, and if a length is not known.
    pub shortest_unique: Option<bool>,
    /// Number of turns of the winner from here with exactly one move that wins in time, along
    /// [best play](Tablebase::counted_line). 0 if the side to move does not win in time.
    pub only_moves: u32,
}

/// The moves of the winner that count as right.
#[derive(Clone, Copy)]
enum RightMoves {
    /// All moves that win in time.
    Winning,
    /// The moves with the shortest mate in time.
    Shortest,
}

impl Searcher<'_> {
    /// The right moves of a position, and whether the solution of a win is unique. If no count
    /// runs, one starts in this position.
    ///
    /// The lookups of the budget are used for [`Solution::unique`], then for the defences of
    /// [`Solution::only_moves`], then for [`Solution::shortest_unique`]. Without a budget, only the
    /// moves of the position itself are looked up for both questions.
    ///
    /// ```
    /// use sakmak_probe::{LookupBudget, MAKRUK, Position, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// let position = Position::from_fen(&MAKRUK, "7k/8/6K1/8/8/8/8/R7 w")?;
    /// let solution = tables.searching(LookupBudget::THOROUGH).solution(&position)?;
    /// assert_eq!((solution.unique, solution.shortest_unique), (Some(false), Some(true)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`], for the positions that are looked up.
    pub fn solution(self, position: &Position) -> Result<Solution, ProbeError> {
        let tables: &Tablebase = self.tables;
        material_with_table(position)?;
        let here = position.with_count_running();
        let nobody = position.counted_by(position.variant().uncounted).with_clock(None);
        let kept = tables.keeping_moves(&here)?.len() as u32;
        let kept_uncounted = tables.keeping_moves(&nobody)?.len() as u32;
        if kept == 0 || tables.category(&here)? != Category::Win {
            let (unique, shortest_unique, only_moves) = (None, None, 0);
            return Ok(Solution { kept, kept_uncounted, unique, shortest_unique, only_moves });
        }
        let mut mates = MateSearch::anew(self, &here);
        let unique = mates.has_one_right_move_always(&here, RightMoves::Winning)?;
        let only_moves = mates.only_moves(here)?;
        let shortest_unique = match unique {
            // The only move that wins has the shortest mate.
            Some(true) => unique,
            _ => mates.has_one_right_move_always(&here, RightMoves::Shortest)?,
        };
        Ok(Solution { kept, kept_uncounted, unique, shortest_unique, only_moves })
    }
}

impl MateSearch<'_> {
    /// Whether exactly one move is right at every turn of the winner, who is to move in `root`.
    /// `None` if the budget does not suffice.
    fn has_one_right_move_always(
        &mut self,
        root: &Position,
        right: RightMoves,
    ) -> Result<Option<bool>, ProbeError> {
        let mut seen = HashSet::new();
        let mut level = vec![self.canonical(root)];
        while !level.is_empty() {
            let lookups = level.iter().map(|position| position.legal_moves().len() as u32).sum();
            // The moves of the first position are free.
            if !seen.is_empty() && !self.spend(lookups) {
                return Ok(None);
            }
            let mut next = Vec::new();
            for position in &level {
                let right = match right {
                    RightMoves::Winning => Some(self.tables.keeping(position, 2)?),
                    RightMoves::Shortest => self.shortest_moves(position)?,
                };
                let Some(right) = right else { return Ok(None) };
                let [(_, after)] = right[..] else { return Ok(Some(false)) };
                let replies = after.legal_moves();
                let replies = replies.iter().map(|&mv| self.canonical(&after.play(mv)));
                next.extend(replies.filter(|reply| seen.insert(*reply)));
            }
            next.sort_by_cached_key(Position::fen);
            level = next;
        }
        Ok(Some(true))
    }

    /// The moves with the shortest mate in time in a canonical position that the side to move wins
    /// in time; at least two if there are several. `None` if a length is not known.
    fn shortest_moves(
        &mut self,
        position: &Position,
    ) -> Result<Option<Vec<(Move, Position)>>, ProbeError> {
        let Some(after_move) = self.shortest_after_move(position)? else { return Ok(None) };
        let mut shortest = Vec::new();
        for (mv, after) in self.tables.keeping(position, usize::MAX)? {
            match self.mates_within(&self.canonical(&after), false, after_move)? {
                None => return Ok(None),
                Some(true) => shortest.push((mv, after)),
                Some(false) => {}
            }
            if shortest.len() == 2 {
                break;
            }
        }
        Ok(Some(shortest))
    }

    /// The turns of the winner with exactly one right move from here, along best play.
    fn only_moves(&mut self, mut now: Position) -> Result<u32, ProbeError> {
        let mut turns = 0;
        loop {
            let [(_, after)] = self.tables.keeping(&now, 2)?[..] else { return Ok(turns) };
            turns += 1;
            let tables = self.tables;
            let Some(best) = tables.best_rating(&after, self)? else { return Ok(turns) };
            now = best.after;
        }
    }
}
