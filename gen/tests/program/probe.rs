//! `sakmak probe --json`: keys, values that can be checked by hand, and laws that hold for
//! every answer.

use crate::sakmak::{generated, keys, sakmak, sakmak_with};
use crate::solved::Solved;
use sakmak_gen::legal::legal_position;
use sakmak_gen::walk::Walk;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::Slot;
use sakmak_tables::man::Side;
use sakmak_tables::position::{Outcome, Position};
use sakmak_tables::table::Table;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{MAKRUK, OUK};
use serde_json::{Value as Json, json};
use std::path::Path;

/// The answer with nothing on disk; its laws hold.
#[track_caller]
fn probe(variant: &'static Variant, fen: &str) -> Json {
    let answer = sakmak(["probe", "--json", "--variant", variant.name, fen]).json();
    assert_lawful(variant, fen, &answer);
    answer
}

/// The answer from a directory of tables; its laws hold.
#[track_caller]
fn probe_in(tables: &Path, variant: &'static Variant, fen: &str) -> Json {
    let arguments = ["probe", "--json", "--variant", variant.name, fen];
    let answer = sakmak_with(tables, &arguments).json();
    assert_lawful(variant, fen, &answer);
    answer
}

/// Categories, worst first.
const CATEGORIES: [&str; 5] = ["loss", "blessed-loss", "draw", "cursed-win", "win"];

fn rank(category: &Json) -> usize {
    CATEGORIES.iter().position(|name| category == name).unwrap()
}

