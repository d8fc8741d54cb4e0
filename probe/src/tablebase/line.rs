//! Lines of best play: to mate with no counting, and under the count to the end of the game.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::mate_in_time::MateSearch;
use crate::tablebase::searcher::Searcher;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};
use std::fmt;

/// The longest line followed, far longer than any line of a sound table.
pub const LONGEST_LINE: Plies = Plies(10_000);

/// Best play of both sides under the count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedLine {
    /// The moves.
    pub moves: Vec<Move>,
    /// How the line ends.
    pub end: LineEnd,
    /// The last position, with the count that runs there.
    pub last: Position,
}

/// How a line of best play under the count ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LineEnd {
    /// The game is over by the rules of moves.
    Over(Outcome),
    /// Only the kings are left.
    BareKings,
    /// The count is over and the draw may be claimed.
    Claim,
    /// In a drawn game a position is repeated.
    Repetition,
}

impl LineEnd {
    /// All ends.
    pub const ALL: [LineEnd; 6] = [
        LineEnd::Over(Outcome::Checkmate),
        LineEnd::Over(Outcome::Stalemate),
        LineEnd::Over(Outcome::BareKing),
        LineEnd::BareKings,
        LineEnd::Claim,
        LineEnd::Repetition,
    ];

    /// The name in JSON and Python: that of the outcome, `bare-kings`, `claim` or `repetition`.
    pub const fn name(self) -> &'static str {
        match self {
            LineEnd::Over(outcome) => outcome.name(),
            LineEnd::BareKings => "bare-kings",
            LineEnd::Claim => "claim",
            LineEnd::Repetition => "repetition",
        }
    }
}

impl fmt::Display for LineEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Lines of best play.
impl Tablebase {
    /// Best play under the count: both sides play the first of [`Tablebase::moves`] until the
    /// game is over or the draw may be claimed. If neither side can force mate, the line ends
    /// at the first repeated position. If no count runs, one starts in this position.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::values`], for all positions of the line and their successors.
    pub fn counted_line(&self, position: &Position) -> Result<CountedLine, ProbeError> {
        self.without_search().counted_line(position)
    }

    /// As [`Tablebase::counted_line`], with the mates in time of a search.
    pub(crate) fn counted_line_by(
        &self,
        position: &Position,
        mates: &mut MateSearch<'_>,
    ) -> Result<CountedLine, ProbeError> {
        let mut now = position.with_count_running();
        let mut category = self.category_in_tables(&now)?;
        let mut moves = Vec::new();
        let mut drawn: Vec<Position> = Vec::new();
        loop {
            let here = now.with_clock(None).with_number(0);
            if let Some(end) = end(&now, category, drawn.contains(&here)) {
                return Ok(CountedLine { moves, end, last: now });
            }
            if category == Category::Draw {
                drawn.push(here);
            }
            let best = self.best_rating(&now, mates)?.filter(|best| best.category == category);
            let Some(best) = best.filter(|_| moves.len() < LONGEST_LINE.0 as usize) else {
                return Err(ProbeError::contradiction(&now));
            };
            moves.push(best.mv);
            (now, category) = (best.after, category.reversed());
        }
    }

    /// Best play to mate with no counting; empty for a draw. Of equally good moves the first
    /// one by UCI is played.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`], for all positions of the line and their successors, and if
    /// tables contradict each other.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut value = self.dtm(&position)?;
        while let Some(plies) = value.plies().filter(|&plies| plies > Plies(0)) {
            if line.len() >= LONGEST_LINE.0 as usize {
                break;
            }
            let expected = Value::from_plies(Plies(plies.0 - 1));
            let mut moves: Vec<Move> = position.legal_moves().to_vec();
            moves.sort_by_cached_key(|mv| mv.uci(position.variant()));
            let mut best = None;
            for mv in moves {
                let after = position.play(mv);
                let reached = self.dtm(&after)?;
                if reached.before_move().preference() > value.preference() {
                    return Err(ProbeError::contradiction(&position));
                }
                if best.is_none() && reached == expected {
                    best = Some((mv, after));
                }
            }
            let (mv, after) = best.ok_or_else(|| ProbeError::contradiction(&position))?;
            line.push(mv);
            (position, value) = (after, expected);
        }
        Ok(line)
    }
}

impl Searcher<'_> {
    /// [`Tablebase::counted_line`], as long as the mate in time that is found.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::counted_line`], for the positions that are looked up.
    pub fn counted_line(self, position: &Position) -> Result<CountedLine, ProbeError> {
        self.tables.counted_line_by(position, &mut MateSearch::anew(self, position))
    }
}

/// How a line ends at a position of this category, `None` if it goes on.
fn end(position: &Position, category: Category, repeated: bool) -> Option<LineEnd> {
    if let Some(outcome) = position.outcome() {
        return Some(LineEnd::Over(outcome));
    }
    if position.has_bare_kings() {
        return Some(LineEnd::BareKings);
    }
    // In a decided game a count that is over is the winner's own, and the winner stops it.
    let decided = matches!(category, Category::Win | Category::Loss);
    if !decided && position.clock().is_some_and(|clock| clock.is_over()) {
        return Some(LineEnd::Claim);
    }
    repeated.then_some(LineEnd::Repetition)
}
