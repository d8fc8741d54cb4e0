//! Verdicts per second: what a search asks at every node.
//!
//! A million distinct random legal positions, each material as often as it has slots, in no
//! order, so that nearly every look-up is where none was before; finding the material, turning
//! the board and looking at captures are in it. `SAKMAK_TABLES` names the directories (with
//! colons between) whose largest verdict files are asked; without it some files of four men
//! are made. All files are in the page cache. Where the tables are there too, some verdicts
//! are compared with what they say. `together` asks for all of them by one call; `two threads` ask
//! different halves at once, one by one, and the throughput counts both.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_benches::{machine, material, random};
use sakmak_gen::output::wdl::{WdlSources, make};
use sakmak_gen::slots::legal::legal_position;
use sakmak_gen::store::TableStore;
use sakmak_gen::system::ByteSize;
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants;
use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};

/// Positions looked up in one round.
const POSITIONS: usize = 1_000_000;
/// Of those one of so many is compared with the tables.
const COMPARED: usize = 50;
/// What is made where no directory is named.
const MADE: [&str; 6] = ["KRvKR", "KRvKN", "KRvKM", "KRNvK", "KMMvK", "KNvKM"];

fn asked(made: &Path, counting_rule: &'static CountingRule) -> Vec<PathBuf> {
    if let Some(named) = env::var_os("SAKMAK_TABLES") {
        return env::split_paths(&named).collect();
    }
    for name in MADE {
        let store = TableStore::new(&variants::counted_by(counting_rule).rules, made);
        let tables = WdlSources::bring(&store, material(name), counting_rule).expect("tables");
        make(&tables, made, ByteSize(1 << 30), &|_| ()).expect("a file");
    }
    vec![made.to_path_buf()]
}

/// The largest verdict files there are, with their indices.
fn files(directories: &[PathBuf], counting_rule: &'static CountingRule) -> Vec<Index> {
    let entries = directories.iter().flat_map(|path| std::fs::read_dir(path).expect("files"));
    let names = entries.filter_map(|entry| {
        let name = entry.expect("a file").file_name();
        let name = WdlName::of_file_name(name.to_str()?)?;
        (name.counting_rule == counting_rule).then_some(name.material)
    });
    let mut materials: Vec<_> = names.collect();
    materials.sort();
    let most = materials.last().expect("a verdict file").men();
    let largest = materials.into_iter().filter(|material| material.men() == most);
    largest
        .map(|material| Index::new(material, &variants::counted_by(counting_rule).rules))
        .collect()
}

/// Distinct random legal positions, the same ones every time.
fn positions(indices: &[Index], counting_rule: &'static CountingRule) -> Vec<Position> {
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
        .take(POSITIONS)
        .collect()
}

fn ask(tablebase: &Tablebase, positions: &[Position]) -> usize {
    let verdict = |position| tablebase.wdl(position).expect("a verdict");
    positions.iter().filter(|position| verdict(position) == Category::Win).count()
}

fn ask_together(tablebase: &Tablebase, positions: &[Position]) -> usize {
    let mut wins = 0;
    tablebase.wdl_batch(positions, |verdict| {
        wins += usize::from(verdict.expect("a verdict") == Category::Win);
    });
    wins
}

fn verdict(criterion: &mut Criterion) {
    let counting_rule = variants::counting_rule("makruk").expect("a way of counting");
    let made = tempfile::tempdir().expect("a directory");
    let directories = asked(made.path(), counting_rule);
    let indices = files(&directories, counting_rule);
    let positions = positions(&indices, counting_rule);
    let mut tablebase = Tablebase::new();
    for directory in &directories {
        tablebase.add_directory(directory).expect("a directory");
    }
    let mut compared = 0;
    for position in positions.iter().step_by(COMPARED) {
        let verdict = tablebase.wdl(position).expect("a verdict");
        match tablebase.category(position) {
            Ok(category) => {
                assert_eq!(verdict, category, "{}", position.fen());
                compared += 1;
            }
            Err(ProbeError::Missing { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    let wins = ask(&tablebase, &positions);
    println!(
        "{} files, {} positions, {wins} wins, {compared} compared",
        indices.len(),
        positions.len()
    );

    println!("{}", machine());
    let mut group = criterion.benchmark_group("verdict");
    group.sample_size(10).throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("one thread", |bencher| {
        bencher.iter(|| assert_eq!(ask(&tablebase, &positions), wins));
    });
    group.bench_function("together", |bencher| {
        bencher.iter(|| assert_eq!(ask_together(&tablebase, &positions), wins));
    });
    group.bench_function("two threads", |bencher| {
        bencher.iter(|| {
            let (one, other) = positions.split_at(positions.len() / 2);
            let both = rayon::join(|| ask(&tablebase, one), || ask(&tablebase, other));
            assert_eq!(both.0 + both.1, wins);
        });
    });
    group.finish();
}

criterion_group!(benches, verdict);
criterion_main!(benches);
