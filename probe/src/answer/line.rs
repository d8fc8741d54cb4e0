//! Lines of best play: to mate with no counting, and under the count to its end.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};
use std::fmt;

/// The longest line followed.
pub const LONGEST_LINE: Plies = Plies(10_000);

/// Best play of both sides under the count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedLine {
    /// The moves.
    pub moves: Vec<Move>,
    /// How it ends.
    pub end: LineEnd,
    /// The position at its end, the count running.
    pub last: Position,
}

/// How a line under the count ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum LineEnd {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move: a draw.
    Stalemate,
    /// Nobody has a piece left to mate with.
    BareKings,
    /// The count is over and the draw may be claimed.
    Claim,
    /// In a drawn game, a position came up that had been before.
    Repetition,
}

impl LineEnd {
    /// As programs read it: `checkmate`, `stalemate`, `bare-kings`, `claim`, `repetition`.
    pub const fn name(self) -> &'static str {
        match self {
            LineEnd::Checkmate => "checkmate",
            LineEnd::Stalemate => "stalemate",
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

impl Tablebase {
    /// Best play under the count: both sides make the first of [`Tablebase::moves`] until
    /// the game is over, the draw may be claimed, or, where neither side can force mate, a
    /// position comes up again. A count that is not running is taken to start here.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], and when tables contradict each other.
    pub fn counted_line(&self, position: &Position) -> Result<CountedLine, ProbeError> {
        let mut now = position.with_count_running();
        let mut category = self.category(&now)?;
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
            let best = self.best_rating(&now)?.filter(|best| best.category == category);
            let Some(best) = best.filter(|_| moves.len() < LONGEST_LINE.0 as usize) else {
                return Err(contradiction(&now));
            };
            moves.push(best.uci);
            (now, category) = (best.after, category.reversed());
        }
    }

    /// Best play by distance to mate, to the mate; empty for a draw. Of moves equally good
    /// the first by UCI is taken.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::value`], and when tables contradict each other.
    pub fn line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = *position;
        let mut value = self.value(&position)?;
        while let Some(plies) = value.plies().filter(|&plies| plies > Plies(0)) {
            if line.len() >= LONGEST_LINE.0 as usize {
                break;
            }
            let expected = Value::from_plies(Plies(plies.0 - 1));
            let mut moves: Vec<Move> = position.legal_moves().to_vec();
            moves.sort_by_cached_key(Move::to_string);
            let mut best = None;
            for mv in moves {
                let after = position.play(mv);
                let reached = self.value(&after)?;
                if reached.before_move().preference() > value.preference() {
                    return Err(contradiction(&position));
                }
                if best.is_none() && reached == expected {
                    best = Some((mv, after));
                }
            }
            let (mv, after) = best.ok_or_else(|| contradiction(&position))?;
            line.push(mv);
            (position, value) = (after, expected);
        }
        Ok(line)
    }
}

/// How play of this grade ends here, if it does.
fn end(position: &Position, category: Category, repeated: bool) -> Option<LineEnd> {
    match position.outcome() {
        Some(Outcome::Checkmate) => return Some(LineEnd::Checkmate),
        Some(Outcome::Stalemate) => return Some(LineEnd::Stalemate),
        None => {}
    }
    if position.armies().iter().all(|army| army.is_empty()) {
        return Some(LineEnd::BareKings);
    }
    // A count that is over in a game that is won is the winner's own, who stops it.
    let decided = matches!(category, Category::Win | Category::Loss);
    if !decided && position.clock().is_some_and(|clock| clock.is_over()) {
        return Some(LineEnd::Claim);
    }
    repeated.then_some(LineEnd::Repetition)
}

fn contradiction(position: &Position) -> ProbeError {
    ProbeError::Contradiction { material: position.material().material, fen: position.fen() }
}
