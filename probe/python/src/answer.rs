//! Results as Python classes, all of them read-only.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{IntoPyObjectExt, PyClass};
use sakmak_probe::boards::answer;
use sakmak_probe::{Answer, Count, Move, Moves, Position, RatedMove, Solution, Value};

/// The call by which Python unpickles or copies a value: a function and its arguments.
pub type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// The version whose classes have these fields, for messages about pickles of other versions.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Converts a value into its fields and back, in the order of the list.
macro_rules! pickled {
    ($class:ident { $($field:ident),+ }) => {
        impl $class {
            fn reduced<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
                let restored = py.import("sakmak._sakmak")?.getattr("_restored")?;
                let $class { $($field),+ } = Clone::clone(self);
                let fields = ($($field,)+);
                Ok((restored, (<$class as PyClass>::NAME, VERSION, fields).into_pyobject(py)?))
            }

            fn restored<'py>(fields: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
                let ($($field,)+) = fields.extract()?;
                $class { $($field),+ }.into_bound_py_any(fields.py())
            }
        }
    };
}

pickled!(PyDistance { plies, moves });
pickled!(PyCount { rule, running, attacker, limit, called, moves_left, limit_plies, plies });
pickled!(PySolution { kept, kept_uncounted, unique, shortest_unique, only_moves });
pickled!(PyMove { uci, san, category, dtm, counted, mate_in_time, fen });
pickled!(PyAnswer {
    fen,
    counting,
    outcome,
    category,
    dtm,
    counted,
    mate_in_time,
    count,
    moves,
    line,
    counted_line,
    counted_line_end
});
pickled!(PyVariantMove { r#move, category, result, plies });
pickled!(PyVariantAnswer { variant, fen, category, result, plies, moves, line });

/// Makes a pickled value. Raises ValueError if another version pickled other fields.
#[pyfunction]
pub fn _restored<'py>(
    class: &str,
    version: &str,
    fields: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let value = match class {
        "Distance" => PyDistance::restored(fields),
        "Count" => PyCount::restored(fields),
        "Move" => PyMove::restored(fields),
        "Answer" => PyAnswer::restored(fields),
        "Solution" => PySolution::restored(fields),
        "VariantMove" => PyVariantMove::restored(fields),
        "VariantAnswer" => PyVariantAnswer::restored(fields),
        _ => Err(PyValueError::new_err("no such class")),
    };
    let other = |_| {
        PyValueError::new_err(format!(
            "a {class} pickled by sakmak {version} cannot be read by sakmak {VERSION}: it has other \
             fields here"
        ))
    };
    value.map_err(other)
}

/// The distance to mate with best play and no counting.
#[pyclass(name = "Distance", frozen, get_all, eq, hash, from_py_object, module = "sakmak")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyDistance {
    /// Odd for a win, even for a loss; 0 if the side to move is mated.
    plies: u32,
    /// Moves of the side that mates.
    moves: u32,
}

impl PyDistance {
    /// The distance of a value, `None` for a draw.
    pub fn of(value: Value) -> Option<PyDistance> {
        Some(PyDistance { plies: value.plies()?.0, moves: value.moves()?.0 })
    }
}

#[pymethods]
impl PyDistance {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduced(py)
    }

    fn __repr__(&self) -> String {
        format!("Distance(plies={}, moves={})", self.plies, self.moves)
    }
}

/// The moves of a counted distance, `None` for a draw.
pub fn counted(value: Value) -> Option<u32> {
    value.moves().map(|moves| moves.0)
}

/// A count: its number, its limit and the moves left. In moves unless stated otherwise.
#[pyclass(name = "Count", frozen, get_all, eq, hash, from_py_object, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyCount {
    /// The kind of count: "pieces-honour", "boards-honour" or "fifty-moves".
    rule: String,
    /// Whether the count runs already. Otherwise it starts in this position.
    running: bool,
    /// The side that must mate in time: "white" or "black".
    attacker: String,
    /// The number at which the count ends.
    limit: u32,
    /// The last number called.
    called: u32,
    /// Moves left to the attacker for a mate in time.
    moves_left: u32,
    /// The limit in plies, as in a FEN.
    limit_plies: u32,
    /// The plies counted, as in a FEN.
    plies: u32,
}

impl PyCount {
    fn of(count: &Count) -> PyCount {
        PyCount {
            rule: count.honour.name().to_string(),
            running: count.running,
            attacker: count.attacker.name().to_string(),
            limit: count.limit.0,
            called: count.called.0,
            moves_left: count.moves_left.0,
            limit_plies: count.clock.limit().0,
            plies: count.clock.count().0,
        }
    }
}

