//! The answers of `sakmak probe --json`: keys, and laws that hold for every answer.

use crate::sakmak::{keys, sakmak, sakmak_with};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use serde_json::Value as Json;
use std::path::Path;

/// The answer without tables on disk; asserts the laws.
#[track_caller]
pub fn probe(variant: &'static Variant, fen: &str) -> Json {
    let answer = sakmak(["probe", "--json", "--variant", variant.name, fen]).json();
    assert_lawful(variant.counting(), fen, &answer);
    answer
}

/// The answer under a counting rule; asserts the laws.
#[track_caller]
pub fn probe_counted(counting_rule: &str, fen: &str) -> Json {
    let variant = variants::counted_by(variants::counting_rule(counting_rule).unwrap()).name;
    let rules = ["--variant", variant, "--counting", counting_rule];
    let answer = sakmak([&["probe", "--json", fen][..], &rules].concat()).json();
    assert_lawful(variants::counting_rule(counting_rule).unwrap(), fen, &answer);
    answer
}

/// The answer from a directory of tables; asserts the laws.
#[track_caller]
pub fn probe_in(tables: &Path, variant: &'static Variant, fen: &str) -> Json {
    let arguments = ["probe", "--json", "--variant", variant.name, fen];
    let answer = sakmak_with(tables, &arguments).json();
    assert_lawful(variant.counting(), fen, &answer);
    answer
}

/// The keys of a position that lila-tablebase has, and its values.
const STATE: [&str; 11] = [
    "checkmate",
    "stalemate",
    "variant_win",
    "variant_loss",
    "insufficient_material",
    "dtz",
    "precise_dtz",
    "category",
    "dtm",
    "mate_in_time",
    "counted",
];

/// Categories, worst first.
pub const CATEGORIES: [&str; 5] = ["loss", "blessed-loss", "draw", "cursed-win", "win"];

pub fn rank(category: &Json) -> usize {
    CATEGORIES.iter().position(|name| category == name).unwrap()
}

/// The answer's position, or that of a move before it: whether `dtm` counts from after a move.
#[derive(Clone, Copy)]
enum Seen {
    Here,
    BeforeMove,
}

/// Plies to mate.
#[track_caller]
pub fn plies(dtm: &Json) -> Option<i64> {
    (!dtm.is_null()).then(|| dtm.as_i64().unwrap().abs())
}

/// The category for the side to move, and what orders moves of one category: the greater the
/// better.
#[track_caller]
fn graded(rated: &Json, seen: Seen) -> (usize, (bool, i64), i64, i64) {
    let (rank, before) = match seen {
        Seen::Here => (rank(&rated["category"]), 0),
        Seen::BeforeMove => (CATEGORIES.len() - 1 - rank(&rated["category"]), 1),
    };
    let [to_mate, in_time] = ["dtm", "mate_in_time"].map(|name| {
        // The side that mates has the sign, and mates with an odd number of plies.
        let wins = (rank > 2) == (before == 0);
        let signed = rated[name].as_i64();
        assert!(signed.is_none_or(|plies| if wins { plies > 0 } else { plies <= 0 }), "{rated}");
        plies(&rated[name]).map(|plies| plies + before)
    });
    assert_eq!(to_mate.is_none(), rank == 2, "{rated}");
    assert!(to_mate.is_none_or(|plies| (plies % 2 == 1) == (rank > 2)), "{rated}");
    let sign = if rank > 2 { -1 } else { 1 };
    // A mate in time of unknown length is taken to be long.
    assert!(in_time.is_none() || rank == 0 || rank == 4, "{rated}");
    let known = in_time.is_some();
    let in_time = (if rank == 4 { known } else { !known }, in_time.map_or(0, |plies| sign * plies));
    let counted = match (rank, rated["counted"].as_i64()) {
        (1, None) => i64::MAX,
        (0 | 1 | 4, Some(moves)) => sign * moves,
        (0 | 4, None) => panic!("no distance under the count: {rated}"),
        _ => 0,
    };
    (rank, in_time, counted, to_mate.map_or(0, |plies| sign * plies))
}

