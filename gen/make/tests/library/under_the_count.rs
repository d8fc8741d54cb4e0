//! Answers under the count: every category follows from the categories one move on, and play
//! that follows the best moves ends in that category.
//!
//! A count rises with every move, and no position with a count that is over has the category win.
//! So categories that agree from one ply to the next are right, by induction over the plies
//! left, phase by phase. In phases without a count, wins are played out.

use crate::right_tables::all;
use crate::solved::{SmallTables, solving};
use crate::wdl::made;
use rayon::prelude::*;
use sakmak_make::store::solve_on_the_spot;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{CountedLine, LineEnd, ProbeError};
use sakmak_solve::slots::legal::legal_position;
use sakmak_tables::counting::{Category, Clock, CountingRule, Phase};
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::{Index, Slot};
use sakmak_tables::material::Material;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants::{self, MAKRUK, OUK};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Against bare kings without and with pawns; pieces on both sides without and with pawns.
const MATERIALS: [&str; 18] = [
    "KRvK", "KMvK", "KPvK", "KSMvK", "KMMvK", "KNMvK", "KRPvK", "KSPvK", "KMPvK", "KPPvK", "KRvKM",
    "KRvKR", "KSvKM", "KMvKM", "KRvKP", "KNvKP", "KMvKP", "KPvKP",
];

/// Positions for each material and counting rule; more if `SAKMAK_ALL` is set.
fn positions_drawn() -> u64 {
    if all() { 1000 } else { 40 }
}

/// Random numbers (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }
}

/// Draws legal positions of a material without a count: half with each side to move, half with
/// Black as the stronger side.
fn drawn(name: &str, counting_rule: &'static CountingRule, count: u64) -> Vec<Position> {
    let index =
        Index::new(name.parse::<Material>().unwrap(), &variants::counted_by(counting_rule).rules);
    let mut numbers = Numbers(count ^ u64::from(counting_rule.id) << 32 ^ index.slots());
    let mut positions = Vec::new();
    while positions.len() < count as usize {
        let placement = index.placement(Slot(numbers.below(index.slots())));
        let side = Side::BOTH[positions.len() % 2];
        let Some(position) =
            legal_position(&index, &placement, side, variants::counted_by(counting_rule))
        else {
            continue;
        };
        let position = match positions.len() % 4 > 1 {
            true => position.colours_exchanged(),
            false => position,
        };
        positions.push(position.counted_by(counting_rule));
    }
    positions
}

/// The position without a count, and with each count that may run in it and is near its start, near
/// its end, or near what the attacker needs.
fn with_counts(position: &Position, mate: Value, counted: Value) -> Vec<Position> {
    let needed = counted.moves().unwrap_or(Moves(7)).0;
    let mut all = vec![*position];
    if mate == Value::Draw {
        // No count matters.
        return all;
    }
    let armies = position.armies();
    for (honour, Plies(limit)) in position.counting_rule().possible_limits(armies) {
        let end = limit + 1;
        let near = (0..8).map(|less| (end + 4).saturating_sub(2 * needed + less));
        let mut counts: Vec<u32> = near.chain([0, 1, end - 3, end - 2, end - 1, end]).collect();
        counts.sort_unstable();
        counts.dedup();
        counts.retain(|&count| count <= end);
        let clock = |count| Clock::new(honour, Plies(limit), Plies(count));
        all.extend(counts.iter().map(|&count| position.with_clock(Some(clock(count)))));
    }
    all
}

