//! Probes per second through a tablebase on one thread, random legal positions of `KRvKM`.
//!
//! `memory` has the whole table in memory; `cached` finds every block decoded; `uncached`
//! decodes a block of a mapped file for every probe; `uncached, read` reads the file instead of
//! mapping it. The file is in the page cache. `probe` is a full answer: the value of each move,
//! the line to mate and the line under the count; its throughput counts positions.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_benches::{material, random, rules};
use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_make::store::{TableStore, solve_on_the_spot};
use sakmak_probe::file::bytes::Access;
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Slot;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::path::Path;

/// Positions probed in one round.
const POSITIONS: usize = 1000;

/// Random legal positions of a table with their values, the same positions every time.
fn positions(table: &Table) -> Vec<(Position, Value)> {
    let index = table.index();
    let mut state = 1u64;
    let random = std::iter::repeat_with(move || random(&mut state));
    random
        .filter_map(|number| {
            let side = Side::BOTH[(number % 2) as usize];
            let slot = Slot((number >> 1) % index.slots());
            let position = legal_position(index, &index.placement(slot), side, &MAKRUK)?;
            Some((position, table.value(side, slot)?))
        })
        .take(POSITIONS)
        .collect()
}

fn look_up(criterion: &mut Criterion) {
    let material = material("KRvKM");
    // Without the mates in time, each answer would search for one.
    let metrics = Metric::all_of(&MAKRUK.rules, MAKRUK.counting());
    let names = metrics.map(|metric| TableName::deciding(material, metric));
    let to_mate = names[0];
    let directory = tempfile::tempdir().expect("a directory");
    let store = TableStore::in_memory(rules());
    for name in TableName::closure(names, rules()) {
        let table = store.table(name).expect("enough memory");
        let options = WriteOptions { metric: name.metric, ..WriteOptions::default() };
        write(&*table, rules(), directory.path(), &options).expect("a file");
    }
    let positions = positions(&store.table(to_mate).expect("solved"));
    let open = |path: &Path| Tablebase::open(path).expect("a directory");

    let memory = solve_on_the_spot(Tablebase::new(), material.men());
    let cached = open(directory.path());
    let uncached = open(directory.path()).with_cache(0).expect("memory");
    let read = open(directory.path()).with_cache(0).expect("memory").with_access(Access::Read);

    let mut group = criterion.benchmark_group("look up KRvKM");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    for (name, tablebase) in [
        ("memory", &memory),
        ("cached", &cached),
        ("uncached", &uncached),
        ("uncached, read", &read),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for (position, value) in &positions {
                    assert_eq!(tablebase.dtm(position).expect("a value"), *value);
                }
            });
        });
    }
    group.sample_size(10).bench_function("probe", |bencher| {
        bencher.iter(|| {
            for (position, value) in &positions {
                let answer = cached.probe(position).expect("an answer");
                assert_eq!(answer.dtm, *value);
                let plies = value.plies().unwrap_or(Plies(0));
                assert_eq!(answer.lines.expect("lines").uncounted.len() as u64, u64::from(plies.0));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, look_up);
criterion_main!(benches);
