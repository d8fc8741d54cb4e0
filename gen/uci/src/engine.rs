//! The engine: reads commands, and searches in a thread of its own.
//!
//! ```text
//! reader                              searcher
//!     go      -> a task               takes tasks in order, each ends with one best move
//!     stop    -> signal of the task   polls its signals at every position
//! ```
//!
//! The reader never waits for a search. A new `go` stops the search before, so that both get their
//! best moves in order. Options apply from the next `go`. `isready` waits until the transposition
//! table is allocated or cleared, unless a search runs. The end of the input is `quit`.

use crate::command::UciCommand;
use crate::folder_tables::FolderTables;
use crate::game::Game;
use crate::report::{Replies, best_move};
use crate::search::{EngineTables, SearchTask};
use crate::setting::{DEFAULT_HASH, DEFAULT_OVERHEAD, EngineSetting, engine_card};
use crate::signals::SearchSignals;
use crate::transpositions::TranspositionTable;
use sakmak_probe::ProbeError;
use sakmak_tables::board::square::{SIDE_LENGTH, Square};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::Position;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::variants::MAKRUK;
use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

/// The longest line that is read, in bytes: a game of a hundred thousand moves.
const LONGEST_LINE: u64 = 1 << 20;

/// Bytes of stack for a search: many times the need of the deepest line.
const STACK: usize = 64 << 20;

/// Opens the tables of some directories.
pub type OpenEngineTables<'a> = dyn Fn(&[PathBuf]) -> Result<EngineTables, ProbeError> + 'a;

