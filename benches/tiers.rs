//! Slots solved per second in board games, after the check of the game's laws.
//!
//! Smaller tables exist already; the time covers the single material, as in the bench `solve` of
//! the plane solver. `one thread` uses one thread, `all cores` one for each core.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sakmak_tiers::check::check;
use sakmak_tiers::game::closure;
use sakmak_tiers::games::list::{Visitor, visit};
use sakmak_tiers::notation::Notation;
use sakmak_tiers::solve::{method, solve};
use sakmak_tiers::stats::results;
use sakmak_tiers::table::{Codes, Tables};
use std::hint::black_box;

/// Games and tiers, two of each game with the smaller one first, and the plies of the longest win
/// of the side that the name has first.
const TIERS: [(&str, &str, u16); 6] = [
    ("janggi-casual", "KHHPvK", 27),
    ("janggi-casual", "KRRvKR", 29),
    ("rek", "KMMMvK", 19),
    ("rek", "KMMvKM", 23),
    ("min-rek-chanh", "KMMvKMM", 3),
    ("min-rek-chanh", "KMMMMvKM", 31),
];

/// Random slots of a material on which the laws of its game are checked, as many as in `sakmak
/// generate`.
const CHECKED: u64 = 2000;

/// The bench of one tier.
struct Bench<'a> {
    criterion: &'a mut Criterion,
    tier: &'a str,
    longest: u16,
}

impl Visitor for Bench<'_> {
    type Output = ();

    fn visit<G: Notation>(self, game: &'static G) {
        let tier = game.tier_of_name(self.tier).expect("a tier");
        let mut tables = Tables::default();
        for smaller in closure(game, [tier]).into_iter().filter(|&smaller| smaller != tier) {
            let codes = checked_and_solved(game, smaller, &tables);
            tables.insert(game, smaller, codes);
        }
        let name = format!("solve {} {}", game.name(), self.tier);
        let mut group = self.criterion.benchmark_group(&name);
        let slots = game.size(&game.layout(tier));
        group.throughput(Throughput::Elements(slots)).sample_size(10);
        for (threads_name, threads) in [("one thread", threads(1)), ("all cores", threads(0))] {
            let mut last = None;
            let solved = || threads.install(|| checked_and_solved(game, black_box(tier), &tables));
            group.bench_function(threads_name, |bencher| bencher.iter(|| last = Some(solved())));
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

fn checked_and_solved<G: Notation>(game: &G, tier: G::Tier, tables: &Tables<G>) -> Codes {
    check(game, tier, CHECKED).expect("a sound game");
    let method = method(game, tier, u64::MAX).expect("enough memory");
    solve(game, tier, tables, method, &|_| {}).expect("solved smaller tiers")
}

fn tiers(criterion: &mut Criterion) {
    // A test of the bench needs one tier of each game.
    let tested = std::env::args().any(|argument| argument == "--test");
    let step = if tested { 2 } else { 1 };
    for (game, tier, longest) in TIERS.into_iter().step_by(step) {
        visit(game, Bench { criterion: &mut *criterion, tier, longest }).expect("a game");
    }
}

criterion_group!(benches, tiers);
criterion_main!(benches);
