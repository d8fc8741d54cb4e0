//! Files of games for `sakmak check`: other notations, errors, annotations.

use crate::games::{GAMES, IN_TIME, check, found};
use crate::sakmak::{command, directory, ended, files, sakmak, sakmak_with};
use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::process::Stdio;

#[test]
fn other_ways_of_counting_may_be_asked_for() {
    // A khon and two knights; the file has no Variant tag.
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
        "[White \"C\"]\n[Variant \"Xiangqi\"]\n\n1. e4 e5 *\n\n",
        "[White \"C\"]\n\n1. e4 e4 *\n\n",
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
        [(1, 2), (4, 5), (7, 8), (12, 14), (16, 17), (21, 22)].map(|(at, line)| (at, Some(line)));
    assert_eq!(errors[..6], expected);
    assert_eq!(errors[6], (24, None));
    for (place, part) in
        [(2, "'Xiangqi'"), (3, "'e4' is not a legal move"), (4, "ranks"), (5, "variation")]
    {
        let message = games[place]["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{message}");
    }
    // The part of a game before the error is reviewed.
    let judged = |game: &Json| {
        game["moves"]
            .as_array()
            .map(|moves| moves.iter().filter(|mv| mv["judged"].is_object()).count())
    };
    let judged: Vec<_> = games.iter().map(judged).collect();
    assert_eq!(judged, [Some(1), Some(1), None, Some(0), None, Some(3), Some(4)]);

    let report = check(place.path(), &file.concat(), &[]);
    assert_eq!(report.complaint(1), message);
    for line in
        ["Game 1: ", "Not read to its end: line 2, move 1...", "Not read: line 8: ", "Game 7: "]
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
    // Marks and comments.
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
    // The notes of the file stay as they are.
    let fen = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n";
    let game = format!("{fen}{{so\n  it}} 1. Kd1 $1 ; it }}\n Kc4 (1... Kd4) 2. Ke1 1-0");
    let run = check(place.path(), &game, &["-o", out.to_str().unwrap()]);
    run.printed();
    let annotated = fs::read_to_string(&out).unwrap();
    for part in [fen, "}\n{so\n  it} 1. Kd1 $1 ", "; it }\n 1... Kc4 ", " (1... Kd4) 2. Ke1 "] {
        assert!(annotated.contains(part), "{part}: {annotated}");
    }
}

/// A game that cannot be read to its end has all its bytes in the output, and none of others.
#[test]
fn a_game_that_cannot_be_read_to_its_end_is_copied_unchanged() {
    let place = directory();
    let out = place.path().join("out.pgn");
    let fen = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n";
    for moves in [
        "1. Kd1 Kc4 2. Ke5 {a } b} $2 (2. Kd2 {x} ;y }\n) 0-1",
        "1. Kd1 Kc4 2. -- {a null move} Kc5 0-1",
        "1. Kd1 Z0 2. Kd2 0-1",
        "1. Kd1 Kc4 {Sakmak: draws.} {Not read: x} 2. Ke5 0-1",
        "1. Kd1 Kc4 {not closed",
        "1. Kd1 Kc4 (1... Kd4 (1... Ke4",
        "1. Kd1 ) Kc4",
        "[White \"x\\\"]\n1. Kd1 Kc4 0-1",
        "[White A]\n1. Kd1 Kc4 0-1",
    ] {
        let game = format!("[Result \"0-1\"]\n{fen}{moves}\n");
        let arguments = ["-o", out.to_str().unwrap()];
        let run = check(place.path(), &game, &arguments);
        let told = run.complaint(1).to_string();
        assert!(told.ends_with(&format!("; 1 copied unchanged to {}", out.display())), "{told}");
        let once = fs::read_to_string(&out).unwrap();
        assert_eq!(once, format!("{}\n\n", game.trim_end()));
        let again = check(place.path(), &once, &arguments);
        assert_eq!((again.complaint(1), &again.stdout), (&*told, &run.stdout));
        assert_eq!(fs::read_to_string(&out).unwrap(), once);
    }
}

