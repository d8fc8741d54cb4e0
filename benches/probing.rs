//! Random probes over a set of tables, as in an engine or a server.
//!
//! `SAKMAK_TABLES` names a directory; the bench probes its tables of distance to mate with the
//! most men, solved or packed. Without it, some tables of four men are made. A million distinct
//! legal positions (fewer in a test) are drawn first, each table in proportion to its slots.
//! Each is probed once in a round:
//!
//! - `random`: without a cache, so every probe decodes a block;
//! - `random, again`: the same with 100,000 positions that were probed before. A packed file
//!   verifies a row of blocks when it first uses it, so these probes verify nothing;
//! - `random, two threads`: the same on two threads, half of the positions each; the time covers
//!   all positions;
//! - `near`: with a cache, positions that one move and a reply lead to from a position probed
//!   before, as in a search;
//! - `open the directory`: opens no table; `and probe once` opens one.
//!
//! The files should be in the page cache.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_benches::{machine, random};
use sakmak_make::output::packed::{PackOptions, pack};
use sakmak_make::store::TableStore;
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::variants::MAKRUK;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Positions drawn.
const POSITIONS: usize = 1_000_000;

/// Positions probed again.
const AGAIN: usize = 100_000;

/// Positions drawn if nothing is measured.
const FEW: usize = 2_000;

/// The maximum number of positions probed near each position.
const NEAR: usize = 50;

/// The materials of a directory that have the most men.
fn materials(directory: &Path) -> Vec<Material> {
    let entries = std::fs::read_dir(directory).expect("a directory of tables");
    let mut found: Vec<Material> = entries
        .filter_map(|entry| {
            let name = entry.expect("an entry").file_name().into_string().ok()?;
            let (material, rest) = name.split_once('.')?;
            rest.starts_with("dtm.").then(|| material.parse().ok())?
        })
        .collect();
    found.sort();
    found.dedup();
    let most = found.iter().map(|material| material.men()).max().unwrap_or(0);
    found.retain(|material| material.men() == most);
    found
}

/// Distinct random legal positions of these materials.
fn positions(materials: &[Material], count: usize) -> Vec<Position> {
    let indices: Vec<Index> =
        materials.iter().map(|&material| Index::new(material, &MAKRUK.rules)).collect();
    let all: u64 = indices.iter().map(Index::slots).sum();
    let mut state = 1;
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    while positions.len() < count {
        let number = random(&mut state);
        let side = Side::BOTH[(number % 2) as usize];
        let mut slot = (number >> 1) % all;
        let mut index = &indices[0];
        for one in &indices {
            index = one;
            if slot < one.slots() {
                break;
            }
            slot -= one.slots();
        }
        if !seen.insert((index.material(), side, slot)) {
            continue;
        }
        let placement = index.placement(Slot(slot));
        positions.extend(legal_position(index, &placement, side, &MAKRUK));
    }
    positions
}

/// The positions after a move and a reply, with the same number of men, for each position.
fn near(roots: &[Position]) -> Vec<(Position, Vec<Position>)> {
    let reached = |root: &Position| {
        let replies = |&first| {
            let after = root.play_uncounted(first);
            let replies: Vec<Position> =
                after.legal_moves().iter().map(|&reply| after.play_uncounted(reply)).collect();
            replies
        };
        let same = |position: &Position| position.occupied().len() == root.occupied().len();
        let moves = root.legal_moves();
        let all = moves.iter().flat_map(replies).filter(same).take(NEAR);
        (*root, all.collect())
    };
    roots.iter().map(reached).collect()
}

/// Makes some packed tables of four men.
fn make_tables(directory: &Path) {
    let store = TableStore::in_memory(&MAKRUK.rules);
    let named = ["KRvKM", "KSMvK", "KSvKP"].map(|name| name.parse().expect("a material"));
    for material in Material::closure(named, &MAKRUK.rules) {
        let table = store.table(TableName::to_mate(material)).expect("enough memory");
        let successors = material.successors(&MAKRUK.rules).into_iter();
        let smaller = |material| store.table(TableName::to_mate(material)).expect("solved");
        let smaller: Vec<_> = successors.map(smaller).collect();
        let smaller: Vec<&dyn TableCodes> =
            smaller.iter().map(|table| &**table as &dyn TableCodes).collect();
        pack(
            &*table,
            Metric::DistanceToMate,
            &MAKRUK,
            &smaller,
            directory,
            PackOptions::default(),
            &|_| (),
        )
        .expect("a file");
    }
}

