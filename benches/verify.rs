//! Slots verified per second, on one thread and on all cores.
//!
//! Compares every stored value of `KRvKM` with the values of its successors. The throughput counts
//! every slot, legal or not.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::ThreadPoolBuilder;
use sakmak_benches::{material, slots, solve, successors};
use sakmak_make::verify::{slots_to_verify, verify};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::variants::MAKRUK;
use std::sync::atomic::{AtomicU64, Ordering};

fn verifier(criterion: &mut Criterion) {
    let material = material("KRvKM");
    let store = successors(material);
    let table = solve(&store, material);
    let mut group = criterion.benchmark_group("verify KRvKM");
    group.throughput(Throughput::Elements(slots(&table))).sample_size(10);
    for (name, threads) in [("one thread", 1), ("all cores", 0)] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let seen = AtomicU64::new(0);
                let count = |slots| {
                    seen.fetch_add(slots, Ordering::Relaxed);
                };
                let smaller = |name| store.memory.get(name);
                let verified = pool
                    .install(|| verify(&table, Metric::DistanceToMate, &MAKRUK, &smaller, &count));
                assert_eq!(verified, Ok(()));
                assert_eq!(seen.into_inner(), slots_to_verify(&table));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, verifier);
criterion_main!(benches);