#[test]
fn tags_of_the_file_stay_as_they_are() {
    let place = directory();
    let out = place.path().join("out.pgn");
    let fen = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]";
    let tags = format!(
        "[White \"a\\\\b \\\"c\\\"\"]\n[Variant \"\"]\n% mine\n{fen} [Variant \"Ouk\"]\n\
         [FEN \"x\"]\n[SetUp \"0\"]\n[Annotator \"A; sakmak 0.1.0; B\"]\n[ Annotator  \"C\" ]"
    );
    check(place.path(), &format!("{tags}\n\n1. Kd1 *"), &["-o", out.to_str().unwrap()]).printed();
    let annotated = fs::read_to_string(&out).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let expected = tags.replace("A; sakmak 0.1.0; B", &format!("A; B; sakmak {version}")).replacen(
        "[Variant \"\"]",
        "[Variant \"makruk\"]",
        1,
    );
    assert!(annotated.starts_with(&format!("{expected}\n\n{{Sakmak: ")), "{annotated}");
    // A number may stand before a tag.
    let arguments = ["-o", out.to_str().unwrap()];
    check(place.path(), &format!("{fen}\n1. [White \"A\"]\n\n1. Kd1 *"), &arguments).printed();
    let once = fs::read_to_string(&out).unwrap();
    assert!(
        once.starts_with(&format!("{fen}\n1. [White \"A\"]\n[Variant \"makruk\"]\n")),
        "{once}"
    );
    check(place.path(), &once, &arguments).printed();
    assert_eq!(fs::read_to_string(&out).unwrap(), once);
}

#[test]
fn annotating_again_changes_nothing() {
    let place = directory();
    let out = place.path().join("out.pgn");
    let annotate = |games: &str, arguments: &[&str]| {
        let run = check(
            place.path(),
            games,
            &[&["-o", out.to_str().unwrap(), "--make-men", "0"], arguments].concat(),
        );
        (run, fs::read_to_string(&out).unwrap())
    };
    let fen = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n";
    let theirs = format!(
        "[Annotator \"A. Nonymous\"]\n{fen}\n{{so}} 1. Re3?? {{it}} Kd4 $2 (1... Kc4) 2. Kd2 $1 Kc4 *"
    );
    let joined = format!("{fen}1. Kd1$1Kd4!2. Kd2$2Kc4$10*");
    for game in GAMES.iter().copied().chain([&*theirs, &joined]) {
        let (_, once) = annotate(game, &[]);
        let (run, again) = annotate(&once, &[]);
        assert_eq!(run.code, Some(0), "{once}");
        assert_eq!(again, once);
    }
    // The program's signs go with its comments; other signs stay.
    let (_, annotated) = annotate(&theirs, &[]);
    for part in ["1. Re3?? {Sakmak: Wins in", "A. Nonymous; sakmak "] {
        assert!(annotated.contains(part), "{annotated}");
    }
    let (_, first) = annotate(GAMES[1], &[]);
    let (_, anew) = annotate(&first, &["--counting", "makruk-khon-first"]);
    assert_eq!(anew, first);
    assert!(first.contains("{Sakmak: ?? "), "{first}");
}

#[test]
fn games_that_cannot_be_read_are_kept() {
    let place = directory();
    let out = place.path().join("out.pgn");
    let others = "[White \"C\"]\n[Variant \"Xiangqi\"]\n\n1. e4  e5 {as it\nstands} *\n\n\
                  [Variant \"Makruk\"]\n[FEN \"8/8 w\"]\n\n1. Kd2 *";
    let run = check(
        place.path(),
        &[others, IN_TIME, "\n1. e5 *"].concat(),
        &["-o", out.to_str().unwrap()],
    );
    let message = run.complaint(1);
    assert!(message.contains("3 of 4 games could not be read; line 2: "), "{message}");
    assert!(message.ends_with(&format!("; 3 copied unchanged to {}", out.display())), "{message}");
    let annotated = fs::read_to_string(&out).unwrap();
    assert!(annotated.starts_with(&format!("{others}\n\n[White \"A\"]\n")), "{annotated}");
    assert!(annotated.ends_with("\n\n1. e5 *\n\n"), "{annotated}");
}

