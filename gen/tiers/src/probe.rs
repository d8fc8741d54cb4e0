//! Looks up positions in files.

use crate::file::{ENDING, FileError, TierFile};
use crate::game::{Effect, Game, legal_moves};
use crate::table::{Codes, value_by_moves};
use crate::value::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The files of a game in a directory: `janggi/KRvK.smg`.
pub struct Directory<'a, G: Game> {
    game: &'a G,
    path: PathBuf,
    open: BTreeMap<G::Tier, (G::Layout, TierFile<File>)>,
}

/// Why a position is not looked up.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The file of its tier, or of one behind a move, is missing.
    #[error("{}", missing(.0))]
    Missing(PathBuf),
    /// A file is refused.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    File(PathBuf, FileError),
}

/// What is missing, and the command that makes it.
fn missing(path: &Path) -> String {
    let stem = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().into_owned());
    let folder = path.parent().unwrap_or(path);
    let (table, game) = (stem(path).unwrap_or_default(), stem(folder).unwrap_or_default());
    let tables = folder.parent().unwrap_or(folder).display();
    format!(
        "no table {table} of {game} in {tables}: make it with 'sakmak generate {table} --variant {game} \
         --tables {tables}'"
    )
}

/// A move, its value for the side that makes it, and the position after it.
type RatedMove<G> = (<G as Game>::Move, Value, Option<<G as Game>::Position>);

impl<'a, G: Game> Directory<'a, G> {
    /// The files of a game inside a directory of tables.
    pub fn new(game: &'a G, tables: &Path) -> Directory<'a, G> {
        Directory { game, path: tables.join(game.name()), open: BTreeMap::new() }
    }

    /// The folder of the game.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of a tier's file.
    pub fn name(tier: G::Tier) -> String {
        format!("{tier}{ENDING}")
    }

    /// Opens the file of a tier. Returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the file is refused.
    pub fn file(&self, tier: G::Tier) -> Result<Option<TierFile<File>>, ProbeError> {
        match opened(self.game, tier, self.path.join(Self::name(tier))) {
            Ok(file) => Ok(Some(file)),
            Err(ProbeError::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All codes of a tier.
    ///
    /// # Errors
    ///
    /// If the file is missing or refused.
    pub fn codes(&self, tier: G::Tier) -> Result<Codes, ProbeError> {
        let path = self.path.join(Self::name(tier));
        let mut file = self.file(tier)?.ok_or_else(|| ProbeError::Missing(path.clone()))?;
        file.codes().map_err(|error| ProbeError::File(path, error))
    }

    /// The value of a position.
    ///
    /// # Errors
    ///
    /// If a file is missing or refused.
    pub fn value(&mut self, position: &G::Position) -> Result<Value, ProbeError> {
        if self.game.is_illegal(position) {
            return Ok(Value::Illegal);
        }
        if !self.game.has_slot(position) {
            return value_by_moves(self.game, position, |after| self.value(after));
        }
        let tier = self.game.tier(position);
        let path = || self.path.join(Self::name(tier));
        let (layout, file) = match self.open.entry(tier) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let file = opened(self.game, tier, path())?;
                entry.insert((self.game.layout(tier), file))
            }
        };
        let value = file.value(self.game.rank(layout, position));
        value.map_err(|error| ProbeError::File(path(), error))
    }

    /// The legal moves with their values for the side that makes them, the best first.
    ///
    /// # Errors
    ///
    /// If a file is missing or refused.
    pub fn moves(&mut self, position: &G::Position) -> Result<Vec<(G::Move, Value)>, ProbeError> {
        let rated = self.rated(position)?.into_iter();
        Ok(rated.map(|(played, value, _)| (played, value)).collect())
    }

    /// The moves of [`Directory::moves`] with the positions after them, `None` where the game has
    /// ended.
    fn rated(&mut self, position: &G::Position) -> Result<Vec<RatedMove<G>>, ProbeError> {
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
    pub fn line(
        &mut self,
        position: &G::Position,
        plies: usize,
    ) -> Result<Vec<G::Move>, ProbeError> {
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

/// Opens the file of a tier.
fn opened<G: Game>(game: &G, tier: G::Tier, path: PathBuf) -> Result<TierFile<File>, ProbeError> {
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(ProbeError::Missing(path));
        }
        Err(error) => return Err(ProbeError::File(path, error.into())),
    };
    TierFile::open(game, tier, file).map_err(|error| ProbeError::File(path, error))
}
