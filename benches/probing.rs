//! Single look-ups at random over a set of tables, as an engine or a server asks.
//!
//! With `SAKMAK_TABLES` naming a directory, all tables of distances there with the most men
//! are asked, solved or packed; without, some of four men are made. A million distinct
//! legal positions (fewer in a test) are drawn before, each table as often as it has slots, and asked once
//! each, round and round:
//!
//! - `random`: no decoded block is kept, so that every look-up decodes what it needs;
//! - `random, two threads`: the same by two threads, each half of the positions; the time
//!   is for all of them;
//! - `near`: with the cache, positions one move and a reply away from one asked before, as
//!   a search comes to them;
//! - `open the directory`: no table is opened; `and ask once`: one is.
//!
//! The files should be in the page cache; the draw reads some of each.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_benches::{machine, random};
use sakmak_gen::output::packed::{PackOptions, pack};
use sakmak_gen::slots::legal::legal_position;
use sakmak_gen::solver::Solver;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Positions drawn.
const POSITIONS: usize = 1_000_000;

/// Positions drawn where nothing is measured.
const FEW: usize = 2_000;

/// Successors of successors asked after each position.
const NEAR: usize = 50;

/// The materials with the most men of which a directory has a table.
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

/// Positions a move and a reply away, each with the positions before.
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

/// Some four-pieces tables, packed.
fn made(directory: &Path) {
    let mut tables: HashMap<Material, Arc<Table>> = HashMap::new();
    let named = ["KRvKM", "KSMvK", "KSvKP"].map(|name| name.parse().expect("a material"));
    for material in Material::closure(named, &MAKRUK.rules) {
        let name = TableName::to_mate(material);
        let smaller = |name: TableName| tables.get(&name.material).cloned();
        let table = Solver::default().solve(name, &MAKRUK.rules, &smaller);
        let table = Arc::new(table.expect("all it needs is at hand"));
        let successors = material.successors(&MAKRUK.rules);
        let smaller: Vec<_> = successors.iter().map(|m| Arc::clone(&tables[m])).collect();
        pack(&table, &MAKRUK, &smaller, directory, PackOptions::default(), &|_| ())
            .expect("a file");
        tables.insert(material, table);
    }
}

/// Asks for all of these values and adds up what there is of moves, so that none is left
/// out.
fn ask(tablebase: &Tablebase, positions: &[Position]) -> u64 {
    let moves = |position| {
        let value = tablebase.value(position).expect("a value");
        value.moves().map_or(0, |moves| u64::from(moves.0))
    };
    positions.iter().map(moves).sum()
}

fn probing(criterion: &mut Criterion) {
    let testing = std::env::args().any(|argument| argument == "--test");
    let room = tempfile::tempdir().expect("a directory");
    let directory = std::env::var_os("SAKMAK_TABLES").map(PathBuf::from);
    let directory = directory.unwrap_or_else(|| {
        made(room.path());
        room.path().to_path_buf()
    });
    let few = testing || directory == room.path();
    let positions = positions(&materials(&directory), if few { FEW } else { POSITIONS });
    let open = |cache: usize| Tablebase::open(&directory).expect("a directory").with_cache(cache);
    let uncached = open(0);
    let some = &positions[..FEW];
    let expected = ask(&uncached, some);

    println!("{}", machine());
    let mut group = criterion.benchmark_group("probing");
    group.sample_size(10).measurement_time(Duration::from_secs(10));
    group.throughput(Throughput::Elements(1));
    let mut next = 0;
    // So many at a time that they are no small set met again and again.
    let mut window = |count: u64| {
        let count = (count as usize).min(positions.len());
        let start = if next + count > positions.len() { 0 } else { next };
        next = start + count;
        &positions[start..start + count]
    };
    let mut timed = |rounds: u64, ask: &dyn Fn(&[Position])| {
        let mut left = rounds;
        let mut spent = Duration::ZERO;
        while left > 0 {
            let positions = window(left);
            let start = Instant::now();
            ask(positions);
            spent += start.elapsed();
            left -= positions.len() as u64;
        }
        spent
    };
    group.bench_function("random", |bencher| {
        bencher.iter_custom(|rounds| {
            timed(rounds, &|positions| {
                ask(&uncached, positions);
            })
        });
    });
    group.bench_function("random, two threads", |bencher| {
        bencher.iter_custom(|rounds| {
            timed(rounds, &|positions| {
                let (one, other) = positions.split_at(positions.len() / 2);
                std::thread::scope(|scope| {
                    scope.spawn(|| ask(&uncached, one));
                    ask(&uncached, other);
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
                ask(&cached, std::slice::from_ref(root));
                let start = Instant::now();
                ask(&cached, all);
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
    let first = |tablebase: Tablebase| ask(&tablebase, &positions[..1]);
    group.bench_function("open the directory and ask once", |bencher| {
        bencher.iter(|| first(Tablebase::open(&directory).expect("a directory")));
    });
    group.finish();
    assert_eq!(ask(&cached, some), expected);
}

criterion_group!(benches, probing);
criterion_main!(benches);
