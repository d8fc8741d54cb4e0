//! Answers as Python has them: objects that are read and never change.

use pyo3::prelude::*;
use sakmak_probe::answer::rated_move::RatedMove;
use sakmak_probe::answer::{self, count};
use sakmak_tables::counting::Honour;
use sakmak_tables::distance::Value;
use sakmak_tables::position::moves;
use sakmak_tables::position::{Outcome, Position};

/// How far mate is with best play and no counting.
#[pyclass(frozen, get_all, eq, hash, module = "sakmak")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Distance {
    plies: u32,
    moves: u32,
}

impl Distance {
    /// That of a value; none for a draw.
    pub fn of(value: Value) -> Option<Distance> {
        Some(Distance { plies: value.plies()?.0, moves: value.moves()?.0 })
    }
}

#[pymethods]
impl Distance {
    fn __repr__(&self) -> String {
        format!("Distance(plies={}, moves={})", self.plies, self.moves)
    }
}

/// A number of moves by counted distance; none where no count leaves enough.
pub fn counted_moves(value: Value) -> Option<u32> {
    value.moves().map(|moves| moves.0)
}

/// A count, where it stands and what is left of it.
#[pyclass(frozen, get_all, eq, hash, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Count {
    rule: &'static str,
    running: bool,
    attacker: &'static str,
    limit: u32,
    called: u32,
    moves_left: u32,
    limit_plies: u32,
    plies: u32,
}

impl Count {
    fn of(count: &count::Count) -> Count {
        Count {
            rule: match count.honour {
                Honour::Pieces => "pieces-honour",
                Honour::Boards => "boards-honour",
            },
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

#[pymethods]
impl Count {
    fn __repr__(&self) -> String {
        let Count { rule, attacker, limit, called, moves_left, .. } = self;
        let running = if self.running { "True" } else { "False" };
        format!(
            "Count(rule='{rule}', running={running}, attacker='{attacker}', limit={limit}, \
             called={called}, moves_left={moves_left})"
        )
    }
}

/// A legal move and what it is worth to the side that makes it.
#[pyclass(frozen, get_all, eq, hash, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Move {
    uci: String,
    san: String,
    category: &'static str,
    dtm: Option<Distance>,
    counted_moves: Option<u32>,
    fen: String,
}

impl Move {
    /// A rated move as Python has it.
    pub fn of(rated: &RatedMove) -> Move {
        Move {
            uci: rated.uci.to_string(),
            san: rated.san.clone(),
            category: rated.category.name(),
            dtm: Distance::of(rated.value),
            counted_moves: counted_moves(rated.counted),
            fen: rated.after.fen(),
        }
    }
}

#[pymethods]
impl Move {
    fn __repr__(&self) -> String {
        format!("Move(uci='{}', san='{}', category='{}')", self.uci, self.san, self.category)
    }

    fn __str__(&self) -> &str {
        &self.uci
    }
}

/// All about one position, for the side to move.
#[pyclass(frozen, get_all, module = "sakmak")]
pub struct Answer {
    fen: String,
    counting: &'static str,
    outcome: Option<&'static str>,
    category: &'static str,
    dtm: Option<Distance>,
    counted_moves: Option<u32>,
    count: Option<Count>,
    moves: Vec<Move>,
    line: Vec<String>,
    counted_line: Vec<String>,
    counted_line_end: &'static str,
}

impl Answer {
    /// The answer about this position as Python has it.
    pub fn of(position: &Position, answer: &answer::Answer) -> Answer {
        Answer {
            fen: position.fen(),
            counting: position.counting_rule().name,
            outcome: answer.outcome.map(|outcome| match outcome {
                Outcome::Checkmate => "checkmate",
                Outcome::Stalemate => "stalemate",
            }),
            category: answer.category.name(),
            dtm: Distance::of(answer.value),
            counted_moves: counted_moves(answer.counted),
            count: answer.count.as_ref().map(Count::of),
            moves: answer.moves.iter().map(Move::of).collect(),
            line: uci(&answer.line),
            counted_line: uci(&answer.counted_line.moves),
            counted_line_end: answer.counted_line.end.name(),
        }
    }
}

#[pymethods]
impl Answer {
    fn __repr__(&self) -> String {
        format!("Answer(fen='{}', category='{}')", self.fen, self.category)
    }
}

/// Moves as engines write them.
pub fn uci(moves: &[moves::Move]) -> Vec<String> {
    moves.iter().map(moves::Move::to_string).collect()
}
