//! The tables of a board game in a tablebase.

use crate::cache::BlockKey;
use crate::error::ProbeError;
use crate::file::board_game::{BoardGameFile, file_name};
use crate::file::open_file::FileError;
use crate::source::FoundFile;
use crate::tablebase::Tablebase;
use crate::tablebase::open_table::OpenBoardTables;
use sakmak_boards::codes::Codes;
use sakmak_boards::game::{BoardGame, Effect, legal_moves, successors, value_by_moves};
use sakmak_boards::notation::{Notation, NotationError};
use sakmak_boards::value::Value;
use sakmak_tables::format::solved::offsets::BlockNumber;
use std::any::Any;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

/// The tables of a board game in a tablebase, in a folder of each directory: `janggi/KRvK.smg`.
pub struct BoardTables<'a, G: BoardGame> {
    game: &'a G,
    tables: &'a Tablebase,
    open: Arc<OpenTables<G>>,
}

/// The open tables of a game.
struct OpenTables<G: BoardGame>(
    // A poisoned lock is safe: an open table is inserted or not.
    RwLock<BTreeMap<G::Material, Arc<OpenTable<G>>>>,
);

impl<G: BoardGame> OpenBoardTables for OpenTables<G> {
    fn replaced(&self) -> Vec<PathBuf> {
        let open = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let replaced = open.values().filter_map(|table| match &table.codes {
            OpenCodes::File(file, _) => file.replaced(),
            OpenCodes::Memory(_) => None,
        });
        replaced.map(PathBuf::from).collect()
    }
}

/// An open table and the numbering of its positions.
struct OpenTable<G: BoardGame> {
    layout: G::Layout,
    codes: OpenCodes,
}

/// The codes of an open table.
enum OpenCodes {
    /// The codes of a file, and the number of the table in the cache.
    File(Box<BoardGameFile>, u32),
    /// The codes of a source without files.
    Memory(Codes),
}

/// The reason why a position cannot be looked up.
#[derive(Debug, thiserror::Error)]
pub enum BoardProbeError {
    /// The table of the material of the position, or of the material after a move, is missing.
    #[error("no {tables} of {game}{}", missing(.table, .game, .directories, .unmakeable.as_ref()), tables = tables(.table))]
    Missing {
        /// The name of the material; several names are separated by blanks.
        table: String,
        /// The name of the game.
        game: String,
        /// The directories of tables that were searched.
        directories: Vec<PathBuf>,
        /// The reason why the table cannot be made, for a material beyond the limits of the game.
        unmakeable: Option<NotationError>,
    },
    /// A file is refused, or the tablebase cannot be used.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

impl From<FileError> for BoardProbeError {
    fn from(error: FileError) -> BoardProbeError {
        ProbeError::File(error).into()
    }
}

/// The names of tables that are missing.
fn tables(table: &str) -> String {
    match table.contains(' ') {
        true => format!("tables {}", table.replace(' ', ", ")),
        false => format!("table {table}"),
    }
}

/// Names the directories without the table, and the command that makes the table, if a command can.
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

impl<'a, G: Notation> BoardTables<'a, G> {
    /// The tables of a game in a tablebase.
    pub fn new(game: &'a G, tables: &'a Tablebase) -> BoardTables<'a, G> {
        let make = || Arc::new(OpenTables::<G>(RwLock::default()));
        let open: Arc<dyn Any + Send + Sync> = tables.open_boards(game.name(), &|| make());
        // Each name has one type of game.
        let open = open.downcast().unwrap_or_else(|_| make());
        BoardTables { game, tables, open }
    }

    /// The game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The folder of the game in the first directory.
    pub fn path(&self) -> PathBuf {
        let first = self.tables.directories().first().cloned().unwrap_or_default();
        first.join(self.game.name())
    }

    /// Opens the first sound file of a material. Returns `None` without a file.
    ///
    /// # Errors
    ///
    /// If all files of the material are refused.
    pub fn file(&self, material: G::Material) -> Result<Option<BoardGameFile>, ProbeError> {
        let (game, access) = (self.game, self.tables.access());
        let open = |file| match file {
            FoundFile::Path(path) => BoardGameFile::open(&path, access, game, material),
            FoundFile::Bytes(path, bytes) => {
                BoardGameFile::from_bytes(&path, bytes, game, material)
            }
        };
        let name = game.name();
        Ok(self.tables.sound_file(Some(&name), &file_name(material), open)?)
    }

