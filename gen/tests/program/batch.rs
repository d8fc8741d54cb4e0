//! `sakmak probe --json -`: many positions from standard input.

use crate::lawful::probe_counted;
use crate::sakmak::{ProgramRun, command, ended, generated, keys, sakmak};
use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// The answers to these lines, and the run.
fn batch(lines: impl AsRef<[u8]>, arguments: &[&str]) -> (Vec<Json>, ProgramRun) {
    let mut command = command([&["probe", "--json", "-"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let written = lines.as_ref().to_vec();
    let writer = std::thread::spawn(move || input.write_all(&written));
    let run = ProgramRun::from(child.wait_with_output().unwrap());
    writer.join().unwrap().unwrap();
    (run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), run)
}

#[test]
fn many_positions_are_answered_line_by_line() {
    let fens = [
        "8/8/8/3k4/8/8/4R3/4K3 w",
        "8/8/4m3/3k4/8/4R3/8/4K3 w - 126 40 9",
        "8/8/8/3k4/8/3P4/8/R3K3 b",
        "8/8/8/3k4/8/8/8/4K3 w",
    ];
    // Blank lines and other line endings are accepted.
    let input = format!("{}\r\n\n{}\n{}\n   \n{}", fens[0], fens[1], fens[2], fens[3]);
    let (answers, run) = batch(input, &["--variant", "ouk"]);
    run.printed();
    assert_eq!(answers.len(), fens.len());
    for (fen, answer) in fens.iter().zip(&answers) {
        assert_eq!(*answer, probe_counted("ouk", fen));
    }
    assert_eq!(batch("", &[]).1.printed(), "");
}

#[test]
fn a_position_without_an_answer_stops_no_other() {
    let input = "8/8/8/3k4/8/8/4R3/4K3 w\nnonsense\n8/8/8/3k4/8/8/4R3/4K3 b - 32 34 1\n\
                 8/8/8/3k4/8/8/4R3/4K3 b\n";
    let (answers, run) = batch(input, &[]);
    assert_eq!(run.complaint(1), "2 of 4 positions have no answer");
    assert_eq!(answers.len(), 4);
    for (at, fen, words) in [
        (1, "nonsense", "line 2: the FEN has 1 field"),
        (2, "8/8/8/3k4/8/8/4R3/4K3 b - 32 34 1", "line 3: the count 34 is impossible"),
    ] {
        assert_eq!(keys(&answers[at]), ["fen", "error"].into());
        assert_eq!(answers[at]["fen"], fen);
        assert!(answers[at]["error"].as_str().unwrap().starts_with(words), "{answers:?}");
    }
    for at in [0, 3] {
        assert_eq!(answers[at]["material"], "KRvK");
    }
    let run = sakmak(["probe", "-"]);
    assert!(run.refusal(2).contains("add --json"), "{run:?}");
}

#[test]
fn a_line_that_is_not_utf_8_stops_no_other_and_a_byte_order_mark_is_skipped() {
    let fen = "8/8/8/3k4/8/8/4R3/4K3 w";
    let first = format!("\u{feff}{fen}\n\n");
    let lines =
        [first.as_bytes(), b"8/8/8/3k4/8/8/4R3/4K3 \xe9 w\n", b"\xff\xfe\n", fen.as_bytes()];
    let (answers, run) = batch(lines.concat(), &[]);
    assert_eq!(run.complaint(1), "2 of 4 positions have no answer");
    assert_eq!(answers.len(), 4, "{answers:?}");
    for (at, line) in [(1, 3), (2, 4)] {
        assert_eq!(keys(&answers[at]), ["fen", "error"].into());
        assert_eq!(answers[at]["error"], format!("line {line} is not UTF-8"));
    }
    assert_eq!(answers[1]["fen"], "8/8/8/3k4/8/8/4R3/4K3 \u{fffd} w");
    assert_eq!(answers[0], answers[3]);
    assert_eq!(answers[0]["material"], "KRvK");
}

/// A test suite, and positions whose operations have the clock, the number, a count or nothing.
const SUITE: &str = include_str!("suite.epd");

#[test]
fn operations_of_epd_stay_with_their_position() {
    let (answers, run) = batch(SUITE, &[]);
    assert_eq!(run.complaint(1), "1 of 6 positions have no answer");
    let expected = [
        ("8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1", "bm Md2; id \"ksm 1\";"),
        ("8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1", "am Sd3; c0 \"late\";"),
        ("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21", "id \"counted; late\"; bm Md2;"),
        ("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21", "hmvc 40; fmvn 21;"),
        ("8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 21", ";fmvn 21"),
    ];
    for (answer, (fen, operations)) in answers.iter().zip(expected) {
        assert_eq!((&answer["fen"], &answer["operations"]), (&fen.into(), &operations.into()));
        let mut plain = sakmak(["probe", "--json", fen]).json();
        assert!(plain.get("operations").is_none(), "{plain}");
        plain["operations"] = operations.into();
        assert_eq!(plain, *answer);
    }
    assert_eq!(
        answers[5],
        serde_json::json!({
            "fen": "8/8/8/4k3/8/4K3/4S3/4M3 x - - bm Md2;",
            "error": "line 12: 'x' is not a side to move: expected w or b",
        })
    );
    // One position too, as JSON and as text.
    let line = "8/8/8/4k3/8/4K3/4S3/4M3 w - - bm Md2; id \"ksm 1\";";
    assert_eq!(sakmak(["probe", "--json", line]).json(), answers[0]);
    let words: Vec<&str> = ["probe", "--json"].into_iter().chain(line.split(' ')).collect();
    assert_eq!(sakmak(words).json(), answers[0]);
    let shown = sakmak(["probe", "8/8/8/4k3/8/4K3/4S3/4M3 w"]).printed();
    assert_eq!(sakmak(["probe", line]).printed(), shown);
    assert!(sakmak(["probe", "8/8/8/4k3/8/4K3/4S3/4M3 w - e3 0 1"]).code == Some(2));
}

#[test]
fn control_characters_of_a_line_do_not_reach_the_terminal() {
    let line = "8/8/8/3k4 \u{1b}]0;owned\u{7}\u{9b}2J\u{7f} w";
    let (answers, run) = batch(line, &[]);
    assert_eq!(answers[0]["fen"], line);
    let raw = |letter: char| letter.is_control() && letter != '\n';
    assert!(!run.stdout.contains(raw) && !run.stderr.contains(raw), "{run:?}");
}

/// With `read` a table that is emptied while it is open is an error, not a bus error.
#[test]
fn the_access_comes_from_the_argument_or_the_environment() {
    // In blocks far apart.
    let fens = ["8/8/3k4/7r/8/8/8/KR6 w", "4r3/8/8/8/3K4/8/6k1/R7 b"];
    let arguments = ["probe", "--json", "-", "--tables"];
    let ways: [(&[&str], &str); 2] = [(&["--access", "read"], ""), (&[], "read")];
    for (access, variable) in ways {
        let directory = generated(&["KRvKR"]);
        let mut command = command(arguments);
        command.arg(directory.path()).args(access).env("SAKMAK_ACCESS", variable);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut answer = |fen: &str| -> Json {
            writeln!(input, "{fen}").unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            serde_json::from_str(&line).unwrap()
        };
        assert_eq!(answer(fens[0])["material"], "KRvKR");
        std::fs::File::create(directory.path().join("KRvKR.dtm.smt")).unwrap();
        let error = answer(fens[1]);
        assert!(error["error"].as_str().unwrap().contains("KRvKR.dtm.smt"), "{error}");
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn an_unknown_access_is_refused() {
    let run = |access: &[&str], variable: &str| {
        let mut command = command([&["probe", "8/8/8/3k4/8/8/4R3/4K3 b"], access].concat());
        command.env("SAKMAK_ACCESS", variable);
        ended(command)
    };
    let message = "SAKMAK_ACCESS: unknown access 'Read': expected mapped or read";
    assert_eq!(run(&[], "Read").refusal(2), message);
    assert_eq!(run(&["--access", "Read"], "").code, Some(2));
    // The argument goes first, and an empty variable counts as none.
    run(&["--access", "mapped"], "Read").printed();
    run(&[], "").printed();
}