/// Asserts the documented keys, that all legal moves are listed with the best first, and that the
/// lines end as stated.
#[track_caller]
fn assert_lawful(counting_rule: &'static CountingRule, fen: &str, answer: &Json) {
    let position = Position::from_fen_counted(counting_rule, fen).unwrap();
    let expected = [
        "fen",
        "variant",
        "counting",
        "material",
        "missing_table",
        "count",
        "notes",
        "moves",
        "line",
        "counted_line",
    ];
    assert_eq!(keys(answer), expected.into_iter().chain(STATE).collect());
    assert_eq!(answer["fen"], position.fen());
    assert_eq!(answer["variant"], variants::counted_by(counting_rule).name);
    assert_eq!(answer["counting"], counting_rule.name);
    assert_eq!(answer["material"], position.material().material.to_string());
    let clock = position.with_count_running().clock();
    assert_eq!(answer["count"].is_null(), clock.is_none());
    if let Some(clock) = clock {
        let count = &answer["count"];
        let expected = [
            "rule",
            "running",
            "attacker",
            "runner",
            "over",
            "limit",
            "called",
            "has_called",
            "moves_left",
            "limit_plies",
            "plies",
        ];
        assert_eq!(keys(count), expected.into());
        assert_eq!(count["running"], position.clock().is_some());
        assert_eq!(count["limit_plies"], clock.limit().0);
        assert_eq!(count["plies"], clock.count().0);
        assert_ne!(count["runner"], count["attacker"]);
        assert_eq!(count["over"], clock.is_over());
    }
    graded(answer, Seen::Here);

    let moves = answer["moves"].as_array().unwrap();
    for rated in moves {
        let expected = ["uci", "san", "zeroing", "conversion", "fen"];
        assert_eq!(keys(rated), expected.into_iter().chain(STATE).collect());
    }
    let mut uci: Vec<&str> = moves.iter().map(|rated| rated["uci"].as_str().unwrap()).collect();
    uci.sort_unstable();
    let mut legal: Vec<String> =
        position.legal_moves().iter().map(|mv| mv.uci(position.variant())).collect();
    legal.sort_unstable();
    assert_eq!(uci, legal);
    for pair in moves.windows(2) {
        let [first, second] = [0, 1].map(|place| graded(&pair[place], Seen::BeforeMove));
        assert!(first >= second, "{} before {}", pair[0], pair[1]);
        assert!(first > second || pair[0]["uci"].as_str() < pair[1]["uci"].as_str());
    }
    if let Some(best) = moves.first() {
        assert_eq!(rank(&best["category"]), CATEGORIES.len() - 1 - rank(&answer["category"]));
    }

    let end = played_out(&position, &answer["line"]);
    assert_eq!(length(&answer["line"]) as i64, plies(&answer["dtm"]).unwrap_or(0));
    if !answer["dtm"].is_null() {
        assert_eq!(end.outcome(), Some(Outcome::Checkmate));
    }
    let line = &answer["counted_line"];
    assert_eq!(keys(line), ["moves", "end", "fen"].into());
    let end = played_out(&position.with_count_running(), &line["moves"]);
    assert_eq!(line["fen"], end.fen());
    let mated = end.outcome() == Some(Outcome::Checkmate);
    assert_eq!(line["end"] == "checkmate", mated);
    match rank(&answer["category"]) {
        0 => assert!(mated && end.side() == position.side(), "{answer}"),
        4 => assert!(mated && end.side() != position.side(), "{answer}"),
        2 => assert!(!mated, "{answer}"),
        _ => {
            assert_eq!(line["end"], "claim");
            assert!(!mated && end.clock().unwrap().is_over(), "{answer}");
        }
    }
}

fn length(line: &Json) -> usize {
    line.as_array().unwrap().len()
}

#[track_caller]
fn played_out(position: &Position, line: &Json) -> Position {
    let moves = line.as_array().unwrap().iter().map(|uci| uci.as_str().unwrap());
    moves.fold(*position, |position, uci| played(&position, uci))
}

#[track_caller]
pub fn played(position: &Position, uci: &str) -> Position {
    let moves = position.legal_moves();
    let mv = moves.iter().find(|mv| mv.uci(position.variant()) == uci).expect("a legal move");
    position.play(*mv)
}
