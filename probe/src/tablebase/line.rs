//! Lines of best play: to mate with no counting, and under the count to the end of the game.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::tablebase::mate_in_time::MateSearch;
use crate::tablebase::moves::Rating;
use crate::tablebase::searcher::Searcher;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};
use std::fmt;

/// Maximum length of a line, far above any line of sound tables.
pub const LONGEST_LINE: Plies = Plies(10_000);

/// Best play of both sides under the count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedLine {
    /// The moves.
    pub moves: Vec<Move>,
    /// The end of the line.
    pub end: LineEnd,
    /// The last position, with the count that runs there.
    pub last: Position,
}

/// The end of a line of best play under the count.
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

    /// The name in JSON and Python: the name of the outcome, `bare-kings`, `claim` or `repetition`.
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
    /// at the first repetition. If no count runs, one starts in this position.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::values`], for all positions of the line and their successors.
    pub fn counted_line(&self, position: &Position) -> Result<CountedLine, ProbeError> {
        self.without_search().counted_line(position)
    }

    /// Best play from a position of this category in which the count runs, with the mates in time
    /// of a search. `best` is its best move if it is rated.
    pub(crate) fn counted_line_from(
        &self,
        mut now: Position,
        mut category: Category,
        mut best: Option<Rating>,
        mates: &mut MateSearch<'_>,
    ) -> Result<CountedLine, ProbeError> {
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
            let rated = best.take();
            let best = if rated.is_some() { rated } else { self.best_rating(&now, mates)? };
            let best = best.filter(|best| best.category == category);
            let Some(played) = best.filter(|_| moves.len() < LONGEST_LINE.0 as usize) else {
                return Err(ProbeError::contradiction(&now));
            };
            moves.push(played.mv);
            (now, category) = (played.after, category.reversed());
        }
    }

    /// Best play to mate with no counting; empty for a draw. Among equally good moves, the first by
    /// UCI is played.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::dtm`] for all positions of the line and their successors, and
    /// contradictions between tables.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        self.line_from(*position, self.dtm(position)?, None)
    }

    /// Best play from a position with this distance to mate. `rated` are its moves if they are
    /// rated.
    pub(crate) fn line_from(
        &self,
        mut position: Position,
        mut value: Value,
        rated: Option<&[Rating]>,
    ) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let with_dtm = |rating: &Rating| (rating.mv, rating.after, rating.values.dtm);
        let mut rated = rated.map(|rated| rated.iter().map(with_dtm).collect());
        while let Some(plies) = value.plies().filter(|&plies| plies > Plies(0)) {
            if line.len() >= LONGEST_LINE.0 as usize {
                break;
            }
            let expected = Value::from_plies(Plies(plies.0 - 1));
            let moves: Vec<_> = match rated.take() {
                Some(moves) => moves,
                None => self.moves_with_dtm(&position)?,
            };
            let exceeds = |&(.., reached): &(Move, Position, Value)| {
                reached.before_move().preference() > value.preference()
            };
            let is_wrong = moves.iter().any(exceeds);
            let best = moves.into_iter().filter(|&(.., reached)| reached == expected && !is_wrong);
            let best = best.min_by_key(|(mv, ..)| mv.uci(position.variant()));
            let (mv, after, _) = best.ok_or_else(|| ProbeError::contradiction(&position))?;
            line.push(mv);
            (position, value) = (after, expected);
        }
        Ok(line)
    }

    /// The legal moves, the positions after them, and the distances to mate there.
    fn moves_with_dtm(
        &self,
        position: &Position,
    ) -> Result<Vec<(Move, Position, Value)>, ProbeError> {
        let with_dtm = |&mv: &Move| {
            let after = position.play(mv);
            Ok((mv, after, self.dtm(&after)?))
        };
        position.legal_moves().iter().map(with_dtm).collect()
    }
}

impl Searcher<'_> {
    /// [`Tablebase::counted_line`], as long as the mate in time that is found.
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::counted_line`], for the positions that are looked up.
    pub fn counted_line(self, position: &Position) -> Result<CountedLine, ProbeError> {
        let (now, mut mates) = (position.with_count_running(), MateSearch::anew(self, position));
        self.counted_line_from(now, self.category_in_tables(&now)?, None, &mut mates)
    }
}

/// The end of a line at a position of this category. `None` if the line continues.
fn end(position: &Position, category: Category, repeated: bool) -> Option<LineEnd> {
    if let Some(outcome) = position.outcome() {
        return Some(LineEnd::Over(outcome));
    }
    if position.has_bare_kings() {
        return Some(LineEnd::BareKings);
    }
    // In a decided game, a count that is over belongs to the winner, who stops it.
    let decided = matches!(category, Category::Win | Category::Loss);
    if !decided && position.clock().is_some_and(|clock| clock.is_over()) {
        return Some(LineEnd::Claim);
    }
    repeated.then_some(LineEnd::Repetition)
}
