//! Looks up positions in files.

use crate::boards::cache::BlockCache;
use crate::boards::file::{ENDING, FileError, TierFile};
use crate::file::bytes::open_regular;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::{BoardGame, Effect, legal_moves, successors, value_by_moves};
use sakmak_boards::notation::{Notation, NotationError};
use sakmak_boards::value::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The files of a game in directories of tables: `janggi/KRvK.smg`. Threads may share it.
pub struct Directory<'a, G: BoardGame> {
    game: &'a G,
    /// In the order in which they are searched.
    directories: Vec<PathBuf>,
    // A poisoned lock is safe: an open file is inserted or not.
    open: RwLock<BTreeMap<G::Material, Arc<OpenTier<G>>>>,
    cache: Arc<BlockCache>,
}

/// An open file with what numbering its positions needs.
struct OpenTier<G: BoardGame> {
    layout: G::Layout,
    file: TierFile<File>,
    path: PathBuf,
    /// Its number in the cache.
    number: usize,
}

/// Why a position is not looked up.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The file of its material, or of one behind a move, is missing.
    #[error("no {tables} of {game}{}", missing(.table, .game, .directories, .unmakeable.as_ref()), tables = tables(.table))]
    Missing {
        /// The name of the material; of several, with blanks between them.
        table: String,
        /// The name of the game.
        game: String,
        /// The directories of tables that were searched.
        directories: Vec<PathBuf>,
        /// Why it cannot be made, for a material beyond the limits of the game.
        unmakeable: Option<NotationError>,
    },
    /// A file is refused.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    File(PathBuf, FileError),
}

/// The names of tables that are missing.
fn tables(table: &str) -> String {
    match table.contains(' ') {
        true => format!("tables {}", table.replace(' ', ", ")),
        false => format!("table {table}"),
    }
}

/// Where a table is missing, and the command that makes it, if there is one.
fn missing(
    table: &str,
    game: &str,
    directories: &[PathBuf],
    unmakeable: Option<&NotationError>,
) -> String {
    if let Some(error) = unmakeable {
        return format!(", and none can be made: {error}");
    }
    let Some(first) = directories.first() else {
        return ": there is no directory of tables".to_string();
    };
    let shown: Vec<_> = directories.iter().map(|path| path.to_string_lossy()).collect();
    let them = if table.contains(' ') { "them" } else { "it" };
    format!(
        " in {}: make {them} with 'sakmak generate {table} --variant {game} --tables {}'",
        shown.join(", "),
        first.display()
    )
}

/// A move, its value for the side that makes it, and the position after it.
pub(crate) type RatedMove<G> = (<G as BoardGame>::Move, Value, Option<<G as BoardGame>::Position>);

