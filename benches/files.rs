//! Files made and read back: bytes of codes per second, all cores at work.
//!
//! The table is `KSMvK`, of those with four men the one that compresses worst. `compress`
//! makes the file in memory; `write` also puts it on the disk and waits until it is there,
//! and so measures the disk as well. `load` decodes the whole file, `check` is what
//! `sakmak verify` does before it looks at values; both find it in the page cache. `open`
//! is opening a file for look-ups, which reads no table; its throughput counts files.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_benches::{Tables, bytes, material};
use sakmak_gen::output::solved::{WriteOptions, write, write_to};
use sakmak_gen::store::decode_table;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::file::solved::SolvedFile;
use sakmak_tables::format::name::TableName;
use sakmak_tables::rules::piece::Side;

fn files(criterion: &mut Criterion) {
    let material = material("KSMvK");
    let rules = Tables::rules();
    let table = Tables::below(material).solve(material);
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
