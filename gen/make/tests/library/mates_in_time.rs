//! Mates in time compared with a plain search: legal moves, the clock, and nothing else. No mate
//! in time is shorter than the answer, and one is as short. Longer ones are compared with their own
//! moves and lines, and with all images of the position.

use crate::solved::{SOLVED, SmallTables, solving};
use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_probe::LookupBudget;
use sakmak_probe::tablebase::Tablebase;
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::counting::{Category, Clock, Honour, Phase};
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::{self, MAKRUK, OUK};
use std::sync::Arc;

/// Captures and promotions that start a count, with each kind of count before them.
const MATERIALS: [&str; 7] = ["KRvK", "KRvKM", "KRvKN", "KRvKR", "KRvKP", "KRPvK", "KMPvK"];

/// The longest mate that is searched for.
const LONGEST: Moves = Moves(3);

/// Positions of each material and counting rule.
const POSITIONS: usize = 12;

/// Whether this side mates within `moves` of its moves before the draw can be claimed.
fn mates_within(position: &Position, attacker: Side, moves: Moves) -> bool {
    match position.outcome() {
        Some(Outcome::Checkmate) => return position.side() != attacker,
        Some(Outcome::Stalemate | Outcome::BareKing) => return false,
        None => {}
    }
    let counted = position.counting_rule().phase_against(position.armies(), attacker);
    if counted != Phase::Free && position.clock().is_some_and(Clock::is_over) {
        return false;
    }
    let legal = position.legal_moves();
    if position.side() != attacker {
        return legal.iter().all(|&mv| mates_within(&position.play(mv), attacker, moves));
    }
    let Some(left) = moves.0.checked_sub(1).map(Moves) else { return false };
    legal.iter().any(|&mv| mates_within(&position.play(mv), attacker, left))
}

/// Enough for some of the positions that need a search.
const BUDGET: LookupBudget = LookupBudget(3_000);

/// SplitMix64.
pub fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |bound| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// Positions of a material in which the board's honour is near its end.
fn near_the_end(material: Material, seed: u64) -> impl Iterator<Item = Position> {
    let mut random = numbers(seed);
    let index = Index::new(material, &MAKRUK.rules);
    std::iter::repeat_with(move || {
        let placement = index.placement(Slot(random(index.slots())));
        let side = Side::BOTH[random(2) as usize];
        let count = Plies(98 + random(30) as u32);
        let clock = Clock::new(Honour::Boards, Plies(128), count);
        Some(legal_position(&index, &placement, side, &MAKRUK)?.with_clock(Some(clock)))
    })
    .flatten()
}

/// The position with colours exchanged and its count.
fn exchanged(position: &Position) -> Position {
    position.colours_exchanged().with_clock(position.clock())
}

/// The position with the files in reverse order, and its count.
fn mirrored(position: &Position) -> Position {
    let fen = position.fen();
    let (board, rest) = fen.split_once(' ').unwrap();
    let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    let fen = format!("{} {rest}", ranks.join("/"));
    Position::from_fen_counted(position.counting_rule(), &fen).unwrap()
}

/// The mates in time of a position: its own, and those after its moves, in an order that is the same
/// for all images.
fn mates(tables: &Tablebase, position: &Position) -> (Option<Value>, Vec<(String, Option<Value>)>) {
    let symmetries = position.symmetries();
    let moves = tables.searching(BUDGET).moves(position).unwrap();
    let after = moves.iter().map(|rated| {
        let reached = rated.after.canonical(&symmetries);
        (reached.fen(), rated.mate_in_time)
    });
    let mut after: Vec<_> = after.collect();
    after.sort_by(|(one, _), (other, _)| one.cmp(other));
    (tables.searching(BUDGET).mate_in_time(position).unwrap(), after)
}

