//! WDL probes per second, as in a search that probes at every node.
//!
//! A million distinct random legal positions (fewer in a test) are probed. Each material has a
//! share in proportion to its slots, in random order, so that nearly every probe reads memory for
//! the first time. The time includes finding the material, applying the symmetry and searching
//! captures. `SAKMAK_TABLES` names directories, separated by colons; the bench probes their largest
//! WDL files. Without it, the bench makes some files of four men. All files are in the page cache.
//! Some results are compared with the tables, if available. `batch` probes all positions in one
//! call. `two threads` probe half of the positions each, one by one; the throughput counts both
//! halves.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_benches::{machine, material, random};
use sakmak_make::output::wdl::{WdlSources, make};
use sakmak_make::store::TableStore;
use sakmak_make::system::ByteSize;
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants;
use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Positions probed in one round.
const POSITIONS: usize = 1_000_000;
/// Positions of a test.
const FEW: usize = 2_000;
/// The distance between two positions that are compared with the tables.
const COMPARED: usize = 50;
/// The materials of the files that are made.
const MADE: [&str; 6] = ["KRvKR", "KRvKN", "KRvKM", "KRNvK", "KMMvK", "KNvKM"];

/// Makes files, and returns the tables that they are made from.
fn make_files(made: &Path, counting_rule: &'static CountingRule) -> TableStore<'static> {
    let store = TableStore::in_memory(&variants::counted_by(counting_rule).rules);
    for name in MADE {
        let tables = WdlSources::load(&store, material(name), counting_rule).expect("tables");
        make(&tables, made, ByteSize(1 << 30), &|_| ()).expect("a file");
    }
    store
}

/// The indices of the largest WDL files.
fn files(directories: &[PathBuf], counting_rule: &'static CountingRule) -> Vec<Index> {
    let entries = directories.iter().flat_map(|path| std::fs::read_dir(path).expect("files"));
    let names = entries.filter_map(|entry| {
        let name = entry.expect("a file").file_name();
        let name = WdlName::of_file_name(name.to_str()?)?;
        (name.counting_rule == counting_rule).then_some(name.material)
    });
    let mut materials: Vec<_> = names.collect();
    materials.sort();
    let most = materials.last().expect("a WDL file").men();
    let largest = materials.into_iter().filter(|material| material.men() == most);
    largest
        .map(|material| Index::new(material, &variants::counted_by(counting_rule).rules))
        .collect()
}

/// Distinct random legal positions, the same positions every time.
fn positions(
    indices: &[Index],
    counting_rule: &'static CountingRule,
    number: usize,
) -> Vec<Position> {
    let mut ends = Vec::new();
    let mut all = 0;
    for index in indices {
        all += index.slots();
        ends.push(all);
    }
    let mut state = 1u64;
    let random = std::iter::repeat_with(move || random(&mut state));
    let mut seen = HashSet::new();
    random
        .filter(|&number| seen.insert(number % (2 * all)))
        .filter_map(|number| {
            let (side, slot) =
                (Side::BOTH[(number % (2 * all) % 2) as usize], number % (2 * all) / 2);
            let which = ends.partition_point(|&end| end <= slot);
            let index = &indices[which];
            let slot = Slot(slot - (ends[which] - index.slots()));
            let placement = index.placement(slot);
            let position =
                legal_position(index, &placement, side, variants::counted_by(counting_rule))?;
            Some(position.counted_by(counting_rule))
        })
        .take(number)
        .collect()
}

fn probe(tablebase: &Tablebase, positions: &[Position]) -> usize {
    let category = |position| tablebase.wdl(position).expect("a category");
    positions.iter().filter(|position| category(position) == Category::Win).count()
}

fn probe_batch(tablebase: &Tablebase, positions: &[Position]) -> usize {
    let mut wins = 0;
    tablebase.wdl_batch(positions, |category| {
        wins += usize::from(category.expect("a category") == Category::Win);
    });
    wins
}

fn wdl(criterion: &mut Criterion) {
    let counting_rule = variants::counting_rule("makruk").expect("a counting rule");
    let made = tempfile::tempdir().expect("a directory");
    let given = env::var_os("SAKMAK_TABLES");
    let paths: Vec<PathBuf> = match &given {
        Some(named) => env::split_paths(named).collect(),
        None => vec![made.path().to_path_buf()],
    };
    let open = || {
        let mut tablebase = Tablebase::new();
        for directory in &paths {
            tablebase.add_directory(directory).expect("a directory");
        }
        tablebase
    };
    let solved = match given {
        Some(_) => open(),
        None => open().with_source(Arc::new(make_files(made.path(), counting_rule))),
    };
    let indices = files(&paths, counting_rule);
    let testing = env::args().any(|argument| argument == "--test");
    let positions = positions(&indices, counting_rule, if testing { FEW } else { POSITIONS });
    let tablebase = open();
    let mut compared = 0;
    for position in positions.iter().step_by(COMPARED) {
        let fresh = tablebase.wdl(position).expect("a category");
        match solved.category(position) {
            Ok(category) => {
                assert_eq!(fresh, category, "{}", position.fen());
                compared += 1;
            }
            Err(ProbeError::Missing { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert!(compared > 0 || given.is_some(), "no result was compared");
    let wins = probe(&tablebase, &positions);
    println!(
        "{} files, {} positions, {wins} wins, {compared} compared",
        indices.len(),
        positions.len()
    );

    println!("{}", machine());
    let mut group = criterion.benchmark_group("wdl");
    group.sample_size(10).throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("one thread", |bencher| {
        bencher.iter(|| assert_eq!(probe(&tablebase, &positions), wins));
    });
    group.bench_function("batch", |bencher| {
        bencher.iter(|| assert_eq!(probe_batch(&tablebase, &positions), wins));
    });
    group.bench_function("two threads", |bencher| {
        bencher.iter(|| {
            let (one, other) = positions.split_at(positions.len() / 2);
            let both = rayon::join(|| probe(&tablebase, one), || probe(&tablebase, other));
            assert_eq!(both.0 + both.1, wins);
        });
    });
    group.finish();
}

criterion_group!(benches, wdl);
criterion_main!(benches);
