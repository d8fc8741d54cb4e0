//! The root from the tables: the moves with their scores, best first.
//!
//! The order follows [`Searcher::moves`](sakmak_probe::Searcher::moves): by result, then by the
//! shortest mate in time if known, else by the moves needed of the count. A repetition is a draw
//! whatever the tables say, so a winner avoids moves that allow one, and a loser seeks them.

use crate::game::Game;
use crate::score::Score;
use sakmak_probe::{LookupBudget, ProbeError, RatedMove, Tablebase};
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use std::cmp::Reverse;

/// The maximum number of plies reported of a line that does not end with mate.
const LINE: usize = 16;

/// A move of the root, rated by the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableMove {
    /// The move.
    pub mv: Move,
    /// The result.
    pub category: Category,
    /// The score for the side that plays the move.
    pub score: Score,
    /// The position after the move.
    pub after: Position,
}

/// The moves of the position of a game, best first, with mates in time found within this budget.
/// `None` if no table has the position.
///
/// # Errors
///
/// If an existing table cannot be read, or the table of counted distance is missing although the
/// table of the distance exists.
pub fn table_moves(
    tables: &Tablebase,
    game: &Game,
    budget: LookupBudget,
) -> Result<Option<Vec<TableMove>>, ProbeError> {
    let rated = match tables.searching(budget).moves(&game.position) {
        // A part of the tables exists: the error names the missing part.
        Err(error) if error.missing_counts().is_some() => return Err(error),
        Err(
            ProbeError::Missing { .. } | ProbeError::TooManyMen { .. } | ProbeError::LeapRights,
        ) => return Ok(None),
        rated => rated?,
    };
    let mut moves: Vec<TableMove> = rated.iter().map(|rated| table_move(game, rated)).collect();
    // The sort is stable: moves of the same result stay in the order of the tables.
    moves.sort_by_key(|rated| Reverse(rated.category));
    Ok(Some(moves))
}

fn table_move(game: &Game, rated: &RatedMove) -> TableMove {
    let &RatedMove { mv, category, after, .. } = rated;
    let drawn = match category {
        Category::Win => game.is_drawn_by(&after) || game.may_be_drawn_after(&after),
        Category::Loss => game.is_drawn_by(&after),
        _ => false,
    };
    if drawn {
        let score = Score::DRAW;
        return TableMove { mv, category: Category::Draw, score, after };
    }
    let plies = rated.mate_in_time.and_then(Value::plies);
    let score = match category {
        Category::Win => plies.map_or(Score::table_win(Plies(0)), |plies| -Score::mated_in(plies)),
        Category::Loss => plies.map_or(-Score::table_win(Plies(0)), Score::mated_in),
        Category::CursedWin => Score::centipawns(1),
        Category::BlessedLoss => Score::centipawns(-1),
        Category::Draw => Score::DRAW,
    };
    TableMove { mv, category, score, after }
}

impl TableMove {
    /// The move and the best play that follows it: to mate if the score is a mate.
    pub fn line(&self, tables: &Tablebase, budget: LookupBudget) -> Vec<Move> {
        // A line that the tables lack is left out: the move does not need it.
        let after = tables.searching(budget).counted_line(&self.after);
        let after = after.map(|line| line.moves).unwrap_or_default();
        let most = if self.score.mate().is_some() { usize::MAX } else { LINE };
        std::iter::once(self.mv).chain(after).take(most).collect()
    }
}
