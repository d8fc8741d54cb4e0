//! Answers for board games as JSON: the keys of [`AnswerJson`](crate::json::AnswerJson) that a game
//! without counts has.

use crate::boards::answer::{Answer, RatedMove};
use crate::json::name_schema;
use sakmak_tables::distance::{Moves, Value, Wdl};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::Object;

/// The answer for a position of a board game, for the side to move.
#[derive(Serialize, ToSchema)]
#[schema(as = board_answer)]
pub struct BoardAnswerJson<'a> {
    /// The position.
    fen: &'a str,
    /// Name of the variant.
    variant: &'a str,
    /// Material: the stronger side first.
    material: &'a str,
    #[serde(flatten)]
    state: BoardStateJson,
    /// Legal moves, best first.
    moves: Vec<BoardMoveJson<'a>>,
    /// Best play to the end, empty for a draw; absent with line=false.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line: Option<&'a [String]>,
}

/// A position and its value, for the side to move.
#[derive(Serialize, ToSchema)]
#[schema(as = board_state)]
struct BoardStateJson {
    /// The game is over and the side to move has lost.
    variant_loss: bool,
    #[schema(schema_with = category_schema)]
    category: &'static str,
    /// Plies to the end: positive if the side to move wins, negative if it loses, 0 if it has lost,
    /// null for a draw.
    #[schema(required)]
    dtm: Option<i64>,
}

/// A legal move of a board game. From `variant_loss` to `dtm` the fields are those of the position
/// after the move, for the side to move there.
#[derive(Serialize, ToSchema)]
#[schema(as = board_move)]
struct BoardMoveJson<'a> {
    /// The origin and the target of the man; equal squares are a pass. In `min-rek-chanh-called`,
    /// `!` marks an order to rek, as in `a2a3!`.
    uci: &'a str,
    #[serde(flatten)]
    state: BoardStateJson,
    /// The position after the move; null if the move ends the game.
    #[schema(required)]
    fen: Option<&'a str>,
}

impl<'a> BoardAnswerJson<'a> {
    /// The JSON of an answer.
    pub fn new(answer: &'a Answer) -> BoardAnswerJson<'a> {
        let Answer { variant, material, fen, value, moves, line } = answer;
        let of_move = |RatedMove { text, value, fen }: &'a RatedMove| BoardMoveJson {
            uci: text,
            state: BoardStateJson::new(value.after_move()),
            fen: fen.as_deref(),
        };
        let (state, moves) = (BoardStateJson::new(*value), moves.iter().map(of_move).collect());
        let line = line.as_deref();
        BoardAnswerJson { fen, variant, material, state, moves, line }
    }
}

impl BoardStateJson {
    fn new(value: Value) -> BoardStateJson {
        BoardStateJson {
            variant_loss: value == Value::Loss(Moves(0)),
            category: value.wdl().name(),
            dtm: value.signed_plies(),
        }
    }
}

/// The schema of a category without a count.
fn category_schema() -> Object {
    name_schema(Wdl::ALL.map(Wdl::name), "Category, for the side to move.")
}
