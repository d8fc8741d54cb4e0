//! `sakmak check`: games by hand held against what `sakmak probe` says of each position,
//! and files in which something is wrong.

use crate::sakmak::{Run, directory, ended, generated, keys, sakmak, sakmak_with};
use crate::sakmak::{command, files};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// King and rook, with mate in as many moves as there are; the best line to it.
const IN_TIME: &str = r#"
[White "A"]
[Black "B"]
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/8/4R3/4K3 w - 32 5 1"]

1. Kd1 Kc4 2. Rd2 Kb3 3. Rc2 Kb4 4. Kc1 Kb3 5. Kb1 Kb4 6. Ka2 Ka5 7. Kb3 Ka6
8. Ka4 Kb6 9. Kb4 Ka6 10. Kc5 Kb7 11. Kb5 Ka7 12. Kc6 Ka8 13. Kc7 Ka7 14. Ra2# 1-0
"#;

/// The same with moves that are too slow, on both sides, and the rook lost.
const MISTAKES: &str = r#"
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1"]

1. Re3 Kd4 2. Kd2 Kc4 3. Re5 Kd4 4. Re4+ Kxe4 1/2-1/2
"#;

/// A pawn promoted while the board's count runs, and another count after it.
const OUK: &str = r#"
[Variant "Ouk"]
[FEN "4k3/8/8/5P2/8/2R1K3/8/8 w - 126 41 50"]

50. f6=M Kf7 51. Mg7 Kg6 52. Mh6 Kxh6 *
"#;

/// Men on both sides, then a bare king.
const BOTH_SIDES: &str = r#"
[Variant "Thai Chess"]
[FEN "8/8/8/8/3k4/8/3nR3/4K3 b - - 0 30"]

30... Nc4 31. Kd1 Na3 32. Ra2 Kc4 33. Rxa3 Kb4 34. Rd3 *
"#;

/// The rook given away at once.
const GIVEN: &str = r#"
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1"]

1. Re4 Kxe4 *
"#;

const GAMES: [&str; 5] = [IN_TIME, MISTAKES, OUK, BOTH_SIDES, GIVEN];

/// Runs on these games, with tables and a file of games in this directory.
fn check(place: &Path, games: &str, arguments: &[&str]) -> Run {
    let path = place.join("games.pgn");
    fs::write(&path, games).unwrap();
    sakmak_with(place, &[&["check", path.to_str().unwrap()], arguments].concat())
}

/// What was found in these games, all of them read.
#[track_caller]
fn found(games: &str) -> Vec<Json> {
    let found = check(directory().path(), games, &["--json"]).json();
    found["games"].as_array().unwrap().clone()
}

/// What a grade is worth to the mover: 1, 0 or -1.
fn worth(category: &Json) -> i32 {
    match category.as_str().unwrap() {
        "win" => 1,
        "loss" => -1,
        _ => 0,
    }
}

/// What distance to mate is worth, and how far the mate is.
fn distance(dtm: &Json) -> (i32, i64) {
    match dtm["plies"].as_i64() {
        None => (0, 0),
        Some(plies) => (if plies % 2 == 1 { 1 } else { -1 }, dtm["moves"].as_i64().unwrap()),
    }
}

/// The mark of a move by the worth of it and of the best, and of how many moves are lost.
fn mark(best: (i32, i64), played: (i32, i64)) -> Json {
    let lost = (played.1 - best.1) * i64::from(best.0);
    match (played.0 == best.0, lost) {
        (false, _) => json!({"mark": "threw-away", "moves_lost": 0}),
        (true, 0) => json!({"mark": "kept", "moves_lost": 0}),
        (true, lost) => json!({"mark": "missed", "moves_lost": lost}),
    }
}

