//! Slots solved per second: the plane solver beside the reference solver.
//!
//! Both are given the smaller tables and time the one material alone. The throughput of
//! both counts the slots of the finished table, so the ratio of two figures is that of the
//! times; the reference solver, which folds no symmetry, works on up to nine times as many
//! positions for them. `plane` is one thread, `plane, all cores` as many as there are.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sakmak_benches::{Tables, longest_win, material, slots};
use sakmak_oracle::reference::Reference;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::MAKRUK;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// What the plane solver solves, with the longest win of White to move.
const PLANE: [(&str, Moves); 5] = [
    ("KRvK", Moves(16)),
    ("KRvKR", Moves(19)),
    ("KRvKM", Moves(30)),
    ("KNMvK", Moves(36)),
    ("KRNMvK", Moves(25)),
];

/// What the reference solver solves, with a position that is such a win.
const REFERENCE: [(&str, &str, Moves); 2] = [
    ("KRvK", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", Moves(16)),
    ("KRvKR", "8/8/8/8/8/1R6/6r1/K1k5 w - - 0 1", Moves(19)),
];

fn one_thread() -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(1).build().expect("a thread")
}

fn table_slots(material: Material) -> Throughput {
    let index = Index::new(material, Tables::rules());
    let sides = if material.is_symmetric() { 1 } else { Side::BOTH.len() as u64 };
    Throughput::Elements(sides * index.slots())
}

fn plane(criterion: &mut Criterion) {
    let one = one_thread();
    let all = ThreadPoolBuilder::new().build().expect("threads");
    for (name, longest) in PLANE {
        let material = material(name);
        let below = Tables::below(material);
        let mut group = criterion.benchmark_group(format!("solve {name}"));
        group.throughput(table_slots(material)).sample_size(10);
        for (solver, threads) in [("plane", &one), ("plane, all cores", &all)] {
            group.bench_function(solver, |bencher| {
                bencher.iter(|| {
                    let table = threads.install(|| below.solve(black_box(material)));
                    assert_eq!(longest_win(&table), Some(longest));
                    assert_eq!(table_slots(material), Throughput::Elements(slots(&table)));
                    table
                });
            });
        }
        group.finish();
    }
}

fn reference(criterion: &mut Criterion) {
    let one = one_thread();
    for (name, fen, moves) in REFERENCE {
        let material = material(name);
        let position = Position::from_fen(&MAKRUK, fen).expect("a position");
        let mut group = criterion.benchmark_group(format!("solve {name}"));
        group.throughput(table_slots(material)).sample_size(10);
        group.bench_function("reference", |bencher| {
            bencher.iter_custom(|times| {
                one.install(|| (0..times).map(|_| solve_by_definition(material, &position, moves)))
                    .sum()
            });
        });
        group.finish();
    }
}

/// Solves a material by definition after all it leads to: the time it took itself.
fn solve_by_definition(material: Material, position: &Position, moves: Moves) -> Duration {
    let mut reference = Reference::new(&MAKRUK);
    for smaller in material.successors(Tables::rules()) {
        reference.solve(smaller).expect("few men");
    }
    let start = Instant::now();
    reference.solve(black_box(material)).expect("few men");
    let took = start.elapsed();
    assert_eq!(reference.value(position), Some(Value::Win(moves)));
    took
}

criterion_group!(benches, plane, reference);
criterion_main!(benches);
