//! Look-ups where tables of counted distance are missing: an error, or an answer without the count
//! that says so and claims nothing that the count could change.

use crate::solved::{SOLVED, solving};
use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_probe::{Answer, LookupBudget, ProbeError, Tablebase};
use sakmak_tables::board::square::Square;
use sakmak_tables::counting::{Category, CountingRule};
use sakmak_tables::distance::{Plies, Value};
use sakmak_tables::format::name::TableName;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variants::{self, KAR_OUK, MAKRUK};
use std::collections::BTreeSet;
use std::path::Path;

/// Writes these tables, and all that they depend on.
fn generate(names: &[&str], directory: &Path) {
    let names: Vec<TableName> = names.iter().map(|name| name.parse().unwrap()).collect();
    for name in TableName::closure(names, &MAKRUK.rules) {
        let options = WriteOptions { metric: name.metric, ..WriteOptions::default() };
        write(&*SOLVED.table(name).unwrap(), &MAKRUK.rules, directory, &options).unwrap();
    }
}

/// Positions of rook against one man, with counts of all kinds and without.
fn positions(rule: &'static CountingRule, kind: PieceKind, some: usize) -> Vec<Position> {
    let variant = variants::counted_by(rule);
    let mut random = 1_u64;
    let mut next = |most: u64| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % most
    };
    let mut drawn = Vec::new();
    while drawn.len() < some {
        let side = Side::BOTH[next(2) as usize];
        let pieces = [
            Piece::new(Side::White, PieceKind::King),
            Piece::new(Side::White, PieceKind::Rook),
            Piece::new(Side::Black, PieceKind::King),
            Piece::new(Side::Black, kind),
        ];
        let placed = pieces.map(|piece| {
            let square = Square::wrapping(next(64) as usize);
            (piece, square)
        });
        let Ok(position) = Position::new(variant, side, placed) else { continue };
        if position.legality().is_err() {
            continue;
        }
        let position = position.counted_by(rule);
        let limits = rule.possible_limits(position.armies());
        let count = limits.first().filter(|_| next(4) > 0).map(|&(_, limit)| {
            let count = Plies(next(u64::from(limit.0) + 2) as u32);
            position.with_count(limit, count).unwrap()
        });
        drawn.push(count.unwrap_or(position));
    }
    drawn
}

/// The rules of counting that read these tables.
fn rules() -> impl Iterator<Item = &'static CountingRule> {
    variants::counting_rules().filter(|rule| {
        rule.has_counted_tables() && variants::counted_by(rule).rules == MAKRUK.rules
    })
}

/// Asserts that a name of an answer without the count is true of the category with it.
#[track_caller]
fn assert_true(name: &str, category: Category) {
    let is_true = match name {
        "maybe-win" => [Category::Win, Category::CursedWin].contains(&category),
        "maybe-loss" => [Category::Loss, Category::BlessedLoss].contains(&category),
        name => category.name() == name,
    };
    assert!(is_true, "{name} for {category}");
}

#[test]
fn answers_without_the_count_say_so_and_claim_nothing_that_it_could_change() {
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvKM"], directory.path());
    let tables = Tablebase::open(directory.path()).unwrap();
    let root = [MAKRUK.uncounted, MAKRUK.counting()].map(|rule| tables.largest_root(rule));
    assert_eq!(root.map(Result::unwrap), [4, 3]);
    let exact = solving();
    let (mut left_out, mut maybe) = (0, 0);
    for rule in rules() {
        for position in positions(rule, PieceKind::Met, 60) {
            let expected = exact.probe(&position).unwrap();
            let answer = tables
                .searching(LookupBudget::THOROUGH)
                .probe_or_uncounted(&position, true)
                .unwrap();
            let Some(missing) = answer.missing else {
                // Sittuyin has no board's honour, and a draw needs no table of counted distance.
                assert_eq!(answer.category, expected.category);
                continue;
            };
            left_out += 1;
            assert_eq!(missing.to_string(), format!("KRvKM.{}", rule.name));
            assert_eq!(answer.position.fen(), expected.position.fen());
            assert_eq!(answer.count, expected.count);
            assert_eq!((answer.outcome, answer.dtm), (expected.outcome, expected.dtm));
            assert_true(answer.category_name(), expected.category);
            maybe += usize::from(answer.category_name().starts_with("maybe"));
            assert!(answer.winner().is_none_or(|winner| Some(winner) == expected.winner()));
            assert_eq!(answer.moves.len(), expected.moves.len());
            for rated in &answer.moves {
                let same = expected.moves.iter().find(|other| other.mv == rated.mv).unwrap();
                assert_eq!(rated.dtm, same.dtm);
                // A side that wins may have stopped its own count.
                assert_eq!(rated.after.with_clock(same.after.clock()).fen(), same.after.fen());
                let clocks = [rated.after, same.after].map(|after| after.clock());
                assert!(clocks[0] == clocks[1] || clocks[1].is_none(), "{clocks:?}");
                assert_true(answer.category_name_of(rated), same.category);
                assert_true(answer.category_name_after(rated), same.category.reversed());
            }
            let lines = answer.lines.as_ref().unwrap();
            assert_eq!(lines.uncounted, expected.lines.unwrap().uncounted);
        }
    }
    assert!(left_out > 100 && maybe > 50, "{left_out} {maybe}");
}