#[test]
fn every_move_is_judged_as_probe_rates_it() {
    let tables = generated(&["KRvK", "KRvKN", "KRPvK"]);
    let run = check(tables.path(), &GAMES.concat(), &["--json"]).json();
    let mut marks = BTreeSet::new();
    for game in run["games"].as_array().unwrap() {
        assert!(game["error"].is_null() && game["known_from"] == 0, "{game}");
        for mv in game["moves"].as_array().unwrap() {
            let fen = mv["fen"].as_str().unwrap();
            let variant = game["variant"].as_str().unwrap();
            let probed =
                sakmak_with(tables.path(), &["probe", "--json", "--variant", variant, fen]).json();
            let (judged, moves) = (&mv["judged"], probed["moves"].as_array().unwrap());
            for key in ["category", "dtm", "counted_moves"] {
                assert_eq!(mv[key], probed[key], "{fen}");
            }
            assert_eq!(mv["moves_left"], probed["count"]["moves_left"], "{fen}");
            let rated = moves.iter().find(|rated| rated["uci"] == mv["uci"]).unwrap();
            assert_eq!(mv["san"], rated["san"]);
            for key in ["category", "dtm"] {
                assert_eq!(judged[key], rated[key], "{fen}");
            }
            // With nothing counted.
            let played = distance(&rated["dtm"]);
            let key = |&(worth, moves): &(i32, i64)| (worth, -moves * i64::from(worth));
            let best = moves.iter().map(|rated| distance(&rated["dtm"])).max_by_key(key).unwrap();
            assert_eq!(judged["without_count"], mark(best, played), "{fen}");
            assert_eq!(distance(&judged["best_without_count"]["dtm"]), best);
            // Under the count: the quickest of what is got in time.
            let counted = |rated: &Json| {
                let worth = worth(&rated["category"]);
                (worth, distance(&rated["dtm"]).1 * i64::from(worth.abs()))
            };
            let played = counted(rated);
            let best = moves.iter().map(counted).max_by_key(key).unwrap();
            assert_eq!(judged["under_count"], mark(best, played), "{fen}");
            assert_eq!(counted(&judged["best"]), best, "{fen}");
            assert_eq!(worth(&moves[0]["category"]), best.0, "{fen}");
            marks.insert(format!(
                "{}{}",
                judged["without_count"]["mark"], judged["under_count"]["mark"]
            ));
            let as_good = moves.iter().filter(|rated| worth(&rated["category"]) == best.0);
            assert_eq!(judged["only"], as_good.count() == 1 && moves.len() > 1);
        }
    }
    // Slow both ways, slow into a draw by the count, slow where the count saves, thrown away.
    for both in
        ["keptkept", "missedmissed", "missedthrew-away", "threw-awaykept", "threw-awaythrew-away"]
    {
        assert!(marks.iter().any(|mark| mark.replace('"', "") == both), "{both}: {marks:?}");
    }
}

#[test]
fn what_is_promised_of_a_game_is_there() {
    let games = found(IN_TIME);
    let [game] = &games[..] else { panic!() };
    let expected = [
        "game",
        "line",
        "white",
        "black",
        "result",
        "error",
        "notes",
        "variant",
        "counting",
        "ending",
        "known_from",
        "moves_lost",
        "counts",
        "moves",
        "end",
    ];
    assert_eq!(keys(game), expected.into());
    assert_eq!((&game["white"], &game["result"]), (&json!("A"), &json!("1-0")));
    assert_eq!((&game["variant"], &game["counting"]), (&json!("makruk"), &json!("makruk")));
    assert_eq!((&game["ending"], &game["moves_lost"]), (&json!("checkmate"), &json!([0, 0])));
    assert_eq!(game["end"]["category"], "loss");
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 27);
    let expected = [
        "ply",
        "number",
        "side",
        "san",
        "uci",
        "line",
        "called",
        "fen",
        "category",
        "dtm",
        "counted_moves",
        "moves_left",
        "judged",
    ];
    for mv in moves {
        assert_eq!(keys(mv), expected.into());
        assert_eq!(mv["judged"]["without_count"]["mark"], "kept");
    }
    // The runner has called three, the men; it calls on from there, up to the limit.
    let called: Vec<_> = moves.iter().filter_map(|mv| mv["called"].as_u64()).collect();
    assert_eq!(called, (4..=16).collect::<Vec<_>>());
    assert_eq!((&moves[26]["san"], &moves[26]["line"]), (&json!("Ra2#"), &json!(8)));
    assert_eq!((&moves[26]["ply"], &moves[26]["moves_left"]), (&json!(27), &json!(1)));
}

