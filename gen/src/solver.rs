//! The plane solver: 4,096 positions at a time.
//!
//! A plane is all placements of two pieces with everything else fixed: 64 words of 64 bits. For
//! one attacker the solver keeps three sets of slots, one bit for each slot:
//!
//! - `safe`: attacker to move, not known to be won within n moves (the complement of the won
//!   positions, because a defender looks for a safe one);
//! - `open`: defender to move, legal, not known to be lost;
//! - `fresh`: defender to move, lost in exactly n moves: the newest layer.
//!
//! ```text
//! fresh := positions lost at once, such as mates;  n := 0
//! repeat
//!     n := n + 1
//!     won   := safe and real and (attacker can move into fresh)     record n
//!     safe  := safe - won - conversions won in n
//!     lost  := open and not (defender can move into safe)           record n
//!     open  := open - lost
//!     fresh := lost + conversions lost in n
//! until nothing is new and no conversion is left
//! ```
//!
//! The kernels have no legality test and no special cases. The result is exact because of the
//! values of the slots that are not positions, which are set before the first layer:
//!
//! | slot | value | effect |
//! |---|---|---|
//! | defender in check, attacker to move | not safe | an illegal move does not save the defender |
//! | two defenders on one square | not safe | a defender cannot move onto its own piece |
//! | two attackers on one square | not fresh | an attacker cannot move onto its own piece |
//! | attacker in check, defender to move | not open, not fresh | an illegal move does not win for the attacker |
//! | a piece just taken, a pawn just promoted | the smaller table's value, from layer n on | captures and promotions are moves like any other |
//! | the game is drawn, as by stalemate | not open | it is never lost |
//! | attacker in check, attacker to move, where a check wins | never won | the game is over |
//!
//! Sources: K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986, for
//! the layers; the chess programming literature for occluded fills of sliding pieces
//! (Kogge-Stone).

mod buffer;
mod width;

mod column;
mod row;

mod neighbours;

mod unmove;

mod log;

mod chunk;

mod conversions;

mod smaller_tables;

mod record;

pub mod saved_layers;

mod plane_set;

mod kernels;

mod layers;

mod gather;

mod estimate;

pub use buffer::{Buffer, buffers_in_use, limit_buffers};
pub use estimate::Estimate;
pub use gather::{Effort, SolvedTable};
pub use smaller_tables::{MissingTable, Tables};
pub use width::Width;

use crate::planes::frame::Frame;
use crate::planes::geometry::Geometry;
use crate::system::scratch_file::ScratchFile;
use conversions::MoverConversions;
use layers::{Goal, find_wins};
use log::Log;
use plane_set::SetStorage;
use record::Record;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use smaller_tables::SmallerTables;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// How to solve; no choice here changes a value.
#[derive(Clone, Copy, Debug)]
pub struct Solver<'a> {
    /// The registers the kernels use.
    pub width: Width,
    /// Where to put what does not fit into memory; `None` keeps all in memory.
    pub spill: Option<Spill<'a>>,
}

/// What a solver keeps in memory, and where it puts the rest.
#[derive(Clone, Copy, Debug)]
pub struct Spill<'a> {
    /// The directory on whose disk the rest goes.
    pub directory: &'a Path,
    /// Bytes of memory for the sets. Less than [`Estimate::least_sets`] is not heeded.
    pub sets: u64,
    /// Bytes of memory for the conversions and the log of the layers.
    pub logs: u64,
    /// The folder in which the layers are saved if the codes do not fit into memory; `None`: they are
    /// not saved.
    pub saved: Option<&'a Path>,
}

impl Default for Solver<'_> {
    /// The widest registers, everything in memory.
    fn default() -> Self {
        Solver { width: Width::widest(), spill: None }
    }
}