/// A mate on the board or with the next move is certain, unless the draw can be claimed before.
#[test]
fn mate_with_the_next_move_is_in_time_until_the_count_is_over() {
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvKM"], directory.path());
    let (tables, exact) = (Tablebase::open(directory.path()).unwrap(), solving());
    let mut words = BTreeSet::new();
    for rule in rules() {
        for men in ["k7/8/1K6/8/8/8/7m/6R1 w", "k5R1/8/1K6/8/8/8/7m/8 b", "k7/8/1K5m/8/8/8/8/6R1 w"]
        {
            let position = Position::from_fen(&MAKRUK, men).unwrap();
            let position =
                Position::new(variants::counted_by(rule), position.side(), position.pieces());
            let position = position.unwrap().counted_by(rule);
            for (_, limit) in rule.possible_limits(position.armies()) {
                for count in limit.0.saturating_sub(6)..=limit.0 + 1 {
                    let position = position.with_count(limit, Plies(count)).unwrap();
                    let expected = exact.probe(&position).unwrap();
                    let answer = tables
                        .searching(LookupBudget::NONE)
                        .probe_or_uncounted(&position, false)
                        .unwrap();
                    assert_true(answer.category_name(), expected.category);
                    words.insert(answer.category_name());
                    for rated in &answer.moves {
                        let same = expected.moves.iter().find(|other| other.mv == rated.mv);
                        assert_true(answer.category_name_of(rated), same.unwrap().category);
                    }
                }
            }
        }
    }
    assert_eq!(words.into_iter().collect::<Vec<_>>(), ["cursed-win", "loss", "win"]);
}

#[test]
fn calls_that_return_a_category_return_the_error() {
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvKM"], directory.path());
    let tables = Tablebase::open(directory.path()).unwrap();
    let position = Position::from_fen(&MAKRUK, "8/8/4m3/3k4/8/4R3/8/4K3 w - 128 20 30").unwrap();
    assert!(matches!(tables.dtm(&position), Ok(Value::Win(_))));
    assert!(tables.count(&position).unwrap().is_some());
    assert!(!tables.line(&position).unwrap().is_empty());
    let errors = [
        tables.values(&position).unwrap_err(),
        tables.counted(&position).unwrap_err(),
        tables.category(&position).unwrap_err(),
        tables.wdl(&position).unwrap_err(),
        tables.wdl_counted(&position).unwrap_err(),
        tables.mate_in_time(&position).unwrap_err(),
        tables.moves(&position).unwrap_err(),
        tables.best_move(&position).unwrap_err(),
        tables.counted_line(&position).unwrap_err(),
        tables.probe(&position).unwrap_err(),
    ];
    for error in errors {
        let missing = error.missing_counts().unwrap();
        assert_eq!(missing.to_string(), "KRvKM.makruk");
        let text = error.to_string();
        assert!(text.ends_with("; the counting rule makruk-none needs none"), "{text}");
    }
    // The distance itself is missing: that is no matter of counts.
    let knight = Position::from_fen(&MAKRUK, "8/8/4n3/3k4/8/4R3/8/4K3 w").unwrap();
    let error = tables.searching(LookupBudget::NONE).probe_or_uncounted(&knight, true).unwrap_err();
    assert!(matches!(&error, ProbeError::Missing { .. }) && error.missing_counts().is_none());
    assert!(!error.to_string().contains("none"), "{error}");
}

