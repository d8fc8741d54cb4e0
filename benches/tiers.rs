//! Slots solved per second in board games.
//!
//! Smaller tables exist already; the time covers the single material, as in the bench `solve` of
//! the plane solver. `one thread` uses one thread, `all cores` one for each core.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sakmak_analysis::board_statistics::results;
use sakmak_boards::game::closure;
use sakmak_boards::list::{GameName, Visitor};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_solve::boards::solver::solve;
use sakmak_solve::boards::tables::Tables;
use std::hint::black_box;

/// Games and materials, two of each game with the smaller material first, and the plies of the
/// longest win of the first side of the name.
const TIERS: [(GameName, &str, u16); 6] = [
    (GameName::JanggiCasual, "KHHPvK", 27),
    (GameName::JanggiCasual, "KRRvKR", 29),
    (GameName::Rek, "KMMMvK", 19),
    (GameName::Rek, "KMMvKM", 23),
    (GameName::MinRekChanh, "KMMvKMM", 3),
    (GameName::MinRekChanh, "KMMMMvKM", 31),
];

/// The bench of one material.
struct Bench<'a> {
    criterion: &'a mut Criterion,
    tier: &'a str,
    longest: u16,
}

impl Visitor for Bench<'_> {
    type Output = ();

    fn visit<G: Notation + SolvableGame>(self, game: &'static G) {
        let tier = game.material_of_name(self.tier).expect("a material");
        let mut tables = Tables::default();
        for smaller in closure(game, [tier]).into_iter().filter(|&smaller| smaller != tier) {
            let codes = solve(game, smaller, &tables, &|_| {}).expect("solved subtables");
            tables.insert(game, smaller, codes);
        }
        let name = format!("solve {} {}", game.name(), self.tier);
        let mut group = self.criterion.benchmark_group(&name);
        let slots = game.size(&game.layout(tier));
        group.throughput(Throughput::Elements(slots)).sample_size(10);
        for (threads_name, threads) in [("one thread", threads(1)), ("all cores", threads(0))] {
            let mut last = None;
            let solved = || threads.install(|| solve(game, black_box(tier), &tables, &|_| {}));
            group.bench_function(threads_name, |bencher| bencher.iter(|| last = solved().ok()));
            // A filter may leave it out.
            if let Some(codes) = last {
                let mover = |position: &G::Position| game.mover(position);
                let [first, _] = results(game, tier, &codes, mover, &|_| {});
                let longest = first.longest_win.map(|(plies, _)| plies);
                assert_eq!(longest, Some(self.longest), "{name}, {threads_name}");
            }
        }
        group.finish();
    }
}

/// This number of threads, 0 one for each core.
fn threads(count: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(count).build().expect("threads")
}

fn tiers(criterion: &mut Criterion) {
    // A test of the bench needs one material of each game.
    let tested = std::env::args().any(|argument| argument == "--test");
    let step = if tested { 2 } else { 1 };
    for (game, tier, longest) in TIERS.into_iter().step_by(step) {
        game.visit(Bench { criterion: &mut *criterion, tier, longest });
    }
}

criterion_group!(benches, tiers);
criterion_main!(benches);
