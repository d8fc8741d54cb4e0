//! Slots solved per second by the plane solver and by the reference solver.
//!
//! The subtables exist already; the time covers the single material. The throughput of both
//! solvers counts the slots of the finished table, so the ratio of two figures is the ratio of the
//! times. The reference solver folds no symmetry and works on up to nine times as many positions.
//! `plane` uses one thread, `plane, all cores` one for each core.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sakmak_benches::{longest_win, material, rules, slots, solve, successors};
use sakmak_oracle::reference::Reference;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::Index;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::MAKRUK;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Materials for the plane solver, and the longest win with White to move.
const PLANE: [(&str, Moves); 5] = [
    ("KRvK", Moves(16)),
    ("KRvKR", Moves(19)),
    ("KRvKM", Moves(30)),
    ("KNMvK", Moves(36)),
    ("KRNMvK", Moves(25)),
];

/// Materials for the reference solver, a position with White to move and its win.
const REFERENCE: [(&str, &str, Moves); 2] = [
    ("KRvK", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1", Moves(16)),
    ("KRvKR", "8/8/8/8/8/1R6/6r1/K1k5 w - - 0 1", Moves(19)),
];

fn one_thread() -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(1).build().expect("a thread")
}

fn table_slots(material: Material) -> Throughput {
    let index = Index::new(material, rules());
    let sides = if material.is_symmetric() { 1 } else { Side::BOTH.len() as u64 };
    Throughput::Elements(sides * index.slots())
}

fn plane(criterion: &mut Criterion) {
    let one = one_thread();
    let all = ThreadPoolBuilder::new().build().expect("threads");
    for (name, longest) in PLANE {
        let material = material(name);
        let store = successors(material);
        let mut group = criterion.benchmark_group(format!("solve {name}"));
        group.throughput(table_slots(material)).sample_size(10);
        for (name, threads) in [("plane", &one), ("plane, all cores", &all)] {
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let table = threads.install(|| solve(&store, black_box(material)));
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
    // A test of the bench needs one material; the second takes the reference half a minute.
    let tested = std::env::args().any(|argument| argument == "--test");
    let materials = if tested { &REFERENCE[..1] } else { &REFERENCE };
    for &(name, fen, moves) in materials {
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

/// Solves a material by definition, after its dependencies; returns the time of the material alone.
fn solve_by_definition(material: Material, position: &Position, moves: Moves) -> Duration {
    let mut reference = Reference::new(&MAKRUK);
    for smaller in material.successors(rules()) {
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