#[test]
fn whether_a_mate_in_time_is_told_is_the_same_for_all_images() {
    let tables = solving();
    let (mut told, mut untold) = (0, 0);
    for name in ["KRvKS", "KRvKM", "KRvKN"] {
        for position in near_the_end(name.parse().unwrap(), 38).take(60) {
            let expected = mates(&tables, &position);
            for image in [mirrored(&position), exchanged(&position)] {
                assert_eq!(mates(&tables, &image), expected, "{position} and {image}");
            }
            for (_, mate) in expected.1 {
                *if mate.is_some() { &mut told } else { &mut untold } += 1;
            }
        }
    }
    assert!(told > 100 && untold > 100, "{told} {untold}");
}

#[test]
#[ignore = "long: part of the full tests"]
fn a_mate_of_the_other_side_is_no_mate_in_time() {
    let tables = Tablebase::new().with_source(Arc::new(SmallTables(5)));
    // By a search of all states of board and clock after the only move in time.
    for (fen, plies) in [
        ("8/5m2/8/1K6/8/8/2Rr4/5k2 w - 128 114 1", 37),
        ("8/4k3/8/6r1/3M4/6R1/8/7K b - 128 111 1", 35),
        ("8/8/k7/8/m7/K1R2r2/8/8 w - 128 104 1", 39),
    ] {
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        for position in [position, mirrored(&position), exchanged(&position)] {
            let mate = tables.searching(LookupBudget::THOROUGH).mate_in_time(&position).unwrap();
            assert_eq!(mate, Some(Value::from_plies(Plies(plies))), "{position}");
        }
    }
    let mut told = 0;
    let random = near_the_end("KRMvKR".parse().unwrap(), 5).take(300);
    let drawn = near_the_end("KRvKR".parse().unwrap(), 5).take(300);
    for position in random.chain(drawn) {
        let answer = tables.searching(LookupBudget(20_000)).probe(&position, true).unwrap();
        let Some(mate) = answer.mate_in_time else { continue };
        let best = answer.moves.first();
        assert_eq!(best.map_or(Some(mate), |best| best.mate_in_time), Some(mate), "{position}");
        let line = answer.lines.unwrap().counted.moves.len();
        assert_eq!(Some(Plies(line as u32)), mate.plies(), "{position}");
        told += 1;
    }
    assert!(told > 50, "{told}");
}

#[test]
fn a_search_stays_within_its_budget_and_what_it_finds_is_kept() {
    let tables = solving();
    let (mut searched, mut unknown) = (0, 0);
    for position in near_the_end("KRvKS".parse().unwrap(), 7).take(200) {
        let told = tables.mate_in_time(&position).unwrap();
        let few = tables.searching(LookupBudget(1)).mate_in_time(&position).unwrap();
        assert_eq!(few, told, "{position}");
        let found = tables.searching(BUDGET).mate_in_time(&position).unwrap();
        if told.is_some() {
            assert_eq!(found, told, "{position}");
            continue;
        }
        // Kept for smaller budgets, and for no look-up at all only if the tables tell it.
        let again = tables.searching(LookupBudget(1)).mate_in_time(&position).unwrap();
        assert_eq!(again, found, "{position}");
        assert_eq!(tables.mate_in_time(&position).unwrap(), None, "{position}");
        let moves = tables.searching(BUDGET).moves(&position).unwrap();
        assert_eq!(tables.searching(BUDGET).moves(&position).unwrap(), moves, "{position}");
        match found {
            Some(_) => {
                assert_eq!(moves[0].mate_in_time, found, "{position}");
                searched += 1;
            }
            None => unknown += 1,
        }
    }
    assert!(searched > 5 && unknown > 5, "{searched} {unknown}");
}

