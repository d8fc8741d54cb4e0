//! Slots counted per second, on one thread and on all cores.
//!
//! Counts the positions of `KRvKM` by value. The throughput counts every slot, legal or not.
//! The table is in memory; the time to decode a file is not included.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use sakmak_benches::{longest_win, material, rules, slots, solve, successors};
use sakmak_make::census::Census;

fn statistics(criterion: &mut Criterion) {
    let material = material("KRvKM");
    let table = solve(&successors(material), material);
    let mut group = criterion.benchmark_group("count KRvKM");
    group.throughput(Throughput::Elements(slots(&table)));
    for (name, threads) in [("one thread", 1), ("all cores", 0)] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let census = pool.install(|| Census::of(&table, rules(), &|_| ()));
                let [white, _] = census.expect("every position has a value");
                let longest = white.and_then(|white| white.wins.longest());
                assert_eq!(longest.map(|(moves, _)| moves), longest_win(&table));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, statistics);
criterion_main!(benches);
