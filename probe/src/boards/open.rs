//! The tables of all games by name, for the libraries that other languages link.

use crate::boards::answer::{Answer, AnswerError, RatedMove, legal_position, line, rated_moves};
use crate::boards::cache::BlockCache;
use crate::boards::directory::Directory;
use sakmak_boards::list::{NAMES, OtherRules, Visitor, named, other_rules, visit};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The tables of a game, for any number of threads. Positions are those of FENs.
pub trait OpenGame: Send + Sync {
    /// The value of a position, without an answer's moves and line.
    ///
    /// # Errors
    ///
    /// If there is no such position, or a file is missing or refused.
    fn value_of(&self, fen: &str) -> Result<Value, AnswerError>;

    /// All legal moves, the best first.
    ///
    /// # Errors
    ///
    /// The errors of [`OpenGame::value_of`].
    fn moves_of(&self, fen: &str) -> Result<Vec<RatedMove>, AnswerError>;

    /// Best play of both sides to the end; empty in a draw.
    ///
    /// # Errors
    ///
    /// The errors of [`OpenGame::value_of`].
    fn line_of(&self, fen: &str) -> Result<Vec<String>, AnswerError>;

    /// The answer.
    ///
    /// # Errors
    ///
    /// The errors of [`OpenGame::value_of`].
    fn answer_of(&self, fen: &str) -> Result<Answer, AnswerError>;
}

impl<G: Notation> OpenGame for Directory<'_, G> {
    fn value_of(&self, fen: &str) -> Result<Value, AnswerError> {
        Ok(self.value(&legal_position(self.game(), fen)?)?)
    }

    fn moves_of(&self, fen: &str) -> Result<Vec<RatedMove>, AnswerError> {
        Ok(rated_moves(self, &legal_position(self.game(), fen)?)?)
    }

    fn line_of(&self, fen: &str) -> Result<Vec<String>, AnswerError> {
        Ok(line(self, &legal_position(self.game(), fen)?)?)
    }

    fn answer_of(&self, fen: &str) -> Result<Answer, AnswerError> {
        Answer::new(self, fen)
    }
}

/// A name without a game.
#[derive(Debug, thiserror::Error)]
pub enum UnknownGame {
    /// A name that no game has, cut to `LONGEST_NAME` characters, since the message repeats it.
    #[error("{0:?} is not a board game: expected one of {known}", known = NAMES.join(", "))]
    Name(String),
    /// A game with rules that no table has.
    #[error(transparent)]
    OtherRules(OtherRules),
}

/// The most characters of an unknown name that are repeated.
const LONGEST_NAME: usize = 64;

/// The tables of all games in some directories. Files are opened when they are needed, and stay open.
#[derive(Default)]
pub struct GameTables(
    // A poisoned lock is safe: what is kept can be made again.
    Mutex<State>,
);

#[derive(Default)]
struct State {
    directories: Vec<PathBuf>,
    cache: Arc<BlockCache>,
    open: BTreeMap<&'static str, Arc<dyn OpenGame>>,
}

impl GameTables {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a directory, which is searched after the others, and closes all files.
    pub fn add_directory(&self, directory: &Path) {
        let mut state = self.state();
        state.directories.push(directory.to_path_buf());
        state.open.clear();
    }

    /// Sets the size of the cache of decoded blocks, which all games share, and closes all files.
    /// Look-ups that run in other threads end with the old cache, whose memory is free then.
    pub fn set_cache(&self, bytes: usize) {
        let mut state = self.state();
        state.cache = Arc::new(BlockCache::new(bytes));
        state.open.clear();
    }

    /// The bytes of decoded blocks in the cache.
    pub fn cached_bytes(&self) -> usize {
        let cache = self.state().cache.clone();
        cache.bytes()
    }

    /// The tables of a game by its name, in any spelling.
    ///
    /// # Errors
    ///
    /// If no game has this name.
    pub fn game(&self, name: &str) -> Result<Arc<dyn OpenGame>, UnknownGame> {
        let unknown = || match other_rules(name) {
            Some(other) => UnknownGame::OtherRules(other),
            None => UnknownGame::Name(name.chars().take(LONGEST_NAME).collect()),
        };
        let name = named(name).ok_or_else(unknown)?;
        let state = &mut *self.state();
        if let Some(open) = state.open.get(name) {
            return Ok(open.clone());
        }
        let opening = Opening { directories: &state.directories, cache: &state.cache };
        let open = visit(name, opening).ok_or_else(unknown)?;
        state.open.insert(name, open.clone());
        Ok(open)
    }
}

/// Makes the tables of a game.
struct Opening<'a> {
    directories: &'a [PathBuf],
    cache: &'a Arc<BlockCache>,
}

impl Visitor for Opening<'_> {
    type Output = Arc<dyn OpenGame>;

    fn visit<G: Notation + SolvableGame>(self, game: &'static G) -> Arc<dyn OpenGame> {
        let directories = self.directories.iter().map(PathBuf::as_path);
        Arc::new(Directory::of(game, directories, self.cache.clone()))
    }
}
