//! `sakmak check` on games that people met: engine matches, published lines, signs beside moves.

use crate::games::check;
use crate::sakmak::directory;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;

/// A file of the cases.
fn case(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("pgn/tests/data/cases").join(name);
    fs::read_to_string(path).unwrap()
}

/// The games of a case as JSON, with the exit code.
fn games(name: &str) -> (Vec<Json>, Option<i32>) {
    let run = check(directory().path(), &case(name), &["--json", "--make-men", "0"]);
    let json: Json = serde_json::from_str(&run.stdout).unwrap();
    (json["games"].as_array().unwrap().clone(), run.code)
}

/// The games of a case that are all read to their end: moves, ending, and the last move.
fn read(name: &str) -> Vec<(usize, String, String)> {
    let (games, code) = games(name);
    assert_eq!(code, Some(0), "{name}");
    let game = |game: &Json| {
        let moves = game["moves"].as_array().unwrap();
        let last = moves.last().unwrap()["san"].as_str().unwrap().to_string();
        (moves.len(), game["ending"].as_str().unwrap().to_string(), last)
    };
    games.iter().map(game).collect()
}

#[test]
fn games_that_people_met_are_read_to_their_end() {
    for (name, expected) in [
        ("engine-msf-4.pgn", &[(133, "checkmate", "Ra1#")][..]),
        ("engine-msf-5.pgn", &[(305, "open", "Mb2+")]),
        ("engine-self-7.pgn", &[(115, "open", "Kxb4")]),
        ("knf-published-lines.pgn", &[(7, "checkmate", "Nf3#"), (10, "open", "Ke1")]),
        ("makpong-long-notation.pgn", &[(32, "checkmate", "Nxa4#")]),
        ("glyphs.pgn", &[(5, "open", "Se4+")]),
        (
            "results.pgn",
            &[(1, "checkmate", "Rde3#"), (1, "checkmate", "Rde3#"), (2, "open", "Ke4")],
        ),
    ] {
        let read = read(name);
        let read: Vec<_> =
            read.iter().map(|(moves, end, last)| (*moves, &**end, &**last)).collect();
        assert_eq!(read, expected, "{name}");
    }
}

#[test]
fn results_that_the_games_contradict_are_told() {
    for (name, given, due) in [
        ("engine-msf-4.pgn", vec!["1/2-1/2"], vec![json!("1-0")]),
        ("makpong-long-notation.pgn", vec!["0-1"], vec![json!("0-1")]),
        (
            "results.pgn",
            vec!["1/2-1/2", "0-1", "1/2-1/2"],
            vec![json!("1-0"), json!("1-0"), Json::Null],
        ),
    ] {
        let (games, _) = games(name);
        for ((game, given), due) in games.iter().zip(given).zip(due) {
            assert_eq!(game["result"], given, "{name}");
            // The last one has no mate; the tables tell.
            let is_told = game["notes"].to_string().contains("The result of the game is");
            assert!(due.is_null() || game["result_due"] == due, "{game}");
            assert_eq!(is_told, game["result_due"] != given, "{}", game["notes"]);
        }
    }
}

