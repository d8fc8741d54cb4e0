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

mod estimate;

mod column;
mod row;

mod neighbours;

mod unmove;

mod conversions;

mod smaller_tables;

mod record;

mod kernels;

mod layers;

mod gather;

pub use buffer::{buffers_in_use, limit_buffers};
pub use estimate::Estimate;
pub use gather::{Effort, SolvedTable};
pub use smaller_tables::MissingTable;
pub use width::Width;

use crate::planes::frame::Frame;
use crate::planes::geometry::Geometry;
use conversions::MoverConversions;
use layers::{Goal, find_wins};
use record::Record;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use smaller_tables::SmallerTables;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How to solve; no choice here changes a value.
#[derive(Clone, Copy, Debug)]
pub struct Solver<'a> {
    /// The registers the kernels use.
    pub width: Width,
    /// The directory for the log of the layers; `None` keeps the log in memory.
    pub spill: Option<&'a Path>,
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
    /// There is not enough memory, or not enough disk for the log of the layers.
    #[error("not enough memory or disk to solve: {0}")]
    Room(#[from] io::Error),
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
        let solved = in_memory.solve_watched(name, rules, tables, &|_, _| ())?;
        solved.into_table().map_err(|_| SolveError::BareKings(name.material))
    }

    /// Solves a table in memory or, if the solver has a directory to spill to, on disk.
    /// `layer` is called after each layer with the attacker and the length of its mates.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`]; also if the disk cannot be written to.
    pub fn solve_watched(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
        layer: &dyn Fn(Side, Moves),
    ) -> Result<SolvedTable, SolveError> {
        let geometry = geometry(name.material, rules)?;
        let frame = Frame::new(&geometry);
        // A symmetric table holds White to move only.
        let record = |side: Side| match side == Side::Black && name.material.is_symmetric() {
            true => Ok(None),
            false => Record::new(geometry.index.kings().len(), self.spill).map(Some),
        };
        let mut records = [record(Side::White)?, record(Side::Black)?];
        let (conversions, time) = conversions(&geometry, name.metric, rules, tables)?;
        let effort = self.find(&geometry, &frame, name.metric, conversions, &mut records, layer)?;
        let effort = Effort { conversions: time, ..effort };
        Ok(SolvedTable::gather(geometry, frame, records, effort)?)
    }

    /// Finds the layers of a table and records nothing: the time that the sets alone take.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    pub fn measure(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
    ) -> Result<Effort, SolveError> {
        let geometry = geometry(name.material, rules)?;
        let frame = Frame::new(&geometry);
        let (conversions, time) = conversions(&geometry, name.metric, rules, tables)?;
        let effort =
            self.find(&geometry, &frame, name.metric, conversions, &mut [None, None], &|_, _| ())?;
        Ok(Effort { conversions: time, ..effort })
    }

    /// Finds the wins of both sides from the conversions by mover. Those of a side to move
    /// that has a record go into it.
    fn find(
        &self,
        geometry: &Geometry,
        frame: &Frame,
        metric: Metric,
        mut conversions: [MoverConversions; 2],
        records: &mut [Option<Record>; 2],
        layer: &dyn Fn(Side, Moves),
    ) -> Result<Effort, SolveError> {
        let start = Instant::now();
        let mut effort = Effort::default();
        for attacker in Side::BOTH {
            let is_bare = geometry.index.material().army(attacker).is_empty();
            if !is_bare || geometry.end.bare_king_can_win() {
                let won = std::mem::take(&mut conversions[(!attacker).index()].won);
                let lost = std::mem::take(&mut conversions[attacker.index()].lost);
                let goal = Goal {
                    attacker,
                    longest: metric.longest(geometry.index.material(), attacker),
                    layer: &|moves| layer(attacker, moves),
                };
                effort.moved += find_wins(geometry, frame, goal, [won, lost], records, self.width)?;
            }
        }
        effort.layers = start.elapsed();
        Ok(effort)
    }
}

/// The conversions after the moves of each side, and the time it took to read them.
fn conversions(
    geometry: &Geometry,
    metric: Metric,
    rules: &Rules,
    tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
) -> Result<([MoverConversions; 2], Duration), MissingTable> {
    let start = Instant::now();
    let read =
        |mover| Ok(SmallerTables::new(geometry, rules, metric, mover, tables)?.conversions());
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
    use crate::slots::codes::TableCodes;
    use crate::store::TableStore;
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
    fn layers_on_disk_give_the_same_codes() {
        let directory = tempfile::tempdir().unwrap();
        let tables = solved(&SOME, Solver::default());
        let spilling = Solver { spill: Some(directory.path()), ..Solver::default() };
        for (name, table) in tables.tables() {
            let smaller = |name| tables.get(name);
            let solved = spilling.solve_watched(name, &MAKRUK.rules, &smaller, &|_, _| ());
            let solved = solved.unwrap().into_table().unwrap_err();
            for &side in Table::sides(table.index()) {
                let values = table.values(side).unwrap();
                assert_eq!(solved.coding(side), Some(values.coding()));
                let slots = table.index().slots();
                for window in [0..slots, slots / 3..slots / 2, slots - 1..slots] {
                    let codes = solved.window(side, window.clone()).unwrap();
                    let bytes = window.start as usize..window.end as usize;
                    assert!(codes[..] == values.codes()[bytes], "{name} {window:?}");
                }
            }
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
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
