//! The class `Tablebase`.

use crate::answer::{
    PyAnswer, PyDistance, PyMove, PySolution, PyVariantAnswer, Reduced, counted, uci,
};
use crate::batch;
use crate::error::PyFailure;
use crate::open_tables::{Conversion, OpenTables, Rules};
use crate::position::{PositionArgument, counting_rule};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyString;
use sakmak_probe::boards::answer::AnswerError;
use sakmak_probe::process::OwnerProcess;
use sakmak_probe::variant::board_game;
use sakmak_probe::{
    Access, Category, LookupBudget, MAKRUK, Metric, Position, ProbeError, Searcher, Tablebase,
    Value,
};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The tables of some directories. Each file is opened when it is first needed.
///
/// Tablebase(directory) opens a directory, Tablebase() a tablebase without one. Raises OSError if
/// the directory cannot be read.
///
/// `access` is how files are read. "mapped": mapped into memory, fastest. A file that is truncated
/// while it is open, for example by cp, may end Python with a bus error: replace tables by renaming
/// (mv). A file that is overwritten raises ChangedFile; a WDL file may return wrong results before,
/// for a second and up to 31 further lookups of the thread. "read": read on demand, WDL files as a
/// whole when they are opened. A file that is truncated or overwritten raises ChangedFile; a WDL
/// file is not affected. With both, a packed file of up to 2 MiB is read as a whole and not
/// affected. None: the environment variable SAKMAK_ACCESS, else "mapped".
///
/// Methods take a position as a FEN, as a Position or as a board of python-chess. `counting` is the
/// counting rule, without which a board has that of its variant and a FEN that of Makruk; by
/// "makruk-none" nobody counts. category(), wdl(), dtm() and the methods named after them also
/// take the name of a board game, such as "janggi", with a FEN. Every method may be called from
/// any thread at any time.
///
/// A pickled tablebase is its directories, its access and its budget of lookups. The directories
/// are opened again when it is unpickled, for example in a process of multiprocessing. All results
/// can be pickled and copied too.
#[pyclass(name = "Tablebase", frozen, module = "sakmak")]
pub struct PyTablebase {
    // The mutex is locked only while this thread holds the interpreter, and released before Python
    // runs. A fork needs the interpreter too, so a child never finds it locked.
    /// Shared by tablebases with different budgets.
    handle: Arc<Mutex<Handle>>,
    /// Of each call.
    budget: LookupBudget,
}

/// The tables that a process has opened.
struct Handle {
    owner: OwnerProcess,
    access: Access,
    directories: Vec<PathBuf>,
    /// `None` once they are closed.
    tables: Option<Arc<OpenTables>>,
}

impl Handle {
    /// Opens these directories in this process.
    fn open(access: Access, directories: Vec<PathBuf>) -> Result<Handle, PyFailure> {
        let tables = Some(Arc::new(OpenTables::new(access, &directories)?));
        Ok(Handle { owner: OwnerProcess::current(), access, directories, tables })
    }
}

impl PyTablebase {
    /// Opens these directories in this process.
    fn open(
        access: Access,
        directories: Vec<PathBuf>,
        budget: LookupBudget,
    ) -> Result<PyTablebase, PyFailure> {
        let handle = Arc::new(Mutex::new(Handle::open(access, directories)?));
        Ok(PyTablebase { handle, budget })
    }

    fn handle(&self) -> MutexGuard<'_, Handle> {
        // A poisoned lock is safe: each change is a single assignment.
        self.handle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables of this process. A child of a fork opens the tables again, because a
    /// thread of the parent may have held their locks and does not exist in the child. Such a
    /// thread also held a reference, so its half-changed tables are never dropped.
    fn tables(&self) -> Result<Arc<OpenTables>, PyFailure> {
        let mut handle = self.handle();
        if handle.tables.is_some() && !handle.owner.is_current() {
            *handle = Handle::open(handle.access, handle.directories.clone())?;
        }
        handle.tables.clone().ok_or(PyFailure::Closed)
    }