#[test]
fn counts_are_followed_from_their_start_to_a_claim() {
    let counts =
        |games: &str| found(games).iter().map(|game| game["counts"].clone()).collect::<Vec<_>>();
    let count = |rule: &str, runner: &str, limit: u32, first: u32, plies: [usize; 2]| {
        json!({
            "rule": rule, "runner": runner, "limit": limit, "first_call": first,
            "from_ply": plies[0], "to_ply": plies[1], "claim_from_ply": null
        })
    };
    assert_eq!(
        counts(&GAMES[2..4].concat()),
        [
            json!([
                count("boards-honour", "black", 64, 22, [0, 0]),
                count("pieces-honour", "black", 16, 5, [1, 6]),
            ]),
            json!([
                count("boards-honour", "black", 64, 1, [0, 5]),
                count("pieces-honour", "black", 16, 4, [6, 8]),
            ]),
        ]
    );
    // The seventeenth move of the runner is one too many; in Ouk the sixteenth.
    for (variant, limit, plies) in [("Makruk", 32, 3), ("Ouk", 30, 1)] {
        let game = format!(
            "[Variant \"{variant}\"]\n[FEN \"8/8/8/3k4/8/8/4R3/4K3 b - {limit} 30 14\"]\n\
             14... Kd4 15. Rd2+ Ke4 16. Re2+ Kd4 17. Rd2+ 0-1"
        );
        assert_eq!(counts(&game)[0][0]["claim_from_ply"], plies);
        let report = check(directory().path(), &game, &[]).printed();
        assert!(report.contains("Black could have claimed the draw after"), "{report}");
        assert!(report.contains(" over "), "{report}");
    }
}

#[test]
fn other_ways_of_counting_may_be_asked_for() {
    // A khon and two knights, with nothing said of the game in the file.
    let game = "[FEN \"4k3/8/8/8/8/8/8/NNSK4 b - - 0 1\"]\n1... Ke7 2. Sc2 *";
    for (arguments, counting, limit) in [
        (&[][..], "makruk", 32),
        (&["--variant", "makruk"], "makruk", 32),
        (&["--counting", "makruk-khon-first"], "makruk-khon-first", 44),
        (&["--variant", "ouk"], "ouk", 32),
        (&["--counting", "ouk-traditional"], "ouk-traditional", 44),
    ] {
        let arguments = [&["--json", "--make-men", "0"], arguments].concat();
        let run = check(directory().path(), game, &arguments).json();
        let game = &run["games"][0];
        assert_eq!(game["counting"], counting);
        assert_eq!(game["counts"][0]["limit"], limit);
        assert!(game["notes"][0].as_str().unwrap().contains("KNNSvK"), "{game}");
        assert!(game["known_from"].is_null() && game["moves"][0]["judged"].is_null());
    }
}