#[test]
fn a_file_that_is_none_is_refused() {
    let place = directory();
    let missing = place.path().join("none.pgn");
    let run = sakmak_with(place.path(), &["check", missing.to_str().unwrap()]);
    assert!(run.refusal(2).contains("none.pgn"), "{run:?}");
    for empty in ["", "\n\n% nothing\n"] {
        assert!(check(place.path(), empty, &[]).refusal(1).ends_with("the file has no games"));
    }
    let nowhere = place.path().join("no/where.pgn");
    let run = check(place.path(), IN_TIME, &["-o", nowhere.to_str().unwrap()]);
    // At once, before any game is reviewed.
    assert!(run.refusal(1).contains("cannot write"), "{run:?}");
}

#[test]
fn the_annotated_games_may_replace_their_file() {
    let place = directory();
    let path = place.path().join("games.pgn");
    let other = place.path().join("other.pgn");
    let text = format!("% mine\n{IN_TIME}% yours\r\n[White \"C\"]\n% his\n1. e5 *\n% ours");
    check(place.path(), &text, &["-o", other.to_str().unwrap()]).complaint(1);
    check(place.path(), &text, &["-o", path.to_str().unwrap()]).complaint(1);
    let annotated = fs::read_to_string(&path).unwrap();
    assert_eq!(annotated, fs::read_to_string(&other).unwrap());
    assert!(annotated.starts_with("% mine\n[White \"A\"]\n"), "{annotated}");
    let end = "% yours\r\n[White \"C\"]\n% his\n1. e5 *\n\n% ours";
    assert!(annotated.contains("Sakmak: ") && annotated.ends_with(end), "{annotated}");
    check(place.path(), &annotated, &["-o", path.to_str().unwrap()]).complaint(1);
    assert_eq!(fs::read_to_string(&path).unwrap(), annotated);
    // Nothing is left beside them.
    assert_eq!(files(place.path()).len(), 2);
}

#[test]
fn a_file_without_games_replaces_nothing() {
    let place = directory();
    let path = place.path().join("games.pgn");
    for notes in ["% my notes\n% more notes\n", "\n"] {
        check(place.path(), notes, &["-o", path.to_str().unwrap()]).refusal(1);
        assert_eq!(files(place.path()), [("games.pgn".into(), notes.into())].into());
    }
}

/// The rights of an old file stay, a link stays a link, and what cannot be replaced is written.
#[cfg(unix)]
#[test]
fn an_output_keeps_its_rights_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = directory();
    let [old, link] = ["old.pgn", "link.pgn"].map(|name| place.path().join(name));
    fs::write(&old, "old").unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&old, &link).unwrap();
    check(place.path(), IN_TIME, &["-o", link.to_str().unwrap()]).printed();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::metadata(&old).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&old).unwrap().contains("Sakmak: "));
    let run = check(place.path(), IN_TIME, &["--json", "-o", "/dev/stdout"]);
    assert!(run.code == Some(0) && run.stdout.contains("[Annotator \"sakmak "), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_games() {
    let place = directory();
    let path = place.path().join("games.pgn");
    fs::write(&path, IN_TIME.repeat(20)).unwrap();
    // The limit on the size of files is as a full disk. If its signal is ignored, only the write
    // fails.
    for (signal, code) in [("trap '' XFSZ; ", 1), ("", 128 + 25)] {
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", &format!("{signal}ulimit -f 4; exec \"$@\""), "sh"]);
        limited.args([env!("CARGO_BIN_EXE_sakmak"), "check", "--json"]).arg(&path);
        limited.arg("-o").arg(&path).arg("--tables").arg(place.path());
        limited.stdout(Stdio::null());
        assert!(ended(limited).refusal(code).contains("cannot write"));
        assert_eq!(files(place.path()), [("games.pgn".into(), IN_TIME.repeat(20).into())].into());
    }
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let place = directory();
    let codes = "\u{1b}]0;owned\u{7}\u{9b}2J\u{7f}";
    for tags in [
        format!("[Variant \"{codes}\"]"),
        format!("[FEN \"{codes}\"]"),
        format!("[White \"{codes}\"]\n[Variant \"Makruk\"]"),
    ] {
        for arguments in [&[][..], &["--json"]] {
            let run = check(place.path(), &format!("{tags}\n\n1. e4 {codes} *\n"), arguments);
            let printed = [run.stdout, run.stderr].concat();
            let raw = |letter: char| letter.is_control() && letter != '\n';
            assert!(!printed.contains(raw), "{printed:?}");
        }
    }
}

