//! `sakmak pack`, and the commands that read packed tables.

use crate::sakmak::{ProgramRun, command, ended, sakmak, sakmak_with};
use std::fs::File;

#[test]
fn packed_tables_answer_verify_and_are_left_as_they_are() {
    let solved = tempfile::tempdir().unwrap();
    let packed = tempfile::tempdir().unwrap();
    sakmak_with(solved.path(), &["generate", "KRvKM", "KPvK"]).printed();
    let output = packed.path().to_str().unwrap();
    let pack = ["pack", "KRvKM", "KPvK", "-o", output];
    let printed = sakmak_with(solved.path(), &pack).printed();
    assert!(printed.contains("KRvKM") && printed.contains("4 tables packed"), "{printed}");
    let again = sakmak_with(solved.path(), &pack).printed();
    assert!(again.contains("0 tables packed") && again.contains("4 existed"), "{again}");
    let fen = "8/8/4k3/8/3m4/8/8/R3K3 w - - 0 1";
    let probe = ["probe", fen];
    let answers = [solved.path(), packed.path()].map(|path| sakmak_with(path, &probe).printed());
    assert_eq!(answers[0], answers[1]);
    let verified = sakmak(["verify".as_ref(), "--tables".as_ref(), packed.path()]).printed();
    assert!(verified.contains("random positions correct"), "{verified}");
    // With the solved tables in the directory, every code is compared.
    sakmak_with(solved.path(), &["pack", "KRvKM"]).printed();
    let verified = sakmak_with(solved.path(), &["verify", "KRvKM"]).printed();
    assert!(verified.contains("every code equals the solved table"), "{verified}");
}

#[test]
fn tables_for_look_ups_after_captures_keep_the_side_of_more_bytes() {
    let solved = tempfile::tempdir().unwrap();
    sakmak_with(solved.path(), &["generate", "KRvKM"]).printed();
    let length = |men: &str| {
        let packed = tempfile::tempdir().unwrap();
        let output = packed.path().to_str().unwrap();
        sakmak_with(solved.path(), &["pack", "KRvKM", "--converted-men", men, "-o", output])
            .printed();
        std::fs::metadata(packed.path().join("KRvKM.dtm.smp")).unwrap().len()
    };
    assert!(length("3") < length("4"));
}

#[test]
fn damaged_packed_tables_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    sakmak_with(directory.path(), &["generate", "KRvK"]).printed();
    sakmak_with(directory.path(), &["pack", "KRvK"]).printed();
    let path = directory.path().join("KRvK.dtm.smp");
    let right = std::fs::read(&path).unwrap();
    let mut damaged = right.clone();
    damaged[right.len() - 200] ^= 1;
    std::fs::write(&path, damaged).unwrap();
    let run = sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]);
    assert_eq!(run.code, Some(1));
    let message = run.stderr;
    assert!(message.contains("KRvK.dtm.smp"), "{message}");
    std::fs::write(&path, &right[..100]).unwrap();
    std::fs::remove_file(directory.path().join("KRvK.dtm.smt")).unwrap();
    let probe = ["probe", "8/8/8/3k4/8/8/4R3/4K3 w - - 0 1"];
    let message = sakmak_with(directory.path(), &probe).refusal(1).to_string();
    assert!(message.contains("KRvK.dtm.smp: cut short"), "{message}");
}

#[test]
fn a_broken_table_beside_a_packed_one_is_named_once() {
    let directory = tempfile::tempdir().unwrap();
    let tables = directory.path();
    sakmak_with(tables, &["generate", "KRvK"]).printed();
    sakmak_with(tables, &["pack", "KRvK"]).printed();
    let (fen, path) = ("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1", tables.join("KRvK.dtm.smt"));
    let fens = tables.join("fens");
    std::fs::write(&fens, format!("{fen}\n{fen}\n")).unwrap();
    let games = tables.join("games.pgn");
    std::fs::write(&games, format!("[Variant \"makruk\"]\n[FEN \"{fen}\"]\n\n1. Re3 Kd6 *\n"))
        .unwrap();
    let games = games.to_str().unwrap();
    let runs = || {
        let mut batch = command(["probe", "-", "--json", "--tables"]);
        batch.arg(tables).stdin(File::open(&fens).unwrap());
        [sakmak_with(tables, &["probe", fen]), ended(batch), sakmak_with(tables, &["check", games])]
    };
    let expected = runs().map(ProgramRun::printed);
    std::fs::write(&path, "broken").unwrap();
    for (run, expected) in runs().into_iter().zip(expected) {
        let warning = run.complaint(0);
        assert!(warning.starts_with("warning: ") && warning.contains(path.to_str().unwrap()));
        assert_eq!(run.stdout, expected);
    }
}

#[test]
fn what_cannot_be_packed_is_said() {
    let directory = tempfile::tempdir().unwrap();
    let message = sakmak_with(directory.path(), &["pack", "KRNMvK"]).refusal(1).to_string();
    assert!(message.contains("KRNMvK.dtm.smt") && message.contains("generate"), "{message}");
    for (option, number) in [("--tiles", "65"), ("--converted-men", "9")] {
        let run = sakmak_with(directory.path(), &["pack", "KRvK", option, number]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(number), "{run:?}");
    }
}
