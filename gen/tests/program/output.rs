//! The output: lines that fit, no terminal codes, no error when the reader is gone.

use crate::sakmak::{ProgramRun, command, directory, ended, files, generated, sakmak, sakmak_with};
use std::path::Path;
use std::process::Stdio;

const POSITIONS: [&str; 12] = [
    "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1",
    "8/8/8/3k4/8/8/4R3/4K3 w - 32 33 120",
    "k6R/8/1K6/8/8/8/8/8 b",
    "k7/1R6/1K6/8/8/8/8/8 b",
    "8/8/4r3/3k4/8/4R3/8/4K3 w",
    "3k4/8/3K4/3S4/8/3P4/8/8 w - - 0 90",
    "8/8/8/3k4/8/8/8/4K3 w",
    "7M/8/1K6/8/8/8/6Sk/8 w",
    "8/8/4m3/3k4/8/4R3/8/4K3 w",
    "8/8/4m3/3k4/8/4R3/8/4K3 b - 128 110 170",
    "8/8/8/8/5P2/4k3/8/R6K w",
    "8/8/8/8/8/M7/m7/k1K5 w - 128 129 100",
];

#[track_caller]
fn assert_readable(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line:?}");
        assert_eq!(line.trim_end(), line);
        assert!(!line.contains(char::is_control), "{line:?}");
    }
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
}

#[test]
fn all_output_fits_eighty_columns_without_terminal_codes() {
    let directory = directory();
    let shown = |arguments: &[&str]| sakmak_with(directory.path(), arguments).printed();
    assert_readable(
        &shown(&["generate", "KRvKR", "KSMvK", "KSPvK"])
            .replace(directory.path().to_str().unwrap(), "tables"),
    );
    assert_readable(&shown(&["plan", "5"]));
    assert_readable(&shown(&["plan", "KNMMMvK", "KRvK", "--memory", "3G", "--rate", "1"]));
    for fen in POSITIONS {
        assert_readable(&shown(&["probe", fen]));
    }
    assert_readable(&shown(&["stats", "KSMvK"]));
    assert_readable(&shown(&["stats", "KRvKR"]));
    let game = concat!(env!("CARGO_MANIFEST_DIR"), "/pgn/tests/data/krung-thep.pgn");
    assert_readable(&shown(&["check", game, "--make-men", "0"]));
    assert_readable(&shown(&["query", "KRvKR", "zugzwang", "--count"]));
    assert_readable(&shown(&["stats", "KRPvK", "--counting", "makruk-khon-first"]));
    assert_readable(&shown(&["stats", "3", "KRvKR", "--counting", "makruk-khon-first"]));
    assert_readable(&sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]).printed());
}

#[test]
fn a_board_is_drawn_from_whites_side() {
    let printed = sakmak(["probe", "8/8/4r3/3k4/8/4R3/8/4K3 w"]).printed();
    let ranks: Vec<&str> = printed.lines().skip(2).take(9).map(str::trim).collect();
    assert_eq!(ranks[2], "6 . . . . r . . .");
    assert_eq!(ranks[7], "1 . . . . K . . .");
    assert_eq!(ranks[8], "a b c d e f g h");
}

/// Runs with the reading end of standard output closed.
fn unread(tables: &Path, arguments: &[&str]) -> ProgramRun {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = command(arguments);
    command.arg("--tables").arg(tables).stdout(writer).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    ProgramRun { code: output.status.code(), stdout: String::new(), stderr }
}

#[test]
fn work_is_done_though_nobody_reads_of_it() {
    let directory = directory();
    unread(directory.path(), &["generate", "KPvK", "KRvK"]).printed();
    assert_eq!(files(directory.path()).len(), 3);
    for arguments in [
        &["probe", POSITIONS[0]][..],
        &["probe", "--json", POSITIONS[0]],
        &["stats", "KRvK"],
        &["stats", "--json", "KRvK"],
        &["verify", "KRvK"],
        &["query", "KRvK", "win or not win"],
        &["query", "KRvK", "win", "--count"],
    ] {
        unread(directory.path(), arguments).printed();
    }
    // An error is still found after the reader is gone.
    let last = directory.path().join("KPvK.dtm.smt");
    let mut bytes = std::fs::read(&last).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&last, bytes).unwrap();
    let run = unread(directory.path(), &["verify"]);
    assert!(run.refusal(1).contains("KPvK.dtm.smt"), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut probe = command(["probe", POSITIONS[0]]);
    probe.stdout(full());
    assert!(ended(probe).refusal(1).starts_with("cannot write to standard output: "));
}

#[test]
fn help_names_every_command_and_the_version_is_told() {
    let help = sakmak(["--help"]).printed();
    for name in ["generate", "plan", "probe", "check", "verify", "stats", "query"] {
        assert!(help.contains(name), "{help}");
        assert_readable(&sakmak([name, "--help"]).printed());
    }
    let version = format!("sakmak {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(sakmak(["--version"]).printed(), version);
}

#[test]
fn the_directory_of_tables_may_come_from_the_environment() {
    let directory = generated(&["KRvK"]);
    let verified = |name: &Path| {
        let mut command = command(["verify", "KRvK"]);
        command.env("SAKMAK_TABLES", name);
        ended(command)
    };
    assert!(verified(directory.path()).printed().starts_with("KRvK "));
    // An empty name counts as none, and the default directory has no tables.
    assert!(verified("".as_ref()).refusal(1).ends_with("KRvK.dtm.smt in sakmak-tables"));
}

#[test]
fn usage_does_not_ask_for_what_the_environment_gives() {
    for name in ["generate", "plan", "pack", "probe", "check", "verify", "stats", "query"] {
        let help = |tables: Option<&str>| {
            let mut command = command(["help", name]);
            command.envs(tables.map(|tables| ("SAKMAK_TABLES", tables)));
            ended(command).printed()
        };
        assert_eq!(help(Some("tables")), help(None));
        assert!(help(None).contains(&format!("Usage: sakmak {name} [OPTIONS]")), "{}", help(None));
    }
}

#[test]
fn files_give_the_answers_of_tables_solved_on_the_spot() {
    let directory = generated(&["KRvKR", "KSPvK", "KRvKM", "KRPvK", "--counting", "makruk"]);
    for fen in POSITIONS {
        for json in [&[][..], &["--json"]] {
            let arguments = [&["probe", fen], json].concat();
            let with_files = sakmak_with(directory.path(), &arguments).printed();
            assert_eq!(with_files, sakmak(&arguments).printed(), "{fen}");
        }
    }
}
