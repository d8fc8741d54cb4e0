//! Answers from solved tables: in memory, from files, and with many threads.

use crate::solved::{SOLVED, solving};
use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_probe::Answer;
use sakmak_probe::LineEnd;
use sakmak_probe::ProbeError;
use sakmak_probe::RatedMove;
use sakmak_probe::file::bytes::Access;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::{Category, Phase};
use sakmak_tables::distance::{Moves, Plies, Value};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{MAKRUK, OUK};
use std::collections::HashMap;
use std::path::Path;

/// Writes the tables of these materials and of all that they depend on.
fn generate(names: &[&str], directory: &Path) {
    let names: Vec<TableName> = names.iter().map(|name| name.parse().unwrap()).collect();
    for name in TableName::closure(names, &MAKRUK.rules) {
        let table = SOLVED.table(name).unwrap();
        let options = WriteOptions { metric: name.metric, ..WriteOptions::default() };
        write(&*table, &MAKRUK.rules, directory, &options).unwrap();
    }
}

fn position(variant: &'static Variant, fen: &str) -> Position {
    Position::from_fen(variant, fen).unwrap()
}

fn probe(tablebase: &Tablebase, fen: &str) -> Answer {
    tablebase.probe(&position(&MAKRUK, fen)).unwrap()
}

/// Plays the line and returns how the game ends.
fn end(start: &Position, line: &[Move]) -> Option<Outcome> {
    let play = |position: Position, mv: &Move| {
        assert!(position.legal_moves().contains(mv));
        position.play(*mv)
    };
    line.iter().fold(*start, play).outcome()
}

const FENS: [&str; 8] = [
    "8/8/8/3k4/8/8/4R3/4K3 b - - 0 1",
    "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1",
    "4k3/4r3/8/8/3K4/8/8/8 b - - 0 1",
    "8/8/8/3k4/8/4P3/8/4K3 w - - 0 1",
    "8/8/4m3/3k4/8/4M3/8/4K3 b - - 0 1",
    "8/8/4r3/3k4/8/4R3/8/4K3 w - - 0 1",
    "8/8/8/3k4/8/2M1S3/8/4K3 w - - 0 1",
    "8/8/8/8/8/M7/m7/k1K5 w - - 0 1",
];

#[test]
fn lines_end_in_mate_after_the_distance_said() {
    let tablebase = solving();
    let mut won = 0;
    for fen in FENS {
        let start = position(&MAKRUK, fen);
        let answer = tablebase.probe(&start).unwrap();
        let lines = answer.lines.as_ref().unwrap();
        let Some(Plies(plies)) = answer.dtm.plies() else {
            assert!(lines.uncounted.is_empty());
            continue;
        };
        won += 1;
        assert_eq!(lines.uncounted.len(), plies as usize, "{fen}");
        assert_eq!(end(&start, &lines.uncounted), Some(Outcome::Checkmate), "{fen}");
        let quickest = answer.moves.iter().map(|rated| rated.dtm.preference()).max();
        assert_eq!(quickest, Some(answer.dtm.preference()), "{fen}");
        // Against a bare king there is one best line.
        let mates = LineEnd::Over(Outcome::Checkmate);
        if start.phase() == Phase::PiecesHonour && lines.counted.end == mates {
            assert_eq!(lines.counted.moves, lines.uncounted);
        }
    }
    assert!(won >= 4);
}

#[test]
fn moves_come_best_first() {
    let tablebase = solving();
    for fen in FENS {
        let answer = probe(&tablebase, fen);
        let start = position(&MAKRUK, fen);
        assert_eq!(answer.moves.len(), start.legal_moves().len());
        for pair in answer.moves.windows(2) {
            let key = |at: usize| {
                let rated: &RatedMove = &pair[at];
                let late = rated.category == Category::CursedWin;
                let counted = if late { Value::Draw } else { rated.counted };
                (rated.category, counted.preference(), rated.dtm.preference())
            };
            assert!(key(0) >= key(1), "{fen} {:?}", pair);
        }
    }
}

#[test]
fn a_mate_on_the_board_and_a_mate_in_one() {
    let tablebase = solving();
    let answer = probe(&tablebase, "k6R/8/1K6/8/8/8/8/8 b - - 0 1");
    assert_eq!((answer.outcome, answer.dtm), (Some(Outcome::Checkmate), Value::Loss(Moves(0))));
    assert!(answer.moves.is_empty() && answer.lines.unwrap().uncounted.is_empty());
    // Published as a dead draw.
    let answer = probe(&tablebase, "8/8/8/8/8/M7/m7/k1K5 w - - 0 1");
    assert_eq!(answer.dtm, Value::Win(Moves(1)));
    assert_eq!(answer.moves[0].san, "Mb2#");
    assert_eq!(answer.moves[0].mv.uci(&MAKRUK), "a3b2");
}

