//! Tables of the games that are solved by tiers, such as Janggi: only files, which stay open until
//! files change.

use crate::inventory::{files_in, is_tier_table};
use sakmak_boards::list::NAMES;
use sakmak_probe::boards::open::{GameTables, OpenGame, UnknownGame};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Length and modification time of each file.
type FileStamps = BTreeMap<PathBuf, Option<(u64, SystemTime)>>;

/// The tables of all games in a directory, which may not exist.
pub struct ServedGames {
    directory: PathBuf,
    /// Bytes of the cache.
    cache: usize,
    tables: GameTables,
    /// The files of each game when they were last listed.
    files: Mutex<BTreeMap<&'static str, FileStamps>>,
}

impl ServedGames {
    /// The tables in a directory, with a cache of this many bytes.
    pub fn new(directory: &Path, cache: usize) -> ServedGames {
        let tables = GameTables::default();
        tables.add_directory(directory);
        tables.set_cache(cache);
        let files = Mutex::new(listed(directory));
        ServedGames { directory: directory.to_path_buf(), cache, tables, files }
    }

    /// The tables of a game.
    ///
    /// # Errors
    ///
    /// If no game has this name.
    pub fn game(&self, name: &str) -> Result<Arc<dyn OpenGame>, UnknownGame> {
        self.tables.game(name)
    }

    /// Closes all files if files came, went or were replaced. Returns whether it did.
    pub fn reload(&self) -> bool {
        let listed = listed(&self.directory);
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if *files == listed {
            return false;
        }
        *files = listed;
        self.tables.set_cache(self.cache);
        true
    }

    /// The names of the tables of each game.
    pub fn names(&self) -> BTreeMap<&'static str, Vec<String>> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let name = |path: &PathBuf| Some(path.file_stem()?.to_str()?.to_string());
        files.iter().map(|(&game, files)| (game, files.keys().filter_map(name).collect())).collect()
    }

    /// The number of files of each game.
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.iter().map(|(&name, files)| (name, files.len())).collect()
    }
}

/// The files of each game in a directory.
fn listed(directory: &Path) -> BTreeMap<&'static str, FileStamps> {
    let stamp = |path: PathBuf| {
        let metadata = path.metadata().ok();
        let stamp = metadata.and_then(|found| Some((found.len(), found.modified().ok()?)));
        (path, stamp)
    };
    let files = |name| files_in(&directory.join(name), is_tier_table).into_iter().map(stamp);
    NAMES.into_iter().map(|name| (name, files(name).collect())).collect()
}