#[test]
fn a_tag_with_a_line_break_is_read_alike_in_the_own_output() {
    let place = directory();
    let out = place.path().join("out.pgn");
    let text = format!("[White \"A\\\n1. Kd4 {{no game}} 1-0\\\n\"]{IN_TIME}");
    check(place.path(), &text, &["-o", out.to_str().unwrap()]).complaint(1);
    let once = fs::read_to_string(&out).unwrap();
    let games = |text: &str| {
        let run = check(place.path(), text, &["--json", "-o", out.to_str().unwrap()]);
        let json: Json = serde_json::from_str(&run.stdout).unwrap();
        json["games"].as_array().unwrap().len()
    };
    assert_eq!(games(&once), games(&text));
}

#[test]
fn each_game_keeps_its_encoding() {
    let place = directory();
    let path = place.path().join("games.pgn");
    let named = |name: &[u8]| {
        let (before, after) = IN_TIME.split_once("\"A\"").unwrap();
        [before.as_bytes(), b"\"", name, b"\"", after.as_bytes()].concat()
    };
    // Thai in UTF-8 and in TIS-620, and Latin-1; byte order marks between them.
    let names = ["\u{e2a}\u{e21}".as_bytes(), b"\xca\xc1\xaa\xd2\xc2", b"J\xf6rg"];
    let mark = "\u{feff}".as_bytes();
    let text: Vec<u8> = names.iter().flat_map(|name| [mark, &named(name)].concat()).collect();
    fs::write(&path, text).unwrap();
    let arguments = ["check", path.to_str().unwrap(), "-o", path.to_str().unwrap()];
    let report = sakmak_with(place.path(), &arguments).printed();
    let shown = ["\u{e2a}\u{e21}", "\u{ca}\u{c1}\u{aa}\u{d2}\u{c2}", "J\u{f6}rg"];
    for (name, shown) in names.into_iter().zip(shown) {
        let written = fs::read(&path).unwrap();
        let tag = [b"[White \"", name, b"\"]"].concat();
        assert!(written.windows(tag.len()).any(|part| part == tag), "{shown}");
        assert!(report.contains(&format!("{shown} v B")), "{report}");
    }
    assert_eq!(report.matches("Game ").count(), 3);
    fs::write(&path, b"\xff\xfe[\0").unwrap();
    assert!(sakmak_with(place.path(), &arguments).refusal(2).contains("UTF-16"));
    assert_eq!(fs::read(&path).unwrap(), b"\xff\xfe[\0");
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

/// A file from a pipe, of up to 40 MB. Held in memory it took many times as much.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_file() {
    use std::io::Write;
    const MEMORY: u64 = 48 << 20;
    let rook = "[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n".to_string();
    let lines = |line: &str| line.repeat(9_999 / line.len() + 1);
    for (part, parts, games) in [
        // A word; games that cannot be read; a comment; variations; escaped lines; one game.
        ("x".repeat(10_000), 5_000, 1),
        (lines("[A \"b\"]\n{\n"), 50, 50_000),
        ("{".to_string() + &"x ".repeat(5_000), 5_000, 1),
        ("()".repeat(5_000), 5_000, 1),
        (lines("% no\n"), 5_000, 0),
        (lines("Kd1 "), 1_000, 1),
        (format!("{IN_TIME}\n"), 5, 5),
        (rook + &"Kd1 Kd4 Ke1 Kd5 ".repeat(250), 1, 1),
    ] {
        let place = directory();
        let out = place.path().join("out.pgn");
        let mut command = command(["check", "-", "--variant", "makruk", "--json", "-o"]);
        command.arg(&out).arg("--tables").arg(place.path());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        for _ in 0..parts {
            input.write_all(part.as_bytes()).unwrap();
        }
        // All but the last megabytes have been worked on.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        drop(input);
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let most: u64 = most.trim().strip_suffix(" kB").unwrap().parse().unwrap();
        assert!(most << 10 < MEMORY, "{most} KiB for {part:.20}");
        let code = child.wait().unwrap().code();
        assert!(matches!(code, Some(0 | 1)), "{code:?}");
        assert_eq!(out.exists(), games > 0);
        if games == 1 && code == Some(1) {
            let size = fs::metadata(&out).unwrap().len();
            assert_eq!(size, part.len() as u64 * parts, "{part:.20}");
        }
    }
}