#[test]
fn where_nobody_counts_every_call_answers_by_distance() {
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvKM"], directory.path());
    let tables = Tablebase::open(directory.path()).unwrap();
    for variant in variants::all().filter(|one| one.rules == MAKRUK.rules) {
        for position in positions(variant.counting(), PieceKind::Met, 40) {
            let position = position.counted_by(variant.uncounted).with_clock(None);
            let dtm = tables.dtm(&position).unwrap();
            let category = Category::of(dtm, true);
            assert_eq!(tables.counted(&position).unwrap(), dtm);
            assert_eq!(tables.category(&position).unwrap(), category);
            assert_eq!(tables.wdl(&position).unwrap(), category);
            assert_eq!(tables.wdl_counted(&position).unwrap(), category);
            let mut batch = Vec::new();
            tables.wdl_batch(&[position], |found| batch.push(found.unwrap()));
            assert_eq!(batch, [category]);
            let answer = tables.probe(&position).unwrap();
            let Answer { missing, count, .. } = answer;
            assert_eq!((missing, count, answer.category), (None, None, category));
            assert_eq!(answer.category_name(), category.name());
            assert_eq!(answer.mate_in_time.is_some(), dtm != Value::Draw);
            for rated in &answer.moves {
                assert_eq!(rated.dtm, tables.dtm(&rated.after).unwrap().before_move());
                assert_eq!(rated.counted.moves(), rated.dtm.moves());
            }
            assert_eq!(tables.largest(variant.uncounted).unwrap(), 4);
            assert_eq!(tables.largest_root(variant.uncounted).unwrap(), 4);
        }
    }
}

/// The rule by which nobody counts has the distance of its own variant.
#[test]
fn nobody_counts_in_games_with_another_distance() {
    let tables = solving();
    let position = Position::from_fen(&KAR_OUK, "8/8/4m3/3k4/8/4R3/8/4K3 w").unwrap();
    let nobody = position.counted_by(KAR_OUK.uncounted);
    assert_eq!(
        tables.category(&nobody).unwrap(),
        Category::of(tables.dtm(&position).unwrap(), true)
    );
}

#[test]
fn a_table_that_is_missing_after_a_promotion_is_named() {
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvKP", "KRvKP.makruk"], directory.path());
    for metric in ["makruk", "makruk-mate"] {
        let _ = std::fs::remove_file(directory.path().join(format!("KRvKM.{metric}.smt")));
    }
    let tables = Tablebase::open(directory.path()).unwrap();
    let probe = |fen: &str, lines| {
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        tables.searching(LookupBudget::NONE).probe_or_uncounted(&position, lines).unwrap()
    };
    // The pawn promotes with the next move.
    let promotes = probe("8/8/8/8/p6R/8/1k6/4K3 b - - 0 1", false);
    assert_eq!(promotes.missing.unwrap().to_string(), "KRvKM.makruk");
    let far = probe("8/8/1k6/p7/8/8/8/R3K3 b - - 0 1", false);
    assert_eq!(far.missing, None);
}

#[test]
fn a_damaged_table_of_counted_distance_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvKM", "KRvKM.makruk"], directory.path());
    let path = directory.path().join("KRvKM.makruk.smt");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let tables = Tablebase::open(directory.path()).unwrap();
    let position = Position::from_fen(&MAKRUK, "8/8/4m3/3k4/8/4R3/8/4K3 w").unwrap();
    let error =
        tables.searching(LookupBudget::NONE).probe_or_uncounted(&position, true).unwrap_err();
    assert!(matches!(error, ProbeError::File(_)), "{error}");
    // Nobody counts: it is not read.
    let nobody = position.counted_by(MAKRUK.uncounted);
    assert_eq!(tables.category(&nobody).unwrap(), Category::Win);
}
