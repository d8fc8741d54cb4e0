//! The class `Tablebase`.

use crate::answer::{PyAnswer, PyDistance, PyMove, counted_moves, uci};
use crate::batch;
use crate::error::PyFailure;
use pyo3::prelude::*;
use pyo3::types::PyList;
use sakmak_probe::{Access, Position, Tablebase, variants};
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The tables of some directories. Probes share the lock; adding a directory takes it
/// exclusively.
#[pyclass(name = "Tablebase", frozen, module = "sakmak")]
pub struct PyTablebase(RwLock<Tablebase>);

impl PyTablebase {
    fn read(&self) -> RwLockReadGuard<'_, Tablebase> {
        // A poisoned lock is safe: a directory is added completely or not at all.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Probes for one position with the interpreter released: a probe may wait for a disk.
    fn one<T: Send>(
        &self,
        py: Python<'_>,
        fen: &str,
        counting: &str,
        probe: impl FnOnce(&Tablebase, &Position) -> Result<T, PyFailure> + Send,
    ) -> PyResult<T> {
        let answer = py.detach(|| {
            let position = Position::from_fen_counted(variants::counting_rule(counting)?, fen)?;
            probe(&self.read(), &position)
        });
        Ok(answer?)
    }

    /// Probes for many positions with the interpreter released. The first error is raised, or
    /// with `return_errors` each stands in the list in place of its result.
    fn batch<'py, T: Send + IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        fens: &[String],
        (counting, threads, return_errors): (&str, usize, bool),
        probe: impl Fn(&Tablebase, &Position) -> Result<T, PyFailure> + Sync + Send,
    ) -> PyResult<Bound<'py, PyList>> {
        let results = py.detach(|| {
            let counting_rule = variants::counting_rule(counting)?;
            let tables = self.read();
            batch::probed(fens, threads, |fen| {
                probe(&tables, &Position::from_fen_counted(counting_rule, fen)?)
            })
        })?;
        let list = PyList::empty(py);
        for result in results {
            match result {
                Ok(result) => list.append(result)?,
                Err(error) if return_errors => list.append(PyErr::from(error).into_value(py))?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(list)
    }
}

#[pymethods]
impl PyTablebase {
    #[new]
    #[pyo3(signature = (directory=None, *, access=None))]
    fn new(directory: Option<PathBuf>, access: Option<&str>) -> PyResult<PyTablebase> {
        let access = access.map_or_else(Access::from_environment, str::parse);
        let mut tables = Tablebase::new().with_access(access.map_err(PyFailure::from)?);
        if let Some(directory) = directory {
            tables.add_directory(directory).map_err(PyFailure::from)?;
        }
        Ok(PyTablebase(RwLock::new(tables)))
    }

    fn add_directory(&self, py: Python<'_>, directory: PathBuf) -> PyResult<()> {
        let added = py.detach(|| {
            let mut tables = self.0.write().unwrap_or_else(PoisonError::into_inner);
            tables.add_directory(directory).map_err(PyFailure::from)
        });
        Ok(added?)
    }

    #[getter]
    fn access(&self) -> &'static str {
        self.read().access().name()
    }

    #[getter]
    fn directories(&self) -> Vec<PathBuf> {
        self.read().directories().to_vec()
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
        self.one(py, fen, counting, |tables, position| Ok(uci(&tables.line(position)?)))
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn counted_line(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Vec<String>> {
        self.one(py, fen, counting, |tables, position| {
            Ok(uci(&tables.counted_line(position)?.moves))
        })
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn probe_batch<'py>(
        &self,
        py: Python<'py>,
        fens: Vec<String>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.batch(py, &fens, (counting, threads, return_errors), probe)
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn category_batch<'py>(
        &self,
        py: Python<'py>,
        fens: Vec<String>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.batch(py, &fens, (counting, threads, return_errors), category)
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn wdl_batch<'py>(
        &self,
        py: Python<'py>,
        fens: Vec<String>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.batch(py, &fens, (counting, threads, return_errors), wdl)
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.read().directories())
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
