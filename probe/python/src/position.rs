//! The class `Position`, and positions as arguments.

use crate::error::{BoardsError, PyFailure};
use crate::iterable::{check_signals, items};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use sakmak_boards::list::{GameName, other_rules};
use sakmak_probe::variant::VariantError;
use sakmak_probe::{CountingRule, MAKRUK, PieceKind, Plies, Position, Side, variants};

/// A position, read from a FEN or made of bitboards. Methods accept it instead of a FEN; its
/// counting rule is part of it.
///
/// A bitboard is an int with a bit for each square: bit 0 is a1, bit 7 h1, bit 63 h8. A position
/// that is read from a FEN is legal. A position made of bitboards may be illegal: then a probe
/// raises IllegalPosition.
#[pyclass(name = "Position", frozen, eq, hash, module = "sakmak")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PyPosition(Position);

/// A position as an argument.
pub enum PositionArgument {
    /// A FEN, which is parsed when it is probed, and the counting rule of the board it is from.
    Fen(String, Option<&'static CountingRule>),
    /// A position, with its counting rule.
    Position(Position),
}

impl PositionArgument {
    /// Converts a FEN, a position, or a board of python-chess: an object with a method `fen`. The
    /// board's `uci_variant` is the default of the counting rule.
    ///
    /// # Errors
    ///
    /// If it is none of these, or its variant has no tables.
    pub fn of(given: &Bound<'_, PyAny>) -> PyResult<PositionArgument> {
        if let Ok(position) = given.cast::<PyPosition>() {
            return Ok(PositionArgument::Position(position.get().0));
        }
        if let Ok(fen) = given.cast::<PyString>() {
            return Ok(PositionArgument::Fen(fen.extract()?, None));
        }
        let fen = given.getattr_opt("fen")?.filter(|fen| fen.is_callable()).ok_or_else(|| {
            let kind = given.get_type();
            PyTypeError::new_err(format!(
                "expected a FEN, a sakmak.Position or a board with a method fen(), found {kind}"
            ))
        })?;
        let variant = given.getattr_opt("uci_variant")?;
        let variant: Option<String> = variant.map(|variant| variant.extract()).transpose()?;
        Ok(PositionArgument::Fen(fen.call0()?.extract()?, counting_rule(variant.as_deref())?))
    }

    /// The position, counted by this rule; without a rule, a FEN is counted by the rule of its
    /// board or of Makruk.
    ///
    /// # Errors
    ///
    /// If the text is not the FEN of a legal position, or the position has another counting rule.
    pub fn position(
        &self,
        counting_rule: Option<&'static CountingRule>,
    ) -> Result<Position, PyFailure> {
        match (self, counting_rule) {
            (PositionArgument::Fen(fen, own), rule) => {
                let rule = rule.or(*own).unwrap_or(MAKRUK.counting());
                Ok(Position::from_fen_counted(rule, fen)?)
            }
            (PositionArgument::Position(position), Some(rule))
                if position.counting_rule() != rule =>
            {
                Err(PyFailure::OtherCounting {
                    own: position.counting_rule().name,
                    asked: rule.name,
                })
            }
            (PositionArgument::Position(position), _) => Ok(*position),
        }
    }

    /// The FEN of a position of a board game.
    ///
    /// # Errors
    ///
    /// If it is a position, which has a counting rule.
    pub fn fen(&self, game: GameName) -> Result<&str, PyFailure> {
        match self {
            PositionArgument::Fen(fen, _) => Ok(fen),
            PositionArgument::Position(position) => Err(PyFailure::OtherCounting {
                own: position.counting_rule().name,
                asked: game.name(),
            }),
        }
    }
}

/// The counting rule of this name.
///
/// # Errors
///
/// If the name is unknown.
pub fn counting_rule(name: Option<&str>) -> Result<Option<&'static CountingRule>, PyFailure> {
    if let Some(game) = name.and_then(GameName::named) {
        return Err(PyFailure::Uncounted(game));
    }
    if let Some(other) = name.and_then(other_rules) {
        return Err(VariantError::from(other).into());
    }
    Ok(name.map(variants::any_counting_rule).transpose()?)
}

impl PyPosition {
    fn of(
        counting_rule: &'static CountingRule,
        turn: Side,
        (sides, kinds): ([u64; 2], [u64; PieceKind::ALL.len()]),
        (limit, count): (u32, u32),
    ) -> Result<PyPosition, BoardsError> {
        let position = Position::from_bitboards(counting_rule, turn, sides, kinds)?;
        Ok(PyPosition(position.with_count(Plies(limit), Plies(count))?))
    }