/// The keys are those promised, each move is legal and there, the best come first, and
/// the line played out is mate after the plies said.
#[track_caller]
fn assert_lawful(variant: &'static Variant, fen: &str, answer: &Json) {
    let position = Position::from_fen(variant, fen).unwrap();
    let expected = ["fen", "variant", "material", "category", "dtm", "count", "moves", "line"];
    assert_eq!(keys(answer), expected.into());
    assert_eq!(answer["fen"], position.fen());
    assert_eq!(answer["variant"], variant.name);
    assert_eq!(answer["material"], position.material().material.to_string());
    if !answer["count"].is_null() {
        assert_eq!(keys(&answer["count"]), ["rule", "limit", "called", "moves_left"].into());
    }
    let plies = |dtm: &Json| -> Option<i64> {
        if dtm.is_null() {
            return None;
        }
        assert_eq!(keys(dtm), ["plies", "moves"].into());
        let plies = dtm["plies"].as_i64().unwrap();
        assert_eq!(dtm["moves"].as_i64(), Some((plies + 1) / 2));
        Some(plies)
    };
    // Mates of the mover come after odd plies, those of the other side after even ones.
    let graded = |rated: &Json| -> (usize, i64) {
        let (rank, plies) = (rank(&rated["category"]), plies(&rated["dtm"]));
        assert_eq!(plies.is_none(), rank == 2, "{rated}");
        assert!(plies.is_none_or(|plies| (plies % 2 == 1) == (rank > 2)), "{rated}");
        (rank, plies.map_or(0, |plies| if rank > 2 { -plies } else { plies }))
    };
    graded(answer);

    let moves = answer["moves"].as_array().unwrap();
    for rated in moves {
        assert_eq!(keys(rated), ["uci", "san", "category", "dtm"].into());
    }
    let mut uci: Vec<&str> = moves.iter().map(|rated| rated["uci"].as_str().unwrap()).collect();
    uci.sort_unstable();
    let mut legal: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    legal.sort_unstable();
    assert_eq!(uci, legal);
    for pair in moves.windows(2) {
        let (first, second) = (graded(&pair[0]), graded(&pair[1]));
        assert!(first >= second, "{} before {}", pair[0], pair[1]);
        assert!(first > second || pair[0]["uci"].as_str() < pair[1]["uci"].as_str());
    }
    if let Some(best) = moves.first() {
        assert_eq!(best["category"], answer["category"]);
    }

    let line: Vec<&str> =
        answer["line"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
    assert_eq!(line.len() as i64, plies(&answer["dtm"]).unwrap_or(0));
    let end = line.iter().fold(position, |position, uci| played(&position, uci));
    if !answer["dtm"].is_null() {
        assert_eq!(end.outcome(), Some(Outcome::Checkmate));
    }
}

#[track_caller]
fn played(position: &Position, uci: &str) -> Position {
    let moves = position.legal_moves();
    let mv = moves.iter().find(|mv| mv.to_string() == uci).expect("a legal move");
    position.play(*mv)
}

/// The first position of a table with this value.
fn first_with(table: &Table, side: Side, value: Value) -> String {
    let all = Slot(0)..Slot(table.index().slots());
    let found = Walk::over(table.index(), all).find_map(|(slot, placement)| {
        let stored = table.value(side, slot) == Some(value);
        stored.then(|| legal_position(table.index(), &placement, side, &MAKRUK)).flatten()
    });
    found.unwrap().fen()
}

/// A rook: 16 less three men, a khon: 44 less four; one more with the attacker to move, one
/// less in Ouk.
#[test]
fn the_last_mate_in_time_and_the_first_too_late() {
    let solved = Solved::default();
    let tables = generated(&["KRvK", "KSMvK"]);
    for (material, limit, men) in [("KRvK", 16, 3), ("KSMvK", 44, 4)] {
        let table = solved.solve(material.parse().unwrap());
        for (variant, less) in [(&*MAKRUK, 0), (&*OUK, 1)] {
            let runner_first = limit - men - less;
            let ask = |side, value| {
                let answer = probe_in(tables.path(), variant, &first_with(&table, side, value));
                let plies = value.plies().unwrap().0;
                assert_eq!(
                    answer["dtm"],
                    json!({"plies": plies, "moves": value.moves().unwrap().0})
                );
                let left = runner_first + u32::from(side == Side::White);
                let count = json!({
                    "rule": "pieces-honour", "limit": limit, "called": men, "moves_left": left
                });
                assert_eq!(answer["count"], count);
                answer["category"].as_str().unwrap().to_string()
            };
            let late = Moves(runner_first + 1);
            assert_eq!(ask(Side::Black, Value::Loss(Moves(runner_first))), "loss");
            assert_eq!(ask(Side::Black, Value::Loss(late)), "blessed-loss");
            assert_eq!(ask(Side::White, Value::Win(late)), "win");
            assert_eq!(ask(Side::White, Value::Win(Moves(runner_first + 2))), "cursed-win");
        }
    }
}

#[test]
fn a_running_count_is_heeded() {
    let table = Solved::default().solve("KRvK".parse().unwrap());
    let fen = first_with(&table, Side::White, Value::Win(Moves(5)));
    let men = fen.split(" - - ").next().unwrap();
    let ask = |count| probe(&MAKRUK, &format!("{men} - 32 {count} 40"));
    // After the runner's twelfth call five moves are left to mate by, then four.
    let in_time = ask(23);
    let count = json!({"rule": "pieces-honour", "limit": 16, "called": 12, "moves_left": 5});
    assert_eq!((&in_time["category"], &in_time["count"]), (&json!("win"), &count));
    let late = ask(25);
    let count = json!({"rule": "pieces-honour", "limit": 16, "called": 13, "moves_left": 4});
    assert_eq!((&late["category"], &late["count"]), (&json!("cursed-win"), &count));
    // Past the limit nothing is left, however long ago.
    for over in [33, 34, 65_535] {
        assert_eq!(ask(over)["count"]["moves_left"], 0);
    }
}

#[test]
fn every_move_is_graded_as_the_position_it_leads_to() {
    for fen in ["8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1", "8/8/8/3k4/8/8/4R3/4K3 w - 32 5 1"] {
        let answer = probe(&MAKRUK, fen);
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        for rated in answer["moves"].as_array().unwrap() {
            let after = played(&position, rated["uci"].as_str().unwrap());
            let after = probe(&MAKRUK, &after.fen());
            assert_eq!(rank(&rated["category"]), CATEGORIES.len() - 1 - rank(&after["category"]));
            let plies = |dtm: &Json| dtm["plies"].as_i64();
            assert_eq!(plies(&rated["dtm"]), plies(&after["dtm"]).map(|plies| plies + 1));
        }
    }
}

#[test]
fn checkmate_is_a_loss_in_no_moves_however_late() {
    for count in ["- 0", "32 6", "32 33", "32 60"] {
        let answer = probe(&MAKRUK, &format!("k6R/8/1K6/8/8/8/8/8 b - {count} 1"));
        assert_eq!(answer["category"], "loss");
        assert_eq!(answer["dtm"], json!({"plies": 0, "moves": 0}));
        assert_eq!((&answer["moves"], &answer["line"]), (&json!([]), &json!([])));
    }
}

#[test]
fn stalemate_is_a_draw() {
    let answer = probe(&MAKRUK, "k7/1R6/1K6/8/8/8/8/8 b - - 0 1");
    assert_eq!((&answer["category"], &answer["dtm"]), (&json!("draw"), &Json::Null));
    assert_eq!((&answer["moves"], &answer["line"]), (&json!([]), &json!([])));
}

#[test]
fn with_men_on_both_sides_the_boards_count_grades_nothing() {
    let fen = "8/8/8/8/8/M7/m7/k1K5 w - - 0 1";
    for (variant, moves_left) in [(&*MAKRUK, 65), (&*OUK, 64)] {
        let answer = probe(variant, fen);
        assert_eq!(answer["category"], "win");
        assert_eq!(answer["dtm"], json!({"plies": 1, "moves": 1}));
        assert_eq!(answer["count"]["rule"], "boards-honour");
        assert_eq!(answer["count"]["moves_left"], moves_left);
        let mate = json!({
            "uci": "a3b2", "san": "Mb2#", "category": "win", "dtm": {"plies": 1, "moves": 1}
        });
        assert_eq!(answer["moves"][0], mate);
        assert_eq!(answer["line"], json!(["a3b2"]));
    }
    // The count all but over: the win stays one, since taking a man begins another count.
    let rooks = probe(&MAKRUK, "8/8/8/3k4/8/3K4/8/R6r w - 128 120 70");
    assert_eq!(rooks["count"]["called"], 60);
    assert!(["win", "draw", "loss"].contains(&rooks["category"].as_str().unwrap()));
}

#[test]
fn nothing_is_counted_while_a_pawn_is_left() {
    let answer = probe(&MAKRUK, "3k4/8/3K4/3S4/8/3P4/8/8 w - - 0 1");
    assert_eq!((&answer["category"], &answer["count"]), (&json!("win"), &Json::Null));
    let line = answer["line"].as_array().unwrap();
    assert!(line.iter().any(|uci| uci.as_str().unwrap().ends_with('m')), "a promotion");
    // The last pawn is taken next.
    let answer = probe(&MAKRUK, "8/8/8/8/5P2/4k3/8/R6K b - - 0 1");
    let takes = &answer["moves"].as_array().unwrap();
    assert!(takes.iter().any(|rated| rated["san"] == "Kxf4"));
    assert!(answer["count"].is_null());
}

#[test]
fn bare_kings_draw() {
    let answer = probe(&MAKRUK, "8/8/8/3k4/8/8/8/4K3 w - - 0 1");
    assert_eq!((&answer["material"], &answer["category"]), (&json!("KvK"), &json!("draw")));
    assert_eq!((&answer["count"], &answer["line"]), (&Json::Null, &json!([])));
    assert!(answer["moves"].as_array().unwrap().iter().all(|rated| rated["category"] == "draw"));
}

#[test]
fn black_may_be_the_stronger_side() {
    let white = probe(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1");
    let black = probe(&MAKRUK, "4k3/4r3/8/8/3K4/8/8/8 b - - 0 1");
    for key in ["material", "category", "dtm", "count"] {
        assert_eq!(white[key], black[key]);
    }
}

#[test]
fn letters_of_other_programs_fields_left_out_and_words_apart_are_read() {
    let expected = probe(&MAKRUK, "8/8/8/3k4/8/2M1S3/8/4K3 w - - 0 1");
    let bishops = sakmak(["probe", "--json", "8/8/8/3k4/8/2Q1B3/8/4K3", "w", "-"]).json();
    assert_eq!(bishops, expected);
}