/// The reason why an engine ends.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Standard input cannot be read, or standard output cannot be written.
    #[error(transparent)]
    Stream(#[from] io::Error),
    /// The tables cannot be opened.
    #[error(transparent)]
    Tables(#[from] ProbeError),
    /// The start position of a variant cannot be read.
    #[error(transparent)]
    Start(#[from] FenError),
}

/// Work for the searcher.
enum SearcherTask {
    /// Searches, and reports the best move.
    Search(Box<SearchTask>),
    /// Forgets earlier searches.
    Forget,
    /// Uses a transposition table of this many MiB.
    Hash(usize),
    /// Allocates the transposition table, and confirms it.
    Ready(Sender<()>),
}

/// The reader of commands.
struct UciEngine<'a, 'r> {
    replies: &'a Replies<'r>,
    open: &'a OpenEngineTables<'a>,
    paths: Vec<PathBuf>,
    tables: Arc<EngineTables>,
    counting_rule: &'static CountingRule,
    lines: usize,
    overhead: Duration,
    /// `None` if the last game was refused.
    game: Option<Game>,
    tasks: Sender<SearcherTask>,
    /// The signals of the last search.
    last: Option<Arc<SearchSignals>>,
}

/// Runs an engine until `quit` or the end of the input.
///
/// # Errors
///
/// If the tables cannot be opened, the input cannot be read or the output cannot be written.
pub fn run_engine(
    input: impl BufRead,
    output: impl Write + Send,
    paths: Vec<PathBuf>,
    open: &OpenEngineTables<'_>,
) -> Result<(), EngineError> {
    let replies = Replies::new(output);
    let counting_rule = MAKRUK.counting();
    let tables = Arc::new(open(&paths)?);
    let game = Some(Game::new(start(counting_rule)?));
    let ended = thread::scope(|scope| {
        let (tasks, queue) = mpsc::channel();
        let searcher = thread::Builder::new().name("search".to_string()).stack_size(STACK);
        let replies = &replies;
        searcher.spawn_scoped(scope, move || run_tasks(&queue, replies))?;
        let mut engine = UciEngine {
            replies,
            open,
            paths,
            tables,
            counting_rule,
            lines: 1,
            overhead: DEFAULT_OVERHEAD,
            game,
            tasks,
            last: None,
        };
        let ended = engine.read(input);
        engine.stop_last();
        // The searcher ends with the last task.
        ended
    });
    ended?;
    replies.into_failure().map_or(Ok(()), |failure| Err(failure.into()))
}

/// The start position.
fn start(counting_rule: &'static CountingRule) -> Result<Position, FenError> {
    Position::from_fen_counted(counting_rule, "startpos")
}

/// Runs tasks until the queue is closed.
fn run_tasks(queue: &Receiver<SearcherTask>, replies: &Replies<'_>) {
    let mut transpositions = None;
    let mut wanted = DEFAULT_HASH;
    for task in queue {
        match task {
            SearcherTask::Forget => {
                if let Some(table) = transpositions.as_mut() {
                    TranspositionTable::clear(table);
                }
            }
            SearcherTask::Hash(mebibytes) => {
                wanted = mebibytes;
                transpositions = None;
            }
            SearcherTask::Ready(done) => {
                if transpositions.is_none() {
                    transpositions = new_table(wanted, replies);
                }
                // An error means that the requester has ended.
                let _ = done.send(());
            }
            SearcherTask::Search(task) => {
                if transpositions.is_none() {
                    transpositions = new_table(wanted, replies);
                }
                match transpositions.as_mut() {
                    Some(table) => task.run(table, replies),
                    None => replies.line(&best_move(&[])),
                }
            }
        }
    }
}

/// A table of this size, or a table of a single entry if memory is too small.
fn new_table(mebibytes: usize, replies: &Replies<'_>) -> Option<TranspositionTable> {
    TranspositionTable::new(mebibytes).or_else(|| {
        replies.message(&format_args!(
            "not enough memory for a hash table of {mebibytes} MiB: searching without one"
        ));
        TranspositionTable::new(0)
    })
}

impl UciEngine<'_, '_> {
    /// Reads commands until `quit`, the end of the input, or an error of the output.
    fn read(&mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut bytes = Vec::new();
        while !self.replies.have_failed() {
            bytes.clear();
            let length = (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
            if length == 0 {
                break;
            }
            if length as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
                input.skip_until(b'\n')?;
                let bytes = LONGEST_LINE;
                self.replies.message(&format_args!("a line of more than {bytes} bytes is skipped"));
                continue;
            }
            match UciCommand::parse(&String::from_utf8_lossy(&bytes)) {
                Ok(None) => {}
                Ok(Some(UciCommand::Quit)) => break,
                Ok(Some(command)) => self.obey(command),
                Err(error) => self.replies.message(&error),
            }
        }
        Ok(())
    }

    fn obey(&mut self, command: UciCommand) {
        match command {
            UciCommand::Uci => self.replies.line(&engine_card(&self.paths)),
            UciCommand::IsReady => {
                if !self.is_searching() {
                    self.wait_for_memory();
                }
                self.replies.line(&"readyok");
            }
            UciCommand::NewGame => self.send(SearcherTask::Forget),
            UciCommand::SetOption { name, value } => match EngineSetting::read(&name, &value) {
                Ok(setting) => self.set(setting),
                Err(error) => self.replies.message(&error),
            },
            UciCommand::Position(command) => {
                let read = Game::read(self.counting_rule, &command);
                self.game = read.map_err(|error| self.replies.message(&error)).ok();
            }
            UciCommand::Go(go) => {
                for problem in &go.problems {
                    self.replies.message(problem);
                }
                if self.stop_last() {
                    self.replies.message(&"go: the search in progress is stopped");
                }
                let signals = Arc::new(SearchSignals::new(go.ponder, go.infinite));
                self.last = Some(Arc::clone(&signals));
                let (game, tables) = (self.game.clone(), Arc::clone(&self.tables));
                let (lines, overhead) = (self.lines, self.overhead);
                let task = SearchTask { game, go, lines, overhead, tables, signals };
                self.send(SearcherTask::Search(Box::new(task)));
            }
            UciCommand::Stop => {
                if !self.stop_last() {
                    self.replies.message(&"stop: no search is in progress");
                }
            }
            UciCommand::PonderHit => {
                if !self.last.as_ref().is_some_and(|last| last.ponder_hit()) {
                    self.replies.message(&"ponderhit: no search is pondering");
                }
            }
            UciCommand::Display => match &self.game {
                Some(game) => self.replies.line(&board(&game.position)),
                None => self.replies.message(&"no position"),
            },
            // The reader has ended.
            UciCommand::Quit => {}
        }
    }

    fn set(&mut self, setting: EngineSetting) {
        match setting {
            EngineSetting::Nothing => {}
            EngineSetting::Lines(lines) => self.lines = lines,
            EngineSetting::Overhead(overhead) => self.overhead = overhead,
            EngineSetting::ClearHash => self.send(SearcherTask::Forget),
            EngineSetting::Hash(mebibytes) => self.send(SearcherTask::Hash(mebibytes)),
            EngineSetting::Variant(counting_rule) => {
                self.counting_rule = counting_rule;
                let position = start(counting_rule);
                let position = position.map_err(|error| self.replies.message(&error));
                self.game = position.ok().map(Game::new);
            }
            EngineSetting::Path(paths) => match (self.open)(&paths) {
                Ok(tables) => {
                    paths.iter().for_each(|path| self.replies.message(&FolderTables::of(path)));
                    (self.tables, self.paths) = (Arc::new(tables), paths);
                }
                Err(error) => self.replies.message(&error),
            },
        }
    }

    /// Sends the searcher a task.
    fn send(&self, task: SearcherTask) {
        if self.tasks.send(task).is_err() {
            self.replies.message(&"the search has ended unexpectedly");
        }
    }

    /// Waits until the searcher has done its tasks, unless it is searching.
    fn wait_for_memory(&self) {
        let (done, is_done) = mpsc::channel();
        self.send(SearcherTask::Ready(done));
        // An error means that the searcher has ended, which was reported.
        let _ = is_done.recv();
    }

    /// The last search, if it has not ended.
    fn running(&self) -> Option<&SearchSignals> {
        self.last.as_deref().filter(|last| !last.has_ended())
    }

    /// Whether a search runs.
    fn is_searching(&self) -> bool {
        self.running().is_some()
    }

    /// Stops the last search. Returns false if it has ended.
    fn stop_last(&self) -> bool {
        self.running().inspect(|last| last.stop()).is_some()
    }
}

/// The board and the FEN as text.
fn board(position: &Position) -> String {
    const EDGE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = format!("\n{EDGE}");
    for rank in (0..SIDE_LENGTH).rev() {
        for square in (0..SIDE_LENGTH).filter_map(|file| Square::at(file, rank)) {
            let letter = position.at(square).map_or(' ', |piece| position.variant().letter(piece));
            text += &format!(" | {letter}");
        }
        // Writing to a string does not fail.
        let _ = write!(text, " | {}\n{EDGE}", rank + 1);
    }
    text + "   a   b   c   d   e   f   g   h\n\nFen: " + &position.fen() + "\n"
}
