//! `sakmak wdl`, and `sakmak verify` of what it makes.

use crate::sakmak::{directory, files, generated, sakmak, sakmak_with};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;

#[test]
fn wdl_files_are_made_once_and_verified() {
    let tables = tempfile::tempdir().unwrap();
    let apart = tempfile::tempdir().unwrap();
    sakmak_with(tables.path(), &["generate", "KPvK", "--counting", "makruk"]).printed();
    let wdl = ["wdl".as_ref(), "--tables".as_ref(), tables.path()];
    let printed = sakmak(wdl).printed();
    assert!(printed.contains("2 WDL files made") && printed.contains("KPvK"), "{printed}");
    let again = sakmak(wdl).printed();
    assert!(again.contains("0 WDL files made") && again.contains("2 existed"), "{again}");
    let verified = sakmak(["verify".as_ref(), "--tables".as_ref(), tables.path()]).printed();
    assert!(verified.contains("KPvK.makruk.smv every category right"), "{verified}");
    let one = sakmak_with(tables.path(), &["verify", "KPvK", "--sample", "100"]).printed();
    assert!(one.contains("KPvK.makruk.smv every byte right"), "{one}");
    assert!(!one.contains("KMvK"), "{one}");

    // Missing tables of at most four men are solved on the spot.
    let name = "KPvK.makruk.smv";
    std::fs::copy(tables.path().join(name), apart.path().join(name)).unwrap();
    let verified = sakmak(["verify".as_ref(), "--tables".as_ref(), apart.path()]).printed();
    assert_eq!(verified, "KPvK.makruk.smv every category right\n");
}

/// Five men, whose WDL files are made from the tables after captures as well; a pawn; both sides.
const SOME: [&str; 3] = ["KMMMvK", "KPvK", "KNvKM"];

/// The WDL files of a directory, by name.
fn wdl_files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    files(directory).into_iter().filter(|(name, _)| name.ends_with(".smv")).collect()
}

#[test]
#[ignore = "long: part of the full tests"]
fn generate_makes_the_wdl_files_of_its_tables() {
    let tables = generated(&[&SOME[..], &["--counting", "makruk"]].concat());
    sakmak(["wdl".as_ref(), "--tables".as_ref(), tables.path()]).printed();
    let expected = wdl_files(tables.path());
    assert_eq!(expected.len(), 6, "{:?}", expected.keys());
    let generate = [&["generate", "--wdl"], &SOME[..]].concat();
    for more in [&[][..], &["--packed"], &["--packed", "--spill"], &["--threads", "1"]] {
        let made = directory();
        sakmak_with(made.path(), &[&generate, more].concat()).printed();
        assert!(wdl_files(made.path()) == expected, "{more:?}");
        // One that is missing is made again.
        std::fs::remove_file(made.path().join("KMvK.makruk.smv")).unwrap();
        let all = files(made.path());
        sakmak_with(made.path(), &[&generate, more].concat()).printed();
        assert!(wdl_files(made.path()) == expected, "{more:?}, again");
        assert_eq!(files(made.path()).len(), all.len() + 1, "{more:?}");
        let printed = sakmak_with(made.path(), &[&generate, more].concat()).printed();
        assert!(printed.starts_with("0 tables made (0 B)"), "{printed}");
    }
}

#[test]
fn wdl_files_are_added_to_tables_that_exist() {
    let tables = generated(&["KNvKM", "--counting", "makruk"]);
    let before = files(tables.path());
    let nothing = directory();
    let plan = |tables: &Path, more: &[&str]| {
        let plan = ["plan", "KNvKM", "--counting", "makruk", "--rate", "1000000", "--threads", "1"];
        sakmak_with(tables, &[&plan, more].concat())
    };
    let text = plan(tables.path(), &["--wdl"]).printed();
    assert!(text.contains("exists without its WDL file"), "{text}");
    let json = plan(tables.path(), &["--wdl", "--json"]).json();
    // The tables are there: what is left is the difference that WDL files make to all of it.
    let seconds = |json: &serde_json::Value| json["seconds"].as_f64().unwrap();
    let [with, without] = [&["--wdl", "--json"][..], &["--json"]]
        .map(|more| seconds(&plan(nothing.path(), more).json()));
    assert!(without > 0.0 && with > without, "{with} and {without}");
    let left = seconds(&json);
    assert!((left / (with - without) - 1.0).abs() < 0.3, "{left} of {with}, {without} without");
    let planned = json["tables"].as_array().unwrap().iter();
    let planned: BTreeSet<_> = planned.filter_map(|table| table["wdl_name"].as_str()).collect();
    sakmak_with(tables.path(), &["generate", "KNvKM", "--wdl"]).printed();
    let after = files(tables.path());
    assert!(before.iter().all(|(name, bytes)| after[name] == *bytes));
    assert!(wdl_files(tables.path()).keys().eq(planned), "{json}");
    assert_eq!(after.len(), before.len() + 3);
    std::fs::write(tables.path().join("KNvK.makruk.smv"), "no file").unwrap();
    let run = sakmak_with(tables.path(), &["generate", "KNvKM", "--wdl"]);
    let error = run.complaint(1);
    assert!(error.contains("KNvK.makruk.smv"), "{error}");
    let twice = ["generate", "KNvKM", "--wdl", "--counting", "makruk", "--counting", "makruk"];
    let run = sakmak_with(tables.path(), &twice);
    let error = run.complaint(2);
    assert!(error.contains("give '--counting' once"), "{error}");
}

