//! The class `Tablebase`.

use crate::answer::{Answer, Distance, Move, counted_moves, uci};
use crate::batch;
use crate::failure::Failure;
use pyo3::prelude::*;
use pyo3::types::PyList;
use sakmak_probe::tablebase;
use sakmak_tables::position::Position;
use sakmak_tables::variants;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// Tables in directories. Look-ups share the lock; adding a directory has it alone.
#[pyclass(frozen, module = "sakmak")]
pub struct Tablebase(RwLock<tablebase::Tablebase>);

impl Tablebase {
    fn read(&self) -> RwLockReadGuard<'_, tablebase::Tablebase> {
        // A directory is added whole or not at all.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks about a position, other Python threads running meanwhile: a look-up may wait for
    /// a disk.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        fen: &str,
        counting: &str,
        question: impl FnOnce(&tablebase::Tablebase, &Position) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let answer = py.detach(|| {
            let position = Position::from_fen_counted(variants::counting_rule(counting)?, fen)?;
            question(&self.read(), &position)
        });
        Ok(answer?)
    }

    /// Asks about many positions, other Python threads running meanwhile. Where there is no
    /// answer the exception is raised, or stands in its place.
    fn ask_many<'py, T: Send + IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        fens: &[String],
        (counting, threads, return_errors): (&str, usize, bool),
        question: impl Fn(&tablebase::Tablebase, &Position) -> Result<T, Failure> + Sync + Send,
    ) -> PyResult<Bound<'py, PyList>> {
        let answers = py.detach(|| {
            let counting_rule = variants::counting_rule(counting)?;
            let tables = self.read();
            batch::answered(fens, threads, |fen| {
                question(&tables, &Position::from_fen_counted(counting_rule, fen)?)
            })
        })?;
        let list = PyList::empty(py);
        for answer in answers {
            match answer {
                Ok(answer) => list.append(answer)?,
                Err(failure) if return_errors => {
                    list.append(PyErr::from(failure).into_value(py))?
                }
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(list)
    }
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (directory=None))]
    fn new(directory: Option<PathBuf>) -> PyResult<Tablebase> {
        let mut tables = tablebase::Tablebase::new();
        if let Some(directory) = directory {
            tables.add_directory(directory).map_err(Failure::from)?;
        }
        Ok(Tablebase(RwLock::new(tables)))
    }

    fn add_directory(&self, py: Python<'_>, directory: PathBuf) -> PyResult<()> {
        let added = py.detach(|| {
            let mut tables = self.0.write().unwrap_or_else(PoisonError::into_inner);
            tables.add_directory(directory).map_err(Failure::from)
        });
        Ok(added?)
    }

    #[getter]
    fn directories(&self) -> Vec<PathBuf> {
        self.read().directories().to_vec()
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn probe(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Answer> {
        self.ask(py, fen, counting, probe)
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn category(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<&'static str> {
        self.ask(py, fen, counting, category)
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn verdict(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<&'static str> {
        self.ask(py, fen, counting, verdict)
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn distance(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Option<Distance>> {
        self.ask(py, fen, counting, |tables, position| Ok(Distance::of(tables.value(position)?)))
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn counted_moves(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Option<u32>> {
        self.ask(py, fen, counting, |tables, position| {
            Ok(counted_moves(tables.values(position)?.counted))
        })
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn moves(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Vec<Move>> {
        self.ask(py, fen, counting, |tables, position| {
            Ok(tables.moves(position)?.iter().map(Move::of).collect())
        })
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn best_move(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Option<Move>> {
        self.ask(py, fen, counting, |tables, position| {
            Ok(tables.best_move(position)?.as_ref().map(Move::of))
        })
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn line(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Vec<String>> {
        self.ask(py, fen, counting, |tables, position| Ok(uci(&tables.line(position)?)))
    }

    #[pyo3(signature = (fen, counting="makruk"))]
    fn counted_line(&self, py: Python<'_>, fen: &str, counting: &str) -> PyResult<Vec<String>> {
        self.ask(py, fen, counting, |tables, position| {
            Ok(uci(&tables.counted_line(position)?.moves))
        })
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        fens: Vec<String>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.ask_many(py, &fens, (counting, threads, return_errors), probe)
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn categories<'py>(
        &self,
        py: Python<'py>,
        fens: Vec<String>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.ask_many(py, &fens, (counting, threads, return_errors), category)
    }

    #[pyo3(signature = (fens, counting="makruk", *, threads=0, return_errors=false))]
    fn verdicts<'py>(
        &self,
        py: Python<'py>,
        fens: Vec<String>,
        counting: &str,
        threads: usize,
        return_errors: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        self.ask_many(py, &fens, (counting, threads, return_errors), verdict)
    }

    fn __repr__(&self) -> String {
        format!("Tablebase({:?})", self.read().directories())
    }
}

fn probe(tables: &tablebase::Tablebase, position: &Position) -> Result<Answer, Failure> {
    Ok(Answer::of(position, &tables.probe(position)?))
}

fn category(tables: &tablebase::Tablebase, position: &Position) -> Result<&'static str, Failure> {
    Ok(tables.category(position)?.name())
}

fn verdict(tables: &tablebase::Tablebase, position: &Position) -> Result<&'static str, Failure> {
    Ok(tables.verdict(position)?.name())
}
