//! The answer about a position as other programs read it.

use sakmak_probe::answer::{Answer, Count, RatedMove};
use sakmak_tables::counting::Honour;
use sakmak_tables::distance::Value;
use sakmak_tables::position::Position;
use serde::Serialize;

/// All about a position, from the mover's view.
#[derive(Serialize)]
pub struct AnswerJson<'a> {
    fen: String,
    variant: &'static str,
    material: String,
    category: &'static str,
    dtm: Option<Distance>,
    count: Option<CountJson>,
    moves: Vec<MoveJson<'a>>,
    line: Vec<String>,
}

/// Distance to mate.
#[derive(Serialize)]
struct Distance {
    plies: u32,
    moves: u32,
}

/// The count that runs or may start.
#[derive(Serialize)]
struct CountJson {
    rule: &'static str,
    limit: u32,
    called: u32,
    moves_left: u32,
}

/// A legal move.
#[derive(Serialize)]
struct MoveJson<'a> {
    uci: String,
    san: &'a str,
    category: &'static str,
    dtm: Option<Distance>,
}

impl<'a> AnswerJson<'a> {
    /// The answer about this position.
    pub fn new(position: &Position, answer: &'a Answer) -> AnswerJson<'a> {
        AnswerJson {
            fen: position.fen(),
            variant: position.variant().name,
            material: position.material().material.to_string(),
            category: answer.category.name(),
            dtm: Distance::of(answer.value),
            count: answer.count.as_ref().map(CountJson::of),
            moves: answer.moves.iter().map(MoveJson::of).collect(),
            line: answer.line.iter().map(ToString::to_string).collect(),
        }
    }
}

impl Distance {
    fn of(value: Value) -> Option<Distance> {
        Some(Distance { plies: value.plies()?.0, moves: value.moves()?.0 })
    }
}

impl CountJson {
    fn of(count: &Count) -> CountJson {
        let rule = match count.honour {
            Honour::Pieces => "pieces-honour",
            Honour::Boards => "boards-honour",
        };
        let (limit, called, moves_left) = (count.limit.0, count.called.0, count.moves_left.0);
        CountJson { rule, limit, called, moves_left }
    }
}

impl MoveJson<'_> {
    fn of(rated: &RatedMove) -> MoveJson<'_> {
        MoveJson {
            uci: rated.uci.to_string(),
            san: &rated.san,
            category: rated.category.name(),
            dtm: Distance::of(rated.value),
        }
    }
}