    /// Probes for one position with the interpreter released: a probe may wait for a disk.
    fn one<T: Send>(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
        probe: impl FnOnce(Searcher<'_>, &Position) -> Result<T, PyFailure> + Send,
    ) -> PyResult<T> {
        let asked = PositionArgument::of(position)?;
        Ok(self.asked(position.py(), &asked, (counting, None), probe)?)
    }

    /// [`PyTablebase::one`], also in board games, whose values `known` converts.
    fn one_of_any<T: Send>(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
        probe: impl FnOnce(Searcher<'_>, &Position) -> Result<T, PyFailure> + Send,
        known: Conversion<T>,
    ) -> PyResult<T> {
        let asked = PositionArgument::of(position)?;
        Ok(self.asked(position.py(), &asked, (counting, Some(known)), probe)?)
    }

    /// [`PyTablebase::one_of_any`], but the default if no table can have the answer: the table is
    /// missing, the position has more men than any table, or a first-move leap is still allowed.
    fn one_or_default<'py, T: Send + IntoPyObject<'py>>(
        &self,
        position: &Bound<'py, PyAny>,
        (counting, default): (Option<&str>, Option<Bound<'py, PyAny>>),
        probe: impl FnOnce(Searcher<'_>, &Position) -> Result<T, PyFailure> + Send,
        known: Conversion<T>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, asked) = (position.py(), PositionArgument::of(position)?);
        match self.asked(py, &asked, (counting, Some(known)), probe) {
            Ok(answer) => Ok(Some(answer.into_bound_py_any(py)?)),
            Err(
                PyFailure::Probe(
                    ProbeError::Missing { .. }
                    | ProbeError::TooManyMen { .. }
                    | ProbeError::LeapRights,
                )
                | PyFailure::Answer(AnswerError::Probe(_)),
            ) => Ok(default),
            Err(error) => Err(error.into()),
        }
    }

    fn asked<T: Send>(
        &self,
        py: Python<'_>,
        asked: &PositionArgument,
        (counting, known): (Option<&str>, Option<Conversion<T>>),
        probe: impl FnOnce(Searcher<'_>, &Position) -> Result<T, PyFailure> + Send,
    ) -> Result<T, PyFailure> {
        let tables = self.tables()?;
        py.detach(|| {
            let (rules, open) = (Rules::named(counting, known)?, tables.read());
            rules.answer(open.searching(self.budget), asked, probe)
        })
    }

    /// Calls `probe` for shares of many positions with the interpreter released.
    fn shares<A: Send>(
        &self,
        positions: &Bound<'_, PyAny>,
        (threads, share): (usize, usize),
        probe: impl Fn(&Tablebase, &[PositionArgument]) -> A + Sync + Send,
    ) -> PyResult<Vec<A>> {
        let (asked, tables) = (batch::positions(positions)?, self.tables()?);
        positions.py().detach(|| batch::probed(&tables, &asked, (threads, share), probe))
    }

    /// Categories of many positions: a list of names, or an array of numbers.
    fn categories<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        (counting, is_fresh): (Option<&str>, bool),
        threads: usize,
        (return_errors, numbers): (bool, bool),
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = positions.py();
        let rules = Rules::named(counting, Some(|value| Category::of(value, true)))?;
        let threads = (threads, batch::SHARE);
        if !numbers {
            let found = self.shares(positions, threads, |tables, asked| {
                rules.categories(tables, asked, is_fresh)
            })?;
            let names = Category::ALL.map(|category| PyString::new(py, category.name()).into_any());
            return batch::list(py, found, return_errors, |category: Category| {
                Ok(names[category.index()].clone())
            });
        }
        let number = |found: Result<_, PyFailure>| match found {
            Err(_) if return_errors => Ok(batch::NO_ANSWER),
            found => found.map(batch::number),
        };
        let found = self.shares(positions, threads, |tables, asked| {
            let found = rules.categories(tables, asked, is_fresh);
            found.into_iter().map(number).collect::<Result<Vec<i8>, PyFailure>>()
        })?;
        batch::number_array(py, found.into_iter().collect::<Result<_, _>>()?)
    }
}

#[pymethods]
impl PyTablebase {
    #[new]
    #[pyo3(signature = (directory=None, *, access=None))]
    fn new(directory: Option<PathBuf>, access: Option<&str>) -> PyResult<PyTablebase> {
        let access = access.map_or_else(Access::from_environment, str::parse);
        let access = access.map_err(PyFailure::from)?;
        Ok(PyTablebase::open(access, directory.into_iter().collect(), LookupBudget::NONE)?)
    }

    /// The same tables with a budget of lookups. With the result, mate_in_time(), best_move(),
    /// moves(), counted_line(), probe() and probe_batch() also search for mates in time whose
    /// lengths are not in the tables: of the position, after its moves, along the line. `lookups`
    /// is the maximum number of positions that a call looks up for that, each in some microseconds,
    /// and in a batch for each position; a new Tablebase has 0. THOROUGH is for one answer that a
    /// person waits for, at most about a second. What is found is kept: asked again with the same
    /// budget or a smaller one, it is not searched again. Both share files and directories, and
    /// closing one closes both.
    fn searching(&self, lookups: u32) -> PyTablebase {
        PyTablebase { handle: Arc::clone(&self.handle), budget: LookupBudget(lookups) }
    }

    /// Adds a directory. Directories are searched in the order in which they were added. Files that
    /// were missing are searched for again. Waits for running probes. Raises OSError if the
    /// directory cannot be read.
    fn add_directory(&self, py: Python<'_>, directory: PathBuf) -> PyResult<()> {
        let tables = self.tables()?;
        let added = py.detach(|| tables.add_directory(&directory));
        let (directories, mut handle) = (added?, self.handle());
        // Another thread may have stored a later list, which is longer.
        if handle.directories.len() < directories.len() {
            handle.directories = directories;
        }
        Ok(())
    }

    /// Closes all files once running probes have ended. Later calls raise ValueError. The end of a
    /// with block closes the tablebase too.
    fn close(&self) {
        self.handle().tables = None;
    }

    fn __enter__(slf: Py<Self>, py: Python<'_>) -> PyResult<Py<Self>> {
        slf.borrow(py).tables()?;
        Ok(slf)
    }

    fn __exit__(
        &self,
        _exception_type: &Bound<'_, PyAny>,
        _exception: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        self.close();
    }

    /// Pickled as its directories, its access and its budget: another process opens the tables
    /// itself.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        self.tables()?;
        let opened = py.import("sakmak._sakmak")?.getattr("_opened")?;
        let arguments = (self.directories(), self.access(), self.budget.0);
        Ok((opened, arguments.into_pyobject(py)?))
    }

    /// How files are read: "mapped" or "read".
    #[getter]
    fn access(&self) -> &'static str {
        self.handle().access.name()
    }

    /// The directories, in the order in which they are searched.
    #[getter]
    fn directories(&self) -> Vec<PathBuf> {
        self.handle().directories.clone()
    }

    /// The files that were refused when they were opened, if another file replaces them or
    /// prepare() or largest() refused them: path and reason.
    #[getter]
    fn refused_files(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let tables = self.tables()?;
        let errors = py.detach(|| tables.read().refused_files());
        Ok(errors.iter().map(ToString::to_string).collect())
    }

    /// Everything about a position. Follows two lines of play to their ends, so category() alone is
    /// far faster.
    #[pyo3(signature = (position, counting=None))]
    fn probe(&self, position: &Bound<'_, PyAny>, counting: Option<&str>) -> PyResult<PyAnswer> {
        self.one(position, counting, probe)
    }

    /// Everything about a position of a board game: Janggi, Rek or Min Rek Chanh. `variant` is
    /// its name, such as "janggi", or that of Fairy-Stockfish, such as "janggicasual"; any other
    /// value raises ValueError that names all. Follows a line of play to its end, so category()
    /// with the same name is far faster.
    fn probe_variant(&self, py: Python<'_>, fen: &str, variant: &str) -> PyResult<PyVariantAnswer> {
        let tables = self.tables()?;
        let answer = py
            .detach(|| Ok(tables.read().board_game(board_game(variant)?)?.answer_of(fen, true)?));
        Ok(PyVariantAnswer::of(answer.map_err(|error: PyFailure| PyErr::from(error))?))
    }

    /// The category under the count. Reads only the WDL file unless a count has run for a while and
    /// a fresh count would decide the game.
    #[pyo3(signature = (position, counting=None))]
    fn category(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
    ) -> PyResult<&'static str> {
        self.one_of_any(position, counting, category, category_name)
    }

