//! The class `Tablebase`.

use crate::answer::{PyAnswer, PyDistance, PyMove, counted_moves, uci};
use crate::batch;
use crate::error::PyFailure;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sakmak_probe::process::OwnerProcess;
use sakmak_probe::{Access, Position, Tablebase, variants};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// The tables of some directories.
///
/// The mutex is locked only while this thread holds the interpreter, and released before
/// Python runs. A fork needs the interpreter too, so a child never finds it locked.
#[pyclass(name = "Tablebase", frozen, module = "sakmak")]
pub struct PyTablebase(Mutex<Handle>);

/// The tables that a process has opened.
struct Handle {
    owner: OwnerProcess,
    access: Access,
    directories: Vec<PathBuf>,
    /// Probes share the lock; adding a directory takes it exclusively. `None` once it is closed.
    tables: Option<Arc<RwLock<Tablebase>>>,
}

impl Handle {
    /// Opens these directories in this process.
    fn open(access: Access, directories: Vec<PathBuf>) -> Result<Handle, PyFailure> {
        let mut tables = Tablebase::new().with_access(access);
        for directory in &directories {
            tables.add_directory(directory)?;
        }
        let tables = Some(Arc::new(RwLock::new(tables)));
        Ok(Handle { owner: OwnerProcess::current(), access, directories, tables })
    }
}

impl PyTablebase {
    fn handle(&self) -> MutexGuard<'_, Handle> {
        // A poisoned lock is safe: each change is a single assignment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables of this process. A child of a fork opens them again: threads of its parent
    /// may have held their locks, and do not exist in the child. Each such thread also has a
    /// reference, so that what it left half changed is never dropped.
    fn tables(&self) -> Result<Arc<RwLock<Tablebase>>, PyFailure> {
        let mut handle = self.handle();
        if handle.tables.is_some() && !handle.owner.is_current() {
            *handle = Handle::open(handle.access, handle.directories.clone())?;
        }
        handle.tables.clone().ok_or(PyFailure::Closed)
    }

    /// Probes for one position with the interpreter released: a probe may wait for a disk.
    fn one<T: Send>(
        &self,
        py: Python<'_>,
        fen: &str,
        counting: &str,
        probe: impl FnOnce(&Tablebase, &Position) -> Result<T, PyFailure> + Send,
    ) -> PyResult<T> {
        let tables = self.tables()?;
        let answer = py.detach(|| {
            let position = Position::from_fen_counted(variants::counting_rule(counting)?, fen)?;
            // A poisoned lock is safe: a directory is added completely or not at all.
            probe(&tables.read().unwrap_or_else(PoisonError::into_inner), &position)
        });
        Ok(answer?)
    }

    /// Probes for many positions with the interpreter released. The first error is raised, or
    /// with `return_errors` each stands in the list in place of its result.
    fn batch<'py, T: Send + IntoPyObject<'py>>(
        &self,
        fens: &Bound<'py, PyAny>,
        (counting, threads, return_errors): (&str, usize, bool),
        probe: impl Fn(&Tablebase, &Position) -> Result<T, PyFailure> + Sync + Send,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = fens.py();
        let counting_rule = variants::counting_rule(counting).map_err(PyFailure::from)?;
        let (fens, tables) = (batch::fens(fens)?, self.tables()?);
        let results = py.detach(|| {
            batch::probed(&tables, &fens, threads, |tables, fen| {
                probe(tables, &Position::from_fen_counted(counting_rule, fen)?)
            })
        })?;
        batch::list(py, results, |result| match result {
            Ok(result) => result.into_bound_py_any(py),
            Err(error) if return_errors => {
                Ok(PyErr::from(error).into_value(py).into_bound(py).into_any())
            }
            Err(error) => Err(error.into()),
        })
    }
}

#[pymethods]
impl PyTablebase {
    #[new]
    #[pyo3(signature = (directory=None, *, access=None))]
    fn new(directory: Option<PathBuf>, access: Option<&str>) -> PyResult<PyTablebase> {
        let access = access.map_or_else(Access::from_environment, str::parse);
        let access = access.map_err(PyFailure::from)?;
        Ok(PyTablebase(Mutex::new(Handle::open(access, directory.into_iter().collect())?)))
    }