/// Why a table could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Bare kings have no table.
    #[error("{0} has no table: two bare kings always draw")]
    BareKings(Material),
    /// A smaller table is missing.
    #[error(transparent)]
    Missing(#[from] MissingTable),
    /// There is not enough memory, or not enough disk for what does not fit into memory.
    #[error("not enough memory or disk to solve: {0}")]
    Room(#[from] io::Error),
    /// A smaller table cannot be read.
    #[error("cannot read the conversions: {0}")]
    Conversions(#[source] io::Error),
}

impl Solver<'_> {
    /// Solves a table in memory. `tables` returns the tables that captures and promotions
    /// lead to.
    ///
    /// # Errors
    ///
    /// If one of those tables is missing, or there is not enough memory.
    pub fn solve(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
    ) -> Result<Table, SolveError> {
        let in_memory = Solver { spill: None, ..*self };
        let codes = |name| Some(tables(name)? as Arc<dyn TableCodes>);
        let solved = in_memory.solve_watched(name, rules, &codes, &|_, _| ())?;
        solved.into_table().map_err(|_| SolveError::Room(io::ErrorKind::OutOfMemory.into()))
    }

    /// Solves a table in memory or, if the solver has a directory to spill to, partly on disk.
    /// The smaller tables are read king pair by king pair. `layer` is called after each layer with
    /// the attacker and the length of its mates.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`]; also if the disk cannot be written to, or a smaller table cannot be
    /// read.
    pub fn solve_watched(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &Tables<'_>,
        layer: &dyn Fn(Side, Moves),
    ) -> Result<SolvedTable, SolveError> {
        let geometry = geometry(name.material, rules)?;
        let frame = Frame::new(&geometry);
        let [conversions, layers] = self.logs(name)?;
        let (conversions, time) =
            read_conversions(&geometry, name.metric, rules, tables, conversions)?;
        let layers = Arc::new(layers);
        // A symmetric table holds White to move only.
        let mut records = Side::BOTH.map(|side| {
            let has = side == Side::White || !name.material.is_symmetric();
            has.then(|| Record::new(geometry.index.kings().len(), Arc::clone(&layers)))
        });
        let effort = self.find(&geometry, &frame, name.metric, conversions, &mut records, layer)?;
        let effort = Effort { conversions: time, ..effort };
        let solved = SolvedTable::gather(geometry, frame, records, self.width, effort)?;
        if self.spill.is_some_and(|spill| spill.saved.is_some()) {
            // Without room on the disk the table can still be written; only a kill loses it.
            let _ = solved.save(name, rules);
        }
        Ok(solved)
    }

    /// Finds the layers of a table and records nothing: the time that the sets alone take.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve_watched`].
    pub fn measure(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &Tables<'_>,
    ) -> Result<Effort, SolveError> {
        let geometry = geometry(name.material, rules)?;
        let frame = Frame::new(&geometry);
        let [conversions, _] = self.logs(name)?;
        let (conversions, time) =
            read_conversions(&geometry, name.metric, rules, tables, conversions)?;
        let effort =
            self.find(&geometry, &frame, name.metric, conversions, &mut [None, None], &|_, _| ())?;
        Ok(Effort { conversions: time, ..effort })
    }

    /// The logs of the conversions and of the layers, which share the room in memory.
    fn logs(&self, name: TableName) -> io::Result<[Log; 2]> {
        let Some(spill) = &self.spill else { return Ok([Log::in_memory(), Log::in_memory()]) };
        let room = Arc::new(AtomicU64::new(spill.logs));
        let layers = match spill.saved {
            Some(folder) => ScratchFile::create_for(folder, &saved_layers::file_name(name))?,
            None => ScratchFile::create(spill.directory)?,
        };
        let files = [ScratchFile::create(spill.directory)?, layers];
        Ok(files.map(|file| Log::spilling(Arc::clone(&room), file)))
    }

    /// Finds the wins of both sides from the conversions by mover. Those of a side to move
    /// that has a record go into it.
    fn find(
        &self,
        geometry: &Geometry,
        frame: &Frame,
        metric: Metric,
        conversions: [MoverConversions; 2],
        records: &mut [Option<Record>; 2],
        layer: &dyn Fn(Side, Moves),
    ) -> Result<Effort, SolveError> {
        let start = Instant::now();
        let mut effort = Effort::default();
        let storage = match &self.spill {
            Some(spill) => SetStorage::spilling(geometry, spill.sets, spill.directory),
            None => SetStorage::in_memory(geometry),
        };
        let [after_white, after_black] = conversions;
        for (attacker, won, lost) in [
            (Side::White, after_black.won, after_white.lost),
            (Side::Black, after_white.won, after_black.lost),
        ] {
            let is_bare = geometry.index.material().army(attacker).is_empty();
            if !is_bare || geometry.end.bare_king_can_win() {
                let goal = Goal {
                    attacker,
                    longest: metric.longest(geometry.index.material(), attacker),
                    layer: &|moves| layer(attacker, moves),
                };
                let (conversions, width) = ([won, lost], self.width);
                effort.moved +=
                    find_wins(geometry, frame, &storage, goal, conversions, records, width)?;
            }
        }
        effort.layers = start.elapsed();
        Ok(effort)
    }
}

/// The conversions after the moves of each side, read into a log, and the time it took.
fn read_conversions(
    geometry: &Geometry,
    metric: Metric,
    rules: &Rules,
    tables: &Tables<'_>,
    log: Log,
) -> Result<([MoverConversions; 2], Duration), SolveError> {
    let (start, log) = (Instant::now(), Arc::new(log));
    let read = |mover| {
        let smaller = SmallerTables::new(geometry, rules, metric, mover, tables)?;
        smaller.conversions(&log).map_err(|error| match error.kind() {
            io::ErrorKind::Other => SolveError::Conversions(error),
            _ => SolveError::Room(error),
        })
    };
    let conversions = [read(Side::White)?, read(Side::Black)?];
    Ok((conversions, start.elapsed()))
}

/// The planes of a material.
///
/// # Errors
///
/// If the material is bare kings, which have no table.
fn geometry(material: Material, rules: &Rules) -> Result<Geometry, SolveError> {
    match material == Material::BARE_KINGS {
        true => Err(SolveError::BareKings(material)),
        false => Ok(Geometry::new(Index::new(material, rules), rules)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::saved_layers::SavedLayersError;
    use crate::store::TableStore;
    use sakmak_tables::values::codes::TableCodes;
    use sakmak_tables::variants::MAKRUK;

    fn solved(names: &[&str], solver: Solver<'static>) -> TableStore<'static> {
        let store = TableStore::in_memory(&MAKRUK.rules).with_solver(solver);
        for name in names {
            store.table(name.parse().unwrap()).unwrap();
        }
        store
    }

    fn assert_same(one: &TableStore<'_>, other: &TableStore<'_>) {
        assert_eq!(one.tables().len(), other.tables().len());
        for (name, table) in one.tables() {
            let same = other.get(name).unwrap();
            for side in Side::BOTH {
                assert!(table.values(side) == same.values(side), "{name}");
            }
        }
    }

    const SOME: [&str; 6] = ["KPvKM", "KRRvK", "KRvKN", "KSPvK", "KSvKP.makruk", "KRvKM.ouk"];

    #[test]
    fn whatever_is_on_disk_the_codes_are_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let tables = solved(&SOME, Solver::default());
        for (name, table) in tables.tables() {
            let sets = Estimate::of(name.material, &MAKRUK.rules).sets;
            for (sets, logs) in [(sets, u64::MAX), (sets, 1 << 20), (sets / 2, 0), (0, 0)] {
                let spill = Some(Spill { directory: directory.path(), sets, logs, saved: None });
                let solver = Solver { spill, ..Solver::default() };
                let smaller = |name| Some(tables.get(name)? as Arc<dyn TableCodes>);
                let rules = &MAKRUK.rules;
                let solved = solver.solve_watched(name, rules, &smaller, &|_, _| ()).unwrap();
                for &side in Table::sides(table.index()) {
                    let values = table.values(side).unwrap();
                    assert_eq!(solved.coding(side), Some(values.coding()));
                    let slots = table.index().slots();
                    for window in [0..slots, slots / 3..slots / 2, slots - 1..slots] {
                        let codes = solved.window(side, window.clone()).unwrap();
                        let bytes = window.start as usize..window.end as usize;
                        let same = codes[..] == values.codes()[bytes];
                        assert!(same, "{name} {sets} {logs} {window:?}");
                    }
                }
                if logs == u64::MAX {
                    assert!(solved.into_table().is_ok(), "{name}");
                }
            }
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    /// A table whose layers were saved in a folder. So many bytes of the logs stayed in memory.
    fn solved_and_saved(name: &str, logs: u64, folder: &Path) -> (TableName, Table) {
        let (name, rules) = (name.parse::<TableName>().unwrap(), &MAKRUK.rules);
        let tables = solved(&[&name.to_string()], Solver::default());
        let spill = Some(Spill { directory: folder, sets: 0, logs, saved: Some(folder) });
        let solver = Solver { spill, ..Solver::default() };
        let smaller = |name| Some(tables.get(name)? as Arc<dyn TableCodes>);
        let solved = solver.solve_watched(name, rules, &smaller, &|_, _| ()).unwrap();
        assert!(solved.into_table().is_err(), "{name}");
        (name, Arc::unwrap_or_clone(tables.table(name).unwrap()))
    }

    #[test]
    fn saved_layers_give_the_same_codes_in_memory_and_not() {
        let folder = tempfile::tempdir().unwrap();
        let rules = &MAKRUK.rules;
        // Some chunks of the layers are in memory until they are saved, or none.
        for (name, logs) in [("KRvKM", 2 << 20), ("KSvKP.makruk", 0), ("KRvKR", 0)] {
            let (name, expected) = solved_and_saved(name, logs, folder.path());
            let saved = |in_memory| {
                SolvedTable::saved(folder.path(), name, rules, in_memory).unwrap().unwrap()
            };
            let table = saved(true).into_table().unwrap();
            let read = saved(false).into_table().unwrap_err();
            for side in Side::BOTH {
                let values = expected.values(side);
                assert!(table.values(side) == values, "{name}");
                assert_eq!(read.coding(side), values.map(|values| values.coding()));
                let codes = read.window(side, 0..expected.index().slots()).unwrap();
                assert!(codes[..] == *values.map_or(&[][..], |values| values.codes()), "{name}");
            }
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn saved_layers_that_are_damaged_or_of_other_rules_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let (name, _) = solved_and_saved("KNvKM", 0, folder.path());
        let path = folder.path().join(saved_layers::file_name(name));
        let bytes = std::fs::read(&path).unwrap();
        let saved = |rules| SolvedTable::saved(folder.path(), name, rules, false);
        let is_damaged = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            matches!(saved(&MAKRUK.rules), Err(SavedLayersError::Damaged))
        };
        assert!(!is_damaged(&bytes));
        let last = bytes.len() - 1;
        // Chunks, the index and what is behind it.
        for at in (0..last).step_by(last / 60).chain(last - 100..last) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(is_damaged(&damaged), "byte {at} of {last}");
        }
        for length in (0..last).step_by(last / 20).chain([last]) {
            assert!(is_damaged(&bytes[..length]), "{length} of {last} bytes");
        }
        std::fs::write(&path, &bytes).unwrap();
        let other = saved(&sakmak_tables::variants::MAKPONG.rules);
        assert!(matches!(other, Err(SavedLayersError::Foreign)));
        std::fs::remove_file(&path).unwrap();
        assert!(saved(&MAKRUK.rules).unwrap().is_none());
    }

    #[test]
    fn all_registers_and_numbers_of_threads_give_the_same() {
        let widest = solved(&SOME, Solver::default());
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_same(&widest, &one_thread.install(|| solved(&SOME, Solver::default())));
        for width in Width::available() {
            assert_same(&widest, &solved(&SOME, Solver { width, ..Solver::default() }));
        }
    }

    #[test]
    fn a_missing_smaller_table_is_named() {
        let solved = Solver::default().solve("KPvK".parse().unwrap(), &MAKRUK.rules, &|_| None);
        let error = solved.unwrap_err();
        assert_eq!(error.to_string(), "KPvK needs the table KMvK, which is not there");
    }
}
