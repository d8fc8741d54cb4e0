//! The tables of board games: files only, which stay open until files come, go or are replaced.

use crate::inventory::files_in;
use crate::rules_tables::TableSources;
use sakmak_boards::list::GameName;
use sakmak_probe::file::board_game::material_of;
use sakmak_probe::table_cache::TableCache;
use sakmak_probe::tablebase::Tablebase;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

/// The materials of each game that have a file.
type Materials = BTreeMap<GameName, Vec<String>>;

/// The tables of all board games in a directory, which may not exist.
pub struct ServedGames {
    sources: TableSources,
    open: RwLock<(Arc<Tablebase>, Arc<Materials>)>,
}

impl ServedGames {
    /// The tables of these sources, with a shared cache.
    pub fn new(sources: TableSources, cache: Arc<TableCache>) -> ServedGames {
        let open = RwLock::new(opened(&sources, cache));
        ServedGames { sources, open }
    }

    fn open(&self) -> (Arc<Tablebase>, Arc<Materials>) {
        self.open.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The open tables.
    pub fn tablebase(&self) -> Arc<Tablebase> {
        self.open().0
    }

    /// Reopens the tables if files came, went or were replaced. Returns whether it did.
    pub fn reload(&self) -> bool {
        let (tablebase, materials) = self.open();
        let changed =
            *materials != listed(&self.sources.directory) || !tablebase.replaced_files().is_empty();
        if changed {
            self.open_with(Arc::clone(tablebase.cache()));
        }
        changed
    }

    /// Reopens the tables with another cache.
    pub fn open_with(&self, cache: Arc<TableCache>) {
        let fresh = opened(&self.sources, cache);
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = fresh;
    }

    /// The materials of each game that have a file.
    pub fn materials(&self) -> Arc<Materials> {
        self.open().1
    }
}

/// Opens the tables of a directory and lists their files.
fn opened(sources: &TableSources, cache: Arc<TableCache>) -> (Arc<Tablebase>, Arc<Materials>) {
    let tablebase = Tablebase::of_directory(&sources.directory).with_access(sources.access);
    let tablebase = tablebase.with_shared_cache(cache);
    (Arc::new(tablebase), Arc::new(listed(&sources.directory)))
}

fn listed(directory: &Path) -> Materials {
    let material = |path: &Path| material_of(path.file_name()?.to_str()?).map(str::to_string);
    let of_game = |game: GameName| {
        let paths = files_in(&directory.join(game.name()), |path| material(path).is_some());
        (game, paths.iter().filter_map(|path| material(path)).collect())
    };
    GameName::ALL.into_iter().map(of_game).collect()
}