#[test]
fn damaged_wdl_files_are_refused_and_made_again() {
    let directory = tempfile::tempdir().unwrap();
    sakmak_with(directory.path(), &["generate", "KRvK"]).printed();
    sakmak(["wdl".as_ref(), "--tables".as_ref(), directory.path()]).printed();
    let path = directory.path().join("KRvK.makruk.smv");
    let right = std::fs::read(&path).unwrap();
    let mut damaged = right.clone();
    damaged[right.len() / 2] ^= 1;
    std::fs::write(&path, damaged).unwrap();
    let run = sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("KRvK.makruk.smv"), "{}", run.stderr);
    let made = sakmak(["wdl".as_ref(), "--tables".as_ref(), directory.path()]).printed();
    assert!(made.contains("1 WDL file made"), "{made}");
    assert_eq!(std::fs::read(&path).unwrap(), right);
}

#[test]
fn wdl_files_of_another_version_are_refused_and_made_again() {
    let directory = directory();
    sakmak_with(directory.path(), &["generate", "KRvK", "--wdl"]).printed();
    let path = directory.path().join("KRvK.makruk.smv");
    let right = std::fs::read(&path).unwrap();
    let mut old = right.clone();
    old[8] = 1;
    std::fs::write(&path, &old).unwrap();
    for refusing in [&["verify"][..], &["generate", "KRvK", "--wdl"]] {
        let run = sakmak_with(directory.path(), refusing);
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains("version 1"), "{}", run.stderr);
    }
    sakmak_with(directory.path(), &["wdl"]).printed();
    assert!(std::fs::read(&path).unwrap() == right);
}

#[test]
fn wrong_categories_behind_right_checksums_are_found() {
    let directory = tempfile::tempdir().unwrap();
    sakmak_with(directory.path(), &["generate", "KRvK"]).printed();
    sakmak(["wdl".as_ref(), "--tables".as_ref(), directory.path()]).printed();
    let path = directory.path().join("KRvK.makruk.smv");
    let right = std::fs::read(&path).unwrap();
    let row = last_row(&right);
    let mut errors = Vec::new();
    // Behind the words of its tile groups, of which there is one.
    for at in (row.start + 2..row.end).step_by(row.len().div_ceil(12)) {
        let mut bytes = right.clone();
        bytes[at] ^= 1;
        mend_last_row(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let run = sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]);
        errors.extend((run.code == Some(1)).then_some(run.stderr));
    }
    // Some bits concern illegal positions only.
    assert!(errors.len() > 2, "{errors:?}");
    assert!(errors.iter().all(|error| error.contains("KRvK.makruk.smv")), "{errors:?}");
    assert!(errors.iter().any(|error| error.contains("differs from the tables")), "{errors:?}");
    assert!(!errors.iter().any(|error| error.contains("checksum")), "{errors:?}");
}

/// The last row of a WDL file, of Black to move.
fn last_row(bytes: &[u8]) -> Range<usize> {
    let (rows, end) = (end_of_directory(bytes), bytes.len() - 8);
    let first = rows + number(&bytes[72..80]);
    first + number(&bytes[rows - 8..rows - 4])..end
}

/// Where the directory of Black to move ends and rows begin.
fn end_of_directory(bytes: &[u8]) -> usize {
    bytes.len() - 8 - number(&bytes[72..80]) - number(&bytes[104..112])
}

fn number(field: &[u8]) -> usize {
    field.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
}

/// Makes the checksums of a WDL file right after a change of its last row.
fn mend_last_row(bytes: &mut [u8]) {
    let (row, rows, end) = (last_row(bytes), end_of_directory(bytes), bytes.len() - 8);
    let checksum = xxh3_64(&bytes[row]) as u32;
    bytes[rows - 4..rows].copy_from_slice(&checksum.to_le_bytes());
    for (covered, at) in [(128..rows, 40), (0..120, 120), (0..end, end)] {
        let checksum = xxh3_64(&bytes[covered]);
        bytes[at..at + 8].copy_from_slice(&checksum.to_le_bytes());
    }
}

#[test]
fn a_directory_without_tables_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let run = sakmak(["wdl".as_ref(), "--tables".as_ref(), directory.path()]);
    assert!(run.refusal(1).contains("no solved tables in"));
}
