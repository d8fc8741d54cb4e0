//! The trace of a batch: a line of JSON for each table of the plan, and one for each step of a table
//! that was made. `scripts/scaling.py` computes from it how long the batch takes on more cores.

use crate::batch::plan::Plan;
use crate::batch::step::PlanStep;
use sakmak_probe::file::bytes::read_text;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::rules::Rules;
use sakmak_tables::tiles::king_tile::FixedKings;
use serde::Serialize;
use std::collections::HashMap;
use std::fs::{File, read_link};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The file with the processor time of the thread that reads it: its first number, in
/// nanoseconds.
const OWN_TIME: &str = "/proc/thread-self/schedstat";

/// A trace that is being written.
pub(crate) struct Trace {
    state: Mutex<TraceState>,
    start: Instant,
    /// The files with the processor times of the threads of the pool.
    pool: Vec<PathBuf>,
}

struct TraceState {
    file: File,
    /// The step of each table that is being made, and what there was when it began.
    begun: HashMap<TableName, (&'static str, Moment)>,
}

/// A moment of the thread of a table. Times are in seconds.
#[derive(Clone, Copy)]
struct Moment {
    /// The time since the start of the batch.
    at: f64,
    /// The processor time of the thread that makes the table.
    own: f64,
    /// The processor time of all threads of the pool.
    pool: f64,
}

/// A table of the plan.
#[derive(Serialize)]
struct TableLine {
    table: String,
    /// The tables that are read while it is made.
    needs: Vec<String>,
    slots: u64,
    /// The parts into which its phases can be divided: its king pairs.
    parts: usize,
    /// The parts into which making its WDL file can be divided: squares of a king.
    kings: usize,
    /// The memory planned.
    memory: u64,
    /// Whether a thread of the pool makes it.
    small: bool,
    threads: usize,
}

/// A step of a table that was made.
#[derive(Serialize)]
struct StepLine {
    table: String,
    step: &'static str,
    start: f64,
    end: f64,
    /// The processor time of the thread that made the table.
    own: f64,
    /// The processor time of the threads of the pool until the start and until the end.
    pool: [f64; 2],
    /// Bytes of planes read or written by the solver, with its last step; bytes of the files, with the
    /// last step of all.
    bytes: u64,
}

impl Trace {
    /// Begins the trace of a plan. `is_small` returns whether a thread of the pool makes a table.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or the system does not report the processor time of a thread.
    pub(crate) fn create(
        path: &Path,
        plan: &Plan,
        rules: &Rules,
        is_small: &dyn Fn(&PlanStep) -> bool,
    ) -> io::Result<Trace> {
        let threads = rayon::broadcast(|_| read_link("/proc/thread-self"));
        let path_of = |thread: io::Result<PathBuf>| Ok(Path::new("/proc").join(thread?));
        let pool = threads.into_iter().map(path_of).collect::<io::Result<Vec<PathBuf>>>()?;
        seconds(Path::new(OWN_TIME))?;
        #[expect(
            clippy::disallowed_methods,
            reason = "the user names it, and may read it from a pipe"
        )]
        let mut file = File::create(path)?;
        for step in plan.open() {
            let index = Index::new(step.name.material, rules);
            let line = TableLine {
                table: step.name.to_string(),
                needs: step.read().map(TableName::to_string).collect(),
                slots: step.slots,
                parts: index.kings().len(),
                kings: FixedKings::new(index.kings().symmetries()).squares().len(),
                memory: step.need.memory().0,
                small: is_small(step),
                threads: pool.len(),
            };
            writeln!(file, "{}", serde_json::to_string(&line)?)?;
        }
        let pool = pool.into_iter().map(|thread| thread.join("schedstat")).collect();
        let state = Mutex::new(TraceState { file, begun: HashMap::new() });
        Ok(Trace { state, start: Instant::now(), pool })
    }

    /// Ends the step of a table, which read or wrote this many bytes, and begins the next one if
    /// there is one. Called by the thread that makes the table.
    pub(crate) fn begin(&self, table: TableName, next: Option<&'static str>, bytes: u64) {
        let own = seconds(Path::new(OWN_TIME)).unwrap_or_default();
        let pool = self.pool.iter().map(|path| seconds(path).unwrap_or_default()).sum();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Moment { at: self.start.elapsed().as_secs_f64(), own, pool };
        let begun = match next {
            Some(step) => state.begun.insert(table, (step, now)),
            None => state.begun.remove(&table),
        };
        let Some((step, before)) = begun else { return };
        let line = StepLine {
            table: table.to_string(),
            step,
            start: before.at,
            end: now.at,
            own: now.own - before.own,
            pool: [before.pool, now.pool],
            bytes,
        };
        // The tables matter more than a line of the trace.
        let text = serde_json::to_string(&line).unwrap_or_default();
        let _ = writeln!(state.file, "{text}");
    }
}

/// The processor time of a thread.
fn seconds(path: &Path) -> io::Result<f64> {
    let text = read_text(path)?;
    let nanoseconds = text.split_whitespace().next().and_then(|number| number.parse::<u64>().ok());
    let nanoseconds = nanoseconds.ok_or_else(|| io::Error::other("no processor times"))?;
    Ok(nanoseconds as f64 / 1e9)
}