    fn kind(&self, kind: PieceKind) -> u64 {
        self.0.bitboards().1[kind.index()]
    }
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (fen, counting=None))]
    fn new(fen: &str, counting: Option<&str>) -> PyResult<PyPosition> {
        let position =
            PositionArgument::Fen(fen.to_string(), None).position(counting_rule(counting)?)?;
        Ok(PyPosition(position))
    }

    /// A position from bitboards: the pieces of each side, and the pieces of each kind. Every piece
    /// is in one of each. `turn` is "white" or "black", or as in python-chess True or False.
    /// `count_limit` and `count` are the fields of a FEN, in plies; without them no count runs.
    /// Raises ValueError if the bitboards contradict each other or these pieces cannot have the
    /// count.
    #[staticmethod]
    #[pyo3(signature = (white, black, kings, rooks=0, knights=0, khons=0, mets=0, pawns=0, *,
        turn=None, counting=None, count_limit=0, count=0))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn from_bitboards(
        white: u64,
        black: u64,
        kings: u64,
        rooks: u64,
        knights: u64,
        khons: u64,
        mets: u64,
        pawns: u64,
        turn: Option<&Bound<'_, PyAny>>,
        counting: Option<&str>,
        count_limit: u32,
        count: u32,
    ) -> PyResult<PyPosition> {
        let boards = ([white, black], [kings, rooks, knights, khons, mets, pawns]);
        let rule = counting_rule(counting)?.unwrap_or(MAKRUK.counting());
        let turn = turn.map_or(Ok(Side::White), side)?;
        let position = PyPosition::of(rule, turn, boards, (count_limit, count));
        Ok(position.map_err(PyFailure::from)?)
    }

    /// Many positions from columns of bitboards: arrays of NumPy, columns of pandas, array.array,
    /// lists or any other iterables of ints, all of one length, with a position in each row. A
    /// column of pieces may be left out if there are none. `turn`, `count_limit` and `count` are
    /// columns too, or one value for all. Otherwise as from_bitboards(). The list can be given to
    /// any batch.
    #[staticmethod]
    #[pyo3(signature = (white, black, kings, rooks=None, knights=None, khons=None, mets=None,
        pawns=None, *, turn=None, counting=None, count_limit=None, count=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn from_arrays(
        py: Python<'_>,
        white: &Bound<'_, PyAny>,
        black: &Bound<'_, PyAny>,
        kings: &Bound<'_, PyAny>,
        rooks: Option<&Bound<'_, PyAny>>,
        knights: Option<&Bound<'_, PyAny>>,
        khons: Option<&Bound<'_, PyAny>>,
        mets: Option<&Bound<'_, PyAny>>,
        pawns: Option<&Bound<'_, PyAny>>,
        turn: Option<&Bound<'_, PyAny>>,
        counting: Option<&str>,
        count_limit: Option<&Bound<'_, PyAny>>,
        count: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<PyPosition>> {
        let rule = counting_rule(counting)?.unwrap_or(MAKRUK.counting());
        let board = |given: &Bound<'_, PyAny>| given.extract::<u64>();
        let plies = |given: &Bound<'_, PyAny>| given.extract::<u32>();
        let white = items(white, board)?;
        let rows = white.len();
        let column = |name, given: Option<&Bound<'_, PyAny>>| {
            ArgumentColumn::of(name, given, rows, 0, board)
        };
        let number = |name, given: Option<&Bound<'_, PyAny>>| {
            ArgumentColumn::of(name, given, rows, 0, plies)
        };
        let black = column("black", Some(black))?;
        let kinds = [
            column("kings", Some(kings))?,
            column("rooks", rooks)?,
            column("knights", knights)?,
            column("khons", khons)?,
            column("mets", mets)?,
            column("pawns", pawns)?,
        ];
        let turn = ArgumentColumn::of("turn", turn, rows, Side::White, side)?;
        let (limit, count) = (number("count_limit", count_limit)?, number("count", count)?);
        let mut positions = Vec::with_capacity(rows);
        for (row, &white) in white.iter().enumerate() {
            let boards = ([white, black.at(row)], kinds.each_ref().map(|kind| kind.at(row)));
            let made = PyPosition::of(rule, turn.at(row), boards, (limit.at(row), count.at(row)));
            positions.push(made.map_err(|error| PyFailure::Row { row, error })?);
            check_signals(py, positions.len())?;
        }
        Ok(positions)
    }

    /// The FEN, with all six fields.
    #[getter]
    fn fen(&self) -> String {
        self.0.fen()
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> &'static str {
        self.0.side().name()
    }

    /// The counting rule.
    #[getter]
    fn counting(&self) -> &'static str {
        self.0.counting_rule().name
    }

    /// The limit of the count in plies, as in a FEN; 0 if no count runs.
    #[getter]
    fn count_limit(&self) -> u32 {
        self.0.clock().map_or(0, |clock| clock.limit().0)
    }

    /// The plies counted, as in a FEN; 0 if no count runs.
    #[getter]
    fn count(&self) -> u32 {
        self.0.clock().map_or(0, |clock| clock.count().0)
    }

    /// White's pieces.
    #[getter]
    fn white(&self) -> u64 {
        self.0.of(Side::White).0
    }

    /// Black's pieces.
    #[getter]
    fn black(&self) -> u64 {
        self.0.of(Side::Black).0
    }

    /// The kings of both sides.
    #[getter]
    fn kings(&self) -> u64 {
        self.kind(PieceKind::King)
    }

    /// The rooks of both sides.
    #[getter]
    fn rooks(&self) -> u64 {
        self.kind(PieceKind::Rook)
    }

    /// The knights of both sides.
    #[getter]
    fn knights(&self) -> u64 {
        self.kind(PieceKind::Knight)
    }

    /// The khons of both sides, in chess the bishops.
    #[getter]
    fn khons(&self) -> u64 {
        self.kind(PieceKind::Khon)
    }

    /// The mets of both sides, in chess the queens, promoted pawns included.
    #[getter]
    fn mets(&self) -> u64 {
        self.kind(PieceKind::Met)
    }

    /// The pawns of both sides.
    #[getter]
    fn pawns(&self) -> u64 {
        self.kind(PieceKind::Pawn)
    }

    /// Pickled as its FEN, or as its bitboards if its FEN does not read back, for example if the
    /// position is illegal.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (class, fen) = (py.get_type::<PyPosition>(), self.fen());
        if Position::from_fen_counted(self.0.counting_rule(), &fen).is_ok_and(|read| read == self.0)
        {
            return Ok((class.into_any(), (fen, self.counting()).into_pyobject(py)?));
        }
        let keywords = PyDict::new(py);
        keywords.set_item("turn", self.turn())?;
        keywords.set_item("counting", self.counting())?;
        keywords.set_item("count_limit", self.count_limit())?;
        keywords.set_item("count", self.count())?;
        let ([white, black], [kings, rooks, knights, khons, mets, pawns]) = self.0.bitboards();
        let made = class.getattr("from_bitboards")?;
        let made = (made, white, black, kings, rooks, knights, khons, mets, pawns);
        let partial = py.import("functools")?.getattr("partial")?;
        Ok((partial.call(made, Some(&keywords))?, PyTuple::empty(py)))
    }

    fn __repr__(&self) -> String {
        format!("Position('{}', counting='{}')", self.fen(), self.counting())
    }

    fn __str__(&self) -> String {
        self.fen()
    }
}

