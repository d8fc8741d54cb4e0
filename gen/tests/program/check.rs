//! `sakmak check`: hand-made games compared with `sakmak probe` for each position.

use crate::games::{GAMES, IN_TIME, MISTAKES, check, found};
use crate::sakmak::{directory, files, generated, keys, sakmak_with};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::fs;

/// The result under the count of the side that moved, from the category after its move: 1, 0 or -1.
fn result(category: &Json) -> i32 {
    match category.as_str().unwrap() {
        "loss" => 1,
        "win" => -1,
        _ => 0,
    }
}

/// The result without a count of the side that moved, and the moves to mate with its move.
fn distance(after: &Json) -> (i32, i64) {
    match after.as_i64() {
        None => (0, 0),
        Some(plies) if plies <= 0 => (1, (2 - plies) / 2),
        Some(plies) => (-1, (plies + 1) / 2),
    }
}

/// The mark of a move, from the results and moves to mate of the best move and of this one.
fn mark(best: (i32, i64), played: (i32, i64)) -> Json {
    let lost = (played.1 - best.1) * i64::from(best.0);
    match (played.0 == best.0, lost) {
        (false, _) => json!({"mark": "threw-away", "moves_lost": 0}),
        (true, 0) => json!({"mark": "kept", "moves_lost": 0}),
        (true, lost) => json!({"mark": "missed", "moves_lost": lost}),
    }
}

#[test]
fn every_move_is_reviewed_as_probe_rates_it() {
    let tables = generated(&["KRvK", "KRvKN", "KRPvK"]);
    let run = check(tables.path(), &GAMES.concat(), &["--json"]).json();
    let games = run["games"].as_array().unwrap();
    let mut marks = BTreeSet::new();
    for game in games {
        assert!(game["error"].is_null() && game["known_from"] == 0, "{game}");
        let mut lost = [0; 2];
        for mv in game["moves"].as_array().unwrap() {
            let fen = mv["fen"].as_str().unwrap();
            let variant = game["variant"].as_str().unwrap();
            let probed =
                sakmak_with(tables.path(), &["probe", "--json", "--variant", variant, fen]).json();
            let (judged, moves) = (&mv["judged"], probed["moves"].as_array().unwrap());
            for key in ["category", "dtm", "counted", "mate_in_time"] {
                assert_eq!(mv[key], probed[key], "{fen}");
            }
            assert_eq!(mv["moves_left"], probed["count"]["moves_left"], "{fen}");
            let rated = moves.iter().find(|rated| rated["uci"] == mv["uci"]).unwrap();
            assert_eq!(mv["san"], rated["san"]);
            for key in ["category", "dtm", "counted", "mate_in_time"] {
                assert_eq!(judged[key], rated[key], "{fen}");
            }
            // Without a count.
            let played = distance(&rated["dtm"]);
            let key = |&(result, moves): &(i32, i64)| (result, -moves * i64::from(result));
            let best = moves.iter().map(|rated| distance(&rated["dtm"])).max_by_key(key).unwrap();
            assert_eq!(judged["without_count"], mark(best, played), "{fen}");
            assert_eq!(distance(&judged["best_without_count"]["dtm"]), best);
            // Under the count: the quickest among the moves with the best result.
            let counted = |rated: &Json| {
                let result = result(&rated["category"]);
                (result, distance(&rated["dtm"]).1 * i64::from(result.abs()))
            };
            let played = counted(rated);
            let best = moves.iter().map(counted).max_by_key(key).unwrap();
            assert_eq!(judged["under_count"], mark(best, played), "{fen}");
            assert_eq!(counted(&judged["best"]), best, "{fen}");
            assert_eq!(result(&moves[0]["category"]), best.0, "{fen}");
            marks.insert(format!(
                "{}{}",
                judged["without_count"]["mark"], judged["under_count"]["mark"]
            ));
            let as_good = moves.iter().filter(|rated| result(&rated["category"]) == best.0);
            assert_eq!(judged["only"], as_good.count() == 1 && moves.len() > 1);
            // In the game: moves to the mates in time, where no move draws under the count.
            let draws = [best.0, played.0] == [0; 2];
            let marked = &judged[if draws { "without_count" } else { "under_count" }];
            lost[usize::from(fen.contains(" b "))] += marked["moves_lost"].as_i64().unwrap();
        }
        assert_eq!(game["moves_lost"], json!(lost), "{game}");
    }
    let loses = |side: usize| games.iter().any(|game| game["moves_lost"][side] != 0);
    assert!(loses(0) && loses(1), "{games:?}");
    // All combinations that can occur.
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
        "file",
        "game",
        "line",
        "white",
        "black",
        "result",
        "result_of_tag",
        "error",
        "notes",
        "assumed",
        "variant",
        "counting",
        "dialect",
        "ending",
        "result_due",
        "repeated_at",
        "known_from",
        "moves_lost",
        "counts",
        "moves",
        "end",
    ];
    assert_eq!(keys(game), expected.into());
    assert_eq!((&game["white"], &game["result"]), (&json!("A"), &json!("1-0")));
    assert_eq!((&game["result_of_tag"], &game["result_due"]), (&Json::Null, &json!("1-0")));
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
        "counted",
        "mate_in_time",
        "moves_left",
        "judged",
    ];
    for mv in moves {
        assert_eq!(keys(mv), expected.into());
        assert_eq!(mv["judged"]["without_count"]["mark"], "kept");
    }
    // The count starts from the three men; the runner calls 4 up to the limit.
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
        let report = check(directory().path(), &game, &["--all"]).printed();
        assert!(report.contains("Black could have claimed the draw after"), "{report}");
        assert!(report.contains(" over "), "{report}");
    }
}

