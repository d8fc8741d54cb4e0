//! The answer for a position, compatible with lila-tablebase, with additional fields.
//!
//! `category` and `dtm` of a move are those of the position after it, for the side to move there.
//! The additional fields have the meaning that they have in
//! [`AnswerJson`](sakmak_probe::json::answer_json).

use sakmak_probe::json::answer_json::{CountJson, LineJson};
use sakmak_probe::json::{DistanceJson, moves_of};
use sakmak_probe::question::Question;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Answer, LookupBudget, ProbeError, RatedMove};
use sakmak_tables::counting::Category;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::{Piece, PieceKind};
use serde::Serialize;

/// The answer for a position, seen by the side to move.
#[derive(Serialize)]
pub struct LookupJson {
    #[serde(flatten)]
    state: StateJson,
    moves: Vec<MoveJson>,
    fen: String,
    variant: &'static str,
    counting: &'static str,
    material: String,
    counted_moves: Option<u32>,
    mate_in_time: Option<DistanceJson>,
    count: Option<CountJson>,
    notes: Vec<String>,
    /// Best play to mate with no count.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    /// Best play under the count.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted_line: Option<LineJson>,
}

/// The fields of lila-tablebase for a position, for the side to move there.
#[derive(Serialize)]
struct StateJson {
    checkmate: bool,
    stalemate: bool,
    variant_win: bool,
    variant_loss: bool,
    insufficient_material: bool,
    /// Always `null`: this distance does not exist here.
    dtz: (),
    precise_dtz: (),
    dtm: Option<i64>,
    category: &'static str,
}

/// A legal move.
#[derive(Serialize)]
struct MoveJson {
    uci: String,
    san: String,
    /// A capture or a move of a pawn.
    zeroing: bool,
    /// A capture or a promotion.
    conversion: bool,
    #[serde(flatten)]
    state: StateJson,
    counted_moves: Option<u32>,
    mate_in_time: Option<DistanceJson>,
    /// The position after the move, with its count.
    fen: String,
}

impl LookupJson {
    /// Looks up a position, with lines of best play if wanted. Mates in time that are not in the
    /// tables are searched within the budget.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::probe`].
    pub fn look_up(
        tables: &Tablebase,
        question: &mut Question,
        lines: bool,
        budget: LookupBudget,
    ) -> Result<LookupJson, ProbeError> {
        let count = question.settle(tables)?;
        let position = question.position;
        let values = tables.values(&position)?;
        let searched = match lines {
            true => Some(tables.probe_within(&position, budget)?),
            false => None,
        };
        let (moves, mate_in_time, line, counted_line) = match searched {
            Some(answer) => {
                let Answer { moves, mate_in_time, line, counted_line, .. } = answer;
                (moves, mate_in_time, Some(line), Some(counted_line))
            }
            None => {
                let moves = tables.moves_within(&position, budget)?;
                (moves, tables.mate_in_time_within(&position, budget)?, None, None)
            }
        };
        Ok(LookupJson {
            state: StateJson::of(
                &position,
                position.category(values.mate, values.counted),
                values.mate,
            ),
            moves: moves.iter().map(|rated| MoveJson::of(&position, rated)).collect(),
            fen: position.fen(),
            variant: position.variant().name,
            counting: position.counting_rule().name,
            material: position.material().material.to_string(),
            counted_moves: moves_of(values.counted),
            mate_in_time: mate_in_time.and_then(DistanceJson::new),
            count: count.as_ref().map(CountJson::of),
            notes: std::mem::take(&mut question.notes),
            line: line.map(|line| line.iter().map(|mv| mv.uci(position.variant())).collect()),
            counted_line: counted_line.as_ref().map(LineJson::of),
        })
    }
}

impl LookupJson {
    /// Whether the tables lack the length of a mate in time, here or after a move.
    pub fn lacks_mates(&self) -> bool {
        let lacks = |state: &StateJson, mate: &Option<DistanceJson>| {
            mate.is_none() && matches!(state.category, "win" | "loss")
        };
        lacks(&self.state, &self.mate_in_time)
            || self.moves.iter().any(|mv| lacks(&mv.state, &mv.mate_in_time))
    }
}

impl StateJson {
    fn of(position: &Position, category: Category, value: Value) -> StateJson {
        let outcome = position.outcome();
        // Where a check ends the game, it need not be mate.
        let mates = !position.variant().rules.end.check_loses;
        let checkmate = mates && outcome == Some(Outcome::Checkmate);
        let lost = position.final_value() == Some(Value::Loss(Moves(0)));
        StateJson {
            checkmate,
            stalemate: outcome == Some(Outcome::Stalemate),
            variant_win: false,
            variant_loss: lost && !checkmate,
            insufficient_material: position.armies().iter().all(|army| army.is_empty()),
            dtz: (),
            precise_dtz: (),
            dtm: signed_plies(value),
            category: category.name(),
        }
    }
}

impl MoveJson {
    fn of(position: &Position, rated: &RatedMove) -> MoveJson {
        let mv = rated.uci;
        let pawn = position.pieces_of(Piece::new(position.side(), PieceKind::Pawn));
        let capture = position.occupied().contains(mv.to);
        MoveJson {
            uci: mv.uci(position.variant()),
            san: rated.san.clone(),
            zeroing: capture || pawn.contains(mv.from),
            conversion: capture || mv.promotion.is_some(),
            state: StateJson::of(&rated.after, rated.category.reversed(), after_move(rated.value)),
            counted_moves: moves_of(rated.counted),
            mate_in_time: rated.mate_in_time.and_then(DistanceJson::new),
            fen: rated.after.fen(),
        }
    }
}

/// The plies to mate, above 0 if the side to move mates, below if it is mated; `None` for a draw.
pub fn signed_plies(value: Value) -> Option<i64> {
    let plies = i64::from(value.plies()?.0);
    Some(if matches!(value, Value::Win(_)) { plies } else { -plies })
}

/// The value of the position after a move, for the side to move there. `value` is that of the
/// move for the side that plays it: the inverse of [`Value::before_move`].
fn after_move(value: Value) -> Value {
    match value {
        Value::Draw => Value::Draw,
        Value::Win(Moves(moves)) => Value::Loss(Moves(moves.saturating_sub(1))),
        Value::Loss(moves) => Value::Win(moves),
    }
}
