//! Kar Ouk, in which the first check wins: every command knows it, and its figures are those found
//! by a separate program.

use crate::sakmak::{command, directory, files, sakmak, sakmak_with};
use serde_json::Value as Json;
use std::io::Write;
use std::process::Stdio;

const KAR_OUK: [&str; 2] = ["--variant", "kar-ouk"];

/// Figures with the stronger side to move: the positions and those that are not won, if published;
/// the wins and the wins at once in percent, the longest win.
type Figures = (&'static str, Option<(u64, u64)>, &'static str, &'static str, u64);

const FIGURES: [Figures; 8] = [
    ("KRvK", None, "100.00", "100.0", 1),
    ("KNvK", None, "99.82", "28.8", 11),
    ("KSvK", None, "97.34", "14.0", 21),
    ("KMvK", None, "87.10", "8.7", 30),
    // That program tells the two mets apart.
    ("KMMvK", Some((12_351_960 / 2, 208 / 2)), "100.00", "16.6", 28),
    ("KSMvK", Some((12_170_304, 26)), "100.00", "21.4", 28),
    ("KNMvK", Some((11_930_016, 0)), "100.00", "34.4", 23),
    ("KSSvK", None, "100.00", "25.9", 14),
];

/// Wins, losses and draws of the mover in percent with one piece each, and the longest win.
const ONE_EACH: [(&str, [&str; 3], Option<u64>); 3] = [
    ("KMvKM", ["22.8", "8.7", "68.5"], Some(56)),
    ("KSvKS", ["35.5", "16.7", "47.9"], None),
    ("KNvKN", ["39.0", "9.9", "51.1"], None),
];

fn share(part: u64, whole: u64, digits: usize) -> String {
    format!("{:.digits$}", 100.0 * part as f64 / whole as f64)
}

#[test]
#[ignore = "long: part of the full tests"]
fn figures_are_those_of_a_separate_program() {
    let names = FIGURES.map(|(name, ..)| name).into_iter().chain(ONE_EACH.map(|(name, ..)| name));
    let arguments = ["stats", "--json", "--variant", "kar-ouk"].into_iter().chain(names);
    let printed = sakmak(arguments).printed();
    let stats: Vec<Json> =
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(stats.len(), FIGURES.len() + ONE_EACH.len());
    let number = |json: &Json| json.as_u64().unwrap();
    for ((name, all, won, at_once, longest), stats) in FIGURES.iter().zip(&stats) {
        assert_eq!((&stats["material"], &stats["variant"]), (&(*name).into(), &"kar-ouk".into()));
        let white = &stats["white_to_move"];
        let (legal, wins) = (number(&white["legal"]), number(&white["wins"]));
        assert_eq!(all.unwrap_or((legal, legal - wins)), (legal, legal - wins), "{name}");
        assert_eq!(share(wins, legal, 2), *won, "{name}");
        assert_eq!(share(number(&white["win_histogram"]["1"]), legal, 1), *at_once, "{name}");
        assert_eq!(number(&white["longest_win"]["moves"]), *longest, "{name}");
        // No such win comes too late for a count that starts in the position.
        assert_eq!(number(&white["at_fresh_count"]["cursed_wins"]), 0, "{name}");
    }
    for ((name, shares, longest), stats) in ONE_EACH.iter().zip(&stats[FIGURES.len()..]) {
        let mover = &stats["white_to_move"];
        let legal = number(&mover["legal"]);
        let found = ["wins", "losses", "draws"].map(|key| share(number(&mover[key]), legal, 1));
        assert_eq!(found, *shares, "{name}");
        let moves = number(&mover["longest_win"]["moves"]);
        assert_eq!(longest.unwrap_or(moves), moves, "{name}");
    }
}

#[test]
fn a_position_is_answered_in_moves_to_the_check() {
    for (board, moves) in [
        ("5M2/8/8/8/8/8/6k1/K7 w", "30"),
        ("K7/8/8/8/8/7S/7k/8 w", "21"),
        ("8/8/8/8/8/4k3/8/K6N w", "11"),
    ] {
        let printed = sakmak(["probe", board].into_iter().chain(KAR_OUK)).printed();
        assert!(printed.contains("White wins in time: check in "), "{printed}");
        assert!(printed.contains(&format!("check in {moves}")), "{printed}");
        assert!(printed.contains("Line to check:"), "{printed}");
        assert!(!printed.contains("mate"), "{printed}");
    }
    let over = sakmak(["probe", "4k3/8/8/8/8/8/8/3KR3 b - 30 0+1 6 1", "--variant", "karouk"]);
    let over = over.printed();
    assert!(over.contains("Result:  White wins, black is in check"), "{over}");
    // A count against a bare king decides; with men on both sides it does not.
    let late = "5M2/8/8/8/8/8/6k1/K7 w - 126 1+1 100 70";
    let late = sakmak(["probe", late].into_iter().chain(KAR_OUK)).printed();
    assert!(late.contains("white's check in 30 moves (59 plies) comes too late"), "{late}");
    let both = "8/8/8/8/3k3m/8/1R6/K7 w - 126 1+1 125 70";
    let both = sakmak(["probe", both].into_iter().chain(KAR_OUK)).printed();
    assert!(both.contains("White wins in time: check in 1 move (1 ply)"), "{both}");
    assert!(both.contains("Count:   none while both sides have pieces"), "{both}");
    assert!(both.contains("changes no result in this variant"), "{both}");
}

/// The answers of a directory of tables to some positions, as JSON.
fn answers(tables: &std::path::Path) -> Vec<Json> {
    let fens = [
        "8/8/4k3/2P5/8/3m4/8/K7 b",
        "8/8/4k3/2P5/8/3m4/8/K7 w",
        "4k3/8/8/5m2/4K3/8/8/1M6 w",
        "4k3/8/8/8/4K1m1/8/8/1M6 b",
        "4k3/3M4/8/8/8/3K4/8/8 b",
    ];
    let mut command = command(["probe", "-", "--json", "--variant", "kar-ouk", "--tables"]);
    command.arg(tables).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all((fens.join("\n") + "\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
#[ignore = "long: part of the full tests"]
fn files_have_a_name_of_their_own_and_give_the_same_answers() {
    let [solved, packed, none] = [(); 3].map(|()| directory());
    sakmak_with(solved.path(), &["generate", "KMvKP", "--variant", "kar-ouk"]).printed();
    let names: Vec<String> = files(solved.path()).into_keys().collect();
    let materials = ["KMvK", "KMvKM", "KMvKP", "KPvK"];
    assert_eq!(names, materials.map(|material| format!("{material}.check.smt")));
    let target = solved.path().to_str().unwrap();
    let output = packed.path().to_str().unwrap();
    let pack = ["pack", "KMvKP", "--variant", "kar-ouk", "-o", output];
    sakmak_with(solved.path(), &pack).printed();
    let sampled =
        sakmak(["verify", "--tables", output, "--sample", "2000"].into_iter().chain(KAR_OUK));
    assert_eq!(sampled.printed().matches("2000 random positions correct").count(), 4);
    let wdl = sakmak(["wdl", "--tables", target, "--variant", "kar-ouk"]).printed();
    assert!(wdl.contains("4 WDL files made"), "{wdl}");
    let verified = sakmak(["verify", "--tables", target].into_iter().chain(KAR_OUK)).printed();
    assert_eq!(verified.matches("every value correct").count(), 4, "{verified}");
    assert_eq!(verified.matches("every category right").count(), 4, "{verified}");

    let expected = answers(none.path());
    assert_eq!(expected.len(), 5);
    assert_eq!(answers(solved.path()), expected);
    assert_eq!(answers(packed.path()), expected);
}

#[test]
fn tables_of_another_game_are_refused_or_left_out() {
    let tables = directory();
    let target = tables.path().to_str().unwrap();
    sakmak_with(tables.path(), &["generate", "KMvK", "--variant", "kar-ouk"]).printed();
    let only = sakmak(["verify", "--tables", target]);
    assert!(only.complaint(1).contains("of kar-ouk: add '--variant kar-ouk'"), "{only:?}");
    sakmak_with(tables.path(), &["generate", "KMvK"]).printed();
    let both = sakmak(["verify", "--tables", target]);
    assert_eq!(both.code, Some(0));
    assert!(both.stdout.contains("KMvK     every value"), "{both:?}");
    assert!(!both.stdout.contains("KMvK.check"), "{both:?}");
    assert!(both.stderr.contains("tables of kar-ouk are left out"), "{both:?}");
    // Under the name of the other it is found out.
    std::fs::copy(tables.path().join("KMvK.check.smt"), tables.path().join("KMvK.dtm.smt"))
        .unwrap();
    let forged = sakmak(["verify", "--tables", target]);
    assert!(!forged.stderr.contains("panic"), "{forged:?}");
    assert_eq!(forged.code, Some(1), "{forged:?}");
    for (arguments, words) in [
        (&["generate", "KMvK.check"][..], "KMvK.check is a table of kar-ouk: add '--variant"),
        (&["generate", "KMvK", "--counting", "kar-ouk"], "kar-ouk is a counting rule of kar-ouk"),
        (&["generate", "KMvK", "--variant", "kar-ouk", "--counting", "ouk"], "of ouk: add"),
        (&["generate", "KMvKM.kar-ouk", "--variant", "kar-ouk"], "the table KMvKM.check has its"),
        (&["stats", "KMvK.check"], "give the material KMvK and '--variant kar-ouk'"),
        (&["probe", "8/8/8/8/3k4/8/8/K6M w - - 1+1 0 1"], "looks like kar-ouk"),
    ] {
        let refused = sakmak(arguments);
        assert!(refused.complaint(2).contains(words), "{refused:?}");
    }
    let missing = sakmak(["probe", "8/8/8/3m4/3k4/8/8/K5NM w"].into_iter().chain(KAR_OUK));
    let missing = missing.complaint(1);
    assert!(missing.contains("KNMvKM.check --variant kar-ouk"), "{missing}");
}

#[test]
fn queries_games_and_the_engine_know_it() {
    let query = ["query", "KMvK", "win and side=white", "--longest", "1", "--variant", "kar-ouk"];
    let printed = sakmak(query).printed();
    assert!(printed.contains("\twin\t30\t"), "{printed}");

    let games = directory();
    let path = games.path().join("game.pgn");
    let game = "[Variant \"Kar Ouk\"]\n[FEN \"8/8/8/8/3k4/8/8/K6R w - - 1+1 0 1\"]\n\
                [SetUp \"1\"]\n[Result \"1-0\"]\n\n1. Rh2 Kd5 2. Rh5# 1-0\n";
    std::fs::write(&path, game).unwrap();
    let checked = sakmak(["check", path.to_str().unwrap()]).printed();
    assert!(checked.contains("Kar-ouk, 2 moves: White wins, 2. Rh5# gives check."), "{checked}");
    assert!(checked.contains("White wins, check in 1"), "{checked}");
    let report = checked.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.contains("the moves that the count leaves before the move"), "{report}");
    assert!(report.contains("A check too late for the count is a draw."), "{report}");
    let is_mate = |word: &str| ["mate", "mates", "mated", "mating"].contains(&word);
    assert!(!report.split(|sign: char| !sign.is_alphabetic()).any(is_mate), "{report}");

    let mut command = command(["uci"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = "setoption name UCI_Variant value karouk\n\
                 position fen 5M2/8/8/8/8/8/6k1/K7 w - - 1+1 0 1\ngo depth 1\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("score mate 30"), "{said}");
    assert_eq!(said.matches("bestmove").count(), 1, "{said}");
}
