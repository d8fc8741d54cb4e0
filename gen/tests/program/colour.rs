//! Colours: where a terminal has them, nowhere else, and never from a file.

use crate::sakmak::{ProgramRun, command, directory, ended, on_a_terminal, sakmak};
use std::fs;

/// White wins in time with two moves, and too late with eight.
const POSITION: &str = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const RED: &str = "\u{1b}[1m\u{1b}[31m";
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

/// The text without the codes of the styles.
fn plain(text: &str) -> String {
    [RED, GREEN, YELLOW, BOLD, PLAIN]
        .iter()
        .fold(text.to_string(), |text, code| text.replace(code, ""))
}

#[test]
fn results_and_moves_are_coloured() {
    let printed = sakmak(["probe", POSITION, "--color", "always"]).printed();
    assert!(printed.contains(&format!("Result:  {GREEN}White wins in time")), "{printed:?}");
    let kept =
        format!("\n  {BOLD}Md2{PLAIN}      e1d2   {GREEN}win{PLAIN}              mate in 24");
    assert!(printed.contains(&kept), "{printed:?}");
    let thrown = format!("\n  Sd3      e2d3   {YELLOW}draw (too late){PLAIN}  mate in 26");
    assert!(printed.contains(&thrown), "{printed:?}");
    assert_eq!(plain(&printed), sakmak(["probe", POSITION]).printed());
}

#[test]
fn the_moves_of_a_game_are_coloured_by_their_mark() {
    let directory = directory();
    let game = directory.path().join("game.pgn");
    let head = format!("[Variant \"makruk\"]\n[SetUp \"1\"]\n[FEN \"{POSITION}\"]\n\n");
    fs::write(&game, head + "21. Md2 Kd5 22. Kf2 Ke4 *\n").unwrap();
    let arguments = ["check".as_ref(), game.as_os_str(), "--all".as_ref()];
    let printed = sakmak(arguments.into_iter().chain(["--color=always".as_ref()])).printed();
    assert!(printed.contains(&format!("\n  {RED}22. Kf2??{PLAIN} ")), "{printed:?}");
    assert!(printed.contains("\n  21. Md2 "), "{printed:?}");
    assert_eq!(plain(&printed), sakmak(arguments).printed());
}

#[test]
fn errors_begin_in_red() {
    let run = sakmak(["--color=always", "probe", "8/8"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with(&format!("{RED}sakmak:{PLAIN} ")), "{run:?}");
    let run = sakmak(["--color=always", "probe", "--nonsense"]);
    assert!(run.stderr.starts_with(&format!("{RED}sakmak:{PLAIN} ")), "{run:?}");
}

#[test]
fn a_file_brings_no_codes() {
    let directory = directory();
    let game = directory.path().join("game.pgn");
    let hostile =
        "[White \"\u{1b}[31mred\u{9b}31m\"]\n[Variant \"makruk\"]\n\n1. \u{1b}[32mKa1 *\n";
    fs::write(&game, hostile).unwrap();
    let run = sakmak(["check".as_ref(), game.as_os_str(), "--color=always".as_ref()]);
    assert!(run.stdout.contains("\\u{1b}[31mred\\u{9b}31m"), "{run:?}");
    for text in [&run.stdout, &run.stderr] {
        assert!(
            !plain(text).contains(|letter: char| letter.is_control() && letter != '\n'),
            "{run:?}"
        );
    }
}

#[test]
fn pipes_and_json_have_no_colours() {
    for arguments in [&["probe", POSITION][..], &["help"], &["probe", "--help"]] {
        let printed = sakmak(arguments).printed();
        assert!(!printed.contains('\u{1b}'), "{printed:?}");
    }
    assert!(!sakmak(["probe", "8/8"]).stderr.contains('\u{1b}'));
    let printed = sakmak(["probe", POSITION, "--json", "--color=always"]).printed();
    assert!(!printed.contains('\u{1b}'), "{printed:?}");
    let coloured = sakmak(["--color=always", "help"]).printed();
    assert!(coloured.contains('\u{1b}'), "{coloured:?}");
}

#[cfg(unix)]
#[test]
fn a_terminal_has_colours_if_it_can_and_is_not_told_otherwise() {
    let shown = |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut command = command(arguments);
        command.env("TERM", "xterm-256color").envs(variables.iter().copied());
        on_a_terminal(command)
    };
    let probe = ["probe", POSITION];
    assert!(shown(&[], &probe).contains(GREEN));
    assert!(shown(&[], &["probe", "8/8"]).contains(RED));
    for without in [
        shown(&[("NO_COLOR", "1")], &probe),
        shown(&[("TERM", "dumb")], &probe),
        shown(&[], &[&probe[..], &["--color", "never"]].concat()),
        shown(&[("NO_COLOR", "1")], &["probe", "8/8"]),
        shown(&[("TERM", "dumb")], &["help"]),
        shown(&[], &["--color=never", "help"]),
    ] {
        assert!(!without.contains('\u{1b}'), "{without:?}");
        assert!(!without.is_empty());
    }
    let run = |arguments: &[&str]| -> ProgramRun { ended(command(arguments)) };
    assert_eq!(plain(&shown(&[], &probe)).replace("\r\n", "\n"), run(&probe).printed());
}