/// A table of five men is made only on request.
#[test]
fn tables_a_game_needs_are_made() {
    let place = directory();
    let game =
        "[Variant \"Makruk\"]\n[FEN \"8/8/8/3k4/8/8/3RRR2/4K3 b - - 0 1\"]\n1... Kc4 2. Rd1 Kc3 *";
    let declined = check(place.path(), game, &["--json"]).json();
    let note = declined["games"][0]["notes"][0].as_str().unwrap();
    assert!(note.contains("'sakmak generate KRRRvK'") && note.contains("--make-men 5"), "{note}");
    assert!(note.starts_with("no tables of KRRRvK; ") && note.contains("MiB of disk"), "{note}");
    assert_eq!(files(place.path()).len(), 1);
    // Not enough memory: a note, not a failure.
    let small = check(place.path(), game, &["--json", "--make-men", "5", "--memory", "1M"]).json();
    let note = small["games"][0]["notes"][0].as_str().unwrap();
    assert!(note.contains("needs") && note.contains("memory"), "{note}");

    let run = check(place.path(), game, &["--json", "--make-men", "5"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("making KRRRvK in about"), "{}", run.stderr);
    let json: Json = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&json["games"][0]["known_from"], &json["games"][0]["notes"]),
        (&json!(0), &json!([]))
    );
    assert!(files(place.path()).contains_key("KRRRvK.dtm.smt"));
    // The table exists now: none is made, and no note is given.
    assert_eq!(check(place.path(), game, &["--json"]).json(), json);
    // So it does if it is packed.
    let packed = directory();
    let output = packed.path().to_str().unwrap();
    sakmak_with(place.path(), &["pack", "KRRRvK", "-o", output]).printed();
    let mut from_packed = check(packed.path(), game, &["--json", "--make-men", "5"]).json();
    from_packed["games"][0]["file"] = json["games"][0]["file"].clone();
    assert_eq!(from_packed, json);
    assert!(!files(packed.path()).contains_key("KRRRvK.dtm.smt"));
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
    let game = include_str!("../../pgn/tests/data/krung-thep.pgn");
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
fn the_report_names_the_result_and_the_mistakes() {
    let report = check(directory().path(), &[IN_TIME, MISTAKES].concat(), &[]).printed();
    // Join the broken lines.
    let words = report.split_whitespace().collect::<Vec<_>>().join(" ");
    let (first, second) = words.split_once("Game 2:").unwrap();
    for part in [
        "Game 1: A v B, 1-0, line 2",
        "Makruk, 14 moves: White mates with 14. Ra2#.",
        "White wins, mate in 14 moves; the count leaves 14 for it.",
        "pieces' honour to 16, Black counts from 4 on. It reached 16,",
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

/// Verdict, claim and mistakes come before the moves, of which those without a mark are left out.
#[test]
fn a_report_begins_with_what_was_found() {
    let places = |report: &str, parts: &[&str]| {
        let places: Vec<_> = parts.iter().map(|part| report.find(part)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {report}");
    };
    let games = [IN_TIME, MISTAKES, MISTAKES].concat();
    let report = check(directory().path(), &games, &[]).printed();
    let second = &report[report.find("Game 2:").unwrap()..];
    let parts = ["In the tables ", "Counts:", "Mistakes:", "  move  ", "  1. Re3??", "--all"];
    places(second, &parts);
    let rows = |report: &str| report.lines().filter(|line| line.starts_with("  2... Kc4")).count();
    assert_eq!((report.matches("Marks: ").count(), rows(&report)), (1, 0), "{report}");
    let all = check(directory().path(), &games, &["--all"]).printed();
    assert_eq!((all.matches("Marks: ").count(), rows(&all)), (1, 2), "{all}");
    assert!(!all.contains("--all"), "{all}");
}

/// Only materials are named, and only those that fit on the machine are recommended.
#[test]
fn no_tables_are_recommended_that_do_not_fit() {
    let pieces =
        |board: &str| format!("[Variant \"Makruk\"]\n[FEN \"{board} w - - 0 1\"]\n1. Kd2 *\n\n");
    let games = pieces("8/8/3k4/3m4/8/8/4R3/3SK3") + &pieces("r3km2/8/8/8/8/8/8/NSRK4");
    let arguments = ["--json", "--make-men", "0", "--memory", "1G"];
    let run = check(directory().path(), &games, &arguments).json();
    let notes = |place: usize| run["games"][place]["notes"].to_string();
    let small = notes(0);
    assert!(small.contains("'sakmak generate KRSvKM --counting makruk'"), "{small}");
    assert!(!small.contains("KRSvKM.makruk"), "{small}");
    let large = notes(1);
    assert!(large.contains("no tables of KRNSvKRM, which do not fit on this machine"), "{large}");
    assert!(!large.contains("generate"), "{large}");
}

#[test]
fn a_result_that_the_board_contradicts_is_told() {
    let found = |variant: &str, fen: &str, moves: &str, tag: &str, given: &str| {
        let game = format!(
            "[Result \"{tag}\"]\n[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n{moves} {given}"
        );
        let place = directory();
        let report = check(place.path(), &game, &["--make-men", "0"]).printed();
        let json = check(place.path(), &game, &["--json", "--make-men", "0"]).json();
        let words = report.split_whitespace().collect::<Vec<_>>().join(" ");
        (words, json["games"][0].clone())
    };
    let (mate, stalemate) = ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "k7/7R/1K6/8/8/8/8/8 w - - 0 1");
    let blocked = "k7/7R/1K6/8/8/7p/7P/8 w - - 0 1";
    let kar_ouk = "7k/8/8/8/8/8/8/R3K3 w - - 1+1 0 1";
    for (variant, fen, moves, wrong, due, part) in [
        ("makruk", mate, "Rh8#", "1/2-1/2", "1-0", "a draw, but White mates with 1. Rh8#"),
        ("makruk", mate, "Rh8#", "0-1", "1-0", "a win of Black, but White mates"),
        ("makruk", stalemate, "Rb7", "1-0", "1/2-1/2", "a win of White, but 1. Rb7 is stalemate"),
        ("shatranj", blocked, "Rb7", "0.5-0.5", "1-0", "a draw, but 1. Rb7 is stalemate, White"),
        (
            "makruk",
            "8/8/8/8/8/4k3/4R3/7K b - - 0 1",
            "Kxe2",
            "1-0",
            "1/2-1/2",
            "a win of White, but 1... Kxe2 leaves bare kings",
        ),
        ("kar-ouk", kar_ouk, "Ra8", "0:1", "1-0", "a win of Black, but White wins, 1. Ra8"),
        (
            "shatranj",
            "8/8/k7/4r3/8/8/4R3/3K4 w - - 0 1",
            "Rxe5",
            "0-1",
            "1-0",
            "a win of Black, but",
        ),
    ] {
        let (report, json) = found(variant, fen, moves, wrong, wrong);
        assert!(report.contains(&format!("The result of the game is {part}")), "{part}: {report}");
        assert_eq!(json["result_due"], due, "{json}");
        assert!(json["notes"].to_string().contains(part), "{json}");
        let (report, json) = found(variant, fen, moves, due, due);
        assert!(!report.contains("The result of the game is"), "{report}");
        assert!(!json["notes"].to_string().contains("The result"), "{json}");
    }
    let (report, json) = found("makruk", mate, "Rh8#", "0-1", "1-0");
    let told = "The Result tag has 0-1, but the moves end with 1-0.";
    assert!(report.contains(told) && json["notes"][0] == told, "{report}");
    assert_eq!((&json["result"], &json["result_of_tag"]), (&json!("1-0"), &json!("0-1")));
}

#[test]
fn a_position_that_occurs_three_times_is_remarked() {
    let moves = "1. Kd1 Kd4 2. Ke1 Kd5 3. Kd1 Kd4 4. Ke1 Kd5 *";
    let game = |variant: &str| {
        format!("[Variant \"{variant}\"]\n[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n{moves}")
    };
    let place = directory();
    let report = check(place.path(), &game("makruk"), &[]).printed();
    let words = report.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "Repetition: the position after 4... Kd5 has occurred three times, first at the start \
                and then after 2... Kd5; by the Thai rules of 2569 such a game is a draw";
    assert!(words.contains(told), "{report}");
    let json = check(place.path(), &game("ouk"), &["--json"]).json();
    assert_eq!(json["games"][0]["repeated_at"], 8);
    assert!(!check(place.path(), &game("ouk"), &[]).printed().contains("2569"));
}
