//! `sakmak check` with games as sites write them, and with those of another variant.

use crate::games::check;
use crate::sakmak::{directory, sakmak};
use serde_json::{Value as Json, json};
use std::fs;
use std::path::Path;

/// The files of real games, in order of name.
fn real_games() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pgn/tests/data/games");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|file| file.extension().unwrap_or_default() == "pgn").collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// A game of the JSON without its places in the file, what is assumed, and the notes on tables that
/// the machine has memory for at the moment.
fn essence(mut game: Json) -> Json {
    for key in ["line", "assumed", "notes"] {
        game[key] = Json::Null;
    }
    for mv in game["moves"].as_array_mut().unwrap() {
        mv["line"] = Json::Null;
    }
    game
}

#[test]
fn real_games_come_back_as_their_sites_write_them() {
    let games = real_games();
    assert_eq!(games.len(), 12);
    let place = directory();
    let out = place.path().join("out.pgn");
    let write = |text: &str| {
        let arguments = ["--json", "--make-men", "0", "-o", out.to_str().unwrap()];
        let json = check(place.path(), text, &arguments).json();
        (json["games"].as_array().unwrap().clone(), fs::read_to_string(&out).unwrap())
    };
    let text = games.iter().map(|game| format!("{}\n\n", game.trim())).collect::<String>();
    let (read, written) = write(&text);
    let (again, rewritten) = write(&written);
    assert_eq!(rewritten, written);
    assert_eq!(read.len(), games.len());
    for (game, again) in read.into_iter().zip(again) {
        assert!(game["error"].is_null(), "{game}");
        assert_eq!(essence(game), essence(again));
    }
    let words = written.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        // In the order of the files: playok-87922503 and schemingmind-156440.
        "83. Kf4 c4 84. Kg5 c3=P 85. Kf4 Pd2",
        "Pd3c2# 0-1",
        "[FEN \"rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBKQBNR w - - 0 1\"]",
        "{Sakmak: Draws.} 136. Nd3 {Sakmak: Draws.} *",
    ] {
        assert!(words.contains(part), "{part}");
    }
}

#[test]
fn what_is_assumed_is_told_in_one_line() {
    let games = real_games();
    let place = directory();
    let (site, tagged) = (&games[2], &games[11]);
    let json = check(place.path(), site, &["--json", "--make-men", "0"]).json();
    let assumed = "makruk, by the Site tag 'PlayOK'; a promoted pawn moves as P and not as Q, as \
                   PlayOK writes it";
    let game = &json["games"][0];
    assert_eq!((&game["assumed"], &game["dialect"]), (&json!(assumed), &json!("playok")));
    let report = check(place.path(), site, &["--make-men", "0"]).printed();
    let words = report.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("Assumed: {assumed}.")), "{report}");
    let json = check(place.path(), tagged, &["--json", "--make-men", "0"]).json();
    let game = &json["games"][0];
    assert_eq!((&game["assumed"], &game["dialect"]), (&Json::Null, &json!("chess-letters")));
}

/// The last moves of 87921823: khon and met against a bare king, solved on the spot.
#[test]
fn a_real_game_is_reviewed_where_the_tables_reach() {
    let place = directory();
    let out = place.path().join("out.pgn");
    let arguments = ["--json", "-o", out.to_str().unwrap()];
    let json = check(place.path(), &real_games()[2], &arguments).json();
    let game = &json["games"][0];
    assert_eq!(game["known_from"], 169);
    assert_eq!(game["end"]["fen"], "6k1/3SM3/6K1/8/8/8/8/8 b - 88 26 94");
    assert_eq!(game["end"]["category"], "loss");
    // Better moves of the comments have the letters of the file too.
    let written = fs::read_to_string(&out).unwrap();
    assert!(written.contains("94. Pe7 $6 {Sakmak: ?! Wins in 5; Bd8 wins in 4.}"), "{written}");
}

#[test]
fn a_fen_of_another_variant_is_refused_by_its_name() {
    let ouk = "4k3/8/8/5P2/8/2R1K3/8/8 w - 126 41 50";
    let refused = |variant: &str, fen: &str| {
        sakmak(["probe", "--variant", variant, fen]).refusal(2).to_string()
    };
    assert!(refused("makruk", ouk).contains("; the FEN looks like ouk"));
    assert!(
        refused("ouk", "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1").contains("; the FEN looks like makruk")
    );
    assert!(!refused("makruk", "8/8/8/3k4/8/8/4R3/4K3 b K").contains("looks like"));
}

/// The letter of Ai-wok's met is A; the game itself moves none.
#[test]
fn a_better_move_is_written_in_the_letters_of_the_variant() {
    let place = directory();
    let fen = "8/8/8/3k4/8/8/4A3/4KA2 w - - 0 1";
    let game = format!("[Variant \"Ai-wok\"]\n[FEN \"{fen}\"]\n\n1. Kd1 Kc5 2. Kc1 *\n");
    let out = place.path().join("out.pgn");
    check(place.path(), &game, &["-o", out.to_str().unwrap()]).printed();
    let written = fs::read_to_string(&out).unwrap();
    let words = written.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("Wins in 4; Ac1 wins in 2."), "{words}");
}