    /// The category at a fresh count; a count in the position is ignored. Fastest from a WDL file.
    #[pyo3(signature = (position, counting=None))]
    fn wdl(&self, position: &Bound<'_, PyAny>, counting: Option<&str>) -> PyResult<&'static str> {
        self.one_of_any(position, counting, wdl, category_name)
    }

    /// Another name of category(), beside wdl().
    #[pyo3(signature = (position, counting=None))]
    fn wdl_counted(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
    ) -> PyResult<&'static str> {
        let probe = |tables: Searcher<'_>, position: &_| Ok(wdl_counted(tables, position)?.name());
        self.one_of_any(position, counting, probe, category_name)
    }

    /// The category under the count as a number: 2 for a win, 1 for a win that comes too late, 0
    /// for a draw, -1 for a loss that comes too late, -2 for a loss. As wdl_counted(), and unlike
    /// python-chess, it considers the count that runs in the position.
    #[pyo3(signature = (position, counting=None))]
    fn probe_wdl(&self, position: &Bound<'_, PyAny>, counting: Option<&str>) -> PyResult<i8> {
        let probe =
            |tables: Searcher<'_>, position: &_| Ok(batch::number(wdl_counted(tables, position)?));
        self.one_of_any(position, counting, probe, |value| batch::number(Category::of(value, true)))
    }

