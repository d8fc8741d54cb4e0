//! Solves a material: each side's wins, then the table.

use crate::planes::frame::Frame;
use crate::planes::geometry::Geometry;
use crate::solver::boundary::{Boundary, MissingTable, Read};
use crate::solver::effort::Effort;
use crate::solver::gather::Solved;
use crate::solver::layers::{Asked, find_wins};
use crate::solver::record::Record;
use crate::solver::solver::Solver;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Why a material could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Bare kings need no table.
    #[error("{0} has no table: two bare kings always draw")]
    BareKings(Material),
    /// A smaller table is missing.
    #[error(transparent)]
    Missing(#[from] MissingTable),
    /// The system gave no memory, or no room on disk for the layers.
    #[error("no room for what is being solved: {0}")]
    Room(#[from] io::Error),
}

impl Solver<'_> {
    /// Solves a table in memory; `tables` gives those it leads to.
    ///
    /// # Errors
    ///
    /// When one of those tables is missing, or there is not memory enough.
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

    /// Solves a table in memory or, if the solver has a directory for it, on disk;
    /// `layer` is called with the attacker and the length of the mates each time a layer
    /// is done.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`], and when the disk cannot be written to.
    pub fn solve_watched(
        &self,
        name: TableName,
        rules: &Rules,
        tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
        layer: &dyn Fn(Side, Moves),
    ) -> Result<Solved, SolveError> {
        let geometry = geometry(name.material, rules)?;
        let frame = Frame::new(&geometry);
        // A symmetric table holds White to move only.
        let record = |side: Side| match side == Side::Black && name.material.is_symmetric() {
            true => Ok(None),
            false => Record::new(geometry.index.kings().len(), self.spill).map(Some),
        };
        let mut records = [record(Side::White)?, record(Side::Black)?];
        let (read, time) = read(&geometry, name.metric, rules, tables)?;
        let found = self.find(&geometry, &frame, name.metric, read, &mut records, layer)?;
        let effort = Effort { conversions: time, ..found };
        Ok(Solved::gather(geometry, frame, records, effort)?)
    }

    /// Finds the layers of a material and keeps nothing of them: what the sets alone take.
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
        let (read, time) = read(&geometry, name.metric, rules, tables)?;
        let found =
            self.find(&geometry, &frame, name.metric, read, &mut [None, None], &|_, _| ())?;
        Ok(Effort { conversions: time, ..found })
    }

    /// Finds the wins of both sides from the conversions by mover, and records them where there are records.
    fn find(
        &self,
        geometry: &Geometry,
        frame: &Frame,
        metric: Metric,
        conversions: [Read; 2],
        records: &mut [Option<Record>; 2],
        layer: &dyn Fn(Side, Moves),
    ) -> Result<Effort, SolveError> {
        let (start, mut read) = (Instant::now(), conversions);
        let mut effort = Effort::default();
        for attacker in Side::BOTH {
            if !geometry.index.material().army(attacker).is_empty() {
                let won = std::mem::take(&mut read[(!attacker).index()].won);
                let lost = std::mem::take(&mut read[attacker.index()].lost);
                let asked = Asked {
                    attacker,
                    longest: metric.longest(geometry.index.material(), attacker),
                    layer: &|moves| layer(attacker, moves),
                };
                effort.moved += find_wins(geometry, frame, asked, [won, lost], records, self)?;
            }
        }
        effort.layers = start.elapsed();
        Ok(effort)
    }
}

/// Reads the conversions after moves of each side; gives how long that took.
fn read(
    geometry: &Geometry,
    metric: Metric,
    rules: &Rules,
    tables: &dyn Fn(TableName) -> Option<Arc<Table>>,
) -> Result<([Read; 2], Duration), MissingTable> {
    let start = Instant::now();
    let read = |mover| Ok(Boundary::new(geometry, rules, metric, mover, tables)?.read());
    let read = [read(Side::White)?, read(Side::Black)?];
    Ok((read, start.elapsed()))
}

/// The planes of a material that has a table.
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
    use crate::solver::Width;
    use sakmak_tables::variants::MAKRUK;
    use std::collections::HashMap;

    fn solved(names: &[&str], solver: Solver<'_>) -> HashMap<TableName, Arc<Table>> {
        let rules = &MAKRUK.rules;
        let names = names.iter().map(|name| name.parse().unwrap());
        let mut tables = HashMap::new();
        for name in TableName::closure(names, rules) {
            let smaller = |name| tables.get(&name).cloned();
            let table = solver.solve(name, rules, &smaller).unwrap();
            tables.insert(name, Arc::new(table));
        }
        tables
    }

    fn assert_same(one: &HashMap<TableName, Arc<Table>>, other: &HashMap<TableName, Arc<Table>>) {
        assert_eq!(one.len(), other.len());
        for (name, table) in one {
            for side in Side::BOTH {
                assert!(table.values(side) == other[name].values(side), "{name}");
            }
        }
    }

    const SOME: [&str; 6] = ["KPvKM", "KRRvK", "KRvKN", "KSPvK", "KSvKP.makruk", "KRvKM.ouk"];

    #[test]
    fn layers_on_disk_give_the_same_codes() {
        let directory = tempfile::tempdir().unwrap();
        let tables = solved(&SOME, Solver::default());
        let spilling = Solver { spill: Some(directory.path()), ..Solver::default() };
        for (&name, table) in &tables {
            let smaller = |name| tables.get(&name).cloned();
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
        for width in Width::all_here() {
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
