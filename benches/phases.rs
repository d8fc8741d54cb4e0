//! Time of each phase of generating a table on one core, and the bandwidth of memory.
//!
//! The phases: the sets of slots alone; solving with the log of the layers; gathering the codes;
//! compressing them; writing the file. Each figure is the median of five rounds after an uncounted
//! first round. Rates are slots per second, counting both sides to move. `moved` is the bytes of
//! planes read or written per slot while the layers are found. `of memory` compares `moved` with
//! the bandwidth of a copy from memory to memory in the same run; above 100 % the planes come from
//! caches.
//!
//! `cargo bench -p sakmak-benches --bench phases -- KRNMvK KNMMvK` measures these materials;
//! `--test` runs one small material for one round.

use sakmak_benches::{bytes, longest_win, material, rules, slots, successors};
use sakmak_make::output::solved::{WriteOptions, write, write_to};
use sakmak_solve::solver::Solver;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::values::codes::TableCodes;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The materials measured by default, and the longest win with White to move.
const MEASURED: [(&str, Moves); 3] =
    [("KRNMvK", Moves(25)), ("KNMMvK", Moves(45)), ("KRMvKM", Moves(29))];
/// The material measured with `--test`.
const TESTED: (&str, Moves) = ("KRvKM", Moves(30));
/// Bytes copied to measure memory: more than a cache holds.
const COPIED: usize = 512 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let test = arguments.iter().any(|argument| argument == "--test");
    let named: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    let rounds = if test { 1 } else { 5 };
    let measured: Vec<(Material, Option<Moves>)> = match named.as_slice() {
        [] if test => vec![(material(TESTED.0), Some(TESTED.1))],
        [] => MEASURED.map(|(name, longest)| (material(name), Some(longest))).to_vec(),
        named => named.iter().map(|name| (material(name), None)).collect(),
    };
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one.install(|| {
        let bandwidth = copy_bandwidth(if test { COPIED / 64 } else { COPIED });
        println!("memory to memory: {:.1} GB/s read and written", bandwidth / 1e9);
        for (material, longest) in measured {
            phases(material, longest, rounds, bandwidth);
        }
    });
}

/// Bytes read and written per second when copying this number of bytes.
fn copy_bandwidth(bytes: usize) -> f64 {
    let (from, mut to) = (vec![1u8; bytes], vec![0u8; bytes]);
    let mut copy = || {
        let start = Instant::now();
        to.copy_from_slice(black_box(&from));
        black_box(&to);
        start.elapsed()
    };
    copy();
    2.0 * bytes as f64 / median((0..5).map(|_| copy()).collect()).as_secs_f64()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn phases(material: Material, longest: Option<Moves>, rounds: usize, bandwidth: f64) {
    let store = successors(material);
    let name = TableName::to_mate(material);
    let rules = rules();
    let smaller = |name| Some(store.memory.get(name)? as Arc<dyn TableCodes>);
    let solver = Solver { clock: sakmak_make::system::clock::elapsed, ..Solver::default() };
    let options = WriteOptions::default();
    let directory = tempfile::tempdir().expect("a directory");
    let mut times: [Vec<Duration>; 6] = Default::default();
    let (mut all, mut moved, mut codes) = (0, 0, 0);
    for round in 0..=rounds {
        let sets = solver.measure(name, rules, &smaller).expect("the subtables");
        let start = Instant::now();
        let solved =
            solver.solve_with_progress(name, rules, &smaller, &|_, _| ()).expect("the subtables");
        let (whole, solving) = (start.elapsed(), solved.times());
        let table = solved.into_table().expect("in memory");
        assert!(longest.is_none_or(|longest| longest_win(&table) == Some(longest)));
        (all, moved, codes) = (slots(&table), sets.moved, bytes(&table));
        let start = Instant::now();
        let mut file = Vec::new();
        write_to(&table, rules, &mut file, &options).expect("memory");
        let compressing = start.elapsed();
        let start = Instant::now();
        let written = write(&table, rules, directory.path(), &options).expect("a file");
        let writing = start.elapsed();
        assert_eq!(written.length, file.len() as u64);
        if round > 0 {
            let found = sets.conversions + sets.layers;
            let row = [found, sets.layers, whole, solving.gathering, compressing, writing];
            times.iter_mut().zip(row).for_each(|(times, time)| times.push(time));
        }
    }
    let [found, layers, whole, gathering, compressing, writing] = times.map(median);
    println!("{material}: {all} slots, {codes} bytes of codes");
    let rate = |name: &str, time: Duration| {
        let million = all as f64 / time.as_secs_f64() / 1e6;
        println!("  {name:<28} {:>8.3} s {million:>8.0} M slots/s", time.as_secs_f64());
    };
    rate("sets alone", found);
    rate("  of that, the layers", layers);
    rate("solved and recorded", whole);
    rate("  of that, gathering", gathering);
    rate("compressed", compressing);
    rate("compressed and on disk", writing);
    let speed = moved as f64 / layers.as_secs_f64();
    println!(
        "  moved {:.2} bytes a slot, {:.1} GB/s, {:.0} % of memory",
        moved as f64 / all as f64,
        speed / 1e9,
        100.0 * speed / bandwidth
    );
}