#[test]
fn a_rook_has_fourteen_moves_or_thirteen() {
    let tablebase = solving();
    let mut seen = HashMap::new();
    let table_fens = ["8/8/8/3k4/8/8/8/K6R", "8/8/8/4k3/8/8/8/KR6", "k7/8/8/8/8/8/8/K6R"];
    for (fen, side) in table_fens.iter().flat_map(|fen| [(fen, 'w'), (fen, 'b')]) {
        let answer = probe(&tablebase, &format!("{fen} {side} - - 0 1"));
        let count = answer.count.unwrap();
        let (limit, most) = (Moves(16), Moves(if side == 'w' { 14 } else { 13 }));
        assert_eq!((count.limit, count.moves_left, count.running), (limit, most, false));
        assert_eq!(count.attacker, Side::White);
        let fits = answer.dtm.moves() <= Some(most);
        let expected = match (answer.dtm, fits) {
            (Value::Win(_), true) => Category::Win,
            (Value::Win(_), false) => Category::CursedWin,
            (Value::Loss(_), true) => Category::Loss,
            (Value::Loss(_), false) => Category::BlessedLoss,
            (Value::Draw, _) => Category::Draw,
        };
        assert_eq!(answer.category, expected);
        assert_eq!(answer.moves[0].category, expected, "the best move keeps the grade");
        *seen.entry(expected.name()).or_insert(0) += 1;
    }
    assert!(seen.len() >= 2, "{seen:?}");
    // The same position with the count nearly over.
    let late = probe(&tablebase, "8/8/8/3k4/8/8/8/K6R b - 32 28 1");
    assert_eq!(late.category, Category::BlessedLoss);
    assert_eq!(late.count.unwrap().called, Moves(14));
    assert!(late.moves.iter().all(|rated| rated.category >= Category::BlessedLoss));
}

#[test]
fn positions_without_a_table_say_why() {
    let tablebase = Tablebase::new();
    let refused = |fen| tablebase.probe(&position(&MAKRUK, fen)).unwrap_err();
    let error = refused("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1");
    assert_eq!(error.to_string(), "no table KRvK.dtm.smt (the tablebase has no directory)");
    let error = refused("4k3/8/8/8/8/RRRRRRR1/8/4K3 b - - 0 1");
    assert_eq!(
        error.to_string(),
        "the position has 9 men, but tables have at most 7, kings included"
    );
    let ouk = position(&OUK, OUK.start);
    assert!(matches!(tablebase.probe(&ouk), Err(ProbeError::LeapRights)));
    let bare = position(&MAKRUK, "8/8/8/3k4/8/8/8/4K3 w - - 0 1");
    assert_eq!(tablebase.probe(&bare).unwrap().dtm, Value::Draw);

    // Without tables of counted distance, positions with pieces on both sides have no category.
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvKM"], directory.path());
    let tablebase = Tablebase::open(directory.path()).unwrap();
    let both = position(&MAKRUK, "8/8/4m3/3k4/8/4R3/8/4K3 w - - 0 1");
    assert!(matches!(tablebase.dtm(&both), Ok(Value::Win(_))));
    let error = tablebase.probe(&both).unwrap_err().to_string();
    assert!(error.contains("KRvKM.makruk.smt"), "{error}");

    let directory = tempfile::tempdir().unwrap();
    let tablebase = Tablebase::open(directory.path()).unwrap();
    let error = tablebase.probe(&position(&MAKRUK, FENS[0])).unwrap_err().to_string();
    assert!(error.contains("KRvK.dtm.smt"), "{error}");
    assert!(error.contains(directory.path().to_str().unwrap()), "{error}");
    let error = Tablebase::open(directory.path().join("missing")).unwrap_err();
    assert!(matches!(error, ProbeError::Directory { .. }));
}

#[test]
fn files_and_memory_give_the_same_answers() {
    let directory = tempfile::tempdir().unwrap();
    let mut names: Vec<TableName> = Vec::new();
    for name in ["KRvKR", "KMvKM", "KSMvK", "KPvK"] {
        let material = name.parse().unwrap();
        let metrics = [&MAKRUK, &OUK].into_iter().flat_map(|variant| {
            let rule = variant.counting();
            [Metric::Counted(rule), Metric::MateInTime(rule)].map(|metric| metric.of(material))
        });
        let metrics = metrics.chain([Metric::DistanceToMate]);
        names.extend(metrics.map(|metric| TableName { material, metric }));
    }
    let names: Vec<String> = names.iter().map(TableName::to_string).collect();
    generate(&names.iter().map(String::as_str).collect::<Vec<_>>(), directory.path());
    let solved = solving();
    let read =
        Tablebase::open(directory.path()).unwrap().with_access(Access::Read).with_cache(0).unwrap();
    let mapped = Tablebase::open(directory.path()).unwrap();
    for fen in FENS {
        for variant in [&MAKRUK, &OUK] {
            let position = position(variant, fen);
            let expected = solved.probe(&position).unwrap();
            assert_eq!(read.probe(&position).unwrap(), expected, "{fen}");
            assert_eq!(mapped.probe(&position).unwrap(), expected, "{fen}");
        }
    }
}

#[test]
fn a_broken_file_is_an_error_even_where_it_could_be_solved() {
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvK"], directory.path());
    let path = directory.path().join("KRvK.dtm.smt");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let mut tablebase = solving();
    tablebase.add_directory(directory.path()).unwrap();
    let error = tablebase.probe(&position(&MAKRUK, FENS[0])).unwrap_err();
    assert!(matches!(error, ProbeError::File(_)), "{error}");
    assert!(error.to_string().contains("KRvK.dtm.smt: cut short"), "{error}");
}

#[test]
fn threads_may_ask_at_once() {
    let directory = tempfile::tempdir().unwrap();
    generate(&["KRvK", "KSMvK"], directory.path());
    let mut tablebase = solving().with_cache(1 << 20).unwrap();
    tablebase.add_directory(directory.path()).unwrap();
    let alone = solving();
    let expected: Vec<Answer> = FENS.iter().map(|fen| probe(&alone, fen)).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (tablebase, expected) = (&tablebase, &expected);
            scope.spawn(move || {
                for symmetry in 0..3 * FENS.len() {
                    let which = (symmetry + 2 * thread) % FENS.len();
                    assert_eq!(probe(tablebase, FENS[which]), expected[which]);
                }
            });
        }
    });
}
