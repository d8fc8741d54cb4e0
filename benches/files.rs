//! Solved files written and read: bytes of codes per second, on all cores.
//!
//! The table is `KSMvK`, which compresses worst among tables of four men. `compress` makes the file
//! in memory. `write` also writes it to the disk and syncs it, so it measures the disk as well.
//! `load` decodes the whole file. `check` verifies its checksums, the first step of `sakmak
//! verify`. `open` opens the file for probing, which reads no block; its throughput counts files.
//! The file is in the page cache.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_benches::{bytes, material, rules, solve, successors};
use sakmak_make::output::solved::{WriteOptions, write, write_to};
use sakmak_make::store::decode_table;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;

fn files(criterion: &mut Criterion) {
    let material = material("KSMvK");
    let rules = rules();
    let table = solve(&successors(material), material);
    let options = WriteOptions::default();
    let directory = tempfile::tempdir().expect("a directory");
    let written = write(&table, rules, directory.path(), &options).expect("a file");
    let open = || {
        let name = TableName::to_mate(material);
        SolvedFile::open(&written.path, Access::Mapped, name, rules).expect("a table")
    };

    let mut group = criterion.benchmark_group("file KSMvK");
    group.throughput(Throughput::Bytes(bytes(&table))).sample_size(10);
    group.bench_function("compress", |bencher| {
        bencher.iter(|| {
            let mut file = Vec::new();
            write_to(&table, rules, &mut file, &options).expect("memory");
            assert_eq!(file.len() as u64, written.length);
            file
        });
    });
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            let again = write(&table, rules, directory.path(), &options).expect("a file");
            assert_eq!(again, written);
        });
    });
    group.bench_function("load", |bencher| {
        bencher.iter(|| {
            let loaded = decode_table(&open()).expect("a table");
            assert!(Side::BOTH.iter().all(|&side| loaded.values(side) == table.values(side)));
            loaded
        });
    });
    group.bench_function("check", |bencher| {
        bencher.iter(|| open().verify_checksums().expect("a sound file"));
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("open", |bencher| {
        bencher.iter(|| {
            let file = open();
            assert_eq!(file.checksum(), written.checksum);
            file
        });
    });
    group.finish();
}

criterion_group!(benches, files);
criterion_main!(benches);