#[test]
fn several_files_are_told_apart_and_have_one_exit_code() {
    let place = directory();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_string();
    let [one, two, empty] = ["one.pgn", "two.pgn", "empty.pgn"].map(path);
    fs::write(&one, [IN_TIME, IN_TIME].concat()).unwrap();
    fs::write(&two, IN_TIME).unwrap();
    fs::write(&empty, "% no game\n").unwrap();
    let run = |arguments: &[&str]| sakmak_with(place.path(), &[&["check"], arguments].concat());
    let printed = run(&[&one, &two]).printed();
    let places: Vec<usize> =
        [&format!("File {one}\n\nGame 1: "), "\n\nGame 2: ", &format!("File {two}\n\nGame 1: ")]
            .iter()
            .map(|part| printed.find(part).unwrap_or_else(|| panic!("{part}: {printed}")))
            .collect();
    assert!(places.is_sorted(), "{printed}");
    let json = run(&["--json", &two, &one]).json();
    let games = json["games"].as_array().unwrap();
    let told: Vec<(&str, u64)> = games
        .iter()
        .map(|game| (game["file"].as_str().unwrap(), game["game"].as_u64().unwrap()))
        .collect();
    assert_eq!(told, [(&*two, 1), (&*one, 1), (&*one, 2)]);
    // One file is reported as before.
    assert!(run(&[&two]).printed().starts_with("Game 1: "));
    // The others are checked all the same.
    let some = run(&[&empty, &one, &empty]);
    let complaint = some.complaint(1);
    assert!(complaint.contains("empty.pgn: the file has no games; 1 other file has"), "{some:?}");
    assert_eq!(some.stdout.matches("Game ").count(), 2, "{some:?}");
    // Before any work.
    let missing = path("missing.pgn");
    assert!(run(&[&one, &missing]).refusal(2).contains("missing.pgn"));
    let out = path("out.pgn");
    let refused = run(&[&one, &two, "-o", &out]);
    let message = refused.refusal(2);
    assert!(message.contains("-o takes the games of one file, and 2 files are named"), "{message}");
    assert!(!Path::new(&out).exists());
}

#[test]
fn a_compressed_file_is_named_as_one() {
    let place = directory();
    let path = place.path().join("game.pgn");
    for (bytes, name) in [
        (&include_bytes!("../../pgn/tests/data/cases/game.pgn.gz")[..], "gzip"),
        (b"\x28\xb5\x2f\xfd\x20", "zstd"),
        (b"BZh91AY&SY", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"PK\x03\x04\x14\0", "zip"),
    ] {
        fs::write(&path, bytes).unwrap();
        let run = sakmak_with(place.path(), &["check", path.to_str().unwrap()]);
        let expected = format!("game.pgn: the file is compressed ({name}): decompress it first");
        assert!(run.refusal(2).ends_with(&expected), "{run:?}");
        let mut piped = command(["check", "-"]);
        piped.stdin(Stdio::from(fs::File::open(&path).unwrap()));
        assert!(ended(piped).refusal(2).contains(name));
    }
}

#[test]
fn a_game_that_is_not_read_is_told_how_it_would_be() {
    let place = directory();
    let run = check(place.path(), "[Variant \"Janggi\"]\n1. e4 *", &[]);
    let message = "line 1: games of 'Janggi' are not read: expected makruk or ouk";
    assert!(run.complaint(1).contains(message), "{run:?}");
}
