//! The class `Position`, and positions as arguments.

use crate::answer::Reduced;
use crate::column::{ArgumentColumn, Cell, cells};
use crate::error::{BoardsError, PyFailure};
use crate::iterable::{check_signals, items};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyString, PyTuple};
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
#[derive(Clone, PartialEq, Eq)]
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
        let turn = turn.map_or(Ok(Side::White), Cell::of)?;
        let position = PyPosition::of(rule, turn, boards, (count_limit, count));
        Ok(position.map_err(PyFailure::from)?)
    }

    /// Many positions from columns of bitboards: arrays of NumPy, columns of pandas, array.array,
    /// lists or any other iterables of ints, all of one length, with a position in each row. A
    /// column of pieces may be left out if there are none. `turn`, `count_limit` and `count` are
    /// columns too, or one value for all. Otherwise as from_bitboards(). Fastest from contiguous
    /// arrays of integers, and of bools for `turn`.
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
    ) -> PyResult<PyPositions> {
        let rule = counting_rule(counting)?.unwrap_or(MAKRUK.counting());
        let white: Vec<u64> = cells(white)?;
        let rows = white.len();
        let column =
            |name, given: Option<&Bound<'_, PyAny>>| ArgumentColumn::of(name, given, rows, 0);
        let black = column("black", Some(black))?;
        let kinds = [
            column("kings", Some(kings))?,
            column("rooks", rooks)?,
            column("knights", knights)?,
            column("khons", khons)?,
            column("mets", mets)?,
            column("pawns", pawns)?,
        ];
        let turn = ArgumentColumn::of("turn", turn, rows, Side::White)?;
        let limit = ArgumentColumn::of("count_limit", count_limit, rows, 0)?;
        let count = ArgumentColumn::of("count", count, rows, 0)?;
        let mut positions = Vec::with_capacity(rows);
        for (row, &white) in white.iter().enumerate() {
            let boards = ([white, black.at(row)], kinds.each_ref().map(|kind| kind.at(row)));
            let made = PyPosition::of(rule, turn.at(row), boards, (limit.at(row), count.at(row)));
            let made = made.map_err(|error| PyFailure::Row { row, error })?;
            positions.push(PositionArgument::Position(made.0));
            check_signals(py, positions.len())?;
        }
        Ok(PyPositions(positions))
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
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
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

/// Many positions, read once for any number of batches: a sequence of Positions without a Python
/// object for each.
///
/// Positions(positions) takes an iterable of FENs, Positions and boards; Position.from_arrays()
/// takes columns of bitboards.
#[pyclass(name = "Positions", frozen, eq, module = "sakmak")]
#[derive(PartialEq, Eq)]
pub struct PyPositions(Vec<PositionArgument>);

impl PyPositions {
    /// The positions as arguments of a batch.
    pub fn items(&self) -> &[PositionArgument] {
        &self.0
    }
}

#[pymethods]
impl PyPositions {
    #[new]
    #[pyo3(signature = (positions, counting=None))]
    fn new(positions: &Bound<'_, PyAny>, counting: Option<&str>) -> PyResult<PyPositions> {
        let rule = counting_rule(counting)?;
        let read = |given: &Bound<'_, PyAny>| {
            Ok(PositionArgument::Position(PositionArgument::of(given)?.position(rule)?))
        };
        Ok(PyPositions(items(positions, read)?))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(self.0.len().try_into()?)?;
            let row =
                |number: usize| (range.start + number.cast_signed() * range.step).cast_unsigned();
            let rows = (0..range.slicelength).map(|number| self.0[row(number)].clone());
            return PyPositions(rows.collect()).into_bound_py_any(py);
        }
        let index: isize = index.extract()?;
        let from_end = if index < 0 { self.0.len() } else { 0 };
        let row = from_end.checked_add_signed(index).and_then(|row| self.0.get(row));
        let found = row.ok_or_else(|| PyIndexError::new_err("no position with this index"))?;
        PyPosition(found.position(None)?).into_bound_py_any(py)
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let builtins = slf.py().import("builtins")?;
        let rows = builtins.call_method1("range", (slf.len()?,))?;
        builtins.call_method1("map", (slf.getattr("__getitem__")?, rows))
    }

    /// Pickled as a list of positions.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let positions = slf.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        Ok((slf.get_type().into_any(), (positions,).into_pyobject(slf.py())?))
    }

    fn __repr__(&self) -> String {
        format!("Positions of {} rows", self.0.len())
    }
}