    /// As probe_wdl(), but `default` if no table can have the position: the table is missing, the
    /// position has more men than any table, or a first-move leap is still allowed in it. Other
    /// errors are raised.
    #[pyo3(signature = (position, default=None, counting=None))]
    fn get_wdl<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
        counting: Option<&str>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let probe =
            |tables: Searcher<'_>, position: &_| Ok(batch::number(wdl_counted(tables, position)?));
        let known = |value| batch::number(Category::of(value, true));
        self.one_or_default(position, (counting, default), probe, known)
    }

    /// The distance to mate with no counting, in plies: positive if the side to move mates,
    /// negative if it is mated, 0 for a draw and if it is mated already.
    #[pyo3(signature = (position, counting=None))]
    fn probe_dtm(&self, position: &Bound<'_, PyAny>, counting: Option<&str>) -> PyResult<i64> {
        self.one_of_any(position, counting, dtm_plies, signed_plies)
    }

    /// As probe_dtm(), but `default` if no table can have the position, as in get_wdl().
    #[pyo3(signature = (position, default=None, counting=None))]
    fn get_dtm<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
        counting: Option<&str>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.one_or_default(position, (counting, default), dtm_plies, signed_plies)
    }

    /// The distance to mate with no counting; None for a draw.
    #[pyo3(signature = (position, counting=None))]
    fn dtm(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
    ) -> PyResult<Option<PyDistance>> {
        let probe = |tables: Searcher<'_>, position: &_| Ok(PyDistance::of(tables.dtm(position)?));
        self.one_of_any(position, counting, probe, PyDistance::of)
    }

    /// The number of moves that the attacker needs to force mate, or a change of phase into a
    /// position that is won there. None if no count leaves enough moves.
    #[pyo3(signature = (position, counting=None))]
    fn counted(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
    ) -> PyResult<Option<u32>> {
        self.one(position, counting, |tables, position| {
            let value = tables.values(position)?.counted;
            Ok(counted(Metric::counted_in(position).in_moves(value)))
        })
    }

    /// The shortest mate in time. None if no mate is in time, or if its length is not known: its
    /// tables are missing, or the running count is so short that another must replace it on the
    /// way. Then searching() finds it.
    #[pyo3(signature = (position, counting=None))]
    fn mate_in_time(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
    ) -> PyResult<Option<PyDistance>> {
        self.one(position, counting, |tables, position| {
            Ok(tables.mate_in_time(position)?.and_then(PyDistance::of))
        })
    }

    /// The legal moves, best first: by category; wins and losses in time by the mate in time where
    /// its length is known, otherwise by the moves needed of the count.
    #[pyo3(signature = (position, counting=None))]
    fn moves(&self, position: &Bound<'_, PyAny>, counting: Option<&str>) -> PyResult<Vec<PyMove>> {
        self.one(position, counting, |tables, position| {
            Ok(tables.moves(position)?.iter().map(PyMove::of).collect())
        })
    }

    /// The first of moves(): playing it every time keeps the category of the position, also without
    /// a search. None if the game is over.
    #[pyo3(signature = (position, counting=None))]
    fn best_move(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
    ) -> PyResult<Option<PyMove>> {
        self.one(position, counting, |tables, position| {
            Ok(tables.best_move(position)?.as_ref().map(PyMove::of))
        })
    }

    /// Best play to mate with no counting, in UCI; empty for a draw.
    #[pyo3(signature = (position, counting=None))]
    fn line(&self, position: &Bound<'_, PyAny>, counting: Option<&str>) -> PyResult<Vec<String>> {
        self.one(position, counting, |tables, position| Ok(uci(&tables.line(position)?, position)))
    }

    /// Best play under the count, in UCI, to mate or to the draw.
    #[pyo3(signature = (position, counting=None))]
    fn counted_line(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
    ) -> PyResult<Vec<String>> {
        self.one(position, counting, |tables, position| {
            Ok(uci(&tables.counted_line(position)?.moves, position))
        })
    }

    /// The number of right moves, and whether the solution of a win is unique up to the mate. Needs
    /// a budget of lookups for more than the moves of the position itself: see searching().
    #[pyo3(signature = (position, counting=None))]
    fn solution(
        &self,
        position: &Bound<'_, PyAny>,
        counting: Option<&str>,
    ) -> PyResult<PySolution> {
        self.one(position, counting, |tables, position| {
            Ok(PySolution::of(tables.solution(position)?))
        })
    }

    /// Opens the files of all tables of at most `men` men, kings included, that may answer under
    /// this counting rule, and reads and checks all bytes of WDL files. Otherwise a file is opened,
    /// and a row of a WDL file checked, when it is first needed. Returns the number of tables.
    #[pyo3(signature = (men, counting=None))]
    fn prepare(&self, py: Python<'_>, men: usize, counting: Option<&str>) -> PyResult<usize> {
        let counting_rule = counting_rule(counting)?.unwrap_or(MAKRUK.counting());
        let tables = self.tables()?;
        let opened = py.detach(|| tables.read().prepare(counting_rule, men));
        Ok(opened.map_err(PyFailure::from)?)
    }

    /// The maximum number of men, kings included, of any table in the directories that answers
    /// under this counting rule; 0 without a table. Not every table of that many men need be
    /// available. Refused files do not count.
    #[pyo3(signature = (counting=None))]
    fn largest(&self, py: Python<'_>, counting: Option<&str>) -> PyResult<usize> {
        let counting_rule = counting_rule(counting)?.unwrap_or(MAKRUK.counting());
        let tables = self.tables()?;
        let largest = py.detach(|| tables.read().largest(counting_rule));
        Ok(largest.map_err(PyFailure::from)?)
    }

    /// probe() for many positions: an iterable of FENs and Positions. Results are in the order of
    /// the positions. `threads` is the number of threads; 0 is the number of cores. The first error
    /// is raised, or with return_errors each error is in the list instead of its result. Ctrl-C
    /// interrupts it, as any signal whose handler raises. More than 2**24 positions are a
    /// ValueError.
    #[pyo3(signature = (positions, counting=None, *, threads=0, return_errors=false))]
    fn probe_batch<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        counting: Option<&str>,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let share = match self.budget {
            LookupBudget::NONE => batch::SHARE,
            _ => batch::SHARE_OF_SEARCHES,
        };
        let rule = counting_rule(counting)?;
        let answer = |tables: &Tablebase, asked: &PositionArgument| {
            probe(tables.searching(self.budget), &asked.position(rule)?)
        };
        let answers = self.shares(positions, (threads, share), |tables, asked| {
            asked.iter().map(|asked| answer(tables, asked)).collect()
        })?;
        let py = positions.py();
        batch::list(py, answers, return_errors, |answer| answer.into_bound_py_any(py))
    }

    /// category() for many positions, as probe_batch(). Reads only the WDL files where they decide,
    /// as category() does. With `numbers`, an array of int8 with the numbers of probe_wdl() and, if
    /// return_errors is set, -128 for each error: an array of NumPy, or array.array without NumPy.
    #[pyo3(signature = (positions, counting=None, *, threads=0, return_errors=false, numbers=false))]
    fn category_batch<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        counting: Option<&str>,
        threads: usize,
        return_errors: bool,
        numbers: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.categories(positions, (counting, false), threads, (return_errors, numbers))
    }

    /// wdl() for many positions, as category_batch().
    #[pyo3(signature = (positions, counting=None, *, threads=0, return_errors=false, numbers=false))]
    fn wdl_batch<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        counting: Option<&str>,
        threads: usize,
        return_errors: bool,
        numbers: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.categories(positions, (counting, true), threads, (return_errors, numbers))
    }

    /// Another name of category_batch(), beside wdl_batch().
    #[pyo3(signature = (positions, counting=None, *, threads=0, return_errors=false, numbers=false))]
    fn wdl_counted_batch<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        counting: Option<&str>,
        threads: usize,
        return_errors: bool,
        numbers: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.categories(positions, (counting, false), threads, (return_errors, numbers))
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.handle().directories)
    }
}