/// Probes these positions and adds up the moves of their values, which keeps the compiler from
/// dropping a probe.
fn probe(tablebase: &Tablebase, positions: &[Position]) -> u64 {
    let moves = |position| {
        let value = tablebase.dtm(position).expect("a value");
        value.moves().map_or(0, |moves| u64::from(moves.0))
    };
    positions.iter().map(moves).sum()
}

fn probing(criterion: &mut Criterion) {
    let testing = std::env::args().any(|argument| argument == "--test");
    let room = tempfile::tempdir().expect("a directory");
    let directory = std::env::var_os("SAKMAK_TABLES").map(PathBuf::from);
    let directory = directory.unwrap_or_else(|| {
        make_tables(room.path());
        room.path().to_path_buf()
    });
    let few = testing || directory == room.path();
    let positions = positions(&materials(&directory), if few { FEW } else { POSITIONS });
    let open = |cache: usize| {
        Tablebase::open(&directory).expect("a directory").with_cache(cache).expect("memory")
    };
    let uncached = open(0);
    let some = &positions[..FEW];
    let expected = probe(&uncached, some);

    println!("{}", machine());
    let mut group = criterion.benchmark_group("probing");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    group.throughput(Throughput::Elements(1));
    let mut next = 0;
    // The next positions, so that no small set is probed again and again.
    let mut window = |count: u64| {
        let count = (count as usize).min(positions.len());
        let start = if next + count > positions.len() { 0 } else { next };
        next = start + count;
        &positions[start..start + count]
    };
    let mut timed = |rounds: u64, run: &dyn Fn(&[Position])| {
        let mut left = rounds;
        let mut spent = Duration::ZERO;
        while left > 0 {
            let positions = window(left);
            let start = Instant::now();
            run(positions);
            spent += start.elapsed();
            left -= positions.len() as u64;
        }
        spent
    };
    group.bench_function("random", |bencher| {
        bencher.iter_custom(|rounds| {
            timed(rounds, &|positions| {
                probe(&uncached, positions);
            })
        });
    });
    let again = &positions[..positions.len().min(AGAIN)];
    probe(&uncached, again);
    group.bench_function("random, again", |bencher| {
        let mut all = again.iter().cycle();
        bencher
            .iter(|| all.next().map(|position| probe(&uncached, std::slice::from_ref(position))));
    });
    group.bench_function("random, two threads", |bencher| {
        bencher.iter_custom(|rounds| {
            timed(rounds, &|positions| {
                let (one, other) = positions.split_at(positions.len() / 2);
                std::thread::scope(|scope| {
                    scope.spawn(|| probe(&uncached, one));
                    probe(&uncached, other);
                });
            })
        });
    });
    let near = near(some);
    let cached = open(256 << 20);
    group.bench_function("near", |bencher| {
        bencher.iter_custom(|rounds| {
            let (mut left, mut spent) = (rounds, Duration::ZERO);
            for (root, all) in near.iter().cycle() {
                let all = &all[..all.len().min(left as usize)];
                probe(&cached, std::slice::from_ref(root));
                let start = Instant::now();
                probe(&cached, all);
                spent += start.elapsed();
                left -= all.len() as u64;
                if left == 0 {
                    break;
                }
            }
            spent
        });
    });
    group.bench_function("open the directory", |bencher| {
        bencher.iter(|| Tablebase::open(&directory).expect("a directory"));
    });
    let first = |tablebase: Tablebase| probe(&tablebase, &positions[..1]);
    group.bench_function("open the directory and probe once", |bencher| {
        bencher.iter(|| first(Tablebase::open(&directory).expect("a directory")));
    });
    group.finish();
    assert_eq!(probe(&cached, some), expected);
}

criterion_group!(benches, probing);
criterion_main!(benches);