/// The category is the best of the categories one move on, and the first move has it.
fn assert_follows_from_moves(tables: &Tablebase, position: &Position) -> Category {
    let category = tables.category(position).unwrap();
    let over = position.with_count_running().clock().is_some_and(Clock::is_over);
    match position.outcome() {
        Some(Outcome::Checkmate) => assert_eq!(category, Category::Loss, "{position}"),
        Some(Outcome::Stalemate) => assert_eq!(category, Category::Draw, "{position}"),
        Some(Outcome::BareKing) => panic!("a bare king lost: {position}"),
        None if over => {
            let decided = matches!(category, Category::Win | Category::Loss);
            assert!(!decided, "{category} with the count over in {position}");
            // The moves too are rated as after the claim.
            let moves = tables.moves(position).unwrap();
            assert_eq!(moves[0].category, category, "{position}");
        }
        None => {
            let here = position.with_count_running();
            let legal = position.legal_moves();
            let reached = legal.iter().map(|&mv| tables.category(&here.play(mv)).unwrap());
            let best = reached.map(Category::reversed).max().unwrap();
            assert_eq!(best, category, "{position}");
            let moves = tables.moves(position).unwrap();
            assert_eq!((moves.len(), moves[0].category), (legal.len(), best), "{position}");
            for rated in &moves {
                assert_eq!(rated.after, here.play(rated.mv));
                assert_eq!(rated.category, tables.category(&rated.after).unwrap().reversed());
            }
            let mate = tables.mate_in_time(position).unwrap();
            assert!(mate.is_none() || moves[0].mate_in_time == mate, "{position}");
        }
    }
    category
}

/// The line ends in the category; a mate in time comes by the move that the answer tells. Returns
/// whether the answer tells one.
fn assert_ends(
    tables: &Tablebase,
    position: &Position,
    category: Category,
    line: &CountedLine,
) -> bool {
    let mut now = position.with_count_running();
    for &mv in &line.moves {
        assert!(now.outcome().is_none() && now.legal_moves().contains(&mv), "{position}");
        assert!(!now.clock().is_some_and(Clock::is_over), "a claim on the way from {position}");
        now = now.play(mv);
        let read = Position::from_fen_counted(now.counting_rule(), &now.fen()).unwrap();
        assert_eq!(read.fen(), now.fen());
    }
    assert_eq!(now, line.last, "{position}");
    let mated = now.outcome() == Some(Outcome::Checkmate);
    assert_eq!(mated, line.end == LineEnd::Over(Outcome::Checkmate));
    let mate = tables.mate_in_time(position).unwrap();
    if let Some(mate) = mate {
        let plies = mate.plies().unwrap();
        assert_eq!(line.moves.len(), plies.0 as usize, "not a mate in {plies}: {position}");
    }
    match category {
        Category::Win => assert!(mated && now.side() != position.side(), "{position}"),
        Category::Loss => assert!(mated && now.side() == position.side(), "{position}"),
        Category::CursedWin | Category::BlessedLoss => {
            assert_eq!(line.end, LineEnd::Claim, "{position}");
            assert!(now.clock().unwrap().is_over());
        }
        Category::Draw => assert!(!mated, "{position}"),
    }
    mate.is_some()
}

/// The side that plays the best moves gets the category, whatever the other side plays.
fn assert_best_moves_keep(tables: &Tablebase, position: &Position, numbers: &mut Numbers) {
    const LONGEST: usize = 400;
    let mut now = position.with_count_running();
    let category = tables.category(&now).unwrap();
    // The side that wins on the board; in a draw either side.
    let follower = match category {
        Category::Win | Category::CursedWin => now.side(),
        Category::Loss | Category::BlessedLoss => !now.side(),
        Category::Draw => Side::BOTH[numbers.below(2) as usize],
    };
    let follower = match category {
        // The other side has the draw to keep.
        Category::CursedWin | Category::BlessedLoss => !follower,
        _ => follower,
    };
    let wins = matches!(category, Category::Win | Category::Loss);
    let mate = tables.mate_in_time(&now).unwrap();
    let longest = mate.and_then(Value::plies).map_or(LONGEST, |plies| plies.0 as usize);
    // Mate on the board takes one look more.
    for _ in 0..=longest {
        match now.outcome() {
            Some(Outcome::Checkmate) => {
                assert!(now.side() != follower, "mated from {position}");
                return;
            }
            Some(Outcome::Stalemate | Outcome::BareKing) => {
                return assert!(!wins, "stalemate from {position}");
            }
            None => {}
        }
        if now.clock().is_some_and(Clock::is_over) {
            return assert!(!wins, "a claim from {position}");
        }
        if now.side() == follower {
            now = tables.best_move(&now).unwrap().unwrap().after;
        } else {
            let moves = now.legal_moves();
            now = now.play(moves[numbers.below(moves.len() as u64) as usize]);
        }
    }
    assert!(!wins, "no end from {position}");
}