#[test]
fn moves_may_be_written_in_other_ways() {
    let khon = "[Variant \"Makruk\"]\n[FEN \"4k3/8/8/8/8/3Q4/3B4/3K4 w - - 0 1\"]\n";
    let pawn = "[Variant \"Makruk\"]\n[FEN \"4k3/8/8/4P3/8/3Q4/8/3K4 w - - 0 1\"]\n";
    for (start, san, others) in [
        (
            khon,
            "1. Mc4 Ke7 2. Sd3 *",
            ["1. Qc4 Ke7 2. Bd3 *", "d3c4 {here} e8e7! 2. Sd2-d3= (2. Kd2 Kd7) 1/2-1/2"],
        ),
        (
            pawn,
            "1. Mc4 Ke7 2. e6=M Kd8 *",
            ["1.Qd3c4 Ke8e7 2.e6 Kd8 *", "1. d3c4 e8e7+ 2. e5e6m $1 e7d8 *"],
        ),
    ] {
        let expected = found(&format!("{start}{san}"));
        assert!(expected[0]["moves"].as_array().unwrap().iter().all(|mv| mv["judged"].is_object()));
        for moves in others {
            let other = found(&format!("{start}{moves}"));
            assert_eq!(other[0]["moves"], expected[0]["moves"], "{moves}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_done() {
    let fen = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n";
    let file = [
        &format!("{fen}1. Re3 Ke4 2. Rd3 *\n\n"),
        &format!("{fen}1. Re3 {{not closed\n\n"),
        "[White \"C\"]\n[Variant \"Chess\"]\n\n1. e4 e5 *\n\n",
        "[White \"C\"]\n\n1. e4 e5 *\n\n",
        "[Variant \"Makruk\"]\n[FEN \"8/8 w\"]\n\n1. Kd2 *\n\n",
        &format!("{fen}1. Re3 Kd4 2. Kd2 (2. Kf2 Kc4 *\n\n"),
        &format!("{fen}1. Re3 Kd4 2. Kd2 Kc4 *\n"),
    ];
    let place = directory();
    let run = check(place.path(), &file.concat(), &["--json"]);
    let message = run.complaint(1);
    assert!(
        message.contains("6 of 7 games could not be read; line 2, move 1...: 'Ke4'"),
        "{message}"
    );
    let json: Json = serde_json::from_str(&run.stdout).unwrap();
    let games = json["games"].as_array().unwrap();
    let errors: Vec<_> = games
        .iter()
        .map(|game| (game["line"].as_u64().unwrap(), game["error"]["line"].as_u64()))
        .collect();
    let expected =
        [(1, 2), (4, 5), (7, 8), (12, 12), (16, 17), (21, 22)].map(|(at, line)| (at, Some(line)));
    assert_eq!(errors[..6], expected);
    assert_eq!(errors[6], (24, None));
    for (place, part) in [(2, "'Chess'"), (3, "chess"), (4, "ranks"), (5, "variation")] {
        let message = games[place]["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{message}");
    }
    // What was read of a game is judged.
    let judged = |game: &Json| {
        game["moves"]
            .as_array()
            .map(|moves| moves.iter().filter(|mv| mv["judged"].is_object()).count())
    };
    let judged: Vec<_> = games.iter().map(judged).collect();
    assert_eq!(judged, [Some(1), Some(1), None, None, None, Some(3), Some(4)]);

    let report = check(place.path(), &file.concat(), &[]);
    assert_eq!(report.complaint(1), message);
    for line in
        ["Game 1: ", "Not read further: line 2, move 1...", "Not read: line 8: ", "Game 7: "]
    {
        assert!(report.stdout.contains(line), "{line}: {}", report.stdout);
    }
}

#[test]
fn annotated_games_are_games_again() {
    let place = directory();
    let out = place.path().join("out.pgn");
    let write = |games: &str| {
        let run = check(place.path(), games, &["--json", "-o", out.to_str().unwrap()]).json();
        (run, fs::read_to_string(&out).unwrap())
    };
    let (found, annotated) = write(&GAMES.concat());
    // Marks and words.
    for part in [
        "[White \"A\"]",
        "[Annotator \"sakmak ",
        "[SetUp \"1\"]",
        "$4",
        "$6",
        "$7",
        "Black calls 16",
    ] {
        assert!(annotated.contains(part), "{part}: {annotated}");
    }
    assert!(annotated.lines().all(|line| line.chars().count() <= 80), "{annotated}");
    let (again, _) = write(&annotated);
    for (first, second) in
        found["games"].as_array().unwrap().iter().zip(again["games"].as_array().unwrap())
    {
        let essence = |game: &Json| {
            let mut game = game.clone();
            game["line"] = Json::Null;
            let moves = game["moves"].as_array_mut().unwrap();
            moves.iter_mut().for_each(|mv| mv["line"] = Json::Null);
            game
        };
        assert_eq!(essence(first), essence(second));
    }
    assert_eq!(again["games"].as_array().unwrap().len(), GAMES.len());
    // What stood there stays; what could not be read is cut off and said.
    let fen = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n";
    let game = format!("{fen}{{so}} 1. Kd1 $1 {{it}} Kc4 (1... Kd4) 2. Ke5 1-0");
    let run = check(place.path(), &game, &["-o", out.to_str().unwrap()]);
    run.complaint(1);
    let annotated = fs::read_to_string(&out).unwrap();
    let words = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in ["{so}", "1. Kd1 $1", "{it}", "1... Kc4", "(1... Kd4) *", "'Ke5' is no legal move"]
    {
        assert!(words.contains(part), "{part}: {annotated}");
    }
    assert!(annotated.contains("[Result \"*\"]"));
}

/// Five men: made when needed, if that is not declined.
#[test]
fn tables_a_game_needs_are_made() {
    let place = directory();
    let game =
        "[Variant \"Makruk\"]\n[FEN \"8/8/8/3k4/8/8/3RRR2/4K3 b - - 0 1\"]\n1... Kc4 2. Rd1 Kc3 *";
    let declined = check(place.path(), game, &["--json", "--make-men", "4"]).json();
    let note = declined["games"][0]["notes"][0].as_str().unwrap();
    assert!(note.contains("'sakmak generate KRRRvK'"), "{note}");
    assert_eq!(files(place.path()).len(), 1);
    // Not enough memory: told, and no failure.
    let small = check(place.path(), game, &["--json", "--memory", "1M"]).json();
    let note = small["games"][0]["notes"][0].as_str().unwrap();
    assert!(note.contains("needs") && note.contains("memory"), "{note}");

    let run = check(place.path(), game, &["--json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("KRRRvK: needed, not there, made now in about"), "{}", run.stderr);
    let json: Json = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&json["games"][0]["known_from"], &json["games"][0]["notes"]),
        (&json!(0), &json!([]))
    );
    assert!(files(place.path()).contains_key("KRRRvK.dtm.smt"));
    // There now: nothing is made, nothing is said.
    assert_eq!(check(place.path(), game, &["--json"]).json(), json);
}

#[test]
fn a_broken_table_is_named_and_the_rest_is_done() {
    let tables = generated(&["KRvK"]);
    let path = tables.path().join("KRvK.dtm.smt");
    let mut bytes = fs::read(&path).unwrap();
    bytes[20] ^= 1;
    fs::write(&path, bytes).unwrap();
    let run = check(
        tables.path(),
        &[MISTAKES, "[FEN \"7M/8/1K6/8/8/8/6Sk/8 w\"]\nKc5 *"].concat(),
        &["--json"],
    );
    assert!(run.complaint(1).contains("KRvK.dtm.smt"), "{run:?}");
    let json: Json = serde_json::from_str(&run.stdout).unwrap();
    assert!(json["games"][0]["notes"][0].as_str().unwrap().contains("KRvK.dtm.smt"));
    assert!(json["games"][1]["moves"][0]["judged"].is_object());
}

#[test]
fn the_real_game_is_followed_without_its_table() {
    let game = include_str!("../data/krung-thep.pgn");
    let run = check(directory().path(), game, &["--json", "--make-men", "0"]).json();
    let game = &run["games"][0];
    assert!(game["error"].is_null() && game["known_from"].is_null());
    assert!(game["notes"][0].as_str().unwrap().contains("KNMMMvK"));
    assert_eq!((&game["ending"], game["moves"].as_array().unwrap().len()), (&json!("open"), 184));
    assert_eq!(game["end"]["fen"], "8/8/8/5m2/6m1/4knK1/4m3/8 w - 128 40 93");
    let counts = game["counts"].as_array().unwrap();
    let told: Vec<_> = counts
        .iter()
        .map(|count| (&count["rule"], &count["runner"], &count["first_call"]))
        .collect();
    let [white, one, seven] = [json!("white"), json!(1), json!(7)];
    let [boards, pieces] = [json!("boards-honour"), json!("pieces-honour")];
    assert_eq!(told, [(&boards, &white, &one), (&pieces, &white, &seven)]);
    // After 67... h3=M and 78... Kxc5.
    assert_eq!([&counts[0]["from_ply"], &counts[1]["from_ply"]], [&json!(134), &json!(156)]);
    assert_eq!(game["moves"][182]["called"], 20);
}

#[test]
fn a_file_that_is_none_is_refused() {
    let place = directory();
    let missing = place.path().join("none.pgn");
    let run = sakmak_with(place.path(), &["check", missing.to_str().unwrap()]);
    assert!(run.refusal(2).contains("none.pgn"), "{run:?}");
    for empty in ["", "\n\n% nothing\n"] {
        assert!(check(place.path(), empty, &[]).refusal(1).ends_with("no game is in it"));
    }
    let nowhere = place.path().join("no/where.pgn");
    let run = check(place.path(), IN_TIME, &["-o", nowhere.to_str().unwrap()]);
    assert!(run.complaint(1).contains("cannot write"), "{run:?}");
}

#[test]
fn games_come_from_standard_input_too_and_in_latin1() {
    let game = IN_TIME.replace("\"A\"", "\"Andr\u{e9}\"");
    let latin1: Vec<u8> = game.chars().map(|letter| letter as u8).collect();
    let path = directory();
    let file = path.path().join("latin1.pgn");
    fs::write(&file, latin1).unwrap();
    let mut read = command(["check", "-"]);
    read.stdin(Stdio::from(fs::File::open(&file).unwrap()));
    let read = ended(read).printed();
    assert!(read.contains("Andr\u{e9} v B"), "{read}");
    let named = sakmak(["check".as_ref(), file.as_os_str()]).printed();
    assert_eq!(read, named);
}

#[test]
fn the_report_says_who_should_have_won_and_where_it_went_wrong() {
    let report = check(directory().path(), &[IN_TIME, MISTAKES].concat(), &[]).printed();
    // Lines are broken where they must.
    let words = report.split_whitespace().collect::<Vec<_>>().join(" ");
    let (first, second) = words.split_once("Game 2:").unwrap();
    for part in [
        "Game 1: A v B, 1-0, line 2",
        "Makruk, 14 moves: White mates with 14. Ra2#.",
        "White wins, mate in 14 moves; the count leaves 14 for it.",
        "pieces' honour to 16, Black counts from 4 on. It got to 16,",
        "No move in the tables changed the result.",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    for part in [
        "1. Re3?? wins in 15 (in 14) draws (wins) 14 Kd1",
        "4... Kxe4 leaves bare kings, a draw.",
        "1. Re3 throws the win away: mate in 15 moves comes too late for the count.",
        "4. Re4+ throws",
    ] {
        assert!(second.contains(part), "{part}: {second}");
    }
}