/// A column of values, or one value for all rows.
enum ArgumentColumn<T> {
    Same(T),
    Rows(Vec<T>),
}

impl<T: Copy> ArgumentColumn<T> {
    /// A column of this many rows: an iterable, a single value, or the default without a value.
    fn of(
        name: &'static str,
        given: Option<&Bound<'_, PyAny>>,
        rows: usize,
        default: T,
        value: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> PyResult<ArgumentColumn<T>> {
        let Some(given) = given else { return Ok(ArgumentColumn::Same(default)) };
        // A text is one value, although it can be iterated over.
        if given.is_instance_of::<PyString>() || given.try_iter().is_err() {
            return Ok(ArgumentColumn::Same(value(given)?));
        }
        let values = items(given, value)?;
        if values.len() != rows {
            let message =
                format!("`{name}` has {} rows; expected {rows}, as `white`", values.len());
            return Err(PyValueError::new_err(message));
        }
        Ok(ArgumentColumn::Rows(values))
    }

    fn at(&self, row: usize) -> T {
        match self {
            ArgumentColumn::Same(value) => *value,
            ArgumentColumn::Rows(values) => values[row],
        }
    }
}

/// The side of an argument: "white", "black", "w", "b", or True for White as in python-chess.
fn side(given: &Bound<'_, PyAny>) -> PyResult<Side> {
    if let Ok(white) = given.extract::<bool>() {
        return Ok(if white { Side::White } else { Side::Black });
    }
    let name: Option<String> = given.extract().ok();
    let named = match name.as_deref() {
        Some("white" | "w") => Some(Side::White),
        Some("black" | "b") => Some(Side::Black),
        _ => None,
    };
    named.ok_or_else(|| {
        PyValueError::new_err(
            "expected \"white\" or \"black\", or True for White and False for Black, as `turn`",
        )
    })
}