impl<'a, G: Notation> Directory<'a, G> {
    /// The files of a game inside a directory of tables.
    pub fn new(game: &'a G, tables: &Path) -> Directory<'a, G> {
        Directory::of(game, [tables], Arc::default())
    }

    /// The files of a game inside some directories, with a cache that may be shared. The first file of a
    /// table counts.
    pub fn of<'b>(
        game: &'a G,
        tables: impl IntoIterator<Item = &'b Path>,
        cache: Arc<BlockCache>,
    ) -> Directory<'a, G> {
        let directories = tables.into_iter().map(Path::to_path_buf).collect();
        Directory { game, directories, open: RwLock::default(), cache }
    }

    /// The game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The folder of the game in the first directory.
    pub fn path(&self) -> PathBuf {
        self.directories.first().map_or_else(PathBuf::new, PathBuf::clone).join(self.game.name())
    }

    /// The name of a material's file.
    pub fn name(material: G::Material) -> String {
        format!("{material}{ENDING}")
    }

    /// Opens the file of a material. Returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the file is refused.
    pub fn file(&self, material: G::Material) -> Result<Option<TierFile<File>>, ProbeError> {
        Ok(self.found(material)?.map(|(_, file)| file))
    }

    /// The first file of a material, with its path.
    fn found(
        &self,
        material: G::Material,
    ) -> Result<Option<(PathBuf, TierFile<File>)>, ProbeError> {
        let name = Path::new(&self.game.name()).join(Self::name(material));
        for directory in &self.directories {
            let path = directory.join(&name);
            let file = match open_regular(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(ProbeError::File(path, error.into())),
            };
            return match TierFile::open(self.game, material, file) {
                Ok(file) => Ok(Some((path, file))),
                Err(error) => Err(ProbeError::File(path, error)),
            };
        }
        Ok(None)
    }

    /// Checks before long work that materials have files whose heads are right.
    ///
    /// # Errors
    ///
    /// If a file is refused, or files are missing: all of them.
    pub fn require(
        &self,
        materials: impl IntoIterator<Item = G::Material>,
    ) -> Result<(), ProbeError> {
        let mut missing = Vec::new();
        for material in materials {
            if self.file(material)?.is_none() {
                missing.push(material);
            }
        }
        if missing.is_empty() { Ok(()) } else { Err(self.missing(&missing)) }
    }

    /// The error of these materials, which have no file.
    fn missing(&self, materials: &[G::Material]) -> ProbeError {
        let names: Vec<String> = materials.iter().map(ToString::to_string).collect();
        let unmakeable = names.iter().find_map(|name| self.game.material_of_name(name).err());
        let (table, directories) = (names.join(" "), self.directories.clone());
        ProbeError::Missing { table, game: self.game.name(), directories, unmakeable }
    }

    /// The first file of a material, with its path.
    fn needed(&self, material: G::Material) -> Result<(PathBuf, TierFile<File>), ProbeError> {
        self.found(material)?.ok_or_else(|| self.missing(&[material]))
    }

    /// All codes of a material.
    ///
    /// # Errors
    ///
    /// If the file is missing or refused.
    pub fn codes(&self, material: G::Material) -> Result<Codes, ProbeError> {
        let (path, file) = self.needed(material)?;
        file.codes().map_err(|error| ProbeError::File(path, error))
    }

    /// The value of a position.
    ///
    /// # Errors
    ///
    /// If a file is missing or refused.
    pub fn value(&self, position: &G::Position) -> Result<Value, ProbeError> {
        if self.game.is_illegal(position) {
            return Ok(Value::Illegal);
        }
        if !self.game.has_slot(position) {
            let list = |each: &mut dyn FnMut(_)| successors(self.game, position, each);
            return value_by_moves(self.game, position, list, |after| self.value(after));
        }
        let open = self.open_tier(self.game.material(position))?;
        let slot = self.game.rank(&open.layout, position);
        let value = open.file.block_of(slot).and_then(|block| {
            let decode = || open.file.block(block);
            self.cache.with((open.number, block), decode, |codes| open.file.value_in(codes, slot))
        });
        value.map_err(|error| ProbeError::File(open.path.clone(), error))
    }

    /// The file of a material, which stays open.
    fn open_tier(&self, material: G::Material) -> Result<Arc<OpenTier<G>>, ProbeError> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner).get(&material).cloned();
        if let Some(open) = open {
            return Ok(open);
        }
        let (path, file) = self.needed(material)?;
        let number = self.cache.new_number();
        let opened = Arc::new(OpenTier { layout: self.game.layout(material), file, path, number });
        // Another thread may have opened it meanwhile: all use the first.
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        Ok(open.entry(material).or_insert(opened).clone())
    }

    /// The legal moves with their values for the side that makes them, the best first.
    ///
    /// # Errors
    ///
    /// If a file is missing or refused.
    pub fn moves(&self, position: &G::Position) -> Result<Vec<(G::Move, Value)>, ProbeError> {
        let rated = self.rated(position)?.into_iter();
        Ok(rated.map(|(played, value, _)| (played, value)).collect())
    }

    /// The moves of [`Directory::moves`] with the positions after them, `None` where the game has
    /// ended.
    pub(crate) fn rated(&self, position: &G::Position) -> Result<Vec<RatedMove<G>>, ProbeError> {
        let mut legal = Vec::new();
        legal_moves(self.game, position, |played, after| legal.push((played, after)));
        let mut rated = Vec::new();
        for (played, after) in legal {
            let value = match &after {
                Ok(after) => self.value(after)?.before_move(),
                Err(Effect::Wins) => Value::Win(1),
                Err(_) => Value::Draw,
            };
            rated.push((played, value, after.ok()));
        }
        rated.sort_by_key(|&(_, value, _)| std::cmp::Reverse(value.rank()));
        Ok(rated)
    }

    /// The moves of best play on both sides, to the end of the game or for this number of plies; none from a
    /// drawn position.
    ///
    /// # Errors
    ///
    /// If a file is missing or refused.
    pub fn line(&self, position: &G::Position, plies: usize) -> Result<Vec<G::Move>, ProbeError> {
        let (mut line, mut at) = (Vec::new(), *position);
        while line.len() < plies {
            match self.rated(&at)?.first() {
                Some(&(played, Value::Win(_) | Value::Loss(_), after)) => {
                    line.push(played);
                    match after {
                        Some(after) => at = after,
                        None => break,
                    }
                }
                _ => break,
            }
        }
        Ok(line)
    }
}
