//! A command checks all that it needs before it starts: nothing is printed or written, and one line names
//! all that is missing.

use crate::sakmak::{ProgramRun, directory, files, generated, sakmak_with};
use std::path::Path;

/// Runs a command that must fail before it has done anything.
#[track_caller]
fn refused(tables: &Path, arguments: &[&str], named: &[&str]) -> String {
    let before = files(tables);
    let run: ProgramRun = sakmak_with(tables, arguments);
    let message = run.refusal(if arguments[0] == "site" { 2 } else { 1 }).to_string();
    for name in named {
        assert!(message.contains(name), "{name}: {message}");
    }
    assert!(files(tables) == before, "{arguments:?}");
    message
}

/// Tables of two materials are missing; the first material could be done without them.
#[test]
fn all_tables_that_are_missing_are_named_before_the_first_result() {
    let tables = directory();
    let place = directory();
    let [atlas, site] = ["atlas", "site"].map(|name| place.path().join(name));
    let [atlas, site] = [&atlas, &site].map(|path| path.to_str().unwrap());
    let made = format!("them with 'sakmak generate KRNvKS KRNvKM --tables {}'", {
        tables.path().display()
    });
    for arguments in [
        &["stats", "KRvK", "KRNvKM", "KRNvKS"][..],
        &["stats", "KRvK,KRNvKM,KRNvKS", "--json"],
        &["query", "KRvK", "KRNvKM", "KRNvKS", "win", "--count"],
        &["pack", "KRvK", "KRNvKM", "KRNvKS"],
    ] {
        let message = refused(tables.path(), arguments, &["no tables KRNvKS, KRNvKM in "]);
        assert!(message.ends_with(&made), "{message}");
    }
    let counted = ["no tables KRNvKS, KRNvKS.makruk, KRNvKM, KRNvKM.makruk in "];
    for arguments in [
        &["wdl", "KRvK", "KRNvKM", "KRNvKS"][..],
        &["stats", "KRvK", "KRNvKM", "KRNvKS", "--counting", "makruk"],
        &["query", "KRvK", "KRNvKM", "KRNvKS", "category=cursed-win", "--count"],
    ] {
        refused(tables.path(), arguments, &counted);
    }
    // A long list is cut, and the command names the number of men.
    let all = refused(tables.path(), &["wdl", "5"], &[" others in "]);
    assert!(all.contains("'sakmak generate 5 --counting makruk --tables "), "{all}");
    assert!(all.len() < 500, "{all}");
    // The tables of a variant with a folder of its own are named in the directory above it.
    let above = place.path().to_str().unwrap();
    let shatranj = ["stats", "KRNvKM", "KRNvKS", "--variant", "shatranj"];
    let run = sakmak_with(place.path(), &shatranj);
    let expected = format!("KRNvKS KRNvKM --variant shatranj --tables {above}'");
    assert!(run.refusal(1).ends_with(&expected), "{run:?}");

    let tables = generated(&["KRvK"]);
    let asked = ["KRvK", "KRNvKM", "KRNvKS"];
    let report = [&["report"], &asked[..], &["-o", atlas]].concat();
    refused(tables.path(), &report, &["no tables KRNvKS, KRNvKM in "]);
    let packed = [&["site", site], &asked[..]].concat();
    refused(tables.path(), &packed, &["no packed files of KRNvKM, KRNvKS in ", " --packed "]);
    let verify = [&["verify"], &asked[..]].concat();
    refused(tables.path(), &verify, &["no tables KRNvKM.dtm.smt, KRNvKS.dtm.smt in "]);
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
}

/// A file that is refused, after others that are right.
#[test]
fn a_file_that_is_refused_is_named_before_the_first_result() {
    let place = directory();
    let atlas = place.path().join("atlas");
    let tables = generated(&["KRvK", "KNPvK"]);
    let last = tables.path().join("KNPvK.dtm.smt");
    let bytes = std::fs::read(&last).unwrap();
    std::fs::write(&last, &bytes[..bytes.len() / 2]).unwrap();
    for arguments in [
        &["verify", "KRvK", "KNPvK"][..],
        &["verify", "KRvK", "KNPvK", "--sample", "10"],
        &["stats", "KRvK", "KNPvK"],
        &["query", "KRvK", "KNPvK", "win", "--count"],
        &["wdl", "KRvK", "KNPvK"],
        &["pack", "KRvK", "KNPvK"],
        &["generate", "KMvK", "KNPvK"],
        &["report", "-o", atlas.to_str().unwrap()],
    ] {
        refused(tables.path(), arguments, &[last.to_str().unwrap(), "cut short"]);
    }
    assert!(!atlas.exists());
}

#[test]
fn board_games_name_all_tables_that_are_missing() {
    let tables = directory();
    let janggi = ["--variant", "janggi"];
    let run = |arguments: &[&str]| sakmak_with(tables.path(), &[arguments, &janggi].concat());
    run(&["generate", "KRCvK"]).printed();
    for name in ["KRvK.smg", "KCvK.smg"] {
        std::fs::remove_file(tables.path().join("janggi").join(name)).unwrap();
    }
    for arguments in [
        &["verify", "KRCvK"][..],
        &["stats", "KRCvK", "KRvK", "KCvK"],
        &["query", "KRCvK", "quiet"],
    ] {
        let run = run(arguments);
        let message = run.refusal(1);
        assert!(message.starts_with("no tables K"), "{message}");
        assert!(message.contains("KRvK") && message.contains("KCvK"), "{message}");
        assert!(message.contains("make them with 'sakmak generate K"), "{message}");
    }
}

/// A file system that takes no file, whoever asks for one.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_cannot_be_written_to_is_named_before_any_work() {
    let tables = generated(&["KRvK"]);
    for command in ["wdl", "pack", "report"] {
        let arguments = [command, "KRvK", "-o", "/proc"];
        refused(tables.path(), &arguments, &["cannot write to the directory /proc: "]);
    }
    for (command, name) in [("wdl", "KRvK.makruk.smv"), ("pack", "KRvK.dtm.smp")] {
        let place = directory();
        let path = place.path().join(name);
        std::fs::create_dir(&path).unwrap();
        let arguments = [command, "KRvK", "-o", place.path().to_str().unwrap()];
        refused(tables.path(), &arguments, &[path.to_str().unwrap(), "it is a directory"]);
    }
}
