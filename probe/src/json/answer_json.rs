//! The answer for a position as JSON.

use crate::Answer;
use crate::Count;
use crate::CountedLine;
use crate::RatedMove;
use crate::json::{DistanceJson, moves_of};
use sakmak_tables::position::Position;
use serde::Serialize;

/// The answer of `sakmak probe --json` for a position, seen by the side to move.
#[derive(Serialize)]
pub struct AnswerJson<'a> {
    fen: String,
    variant: &'static str,
    counting: &'static str,
    material: String,
    category: &'static str,
    dtm: Option<DistanceJson>,
    /// The attacker's moves needed of the count; `null` if no count leaves enough.
    counted_moves: Option<u32>,
    /// The shortest mate in time; `null` if no mate is in time or the number is not known.
    mate_in_time: Option<DistanceJson>,
    count: Option<CountJson>,
    /// Counts that are dropped or may not be meant.
    notes: &'a [String],
    moves: Vec<RatedMoveJson<'a>>,
    /// To mate, with no count.
    line: Vec<String>,
    counted_line: LineJson,
}

/// The count that runs, or that starts in the position.
#[derive(Serialize)]
pub struct CountJson {
    rule: &'static str,
    running: bool,
    attacker: &'static str,
    /// The side that counts.
    runner: &'static str,
    /// Whether the runner may claim the draw.
    over: bool,
    limit: u32,
    called: u32,
    has_called: bool,
    moves_left: u32,
    /// As in FEN.
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
    mate_in_time: Option<DistanceJson>,
}

/// Best play under the count.
#[derive(Serialize)]
pub struct LineJson {
    moves: Vec<String>,
    end: &'static str,
    /// The position at its end.
    fen: String,
}

impl<'a> AnswerJson<'a> {
    /// The answer for a position, with notes on its count.
    pub fn new(position: &Position, answer: &'a Answer, notes: &'a [String]) -> AnswerJson<'a> {
        AnswerJson {
            fen: position.fen(),
            variant: position.variant().name,
            counting: position.counting_rule().name,
            material: position.material().material.to_string(),
            category: answer.category.name(),
            dtm: DistanceJson::new(answer.value),
            counted_moves: moves_of(answer.counted),
            mate_in_time: answer.mate_in_time.and_then(DistanceJson::new),
            count: answer.count.as_ref().map(CountJson::of),
            notes,
            moves: answer.moves.iter().map(RatedMoveJson::of).collect(),
            line: answer.line.iter().map(|mv| mv.uci(position.variant())).collect(),
            counted_line: LineJson::of(&answer.counted_line),
        }
    }
}

impl CountJson {
    /// A count as JSON.
    pub fn of(count: &Count) -> CountJson {
        CountJson {
            rule: count.honour.name(),
            running: count.running,
            attacker: count.attacker.name(),
            runner: count.runner().name(),
            over: count.clock.is_over(),
            limit: count.limit.0,
            called: count.called.0,
            has_called: count.has_called,
            moves_left: count.moves_left.0,
            limit_plies: count.clock.limit().0,
            plies: count.clock.count().0,
        }
    }
}

impl RatedMoveJson<'_> {
    fn of(rated: &RatedMove) -> RatedMoveJson<'_> {
        RatedMoveJson {
            uci: rated.uci.uci(rated.after.variant()),
            san: &rated.san,
            category: rated.category.name(),
            dtm: DistanceJson::new(rated.value),
            counted_moves: moves_of(rated.counted),
            mate_in_time: rated.mate_in_time.and_then(DistanceJson::new),
        }
    }
}

impl LineJson {
    /// A line as JSON.
    pub fn of(line: &CountedLine) -> LineJson {
        LineJson {
            moves: line.moves.iter().map(|mv| mv.uci(line.last.variant())).collect(),
            end: line.end.name(),
            fen: line.last.fen(),
        }
    }
}
