//! The answer about a position as other programs read it.

use sakmak_probe::answer::Answer;
use sakmak_probe::answer::count::Count;
use sakmak_probe::answer::line::CountedLine;
use sakmak_probe::answer::rated_move::RatedMove;
use sakmak_tables::counting::Honour;
use sakmak_tables::distance::Value;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use serde::Serialize;

/// All about a position, from the mover's view.
#[derive(Serialize)]
pub struct AnswerJson<'a> {
    fen: String,
    variant: &'static str,
    counting: &'static str,
    material: String,
    category: &'static str,
    dtm: Option<DistanceJson>,
    /// The attacker's moves of the count that are needed; nothing where no count leaves
    /// enough.
    counted_moves: Option<u32>,
    count: Option<CountJson>,
    moves: Vec<RatedMoveJson<'a>>,
    /// To mate, as if nobody counted.
    line: Vec<String>,
    counted_line: LineJson,
}

/// DistanceJson to mate.
#[derive(Serialize)]
struct DistanceJson {
    plies: u32,
    moves: u32,
}

/// The count that runs or is taken to start here.
#[derive(Serialize)]
struct CountJson {
    rule: &'static str,
    running: bool,
    attacker: &'static str,
    limit: u32,
    called: u32,
    moves_left: u32,
    /// As FEN has them.
    limit_plies: u32,
    plies: u32,
}

/// A legal move.
#[derive(Serialize)]
struct RatedMoveJson<'a> {
    uci: String,
    san: &'a str,
    category: &'static str,
    dtm: Option<DistanceJson>,
    counted_moves: Option<u32>,
}

/// Best play under the count.
#[derive(Serialize)]
struct LineJson {
    moves: Vec<String>,
    end: &'static str,
    /// The position at its end.
    fen: String,
}

impl<'a> AnswerJson<'a> {
    /// The answer about this position.
    pub fn new(position: &Position, answer: &'a Answer) -> AnswerJson<'a> {
        AnswerJson {
            fen: position.fen(),
            variant: position.variant().name,
            counting: position.counting_rule().name,
            material: position.material().material.to_string(),
            category: answer.category.name(),
            dtm: DistanceJson::of(answer.value),
            counted_moves: counted_moves(answer.counted),
            count: answer.count.as_ref().map(CountJson::of),
            moves: answer.moves.iter().map(RatedMoveJson::of).collect(),
            line: answer.line.iter().map(Move::to_string).collect(),
            counted_line: LineJson::of(&answer.counted_line),
        }
    }
}

impl DistanceJson {
    fn of(value: Value) -> Option<DistanceJson> {
        Some(DistanceJson { plies: value.plies()?.0, moves: value.moves()?.0 })
    }
}

fn counted_moves(value: Value) -> Option<u32> {
    value.moves().map(|moves| moves.0)
}

impl CountJson {
    fn of(count: &Count) -> CountJson {
        let rule = match count.honour {
            Honour::Pieces => "pieces-honour",
            Honour::Boards => "boards-honour",
        };
        CountJson {
            rule,
            running: count.running,
            attacker: count.attacker.name(),
            limit: count.limit.0,
            called: count.called.0,
            moves_left: count.moves_left.0,
            limit_plies: count.clock.limit().0,
            plies: count.clock.count().0,
        }
    }
}

impl RatedMoveJson<'_> {
    fn of(rated: &RatedMove) -> RatedMoveJson<'_> {
        RatedMoveJson {
            uci: rated.uci.to_string(),
            san: &rated.san,
            category: rated.category.name(),
            dtm: DistanceJson::of(rated.value),
            counted_moves: counted_moves(rated.counted),
        }
    }
}

impl LineJson {
    fn of(line: &CountedLine) -> LineJson {
        LineJson {
            moves: line.moves.iter().map(Move::to_string).collect(),
            end: line.end.name(),
            fen: line.last.fen(),
        }
    }
}
