//! The README shows what the program prints.

use std::process::Command;

/// How the README asks for the program.
const RUN: &str = "cargo run --release -p sakmak-gen -- ";

#[test]
fn the_position_in_the_readme_is_answered_as_shown() {
    let readme = include_str!("../../README.md");
    // The command, and below it all that is indented or empty.
    let (_, from) = readme.split_once("    $ ").unwrap();
    let mut lines = from.lines();
    let command = lines.next().unwrap().strip_prefix(RUN).unwrap();
    let shown: Vec<&str> = lines
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect();

    let (subcommand, fen) = command.split_once(' ').unwrap();
    let empty = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sakmak"))
        .args([subcommand, fen.trim_matches('\'')])
        .current_dir(empty.path())
        .env_remove("SAKMAK_TABLES")
        .output()
        .unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.trim_end(), shown.join("\n").trim_end());
}
