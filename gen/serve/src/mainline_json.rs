//! Lines of best play, compatible with lila-tablebase, with an additional line under the count.

use crate::lookup_json::signed_plies;
use sakmak_probe::question::Question;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{CountedLine, LookupBudget, ProbeError};
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::san;
use sakmak_tables::rules::piece::Side;
use serde::Serialize;

/// Best play from a position.
#[derive(Serialize)]
pub struct MainlineJson {
    /// To mate, with no count; empty for a draw.
    mainline: Vec<MainlineMoveJson>,
    /// The winner under the count, `w` or `b`; `null` for a draw.
    winner: Option<char>,
    /// Always `null`: this distance does not exist here.
    dtz: (),
    precise_dtz: (),
    dtm: Option<i64>,
    counted_mainline: CountedMainlineJson,
}

/// A move of a line, and the distance to mate of the position after it, for the side to move there.
#[derive(Serialize)]
struct MainlineMoveJson {
    uci: String,
    san: String,
    dtz: (),
    precise_dtz: (),
    dtm: Option<i64>,
}

/// Best play under the count.
#[derive(Serialize)]
struct CountedMainlineJson {
    moves: Vec<CountedMoveJson>,
    end: &'static str,
    /// The position at its end.
    fen: String,
}

/// A move under the count.
#[derive(Serialize)]
struct CountedMoveJson {
    uci: String,
    san: String,
}

impl MainlineJson {
    /// Follows best play from a position, with mates in time that are found within the budget.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::probe`].
    pub fn look_up(
        tables: &Tablebase,
        question: &mut Question,
        budget: LookupBudget,
    ) -> Result<MainlineJson, ProbeError> {
        question.settle(tables)?;
        let position = question.position;
        let values = tables.values(&position)?;
        let line = tables.line(&position)?;
        let counted_line = tables.counted_line_within(&position, budget)?;
        let winner = match position.category(values.mate, values.counted) {
            Category::Win => Some(position.side()),
            Category::Loss => Some(!position.side()),
            Category::CursedWin | Category::Draw | Category::BlessedLoss => None,
        };
        let left = (0..line.len()).rev().map(|plies| Value::from_plies(Plies(plies as u32)));
        let mainline = with_san(&position, &line).zip(left);
        Ok(MainlineJson {
            mainline: mainline
                .map(|((uci, san), after)| MainlineMoveJson {
                    uci,
                    san,
                    dtz: (),
                    precise_dtz: (),
                    dtm: signed_plies(after),
                })
                .collect(),
            winner: winner.map(|side| if side == Side::White { 'w' } else { 'b' }),
            dtz: (),
            precise_dtz: (),
            dtm: signed_plies(values.mate),
            counted_mainline: CountedMainlineJson::of(&position, &counted_line),
        })
    }
}

impl CountedMainlineJson {
    fn of(position: &Position, line: &CountedLine) -> CountedMainlineJson {
        let moves = with_san(position, &line.moves);
        CountedMainlineJson {
            moves: moves.map(|(uci, san)| CountedMoveJson { uci, san }).collect(),
            end: line.end.name(),
            fen: line.last.fen(),
        }
    }
}

/// The moves of a line in UCI and SAN.
fn with_san(position: &Position, line: &[Move]) -> impl Iterator<Item = (String, String)> {
    line.iter().scan(*position, |position, &mv| {
        let written = (mv.uci(position.variant()), san(position, mv));
        *position = position.play(mv);
        Some(written)
    })
}