/// The first of the moves wins, whatever the other side plays, without a table of mates in time and
/// without a search.
#[test]
fn moves_without_known_mates_make_progress() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KRvKS", "KRPvK", "KSPvK"] {
        let material = name.parse().unwrap();
        let metrics = [Metric::DistanceToMate, Metric::Counted(MAKRUK.counting())];
        let names = metrics.map(|metric| TableName { material, metric: metric.of(material) });
        for name in TableName::closure(names, &MAKRUK.rules) {
            let table = SOLVED.table(name).unwrap();
            let options = WriteOptions { metric: name.metric, ..WriteOptions::default() };
            write(&*table, &MAKRUK.rules, directory.path(), &options).unwrap();
        }
    }
    let tables = Tablebase::open(directory.path()).unwrap();
    let mut random = numbers(3);
    let mut unknown = 0;
    for name in ["KRvKS", "KRPvK", "KSPvK"] {
        let index = Index::new(name.parse().unwrap(), &MAKRUK.rules);
        let mut played = 0;
        while played < 40 {
            let placement = index.placement(Slot(random(index.slots())));
            let Some(start) = legal_position(&index, &placement, Side::White, &MAKRUK) else {
                continue;
            };
            if tables.category(&start).unwrap() != Category::Win {
                continue;
            }
            played += 1;
            unknown += u32::from(tables.mate_in_time(&start).unwrap().is_none());
            let mut now = start.with_count_running();
            for ply in 0.. {
                if now.outcome() == Some(Outcome::Checkmate) {
                    break;
                }
                assert!(ply < 400, "no mate from {start}");
                let moves = tables.moves(&now).unwrap();
                // The defender plays the first move, the last, or any.
                let reply = match random(3) {
                    0 => moves.len() - 1,
                    1 => random(moves.len() as u64) as usize,
                    _ => 0,
                };
                now = if now.side() == Side::White { moves[0].after } else { moves[reply].after };
            }
            assert!(now.side() == Side::Black, "mated from {start}");
        }
    }
    assert!(unknown > 20, "{unknown}");
}

#[test]
#[ignore = "long: part of the full tests"]
fn no_mate_in_time_is_shorter_and_one_is_as_short() {
    let tables = solving();
    let mut random = numbers(14);
    let (mut compared, mut late) = (0, 0);
    let counted = [&*MAKRUK, &*OUK].into_iter().flat_map(|one| one.counting_rules.iter().copied());
    for counting_rule in counted {
        for name in MATERIALS {
            let variant = variants::counted_by(counting_rule);
            let index = Index::new(name.parse().unwrap(), &variant.rules);
            let mut found = 0;
            while found < POSITIONS {
                let placement = index.placement(Slot(random(index.slots())));
                let side = Side::BOTH[random(2) as usize];
                let Some(position) = legal_position(&index, &placement, side, variant) else {
                    continue;
                };
                let mut position = position.counted_by(counting_rule).with_count_running();
                if let Some(clock) = position.clock().filter(|_| random(2) == 0) {
                    let left = Plies(clock.limit().0 - random(9) as u32);
                    position =
                        position.with_clock(Some(Clock::new(clock.honour(), clock.limit(), left)));
                }
                let values = tables.values(&position).unwrap();
                let category = position.category(values.dtm, values.counted);
                let quick = values.dtm.moves().is_some_and(|moves| moves <= LONGEST);
                if quick && matches!(category, Category::CursedWin | Category::BlessedLoss) {
                    let attacker = if category == Category::CursedWin { side } else { !side };
                    assert!(!mates_within(&position, attacker, LONGEST), "{position}");
                    late += 1;
                }
                let Some(mate) = tables.mate_in_time(&position).unwrap() else { continue };
                let (attacker, moves) = match mate {
                    Value::Win(moves) => (side, moves),
                    Value::Loss(moves) => (!side, moves),
                    Value::Draw => unreachable!("a mate in time is no draw"),
                };
                if moves > LONGEST || moves == Moves(0) {
                    continue;
                }
                assert!(mates_within(&position, attacker, moves), "{mate:?} {position}");
                let shorter = Moves(moves.0 - 1);
                assert!(!mates_within(&position, attacker, shorter), "{mate:?} {position}");
                compared += 1;
                found += 1;
            }
        }
    }
    println!("{compared} mates in time, {late} quick mates that are too late");
    assert!(late > 0);
}