fn probe(tables: Searcher<'_>, position: &Position) -> Result<PyAnswer, PyFailure> {
    Ok(PyAnswer::of(&tables.probe(position, true)?))
}

fn category(tables: Searcher<'_>, position: &Position) -> Result<&'static str, PyFailure> {
    Ok(tables.category(position)?.name())
}

fn wdl(tables: Searcher<'_>, position: &Position) -> Result<&'static str, PyFailure> {
    Ok(tables.wdl(position)?.name())
}

/// The category in a board game.
fn category_name(value: Value) -> &'static str {
    value.wdl().name()
}

/// The plies of a value: positive for a win, negative for a loss, else 0.
fn signed_plies(value: Value) -> i64 {
    value.signed_plies().unwrap_or(0)
}

fn dtm_plies(tables: Searcher<'_>, position: &Position) -> Result<i64, PyFailure> {
    Ok(signed_plies(tables.dtm(position)?))
}

fn wdl_counted(tables: Searcher<'_>, position: &Position) -> Result<Category, PyFailure> {
    Ok(tables.wdl_counted(position)?)
}

/// Opens a pickled tablebase.
#[pyfunction]
pub fn _opened(directories: Vec<PathBuf>, access: &str, lookups: u32) -> PyResult<PyTablebase> {
    let access = access.parse().map_err(PyFailure::from)?;
    Ok(PyTablebase::open(access, directories, LookupBudget(lookups))?)
}

/// Opens a directory of tables: another name of Tablebase(directory), as in python-chess.
#[pyfunction]
#[pyo3(signature = (directory, *, access=None))]
pub fn open_tablebase(directory: PathBuf, access: Option<&str>) -> PyResult<PyTablebase> {
    PyTablebase::new(Some(directory), access)
}