#[pymethods]
impl PyCount {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduced(py)
    }

    fn __repr__(&self) -> String {
        let PyCount { rule, attacker, limit, called, moves_left, .. } = self;
        let running = if self.running { "True" } else { "False" };
        format!(
            "Count(rule='{rule}', running={running}, attacker='{attacker}', limit={limit}, \
             called={called}, moves_left={moves_left})"
        )
    }
}

/// A legal move and its value for the side that plays it. str() returns UCI.
///
/// Distances are measured from the position before the move; the move itself counts.
#[pyclass(name = "Move", frozen, get_all, eq, hash, from_py_object, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyMove {
    /// The move in UCI, for example "e1d2".
    uci: String,
    /// The move in SAN, for example "Md2".
    san: String,
    /// The category after the move, for the side that plays it.
    category: String,
    /// The distance to mate; None for a draw.
    dtm: Option<PyDistance>,
    /// See Tablebase.counted.
    counted: Option<u32>,
    /// See Tablebase.mate_in_time; the move itself counts.
    mate_in_time: Option<PyDistance>,
    /// The position after the move, with the count that runs there.
    fen: String,
}

impl PyMove {
    /// Converts a rated move.
    pub fn of(rated: &RatedMove) -> PyMove {
        PyMove {
            uci: rated.mv.uci(rated.after.variant()),
            san: rated.san.clone(),
            category: rated.category.name().to_string(),
            dtm: PyDistance::of(rated.dtm),
            counted: counted(rated.counted),
            mate_in_time: rated.mate_in_time.and_then(PyDistance::of),
            fen: rated.after.fen(),
        }
    }
}

#[pymethods]
impl PyMove {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduced(py)
    }

    fn __repr__(&self) -> String {
        format!("Move(uci='{}', san='{}', category='{}')", self.uci, self.san, self.category)
    }

    fn __str__(&self) -> &str {
        &self.uci
    }
}

/// Everything about one position, for the side to move.
#[pyclass(name = "Answer", frozen, get_all, eq, hash, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyAnswer {
    /// The FEN, with all six fields.
    fen: String,
    /// The counting rule.
    counting: String,
    /// How the game has ended: "checkmate", "stalemate" or "bare-king"; None if there is a legal
    /// move.
    outcome: Option<String>,
    /// The category under the count.
    category: String,
    /// The distance to mate; None for a draw.
    dtm: Option<PyDistance>,
    /// See Tablebase.counted.
    counted: Option<u32>,
    /// See Tablebase.mate_in_time.
    mate_in_time: Option<PyDistance>,
    /// The count that runs or starts here; None if no count applies.
    count: Option<PyCount>,
    /// The legal moves, best first.
    moves: Vec<PyMove>,
    /// Best play to mate with no counting, in UCI; empty for a draw.
    line: Vec<String>,
    /// Best play under the count, in UCI.
    counted_line: Vec<String>,
    /// How best play under the count ends: "checkmate", "stalemate", "bare-king", "bare-kings",
    /// "claim" or "repetition".
    counted_line_end: String,
}

impl PyAnswer {
    /// Converts an answer. The answer must have lines.
    pub fn of(answer: &Answer) -> PyAnswer {
        let (position, lines) = (&answer.position, answer.lines.as_ref());
        PyAnswer {
            fen: position.fen(),
            counting: position.counting_rule().name.to_string(),
            outcome: answer.outcome.map(|outcome| outcome.name().to_string()),
            category: answer.category.name().to_string(),
            dtm: PyDistance::of(answer.dtm),
            counted: counted(answer.counted),
            mate_in_time: answer.mate_in_time.and_then(PyDistance::of),
            count: answer.count.as_ref().map(PyCount::of),
            moves: answer.moves.iter().map(PyMove::of).collect(),
            line: lines.map_or_else(Vec::new, |lines| uci(&lines.uncounted, position)),
            counted_line: lines.map_or_else(Vec::new, |lines| uci(&lines.counted.moves, position)),
            counted_line_end: lines.map_or("", |lines| lines.counted.end.name()).to_string(),
        }
    }
}

#[pymethods]
impl PyAnswer {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduced(py)
    }

    fn __repr__(&self) -> String {
        format!("Answer(fen='{}', category='{}')", self.fen, self.category)
    }
}