/// Line 1 is best play, mate in 4; in line 2 a move loses two moves and the win stays.
#[test]
fn published_lines_are_rated() {
    let (games, _) = games("knf-published-lines.pgn");
    let marks = |game: &Json| {
        let moves = game["moves"].as_array().unwrap();
        let rated = moves.iter().filter(|mv| mv["judged"]["under_count"]["mark"] != "kept");
        rated
            .map(|mv| format!("{} {}", mv["san"], mv["judged"]["under_count"]["moves_lost"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(games[0]["moves"][0]["dtm"], 7);
    assert_eq!(marks(&games[0]), [""; 0]);
    assert!(marks(&games[1]).contains(&"\"Mh3\" 2".to_string()), "{:?}", marks(&games[1]));
}

/// Signs apart from a move and attached to it, and the moves after them.
#[test]
fn signs_beside_moves_are_no_moves() {
    let signs = [
        "+-", "-+", "+/-", "-/+", "=", "+=", "=+", "+/=", "=/+", "\u{221e}", "\u{2a72}", "\u{b1}",
        "\u{2213}", "\u{2a71}", "\u{27f3}", "\u{2191}", "\u{2192}", "\u{21c6}", "\u{25a1}",
        "\u{2299}", "\u{25b3}", "N", "D", "ep", "e.p.", "+--", "--+", "~", "\u{2020}", "\u{2021}",
        "mate", "ch", "#", "+", "++", "!", "?", "!!", "??", "!?", "?!", "$18", "!+-", "+-!", "TN",
        "\u{25cb}", "\u{2295}", "\u{21d4}",
    ];
    let fen = "[Variant \"makruk\"]\n[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n\n";
    let place = directory();
    let out = place.path().join("out.pgn");
    let mut text = String::new();
    for sign in signs {
        text += &format!("{fen}1. Kd1 {sign} Kc4 {sign} 2. Rd2 {sign} Kb3 *\n\n");
        text += &format!("{fen}1. Kd1{sign} Kc4{sign} 2. Rd2{sign} Kb3 *\n\n");
    }
    let arguments = ["--json", "--make-men", "0", "-o", out.to_str().unwrap()];
    let run = check(place.path(), &text, &arguments).json();
    for (game, sign) in
        run["games"].as_array().unwrap().iter().zip(signs.iter().flat_map(|s| [s, s]))
    {
        assert_eq!(game["moves"].as_array().unwrap().len(), 4, "{sign}");
        assert_eq!(game["end"]["fen"], "8/8/8/8/8/1k6/3R4/3K4 w - 32 9 3", "{sign}");
    }
    // They stay, apart and attached.
    let annotated = fs::read_to_string(&out).unwrap();
    for sign in signs {
        let parts = [format!("Kd1 {sign} "), format!("Kd1{sign} ")];
        assert!(parts.iter().all(|part| annotated.contains(part)), "{sign}");
    }
    // A null move is none: the moves after it would be those of the wrong side.
    for null in ["--", "Z0", "\u{2014}", "<>", "@@@@"] {
        let run = check(place.path(), &format!("{fen}1. Kd1 {null} 2. Rd2 *"), &[]);
        assert!(run.complaint(1).contains(&format!("'{null}' is not a move")), "{run:?}");
    }
}

#[test]
fn a_partly_read_game_is_the_same_after_each_run() {
    let place = directory();
    let path = place.path().join("games.pgn");
    let text = case("partly-read.pgn");
    let second = &text[text.find("[Event \"a slip").unwrap()..];
    let arguments = ["--make-men", "0", "-o", path.to_str().unwrap()];
    let first = check(place.path(), &text, &arguments);
    assert!(first.complaint(1).contains("line 13, move 22.: 'Sdd9' is not a move; 1 copied"));
    let once = fs::read_to_string(&path).unwrap();
    // The first game has a sign that is read, and its note stays.
    assert!(once.contains("129. Rde3+ \u{b1} ") && once.contains(" {really mate} (129. Kc7) 1-0"));
    assert!(once.ends_with(&format!("\n\n{}\n\n", second.trim_end())), "{once}");
    let again = check(place.path(), &once, &arguments);
    assert!(again.complaint(1).contains("move 22.: 'Sdd9' is not a move; 1 copied"));
    assert_eq!(fs::read_to_string(&path).unwrap(), once);
}

/// Games of Fairy-Stockfish and PyChess, which end one move after a king is bare.
#[test]
fn a_closing_move_of_a_bare_king_is_read() {
    let (games, code) = games("shatranj-bared.pgn");
    assert_eq!(code, Some(0));
    let told: Vec<_> = games
        .iter()
        .map(|game| {
            let moves = game["moves"].as_array().unwrap();
            let last = moves.last().unwrap()["san"].as_str().unwrap();
            (last, game["ending"].as_str().unwrap(), game["result_due"].as_str().unwrap())
        })
        .collect();
    let expected = [("Rxb2", "1-0"), ("Rxa1#", "0-1"), ("Rxa2", "1-0")];
    let expected = expected.map(|(last, result)| (last, "bare-king", result));
    assert_eq!(told, expected);
    let notes: Vec<String> = games.iter().map(|game| game["notes"].to_string()).collect();
    for (notes, told) in notes.iter().zip([
        "line 9, move 40...: 'Kf7' comes after the loss by a bare king, and the result stands",
        "line 19, move 41.: 'Kf2' comes after the loss by a bare king, and the result stands",
        "line 29, move 40...: 'Kc4' does not take the last piece, and the bare king loses",
    ]) {
        assert_eq!(*notes, format!("[\"{told}\"]"));
    }
    // With comments, and again.
    let place = directory();
    let path = place.path().join("out.pgn");
    let arguments = ["-o", path.to_str().unwrap()];
    check(place.path(), &case("shatranj-bared.pgn"), &arguments).printed();
    let once = fs::read_to_string(&path).unwrap();
    assert!(once.contains("Sakmak: ") && once.contains("Kf7 1-0\n"), "{once}");
    check(place.path(), &once, &arguments).printed();
    assert_eq!(fs::read_to_string(&path).unwrap(), once);
}

/// A game that goes on after its end is no game of another variant.
#[test]
fn a_move_after_the_end_is_told_without_another_variant() {
    for (variant, fen, moves) in [
        ("Shatranj", "6k1/8/8/8/8/8/Rr6/4K3 w - - 0 40", "40. Rxb2 Kf7 41. Rb3"),
        ("Shatranj", "6k1/8/8/8/8/8/Rr6/R3K3 w - - 0 40", "40. Rxb2 Kf7"),
        ("Kar Ouk", "8/8/8/3k4/8/8/4R3/4K3 w - - 1+1 0 1", "1. Rd2+ Ke4"),
        ("Makruk", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "1. Ra8# Kg7"),
    ] {
        let game = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n{moves} *\n");
        let run = check(directory().path(), &game, &[]);
        let message = run.complaint(1);
        assert!(message.ends_with("comes after the end of the game"), "{message}");
    }
}
