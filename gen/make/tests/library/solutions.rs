//! Solutions compared with their definition: a plain recursion over all defences, with one lookup
//! after each move and without a memory.

use crate::mates_in_time::numbers;
use crate::solved::solving;
use sakmak_probe::{LookupBudget, ProbeError, Solution, Tablebase};
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::counting::{Category, Clock, CountingRule};
use sakmak_tables::distance::{Moves, Plies};
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::{self, MAKRUK, OUK};

/// More than any search here needs.
const ENOUGH: LookupBudget = LookupBudget(10_000_000);

/// The counting rules: `makruk`, `ouk` and `makruk-none`.
fn rules() -> [&'static CountingRule; 3] {
    [MAKRUK.counting(), OUK.counting(), MAKRUK.uncounted]
}

/// A move, the position after it, and its category for the side that plays it.
type Rated = (Move, Position, Category);

/// The legal moves. If only the side to move may count, it counts on or stops, as is better.
fn rated(tables: &Tablebase, position: &Position) -> Vec<Rated> {
    let here = position.with_count_running();
    let category = |from: Position, mv: Move| {
        let after = from.play(mv);
        let category = tables.category(&after).unwrap().reversed();
        (mv, after, from.category_before_claim(category))
    };
    let rate = |&mv: &Move| {
        let counted = category(here, mv);
        let stopped = here.with_own_count_stopped().map(|stopped| category(stopped, mv));
        stopped.filter(|stopped| stopped.2 > counted.2).unwrap_or(counted)
    };
    here.legal_moves().iter().map(rate).collect()
}

/// The number of moves that keep the result.
fn kept(tables: &Tablebase, position: &Position) -> u32 {
    let rated = rated(tables, position);
    let best = rated.iter().map(|&(.., category)| category.wdl()).max();
    rated.iter().filter(|&(.., category)| Some(category.wdl()) == best).count() as u32
}

/// The moves that win in time.
fn winning(tables: &Tablebase, position: &Position) -> Vec<Rated> {
    let is_win = |&(.., category): &Rated| category == Category::Win;
    rated(tables, position).into_iter().filter(is_win).collect()
}

/// The moves with the shortest mate in time. `None` if a length is not known.
fn shortest(tables: &Tablebase, position: &Position) -> Option<Vec<Rated>> {
    let length = |&(_, after, _): &Rated| -> Option<Moves> {
        tables.searching(ENOUGH).mate_in_time(&after).unwrap()?.moves()
    };
    let winning = winning(tables, position);
    let lengths: Vec<Moves> = winning.iter().map(length).collect::<Option<_>>()?;
    let least = *lengths.iter().min()?;
    let of_least = winning.into_iter().zip(lengths).filter(|&(_, length)| length == least);
    Some(of_least.map(|(rated, _)| rated).collect())
}

/// Whether exactly one move is right at every turn of the winner, against all defences.
fn one_right_move_always(
    position: &Position,
    right: &dyn Fn(&Position) -> Option<Vec<Rated>>,
) -> Option<bool> {
    let right_moves = right(position)?;
    let [(_, after, _)] = right_moves[..] else { return Some(false) };
    for &reply in after.legal_moves().iter() {
        match one_right_move_always(&after.play(reply), right) {
            Some(true) => {}
            other => return other,
        }
    }
    Some(true)
}

/// The turns of the winner with exactly one right move at the start of this line.
fn only_moves(tables: &Tablebase, position: &Position, line: &[Move]) -> u32 {
    let [mv, reply @ ..] = line else { return 0 };
    let winning = winning(tables, position);
    let [(only, after, _)] = winning[..] else { return 0 };
    assert_eq!(only, *mv, "{position}");
    match reply {
        [reply, line @ ..] => 1 + only_moves(tables, &after.play(*reply), line),
        [] => 1,
    }
}

fn defined(tables: &Tablebase, position: &Position) -> Solution {
    let here = position.with_count_running();
    let nobody = position.counted_by(position.variant().uncounted).with_clock(None);
    let (kept, kept_uncounted) = (kept(tables, &here), kept(tables, &nobody));
    if tables.category(&here).unwrap() != Category::Win {
        let (unique, shortest_unique, only_moves) = (None, None, 0);
        return Solution { kept, kept_uncounted, unique, shortest_unique, only_moves };
    }
    let line = tables.searching(ENOUGH).counted_line(&here).unwrap().moves;
    Solution {
        kept,
        kept_uncounted,
        unique: one_right_move_always(&here, &|here| Some(winning(tables, here))),
        shortest_unique: one_right_move_always(&here, &|here| shortest(tables, here)),
        only_moves: only_moves(tables, &here, &line),
    }
}

