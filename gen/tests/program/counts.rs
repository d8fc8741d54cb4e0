//! Counts as players tell them: `--called`, the line `Count:`, notes on a FEN, one vocabulary.

use crate::games::{MISTAKES, check};
use crate::sakmak::{directory, sakmak};
use serde_json::{Value as Json, json};

const KHON_AND_MET: &str = "8/8/8/4k3/8/4K3/4S3/4M3";
/// Either side may count; White needs sixteen moves of the count.
const BOTH: &str = "8/8/4m3/3k4/8/4R3/8/4K3";

fn json(arguments: &[&str]) -> Json {
    sakmak([&["probe", "--json"], arguments].concat()).json()
}

/// The text of an answer with its lines joined.
fn words(arguments: &[&str]) -> String {
    let text = sakmak([&["probe"], arguments].concat()).printed();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    sakmak([&["probe"], arguments].concat()).refusal(2).to_string()
}

#[test]
fn a_count_is_told_by_the_number_called() {
    for side in ["w", "b"] {
        let fen = format!("{KHON_AND_MET} {side}");
        for (called, plies) in [("20", 40), ("23", 46)] {
            let mut told = json(&[&fen, "--called", called]);
            let mut written = json(&[&format!("{fen} - 88 {plies} 1")]);
            // A call may leave a ply open.
            for answer in [&mut told, &mut written] {
                for mv in answer["moves"].as_array_mut().unwrap() {
                    mv["fen"].take();
                }
            }
            for key in ["category", "moves", "line", "counted"] {
                assert_eq!(told[key], written[key], "{side} {called} {key}");
            }
            for key in ["called", "limit", "moves_left", "running", "runner"] {
                assert_eq!(told["count"][key], written["count"][key], "{side} {called} {key}");
            }
            assert_eq!(told["notes"], json!([]));
        }
    }
    // A count that began with two khons.
    let fen = format!("{KHON_AND_MET} w");
    let told = json(&[&fen, "--called", "20", "--limit", "22"]);
    assert_eq!(told["category"], "cursed-win");
    assert_eq!((&told["count"]["limit"], &told["count"]["moves_left"]), (&json!(22), &json!(3)));
    // In Ouk the last number is not called.
    let told = json(&[&fen, "--called", "20", "--variant", "ouk"]);
    assert_eq!(told["count"]["moves_left"], 24);
}

#[test]
fn the_side_that_counts_is_asked_for_where_either_may() {
    let fen = format!("{BOTH} w");
    assert!(refusal(&[&fen, "--called", "48"]).contains("add --counter white or --counter black"));
    for (called, left, category) in [("49", 16, "win"), ("50", 15, "cursed-win")] {
        let told = json(&[&fen, "--called", called, "--counter", "black"]);
        assert_eq!((&told["category"], &told["notes"]), (&json!(category), &json!([])));
        assert_eq!(
            (&told["count"]["runner"], &told["count"]["moves_left"]),
            (&json!("black"), &json!(left))
        );
    }
    // The count of the side that wins does not bind it.
    let told = json(&[&fen, "--called", "50", "--counter", "white"]);
    assert_eq!((&told["category"], &told["count"]["running"]), (&json!("win"), &json!(false)));
    let note = told["notes"][0].as_str().unwrap();
    assert!(note.starts_with("the count of White is dropped: White can force mate"), "{note}");
    // In a draw the side that counts is the one given.
    for counter in ["white", "black"] {
        let told = json(&["8/3k4/3m4/8/8/8/3M4/3K4 w", "--called", "50", "--counter", counter]);
        assert_eq!(told["category"], "draw");
        assert_eq!(
            (&told["count"]["runner"], &told["count"]["called"]),
            (&json!(counter), &json!(50))
        );
    }
}

#[test]
fn a_number_that_cannot_have_been_called_is_refused() {
    let fen = format!("{KHON_AND_MET} w");
    let counted = format!("{fen} - 88 40 21");
    for (arguments, message) in [
        (&[&*fen, "--called", "45"][..], "45 cannot have been called: the count ends at 44"),
        (&[&fen, "--called", "3"], "3 cannot have been called: with 4 men a count begins at 4"),
        (&[&fen, "--called", "20", "--counter", "white"], "white may not count here: black does"),
        (
            &[&fen, "--called", "20", "--limit", "20"],
            "no count ends at 20 with these pieces: expected 8 or 16 or 22 or 32 or 44",
        ),
        (
            &["8/8/8/4k3/8/3PK3/4S3/4M3 w", "--called", "20"],
            "nothing can be called while a bia (pawn) is on the board",
        ),
        (
            &[&counted, "--called", "20"],
            "the FEN has a count: --called is for a FEN without one, which has '- 0' in its place",
        ),
        (
            &["-", "--json", "--called", "20"],
            "--called is for one position: on standard input the FENs have the counts",
        ),
    ] {
        assert_eq!(refusal(arguments), message);
    }
    for arguments in [&["--counter", "black"][..], &["--limit", "44"]] {
        let run = sakmak([&["probe", &fen], arguments].concat());
        assert!(run.code == Some(2) && run.stderr.contains("--called"), "{run:?}");
    }
}