/// The moves of a position that keep the result, and whether the solution of a win is unique.
#[pyclass(name = "Solution", frozen, get_all, eq, hash, from_py_object, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PySolution {
    /// The number of legal moves that keep the result under the count.
    kept: u32,
    /// The number of legal moves that keep the result if nobody counts.
    kept_uncounted: u32,
    /// Whether exactly one move wins in time at every turn of the winner, against all defences.
    /// None if the side to move does not win in time, and if the budget does not suffice.
    unique: Option<bool>,
    /// Whether exactly one move has the shortest mate in time at every turn of the winner, against
    /// all defences. None as for unique, and if a length is not known.
    shortest_unique: Option<bool>,
    /// The turns of the winner from here with exactly one move that wins in time, along best play.
    /// 0 if the side to move does not win in time.
    only_moves: u32,
}

impl PySolution {
    /// Converts a solution.
    pub fn of(solution: Solution) -> PySolution {
        let Solution { kept, kept_uncounted, unique, shortest_unique, only_moves } = solution;
        PySolution { kept, kept_uncounted, unique, shortest_unique, only_moves }
    }
}

#[pymethods]
impl PySolution {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduced(py)
    }

    fn __repr__(&self) -> String {
        let PySolution { kept, kept_uncounted, only_moves, .. } = self;
        format!("Solution(kept={kept}, kept_uncounted={kept_uncounted}, only_moves={only_moves})")
    }
}

/// Moves from a position in UCI.
pub fn uci(moves: &[Move], position: &Position) -> Vec<String> {
    moves.iter().map(|mv| mv.uci(position.variant())).collect()
}

/// A value in a board game in words, for example "win in 8".
fn result(value: Value) -> String {
    match value {
        Value::Draw => "draw".to_string(),
        Value::Win(moves) => format!("win in {}", moves.0),
        Value::Loss(Moves(0)) => "lost".to_string(),
        Value::Loss(moves) => format!("loss in {}", moves.0),
    }
}

/// A legal move of a board game, such as Janggi, and its value for the side that plays it.
/// str() returns the move.
#[pyclass(name = "VariantMove", frozen, get_all, eq, hash, from_py_object, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyVariantMove {
    /// The squares where the man comes from and where it goes, for example "e2e10"; equal ones are
    /// a pass. In "min-rek-chanh-called" a "!" after them is an order to rek, as in "a2a3!".
    r#move: String,
    /// The category: "win", "draw" or "loss".
    category: String,
    /// The result in words, for example "win in 8".
    result: String,
    /// Plies until the end of best play, this move included; None for a draw.
    plies: Option<u32>,
}

#[pymethods]
impl PyVariantMove {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduced(py)
    }

    fn __repr__(&self) -> String {
        format!("VariantMove(move='{}', result='{}')", self.r#move, self.result)
    }

    fn __str__(&self) -> &str {
        &self.r#move
    }
}

/// Everything about one position of a board game, such as Janggi, for the side to move: what
/// "sakmak probe --json" prints, and the category.
#[pyclass(name = "VariantAnswer", frozen, get_all, eq, hash, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyVariantAnswer {
    /// The name of the variant.
    variant: String,
    /// The FEN.
    fen: String,
    /// The category: "win", "draw" or "loss".
    category: String,
    /// The result in words, for example "win in 8"; moves are those of the winner.
    result: String,
    /// Plies until the end of best play; None for a draw.
    plies: Option<u32>,
    /// The legal moves, best first.
    moves: Vec<PyVariantMove>,
    /// Best play to the end; empty for a draw.
    line: Vec<String>,
}

impl PyVariantAnswer {
    /// Converts an answer.
    pub fn of(answer: answer::Answer) -> PyVariantAnswer {
        let moves = answer.moves.into_iter().map(|rated| PyVariantMove {
            r#move: rated.text,
            category: rated.value.wdl().name().to_string(),
            result: result(rated.value),
            plies: rated.value.plies().map(|plies| plies.0),
        });
        PyVariantAnswer {
            variant: answer.variant,
            fen: answer.fen,
            category: answer.value.wdl().name().to_string(),
            result: result(answer.value),
            plies: answer.value.plies().map(|plies| plies.0),
            moves: moves.collect(),
            line: answer.line.unwrap_or_default(),
        }
    }
}

#[pymethods]
impl PyVariantAnswer {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.reduced(py)
    }

    fn __repr__(&self) -> String {
        format!(
            "VariantAnswer(variant='{}', fen='{}', result='{}')",
            self.variant, self.fen, self.result
        )
    }
}
