//! The solver: whatever is on disk, the codes are the same.

use sakmak_make::store::TableStore;
use sakmak_make::system::scratch_file::DiskFolder;
use sakmak_solve::solver::saved_layers::{self, SavedLayersError};
use sakmak_solve::solver::{Estimate, SolvedTable, Solver, Spill, Width};
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn solved(names: &[&str], solver: Solver<'static>) -> TableStore<'static> {
    let store = TableStore::in_memory(&MAKRUK.rules);
    let names = names.iter().map(|name| name.parse().unwrap());
    for name in TableName::closure(names, &MAKRUK.rules) {
        let table = solver.solve(name, &MAKRUK.rules, &|name| store.memory.get(name)).unwrap();
        store.memory.insert(name, Arc::new(table));
    }
    store
}

fn assert_same(one: &TableStore<'_>, other: &TableStore<'_>) {
    assert_eq!(one.memory.tables().len(), other.memory.tables().len());
    for (name, table) in one.memory.tables() {
        let same = other.memory.get(name).unwrap();
        for side in Side::BOTH {
            assert!(table.values(side) == same.values(side), "{name}");
        }
    }
}

const SOME: [&str; 6] = ["KPvKM", "KRRvK", "KRvKN", "KSPvK", "KSvKP.makruk", "KRvKM.ouk"];
const SMALL: [&str; 2] = ["KMMvK", "KMvKP.makruk"];

#[test]
fn whatever_is_on_disk_the_codes_are_the_same() {
    assert_same_on_disk(&SMALL);
}

#[test]
#[ignore = "long: part of the full tests"]
fn whatever_is_on_disk_the_codes_of_larger_tables_are_the_same() {
    assert_same_on_disk(&SOME);
}

fn assert_same_on_disk(names: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let tables = solved(names, Solver::default());
    for name in names {
        let name: TableName = name.parse().unwrap();
        let table = tables.table(name).unwrap();
        let sets = Estimate::of(name.material, name.metric, &MAKRUK.rules).sets;
        for (sets, logs) in [(sets, u64::MAX), (sets, 1 << 20), (sets / 2, 0), (0, 0)] {
            let spill =
                Some(Spill { folder: &DiskFolder(directory.path()), sets, logs, saved: None });
            let solver = Solver { spill, ..Solver::default() };
            let smaller = |name| Some(tables.memory.get(name)? as Arc<dyn TableCodes>);
            let rules = &MAKRUK.rules;
            let solved = solver.solve_with_progress(name, rules, &smaller, &|_, _| ()).unwrap();
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
    let folder = DiskFolder(folder);
    let (name, rules) = (name.parse::<TableName>().unwrap(), &MAKRUK.rules);
    let tables = solved(&[&name.to_string()], Solver::default());
    let spill = Some(Spill { folder: &folder, sets: 0, logs, saved: Some(&folder) });
    let solver = Solver { spill, ..Solver::default() };
    let smaller = |name| Some(tables.memory.get(name)? as Arc<dyn TableCodes>);
    let solved = solver.solve_with_progress(name, rules, &smaller, &|_, _| ()).unwrap();
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
            SolvedTable::saved(&DiskFolder(folder.path()), name, rules, in_memory, || {
                Duration::ZERO
            })
            .unwrap()
            .unwrap()
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
    let saved = |rules| {
        SolvedTable::saved(&DiskFolder(folder.path()), name, rules, false, || Duration::ZERO)
    };
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
    assert_same_by_all_registers(&SMALL);
}

#[test]
#[ignore = "long: part of the full tests"]
fn all_registers_and_numbers_of_threads_give_the_same_larger_tables() {
    assert_same_by_all_registers(&SOME);
}

fn assert_same_by_all_registers(names: &[&str]) {
    let widest = solved(names, Solver::default());
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_same(&widest, &one_thread.install(|| solved(names, Solver::default())));
    // The widest is done.
    for width in Width::available().into_iter().filter(|&width| width != Solver::default().width) {
        assert_same(&widest, &solved(names, Solver { width, ..Solver::default() }));
    }
}

#[test]
fn a_missing_smaller_table_is_named() {
    let solved = Solver::default().solve("KPvK".parse().unwrap(), &MAKRUK.rules, &|_| None);
    let error = solved.unwrap_err();
    assert_eq!(error.to_string(), "KPvK needs the table KMvK, which is missing");
}