/// Random positions of these materials. Every other one has a count near its end, if one may run.
fn positions(
    counting_rule: &'static CountingRule,
    materials: &[Material],
    seed: u64,
) -> impl Iterator<Item = Position> {
    let variant = variants::counted_by(counting_rule);
    let mut random = numbers(seed);
    let materials = materials.to_vec();
    std::iter::repeat_with(move || {
        let index = Index::new(materials[random(materials.len() as u64) as usize], &variant.rules);
        let placement = index.placement(Slot(random(index.slots())));
        let side = Side::BOTH[random(2) as usize];
        let position = legal_position(&index, &placement, side, variant)?;
        let position = position.counted_by(counting_rule);
        let started = position.with_count_running().clock().filter(|_| random(2) == 0);
        let later = started.map(|clock| {
            let last = [6, 30][random(2) as usize];
            let first = clock.count().0.max(clock.limit().0.saturating_sub(last));
            let count = Plies(first + random(u64::from(clock.limit().0 - first) + 1) as u32);
            Clock::new(clock.honour(), clock.limit(), count)
        });
        Some(position.with_clock(later))
    })
    .flatten()
}

/// Compares solutions of positions, and of their images, under all rules. Most positions are wins.
fn compare(materials: &[Material], positions_of_rule: usize) {
    let tables = solving();
    let searching = tables.searching(ENOUGH);
    let (mut unique, mut shortest, mut longest) = (0, 0, 0);
    for counting_rule in rules() {
        let mut other = 0;
        let is_tested = |position: &Position| {
            let is_win = tables.category(position).unwrap() == Category::Win;
            other += u32::from(!is_win);
            is_win || other % 16 == 0
        };
        let random = positions(counting_rule, materials, 66).filter(is_tested);
        for position in random.take(positions_of_rule) {
            let found = searching.solution(&position).unwrap();
            assert_eq!(found, defined(&tables, &position), "{} {position}", counting_rule.name);
            let image = position.colours_exchanged().with_clock(position.clock());
            let of_image = searching.solution(&image).unwrap();
            assert_eq!(Solution { only_moves: 0, ..of_image }, Solution { only_moves: 0, ..found });
            unique += u32::from(found.unique == Some(true));
            shortest += u32::from(found.shortest_unique == Some(true));
            longest = longest.max(found.only_moves);
        }
    }
    assert!(unique > 0 && shortest > 10 && longest > 1, "{unique} {shortest} {longest}");
}

fn named(names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

#[test]
fn solutions_are_as_defined() {
    compare(&named(&["KRvK", "KPvK", "KRvKM", "KRPvK"]), 120);
}

#[test]
#[ignore = "long: part of the full tests"]
fn solutions_of_four_men_are_as_defined() {
    let materials: Vec<Material> = Material::all_of(4);
    compare(&materials, 2_000);
}

/// A budget changes answers to `None` only, and the result does not depend on earlier calls.
#[test]
fn a_solution_within_a_budget_is_the_same_at_any_time() -> Result<(), ProbeError> {
    let materials = named(&["KRvKM", "KRPvK"]);
    let (mut known, mut unknown) = (0, 0);
    let tables = solving();
    for position in positions(MAKRUK.counting(), &materials, 5).take(150) {
        let whole = tables.searching(ENOUGH).solution(&position)?;
        for lookups in [0, 30, 300] {
            let budget = LookupBudget(lookups);
            let found = tables.searching(budget).solution(&position)?;
            let anew = solving();
            assert_eq!(found, anew.searching(budget).solution(&position)?, "{position}");
            let both =
                [(found.unique, whole.unique), (found.shortest_unique, whole.shortest_unique)];
            for (found, whole) in both.into_iter().filter(|(_, whole)| whole.is_some()) {
                assert!(found.is_none() || found == whole, "{position}");
                *if found.is_some() { &mut known } else { &mut unknown } += 1;
            }
        }
    }
    assert!(known > 50 && unknown > 10, "{known} {unknown}");
    Ok(())
}