#[test]
fn the_line_of_the_count_tells_who_counts_and_why_none_does() {
    for (arguments, expected) in [
        (
            &["8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"][..],
            "Count: pieces' honour (sak mak), running: Black has called 20 of 44 White has 25 moves \
             left to mate Moves",
        ),
        (
            &["8/8/8/3k4/8/8/4R3/4K3 b"],
            "Count: pieces' honour (sak mak), starting here: Black counts from 4 to 16 White has 13 \
             moves left to mate Moves",
        ),
        (
            &["8/8/4m3/3k4/8/4R3/8/4K3 w - 128 40 9"],
            "Count: board's honour (sak kradan), running: Black has called 20 of 64 White has 45 \
             moves left to mate Needed",
        ),
        (
            &["8/8/8/3k4/8/8/4R3/4K3 w - 32 33 120"],
            "Count: pieces' honour (sak mak), over: Black may claim the draw Moves",
        ),
        (&["8/8/8/3k4/8/3P4/8/R3K3 w"], "Count: none while a bia (pawn) is on the board Needed"),
        // Nobody has called: the count began with the move before.
        (
            &["8/8/8/4k3/8/4K3/3MS3/8 b - 88 8 22"],
            "Count: pieces' honour (sak mak), running: Black calls 5 next, up to 44 White has 40 \
             moves left to mate Moves",
        ),
        (&["8/8/8/4k3/8/4K3/3MS3/8 b - 88 10 23"], "running: Black has called 5 of 44"),
        (&["8/8/4m3/3k4/8/4R3/8/4K3 b - 128 1 9"], "running: Black calls 1 next, up to 64"),
        (
            &["8/8/8/4k3/8/4K3/3BB3/8 b - 88 0 22", "--variant", "asean"],
            "running: Black calls 1 next, up to 44",
        ),
        (&["8/8/8/5K2/1Q6/8/8/k7 w", "--variant", "asean"], "Count: none with these pieces"),
        (&["8/8/8/5K2/1F6/8/8/k7 w", "--variant", "sittuyin"], "Count: none with these pieces"),
        (&["8/8/8/3k4/8/8/8/R3K3 w", "--variant", "shatranj"], "Count: none in this variant"),
        (&["8/8/8/3k4/8/3r4/8/R3K3 w", "--variant", "shatranj"], "Count: none in this variant"),
        (
            &["8/8/8/3k4/4n3/8/8/R3K3 b", "--variant", "ouk", "--counting", "ouk-traditional"],
            "Count: none while both sides have pieces Moves",
        ),
    ] {
        let words = words(arguments);
        assert!(words.contains(expected), "{expected}: {words}");
    }
    for fen in ["8/8/8/3k4/8/8/8/4K3 w", "k6R/8/1K6/8/8/8/8/8 b"] {
        assert!(!words(&[fen]).contains("Count:"));
    }
}

#[test]
fn a_count_that_is_dropped_or_not_meant_is_noted() {
    for (count, note) in [
        ("- 40", "the count 40 is dropped: it has no limit"),
        (
            "44 20",
            "a FEN counts in plies, two per move: its limit 44 is 22 moves; a count that starts \
             with these pieces has a limit of 44 moves, 88 plies; write '88 39' for move 20 of 44",
        ),
    ] {
        let fen = format!("{KHON_AND_MET} w - {count} 21");
        assert_eq!(json(&[&fen])["notes"], json!([note]));
        assert!(words(&[&fen]).contains(&format!("Note: {note} Moves")), "{count}");
        let game = format!("[FEN \"{fen}\"]\n21. Md2 *\n");
        let place = directory();
        let report = check(place.path(), &game, &[]).printed();
        let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(report.contains(&format!("Note: {note}")), "{report}");
        let found = check(place.path(), &game, &["--json"]).json();
        assert_eq!(found["games"][0]["notes"], json!([note]));
    }
    assert_eq!(json(&["8/8/8/3k4/8/3P4/8/R3K3 w - - 3 21"])["notes"], json!([]));
}

#[test]
fn what_comes_too_late_is_a_draw_in_one_word_everywhere() {
    let printed = sakmak(["probe", "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"]).printed();
    assert!(printed.contains("Kd3      e3d3   draw (too late)  mate in 26 moves"), "{printed}");
    assert!(!printed.contains("win too late"), "{printed}");
    let saved = sakmak(["probe", "1R6/K7/8/4k3/3P4/8/8/8 b"]).printed();
    assert!(saved.contains("Kxd4     e5d4   draw (too late)"), "{saved}");

    let stats = sakmak(["stats", "KSMvK"]).printed();
    assert!(stats.contains("\n    too late "), "{stats}");
    for word in ["cursed", "blessed", "past"] {
        assert!(!stats.contains(word), "{stats}");
    }

    let late = "[FEN \"6R1/8/8/8/3k4/1n6/2K5/8 w - - 0 1\"]\n1. Kxb3 *\n";
    let report = check(directory().path(), &[late, MISTAKES].concat(), &[]).printed();
    assert!(report.lines().all(|line| line.chars().count() <= 80), "{report}");
    let report = report.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "KRvKN with White to move: a draw by the count: White's mate in 15 moves comes too late.",
        "Marks: ?? changes the result under the count, ? only without a count, ?! loses moves, \
         ! is the only move that keeps the result. A mate too late for the count is a draw.",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[test]
fn a_number_is_called_only_once_the_runner_has_moved() {
    for (fen, called, has_called) in [
        ("8/8/8/4k3/8/4K3/4S3/4M3 w", 4, false),
        ("8/8/8/4k3/8/4K3/3MS3/8 b - 88 8 22", 4, false),
        ("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 9 22", 5, true),
        ("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21", 20, true),
    ] {
        let count = json(&[fen])["count"].clone();
        assert_eq!(
            (&count["called"], &count["has_called"]),
            (&Json::from(called), &Json::from(has_called))
        );
    }
}

#[test]
fn a_stalemate_of_shatranj_that_cannot_arise_says_so() {
    let words = words(&["K7/P1k5/8/8/8/8/8/8 w", "--variant", "shatranj"]);
    let expected = "Stalemate: a draw, white has no move; the game was over when black's king was \
                    bared";
    assert!(words.contains(expected), "{words}");
}