    /// Checks, before long work, that materials have files with valid headers.
    ///
    /// # Errors
    ///
    /// If a file is refused, or if files are missing; the error names all missing files.
    pub fn require(
        &self,
        materials: impl IntoIterator<Item = G::Material>,
    ) -> Result<(), BoardProbeError> {
        let mut missing = Vec::new();
        for material in materials {
            if self.file(material)?.is_none() {
                missing.push(material);
            }
        }
        if missing.is_empty() { Ok(()) } else { Err(self.missing(&missing)) }
    }

    /// The error of materials without a file.
    fn missing(&self, materials: &[G::Material]) -> BoardProbeError {
        let names: Vec<String> = materials.iter().map(ToString::to_string).collect();
        let unmakeable = names.iter().find_map(|name| self.game.material_of_name(name).err());
        let (table, directories) = (names.join(" "), self.tables.directories().to_vec());
        BoardProbeError::Missing { table, game: self.game.name(), directories, unmakeable }
    }

    /// All codes of a material.
    ///
    /// # Errors
    ///
    /// If the file is missing or refused.
    pub fn codes(&self, material: G::Material) -> Result<Codes, BoardProbeError> {
        let file = self.file(material)?.ok_or_else(|| self.missing(&[material]))?;
        Ok(file.codes()?)
    }

    /// The value of a position.
    ///
    /// # Errors
    ///
    /// If a table is missing or a file is refused.
    pub fn value(&self, position: &G::Position) -> Result<Value, BoardProbeError> {
        if self.game.is_illegal(position) {
            return Ok(Value::Illegal);
        }
        if !self.game.has_slot(position) {
            let list = |each: &mut dyn FnMut(_)| successors(self.game, position, each);
            return value_by_moves(self.game, position, list, |after| self.value(after));
        }
        let open = self.open_table(self.game.material(position))?;
        let slot = self.game.rank(&open.layout, position);
        Ok(match &open.codes {
            OpenCodes::File(file, number) => {
                let (codes, width) = file.block_codes();
                let (block, index) = (BlockNumber(slot / codes), (slot % codes) as usize);
                let key = BlockKey { table: *number, block, length: codes as usize * width };
                let decode = || file.block(block);
                let blocks = &self.tables.cache().blocks;
                file.value_of(blocks.get_or_decode(key, index * width, decode)?)
            }
            // Every position of a material has a slot.
            OpenCodes::Memory(codes) => codes.value(slot).unwrap_or(Value::Illegal),
        })
    }

    /// The codes of a material that has no file.
    fn without_file(&self, material: G::Material) -> Result<Codes, BoardProbeError> {
        let codes = |name: &str| {
            let Ok(material) = self.game.material_of_name(name) else { return Ok(None) };
            Ok(self.file(material)?.map(|file| file.codes()).transpose()?)
        };
        let (game, name) = (self.game.name(), material.to_string());
        let codes = self.tables.board_codes(&game, &name, &codes)?;
        codes.ok_or_else(|| self.missing(&[material]))
    }

    /// The table of a material, which stays open.
    fn open_table(&self, material: G::Material) -> Result<Arc<OpenTable<G>>, BoardProbeError> {
        let OpenTables(open) = &*self.open;
        let found = open.read().unwrap_or_else(PoisonError::into_inner).get(&material).cloned();
        if let Some(found) = found {
            return Ok(found);
        }
        let codes = match self.file(material)? {
            Some(file) => OpenCodes::File(Box::new(file), self.tables.cache().new_table()),
            None => OpenCodes::Memory(self.without_file(material)?),
        };
        let opened = Arc::new(OpenTable { layout: self.game.layout(material), codes });
        // If two threads open the same table, the first one stays.
        let mut open = open.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(open.entry(material).or_insert(opened)))
    }

    /// The legal moves with their values for the side that makes them, the best first.
    ///
    /// # Errors
    ///
    /// If a file is missing or refused.
    pub fn moves(&self, position: &G::Position) -> Result<Vec<(G::Move, Value)>, BoardProbeError> {
        let rated = self.rated(position)?.into_iter();
        Ok(rated.map(|(played, value, _)| (played, value)).collect())
    }

    /// The moves of [`BoardTables::moves`] with the positions after the moves; `None` if the move
    /// ends the game.
    pub(crate) fn rated(
        &self,
        position: &G::Position,
    ) -> Result<Vec<RatedMove<G>>, BoardProbeError> {
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

    /// The moves of best play on both sides, to the end of the game or for this number of plies;
    /// empty for a drawn position.
    ///
    /// # Errors
    ///
    /// If a file is missing or refused.
    pub fn line(
        &self,
        position: &G::Position,
        plies: usize,
    ) -> Result<Vec<G::Move>, BoardProbeError> {
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
