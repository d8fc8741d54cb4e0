//! `sakmak probe --json`: values that can be checked by hand.

use crate::lawful::{played, probe, probe_counted, probe_in};
use crate::sakmak::{generated, sakmak};
use sakmak_boards::list;
use sakmak_make::store::TableStore;
use sakmak_solve::slots::legal::legal_position;
use sakmak_solve::slots::walk::Walk;
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::Slot;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::{self, MAKRUK, OUK};
use serde_json::{Value as Json, json};

/// The first position of a table with this value.
fn first_with(table: &Table, side: Side, value: Value) -> String {
    let all = Slot(0)..Slot(table.index().slots());
    let found = Walk::over(table.index(), all).find_map(|(slot, placement)| {
        let stored = table.value(side, slot) == Some(value);
        stored.then(|| legal_position(table.index(), &placement, side, &MAKRUK)).flatten()
    });
    found.unwrap().fen()
}

/// Moves left: with a rook 16 less three men, with a khon 44 less four; one more with the
/// attacker to move, one less in Ouk.
#[test]
fn the_last_mate_in_time_and_the_first_too_late() {
    let solved = TableStore::in_memory(&MAKRUK.rules);
    let tables = generated(&["KRvK", "KSMvK"]);
    for (material, limit, men) in [("KRvK", 16, 3), ("KSMvK", 44, 4)] {
        let table = solved.table(material.parse().unwrap()).unwrap();
        for (variant, less) in [(&*MAKRUK, 0), (&*OUK, 1)] {
            let runner_first = limit - men - less;
            let ask = |side, value| {
                let answer = probe_in(tables.path(), variant, &first_with(&table, side, value));
                assert_eq!(answer["dtm"].as_i64(), value.signed_plies());
                let left = runner_first + u32::from(side == Side::White);
                let first = u32::from(side == Side::White);
                let count = json!({
                    "rule": "pieces-honour", "running": false, "attacker": "white",
                    "runner": "black", "over": false, "limit": limit, "called": men, "has_called": false, "moves_left": left,
                    "limit_plies": 2 * (limit - less), "plies": 2 * men - first,
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
    let table = TableStore::in_memory(&MAKRUK.rules).table("KRvK".parse().unwrap()).unwrap();
    let fen = first_with(&table, Side::White, Value::Win(Moves(5)));
    let men = fen.split(" - - ").next().unwrap();
    let ask = |count| probe(&MAKRUK, &format!("{men} - 32 {count} 40"));
    // After the runner's twelfth call five moves are left, then four.
    let count = |called: u32, left: u32, plies: u32| {
        json!({
            "rule": "pieces-honour", "running": true, "attacker": "white", "runner": "black",
            "over": plies > 32, "limit": 16, "called": called, "has_called": called > 3, "moves_left": left, "limit_plies": 32, "plies": plies,
        })
    };
    let in_time = ask(23);
    assert_eq!((&in_time["category"], &in_time["count"]), (&json!("win"), &count(12, 5, 23)));
    let late = ask(25);
    assert_eq!((&late["category"], &late["count"]), (&json!("cursed-win"), &count(13, 4, 25)));
    // Past the limit no move is left.
    assert_eq!(ask(33)["count"], count(16, 0, 33));
}

#[test]
fn every_move_is_graded_as_the_position_it_leads_to() {
    for fen in ["8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1", "8/8/8/3k4/8/8/4R3/4K3 w - 32 5 1"] {
        let answer = probe(&MAKRUK, fen);
        let position = Position::from_fen(&MAKRUK, fen).unwrap();
        for rated in answer["moves"].as_array().unwrap() {
            let after = played(&position, rated["uci"].as_str().unwrap());
            let after = probe(&MAKRUK, &after.fen());
            for key in ["fen", "category", "dtm", "checkmate"] {
                assert_eq!(rated[key], after[key]);
            }
        }
    }
}

#[test]
fn checkmate_is_a_loss_in_no_moves_however_late() {
    for count in ["- 0", "32 6", "32 32", "32 33"] {
        let answer = probe(&MAKRUK, &format!("k6R/8/1K6/8/8/8/8/8 b - {count} 1"));
        assert_eq!(answer["category"], "loss");
        assert_eq!((&answer["dtm"], &answer["checkmate"]), (&json!(0), &json!(true)));
        assert_eq!((&answer["moves"], &answer["line"]), (&json!([]), &json!([])));
        assert_eq!(answer["counted_line"]["moves"], json!([]));
    }
}

#[test]
fn stalemate_is_a_draw() {
    let answer = probe(&MAKRUK, "k7/1R6/1K6/8/8/8/8/8 b - - 0 1");
    assert_eq!((&answer["category"], &answer["dtm"]), (&json!("draw"), &Json::Null));
    assert_eq!((&answer["moves"], &answer["line"]), (&json!([]), &json!([])));
}

#[test]
fn with_men_on_both_sides_the_boards_count_grades() {
    let fen = "8/8/8/8/8/M7/m7/k1K5 w - - 0 1";
    for (variant, moves_left) in [(&*MAKRUK, 65), (&*OUK, 64)] {
        let answer = probe(variant, fen);
        assert_eq!(answer["category"], "win");
        assert_eq!(answer["dtm"], 1);
        assert_eq!(answer["count"]["rule"], "boards-honour");
        assert_eq!(answer["count"]["moves_left"], moves_left);
        let mate = json!({
            "uci": "a3b2", "san": "Mb2#", "zeroing": false, "conversion": false, "checkmate": true,
            "stalemate": false, "variant_win": false, "variant_loss": false,
            "insufficient_material": false, "dtz": null, "precise_dtz": null, "category": "loss",
            "dtm": 0, "mate_in_time": 0, "counted": 1, "fen": answer["counted_line"]["fen"],
        });
        assert_eq!(answer["moves"][0], mate);
        assert_eq!(answer["line"], json!(["a3b2"]));
    }
    // Sixteen moves are needed until the met falls and another count begins.
    let men = "8/8/4m3/3k4/8/4R3/8/4K3 w";
    let (fresh, left) = (probe(&MAKRUK, men), |plies| format!("{men} - 128 {plies} 70"));
    assert_eq!(fresh["counted"], 16);
    assert_eq!(fresh["dtm"], 49);
    for (plies, category) in [(97, "win"), (98, "win"), (99, "cursed-win"), (128, "cursed-win")] {
        let answer = probe(&MAKRUK, &left(plies));
        assert_eq!(answer["category"], category, "{plies}");
        assert_eq!(answer["count"]["moves_left"], (130 - plies) / 2);
        assert_eq!(answer["counted"], 16);
    }
    // The met can be taken with the last move left.
    let takes = probe(&MAKRUK, "1k6/8/1K6/8/8/8/5m2/5R2 w - 128 128 80");
    assert_eq!((&takes["category"], &takes["counted"]), (&json!("win"), &json!(1)));
    assert_eq!(takes["moves"][0]["san"], "Rxf2");
}

#[test]
fn what_counts_to_come_allow_is_known_while_nothing_is_counted() {
    let answer = probe(&MAKRUK, "3k4/8/3K4/3S4/8/3P4/8/8 w - - 0 1");
    assert_eq!((&answer["category"], &answer["count"]), (&json!("win"), &Json::Null));
    let line = answer["line"].as_array().unwrap();
    assert!(line.iter().any(|uci| uci.as_str().unwrap().ends_with('m')), "a promotion");
    // The last pawn is taken next.
    let answer = probe(&MAKRUK, "8/8/8/8/5P2/4k3/8/R6K b - - 0 1");
    let takes = &answer["moves"].as_array().unwrap();
    assert!(takes.iter().any(|rated| rated["san"] == "Kxf4"));
    assert!(answer["count"].is_null());
    // The quickest mate comes too late; a promotion first wins in time.
    let answer = probe(&MAKRUK, "8/8/8/8/5P2/4k3/8/R6K w - - 0 1");
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.iter().any(|rated| rated["category"] == "blessed-loss"), "{answer}");
}

#[test]
fn the_way_of_counting_is_chosen_by_its_name() {
    let men = "8/8/8/3k4/8/4S3/8/4K3 b - 88 6 1";
    for (counting_rule, moves_left) in
        [("makruk", 41), ("makruk-khon-first", 41), ("ouk-traditional", 41)]
    {
        assert_eq!(probe_counted(counting_rule, men)["count"]["moves_left"], moves_left);
    }
    let ouk = probe_counted("ouk", "8/8/8/3k4/8/4S3/8/4K3 b - 86 6 1");
    assert_eq!((&ouk["count"]["moves_left"], &ouk["variant"]), (&json!(40), &json!("ouk")));
    // With a pawn on the board, only the official rules of Ouk have a count.
    let men = "8/8/8/3k4/8/3P4/8/R3K3 w";
    assert_eq!(probe_counted("ouk", men)["count"]["rule"], "boards-honour");
    for counting_rule in ["makruk", "makruk-khon-first", "ouk-traditional"] {
        assert!(probe_counted(counting_rule, men)["count"].is_null());
    }
    // A variant may be given too, if the counting rule belongs to it.
    let named = |counting_rule: &str, variant: &str| {
        sakmak(["probe", "--json", "--counting", counting_rule, "--variant", variant, men])
    };
    assert_eq!(named("ouk-traditional", "ouk").json()["counting"], "ouk-traditional");
    let run = named("ouk", "makruk");
    let rules: Vec<&str> = MAKRUK.counting_rules.iter().map(|rule| rule.name).collect();
    let expected = format!(
        "ouk is not a counting rule of makruk: expected {} or none, or '--variant ouk'",
        rules.join(", ")
    );
    assert_eq!(run.refusal(2), expected);
    // A counting rule alone does not change the game.
    assert_eq!(sakmak(["probe", "--json", "--counting", "ouk", men]).refusal(2), expected);
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
    for key in ["material", "category", "dtm", "counted", "mate_in_time"] {
        assert_eq!(white[key], black[key]);
    }
    let mut expected = white["count"].clone();
    expected["attacker"] = json!("black");
    expected["runner"] = json!("white");
    assert_eq!(black["count"], expected);
}

#[test]
fn letters_of_other_programs_fields_left_out_and_words_apart_are_read() {
    let expected = probe(&MAKRUK, "8/8/8/3k4/8/2M1S3/8/4K3 w - - 0 1");
    for words in [
        &["8/8/8/3k4/8/2Q1B3/8/4K3", "w", "-"][..],
        &["8/8/8/3k4/8/2M1S3/8/4K3", "w", "-", "-", "0", "1"],
        &["8/8/8/3k4/8/2M~1S3/8/4K3 w"],
        &["8/8/8/3k4/8/2M1S3/8/4K3_w_-_-_0_1"],
    ] {
        assert_eq!(sakmak([&["probe", "--json"], words].concat()).json(), expected, "{words:?}");
    }
}

#[test]
fn variants_and_counting_rules_have_their_usual_names() {
    let fen = "8/8/8/3k4/8/8/4R3/4K3 w";
    let named = |options: &[&str]| {
        let arguments = [&["probe", "--json", fen], options].concat();
        sakmak(arguments).json()
    };
    for (name, variant) in
        [("Makruk", "makruk"), ("thai", "makruk"), ("cambodian", "ouk"), ("Ouk-Chatrang", "ouk")]
    {
        for options in [&["--variant", name][..], &["--variant", variant, "--counting", name]] {
            let answer = named(options);
            assert_eq!(
                (&answer["variant"], &answer["counting"]),
                (&json!(variant), &json!(variant))
            );
        }
    }
    assert_eq!(
        named(&["--variant", "ouk", "--counting", "Ouk Traditional"])["counting"],
        "ouk-traditional"
    );
    // Help and messages list one spelling each.
    let help = sakmak(["probe", "--help"]).printed();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = format!("{}, {}", variants::names(), list::names());
    assert!(help.contains(&format!("[possible values: {names}]")), "{help}");
    let run = sakmak(["probe", "--variant", "xiangqi", fen]);
    let (first, last) = names.rsplit_once(", ").unwrap();
    let refused = format!("--variant: 'xiangqi' is not a variant: expected {first} or {last}");
    assert_eq!(run.refusal(2), refused);
}