    fn add_directory(&self, py: Python<'_>, directory: PathBuf) -> PyResult<()> {
        let tables = self.tables()?;
        let added = py.detach(|| {
            let mut tables = tables.write().unwrap_or_else(PoisonError::into_inner);
            tables.add_directory(directory)?;
            Ok::<_, PyFailure>(tables.directories().to_vec())
        });
        let (directories, mut handle) = (added?, self.handle());
        // Another thread may have stored a later list, which is longer.
        if handle.directories.len() < directories.len() {
            handle.directories = directories;
        }
        Ok(())
    }

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

    /// Pickled as its directories and its access: another process opens the tables itself.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((Option<PathBuf>,), Bound<'py, PyDict>)> {
        self.tables()?;
        let keywords = PyDict::new(py);
        keywords.set_item("access", self.access())?;
        Ok(((self.directories().into_iter().next(),), keywords))
    }

    /// The directories after the first.
    fn __getstate__(&self) -> Vec<PathBuf> {
        self.directories().into_iter().skip(1).collect()
    }

    fn __setstate__(&self, py: Python<'_>, directories: Vec<PathBuf>) -> PyResult<()> {
        directories.into_iter().try_for_each(|directory| self.add_directory(py, directory))
    }

    #[getter]
    fn access(&self) -> &'static str {
        self.handle().access.name()
    }

    #[getter]
    fn directories(&self) -> Vec<PathBuf> {
        self.handle().directories.clone()
    }

    #[getter]
    fn refused_files(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let tables = self.tables()?;
        let errors =
            py.detach(|| tables.read().unwrap_or_else(PoisonError::into_inner).refused_files());
        Ok(errors.iter().map(ToString::to_string).collect())
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn probe(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<PyAnswer> {
        self.one(py, fen, counting, probe)
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn category(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<&'static str> {
        self.one(py, fen, counting, category)
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn wdl(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<&'static str> {
        self.one(py, fen, counting, wdl)
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn distance(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Option<PyDistance>> {
        self.one(py, fen, counting, |tables, position| Ok(PyDistance::of(tables.value(position)?)))
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn counted_moves(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Option<u32>> {
        self.one(py, fen, counting, |tables, position| {
            Ok(counted_moves(tables.values(position)?.counted))
        })
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn mate_in_time(
        &self,
        py: Python<'_>,
        fen: &str,
        counting: &str,
    ) -> PyResult<Option<PyDistance>> {
        self.one(py, fen, counting, |tables, position| {
            Ok(tables.mate_in_time(position)?.and_then(PyDistance::of))
        })
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn moves(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Vec<PyMove>> {
        self.one(py, fen, counting, |tables, position| {
            Ok(tables.moves(position)?.iter().map(PyMove::of).collect())
        })
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn best_move(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Option<PyMove>> {
        self.one(py, fen, counting, |tables, position| {
            Ok(tables.best_move(position)?.as_ref().map(PyMove::of))
        })
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn line(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Vec<String>> {
        self.one(py, fen, counting, |tables, position| Ok(uci(&tables.line(position)?, position)))
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn counted_line(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Vec<String>> {
        self.one(py, fen, counting, |tables, position| {
            Ok(uci(&tables.counted_line(position)?.moves, position))
        })
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn probe_batch<'py>(
        &self,
        fens: &Bound<'py, PyAny>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.batch(fens, (counting, threads, return_errors), probe)
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn category_batch<'py>(
        &self,
        fens: &Bound<'py, PyAny>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.batch(fens, (counting, threads, return_errors), category)
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn wdl_batch<'py>(
        &self,
        fens: &Bound<'py, PyAny>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.batch(fens, (counting, threads, return_errors), wdl)
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.handle().directories)
    }
}

fn probe(tables: &Tablebase, position: &Position) -> Result<PyAnswer, PyFailure> {
    Ok(PyAnswer::of(position, &tables.probe(position)?))
}

fn category(tables: &Tablebase, position: &Position) -> Result<&'static str, PyFailure> {
    Ok(tables.category(position)?.name())
}

fn wdl(tables: &Tablebase, position: &Position) -> Result<&'static str, PyFailure> {
    Ok(tables.wdl(position)?.name())
}
