//! Long work tells its progress where standard error is not a terminal.

use crate::sakmak::{ProgramRun, command, directory, ended, generated, on_a_terminal};
use std::ffi::OsStr;
use std::path::Path;

/// Runs the program with lines of progress at this interval.
fn run(interval: &str, arguments: &[&OsStr]) -> ProgramRun {
    let mut command = command(arguments);
    command.env("SAKMAK_PROGRESS", interval);
    ended(command)
}

/// Runs a command line in which DIR stands for the directory.
fn run_in(directory: &Path, interval: &str, line: &str) -> ProgramRun {
    let words = line.split(' ').map(|word| match word {
        "DIR" => directory.as_os_str(),
        word => OsStr::new(word),
    });
    run(interval, &words.collect::<Vec<_>>())
}

#[test]
fn every_long_command_prints_lines_of_progress() {
    let tables = generated(&["KRvKM.makruk", "KRvKM.ouk"]);
    let atlas = tables.path().join("atlas");
    for line in [
        "generate KNvKM --tables DIR",
        "pack KRvKM --tables DIR",
        "wdl KRvKM --tables DIR",
        "verify KRvKM --again --tables DIR",
        "verify --sample 2000 --tables DIR",
        "stats KRvKM --tables DIR",
        "stats KRvKM KRvK --tables DIR",
        "query KRvKM mutual_zugzwang --count --tables DIR",
        "query KRvKM mutual_zugzwang --tables DIR",
        "query KRvKM KRvK mutual_zugzwang --longest 3 --tables DIR",
        "report --tables DIR -o DIR/atlas",
    ] {
        let atlas = atlas.to_str().unwrap();
        let line = line.replace("DIR/atlas", atlas);
        let told = run_in(tables.path(), "0.0001", &line);
        assert_eq!(told.code, Some(0), "{line}: {told:?}");
        assert!(!told.stderr.is_empty(), "{line}");
        for progress in told.stderr.lines() {
            assert!(progress.contains(": "), "{line}: {progress}");
            let at_work = ["%", "wins in", "/s"].iter().any(|part| progress.contains(part));
            assert!(at_work, "{line}: {progress}");
        }
        // What is finished is not made again; the others print the same.
        let quiet = run_in(tables.path(), "0", &line);
        assert_eq!((quiet.code, &*quiet.stderr), (Some(0), ""), "{line}");
        if line.starts_with("stats") || line.starts_with("query") {
            assert_eq!(quiet.stdout, told.stdout, "{line}");
        }
    }
}

#[test]
fn the_interval_is_a_number_of_seconds() {
    for interval in ["often", "-1", "1e300"] {
        let refused = run(interval, &["stats".as_ref(), "KRvK".as_ref()]);
        let message = refused.refusal(2);
        let expected = format!("SAKMAK_PROGRESS: '{interval}' is not a number of seconds");
        assert!(message.starts_with(&expected), "{message}");
    }
    // Short work is silent by default.
    let stats = ["stats".as_ref(), "KRvK".as_ref()];
    assert_eq!(run("", &stats).printed(), run("30", &stats).printed());
}

#[cfg(unix)]
#[test]
fn a_terminal_that_draws_no_bars_gets_lines() {
    let tables = directory();
    let shown = |terminal: &str, table: &str| {
        let mut command = command(["generate", table, "--tables"]);
        command.arg(tables.path()).env("SAKMAK_PROGRESS", "0.0001").env("TERM", terminal);
        on_a_terminal(command)
    };
    let lines = shown("dumb", "KRvK");
    assert!(lines.contains("KRvK: ") && !lines.contains('\u{1b}'), "{lines:?}");
    let bars = shown("xterm", "KNvK");
    assert!(!bars.contains("KNvK: ") && bars.contains('\u{1b}'), "{bars:?}");
}