/// The counting rules of Makruk and Ouk Chatrang.
fn counting_rules() -> impl Iterator<Item = &'static CountingRule> {
    [&*MAKRUK, &*OUK].into_iter().flat_map(|one| one.counting_rules.iter().copied())
}

#[test]
#[ignore = "long: part of the full tests"]
fn categories_follow_from_moves_and_play_ends_in_them() {
    let tables = solving();
    for name in MATERIALS {
        for metric in Metric::all().filter(|metric| metric.is_of(&MAKRUK.rules)) {
            // Solved here by all threads together, not by one in the loop below.
            let material: Material = name.parse().unwrap();
            let name = TableName::deciding(material, metric);
            let first =
                &drawn(&material.to_string(), variants::counting_rules().next().unwrap(), 1)[0];
            match name.metric {
                Metric::Counted(counting_rule) => tables.counted(&first.counted_by(counting_rule)),
                Metric::MateInTime(counting_rule) => {
                    tables.stored(name.metric, &first.counted_by(counting_rule))
                }
                Metric::DistanceToMate | Metric::DistanceToCheck => tables.dtm(first),
            }
            .unwrap();
        }
    }
    let seen: Mutex<HashMap<(&str, Phase, Category), usize>> = Mutex::default();
    let unknown = Mutex::new(0);
    let jobs: Vec<(&str, &'static CountingRule)> = MATERIALS
        .iter()
        .flat_map(|name| counting_rules().map(move |counting_rule| (*name, counting_rule)))
        .collect();
    jobs.par_iter().for_each(|&(name, counting_rule)| {
        let mut numbers = Numbers(u64::from(counting_rule.id));
        let count = match drawn(name, counting_rule, 1)[0].phase() {
            // Without a count a position is one case only.
            Phase::Free => 16 * positions_drawn(),
            // A count that ends before the quickest mate makes every look-up a search.
            Phase::BoardsHonour => positions_drawn() / 8,
            Phase::PiecesHonour | Phase::FiftyMoves => positions_drawn(),
        };
        for position in drawn(name, counting_rule, count) {
            let mate = tables.dtm(&position).unwrap();
            let counted = tables.counted(&position).unwrap();
            for position in with_counts(&position, mate, counted) {
                let category = assert_follows_from_moves(&tables, &position);
                let line = tables.counted_line(&position).unwrap();
                let known = assert_ends(&tables, &position, category, &line);
                if !known && matches!(category, Category::Win | Category::Loss) {
                    *unknown.lock().unwrap() += 1;
                }
                assert_best_moves_keep(&tables, &position, &mut numbers);
                let key = (counting_rule.name, position.phase(), category);
                *seen.lock().unwrap().entry(key).or_default() += 1;
            }
        }
    });
    let seen = seen.into_inner().unwrap();
    println!("{} mates in time of unknown length", unknown.into_inner().unwrap());
    for counting_rule in counting_rules() {
        for phase in [Phase::PiecesHonour, Phase::BoardsHonour, Phase::Free] {
            let met = |categories: &[Category]| {
                let times = |&category| seen.get(&(counting_rule.name, phase, category));
                categories.iter().filter_map(times).sum::<usize>()
            };
            let in_time = met(&[Category::Loss, Category::Win]);
            let late = met(&[Category::BlessedLoss, Category::CursedWin]);
            println!("{} {phase:?}: {in_time} in time, {late} too late", counting_rule.name);
            // In Ouk no phase of four men is free, and Ouk's page has no board's honour.
            let none = match counting_rule.boards {
                None => phase == Phase::BoardsHonour,
                Some(boards) => boards.with_pawns && phase == Phase::Free,
            };
            assert_eq!([in_time > 0, late > 0], [!none; 2], "{phase:?} of {}", counting_rule.name);
        }
    }
}

/// The category by WDL files alone, by distances alone and by both, with each count that may run.
#[test]
fn wdl_files_change_no_category() {
    for counting_rule in ["makruk", "makruk-khon-first", "ouk"] {
        let counting_rule = variants::counting_rule(counting_rule).unwrap();
        let names = ["KRvK", "KSMvK", "KRvKM", "KMvKM", "KPvKM"];
        let rules = &variants::counted_by(counting_rule).rules;
        let directory = tempfile::tempdir().unwrap();
        let materials = names.map(|name| name.parse::<Material>().unwrap());
        for material in Material::closure(materials, rules) {
            made(material, counting_rule, directory.path());
        }
        let only_wdl = Tablebase::open(directory.path()).unwrap();
        let both = Tablebase::open(directory.path()).unwrap();
        let both = solve_on_the_spot(both.with_source(Arc::new(SmallTables(4))), 4);
        let distances = solving();
        let (mut answered, mut left) = (0, 0);
        for position in names.iter().flat_map(|name| drawn(name, counting_rule, 200)) {
            let values = distances.values(&position).unwrap();
            let counts = match values.counted {
                // Counts that decide nothing.
                Value::Draw => with_counts(&position, Value::Win(Moves(7)), Value::Draw),
                counted => with_counts(&position, values.dtm, counted),
            };
            for asked in counts {
                let expected = asked.category(values.dtm, values.counted);
                assert_eq!(distances.category(&asked).unwrap(), expected, "{asked}");
                assert_eq!(both.category(&asked).unwrap(), expected, "{asked}");
                match only_wdl.category(&asked) {
                    Ok(category) => {
                        assert_eq!(category, expected, "{asked}");
                        answered += 1;
                    }
                    // The distance decides whether the count that runs leaves enough moves.
                    Err(ProbeError::Missing { .. }) if asked.clock().is_some() => left += 1,
                    Err(error) => panic!("{asked}: {error}"),
                }
            }
        }
        assert!(answered > 1000 && left > 100, "{answered}, {left}");
    }
}

/// Damage that a look-up finds in a WDL file, where tables answer and where none is.
#[test]
fn a_damaged_wdl_file_is_replaced_by_the_tables() {
    let directory = tempfile::tempdir().unwrap();
    let path = made("KRvK".parse().unwrap(), MAKRUK.counting(), directory.path()).path;
    let mut bytes = std::fs::read(&path).unwrap();
    let positions = drawn("KRvK", MAKRUK.counting(), 200);
    let distances = solving();
    let categories: Vec<Category> =
        positions.iter().map(|position| distances.category(position).unwrap()).collect();
    let mut damaged = 0;
    for at in (bytes.len() / 8..bytes.len()).step_by(bytes.len() / 16) {
        bytes[at] ^= 0x55;
        std::fs::write(&path, &bytes).unwrap();
        bytes[at] ^= 0x55;
        let both = Tablebase::open(directory.path()).unwrap();
        let both = solve_on_the_spot(both.with_source(Arc::new(SmallTables(3))), 3);
        let alone = Tablebase::open(directory.path()).unwrap();
        for (position, expected) in positions.iter().zip(&categories) {
            assert_eq!(both.category(position).unwrap(), *expected, "{position}, byte {at}");
            match alone.category(position) {
                Ok(category) => assert_eq!(category, *expected, "{position}, byte {at}"),
                Err(error) => {
                    assert!(matches!(error, ProbeError::File(_)), "{error}");
                    damaged += 1;
                }
            }
        }
    }
    assert!(damaged > 0);
}
