#![no_main]
//! Any bytes through `sakmak check`, the program itself. It reports each game or one line of error.
//! Its output has the same games, and games that cannot be read to their end are unchanged. Run on
//! its own output, it writes the output again.

use libfuzzer_sys::fuzz_target;
use sakmak_fuzz::tables;
use sakmak_pgn::pgn::{Games, PgnGame, decoded, is_blank};
use sakmak_pgn::replay::Replay;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

static PLACE: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a directory"));

/// Writes the annotated games of a file to another. Returns whether any game was written.
fn checked(input: &Path, output: &Path) -> bool {
    let _ = fs::remove_file(output);
    let mut command = Command::new(tables::program());
    command.arg("check").arg(input).arg("--tables").arg(tables::directory());
    let run = command.args(["--make-men", "0", "-o"]).arg(output).output().expect("the program");
    let report = String::from_utf8(run.stdout).expect("UTF-8");
    let error = String::from_utf8(run.stderr).expect("UTF-8");
    let control = |letter: char| letter.is_control() && !['\n', '\t'].contains(&letter);
    assert!(!report.contains(control) && !error.contains(control), "{report}{error}");
    let lines = error.lines().count();
    match run.status.code() {
        Some(0) => assert_eq!(lines, 0, "{error}"),
        Some(1 | 2) => assert!(lines == 1 && error.starts_with("sakmak: "), "{error}"),
        _ => panic!("{}: {error}", run.status),
    }
    output.exists()
}

fn games(text: &str) -> Vec<PgnGame> {
    Games::of(text).collect()
}

/// The moves: in UCI as far as they can be replayed, since SAN has several spellings; unchanged if
/// the game cannot be replayed.
fn moves(game: &PgnGame) -> Vec<String> {
    match Replay::of(game, None) {
        Ok(replay) => replay.moves.iter().map(|mv| mv.mv.uci(mv.before.variant())).collect(),
        Err(_) => game.moves.iter().map(|mv| mv.text.clone()).collect(),
    }
}

fuzz_target!(init: LazyLock::force(&PLACE), |bytes: &[u8]| try_it(bytes));

fn try_it(bytes: &[u8]) {
    let path = |name: &str| -> PathBuf { PLACE.path().join(name) };
    let [input, once, twice] = ["input", "once", "twice"].map(path);
    fs::write(&input, bytes).expect("a file");
    if !checked(&input, &once) {
        return;
    }
    let text = decoded(bytes.to_vec()).expect("text, since it has games");
    let annotated = decoded(fs::read(&once).expect("a file")).expect("text, since its source is");
    let (before, after) = (games(&text), games(&annotated));
    assert_eq!(before.len(), after.len(), "{annotated}");
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(moves(before), moves(after), "{annotated}");
        assert_eq!(before.result(), after.result(), "{annotated}");
        let is_whole = Replay::of(before, None).is_ok_and(|replay| replay.broken.is_none());
        let whole = text[before.text.clone()].trim_end_matches(is_blank);
        assert!(is_whole || annotated.contains(whole), "{annotated}");
    }
    assert!(checked(&once, &twice), "{annotated}");
    let [once, twice] = [once, twice].map(|path| fs::read(path).expect("a file"));
    assert!(once == twice, "{annotated}");
}
