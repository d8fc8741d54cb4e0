//! `sakmak generate --packed`: packed tables without solved files.

use crate::sakmak::{command, directory, files, generated, sakmak, sakmak_with};
use std::process::Stdio;

/// Pieces and pawns on both sides, and a table that symmetric material leads to.
const SOME: [&str; 2] = ["KPvKM", "KSMvK"];

/// The packed tables of `pack`, by name.
fn packed(materials: &[&str]) -> std::collections::BTreeMap<String, Vec<u8>> {
    let (solved, output) = (generated(materials), directory());
    let pack = [&["pack", "-o", output.path().to_str().unwrap()], materials].concat();
    sakmak_with(solved.path(), &pack).printed();
    files(output.path())
}

#[test]
#[ignore = "long: part of the full tests"]
fn packed_tables_are_those_of_pack_however_they_are_made() {
    let expected = packed(&SOME);
    assert_eq!(expected.len(), 6);
    let arguments = [&["generate", "--packed"], &SOME[..]].concat();
    for more in [&[][..], &["--spill"], &["--threads", "1"]] {
        let tables = directory();
        sakmak_with(tables.path(), &[&arguments, more].concat()).printed();
        assert!(files(tables.path()) == expected, "{more:?}");
        // What is missing is made again; its subtables are solved once more.
        std::fs::remove_file(tables.path().join("KMvKP.dtm.smp")).unwrap();
        let printed = sakmak_with(tables.path(), &[&arguments, more].concat()).printed();
        assert!(printed.contains("KMvKP") && !printed.contains("KSMvK"), "{printed}");
        assert!(files(tables.path()) == expected, "{more:?}, again");
        let printed = sakmak_with(tables.path(), &[&arguments, more].concat()).printed();
        assert!(printed.starts_with("0 tables made (0 B), 6 existed"), "{printed}");
    }
}

#[test]
fn solved_tables_of_the_directory_are_used_and_stay() {
    let tables = generated(&["KMvK", "KMvKM"]);
    let solved = files(tables.path());
    let expected = packed(&SOME);
    sakmak_with(tables.path(), &[&["generate", "--packed"], &SOME[..]].concat()).printed();
    let found = files(tables.path());
    assert_eq!(found.len(), solved.len() + expected.len());
    assert!(solved.iter().chain(&expected).all(|(name, bytes)| found[name] == *bytes));
    sakmak(["verify".as_ref(), "--tables".as_ref(), tables.path()]).printed();
}

#[test]
fn two_processes_make_the_packed_tables_of_one() {
    let (expected, tables) = (packed(&SOME), directory());
    let start = || {
        let mut command = command([&["generate", "--packed"], &SOME[..]].concat());
        command.arg("--tables").arg(tables.path()).stdout(Stdio::null());
        command.spawn().unwrap()
    };
    for mut child in [start(), start()] {
        assert!(child.wait().unwrap().success());
    }
    assert!(files(tables.path()) == expected);
}

#[test]
fn packed_tables_of_counted_distances_give_the_same_answers() {
    let counting = ["KPvKM", "--counting", "makruk"];
    let (solved, tables) = (generated(&counting), directory());
    sakmak_with(tables.path(), &[&["generate", "--packed"], &counting[..]].concat()).printed();
    let names = files(solved.path()).into_keys().map(|name| name.replace(".smt", ".smp"));
    assert!(files(tables.path()).into_keys().eq(names));
    let output = directory();
    let pack = [&["pack", "-o", output.path().to_str().unwrap()], &counting[..]].concat();
    sakmak_with(solved.path(), &pack).printed();
    assert_eq!(files(output.path()), files(tables.path()));
    for fen in [
        "8/8/8/4k3/8/2P1K3/4m3/8 w - - 0 1",
        "8/8/8/4k3/8/2P1K3/4m3/8 b - - 0 1",
        "8/8/8/3P4/5k2/8/2K5/6m1 w - - 0 1",
        "8/8/2k5/8/8/2M1K3/8/6m1 b - 128 20 11",
        "2k5/8/8/5P2/8/K7/8/m7 b - - 0 1",
    ] {
        let probe = ["probe", fen, "--json"];
        let answers =
            [solved.path(), tables.path()].map(|path| sakmak_with(path, &probe).printed());
        assert_eq!(answers[0], answers[1], "{fen}");
    }
}

#[test]
fn a_plan_of_packed_tables_tells_the_disk_of_each_stage() {
    let directory = directory();
    let plan = |more: &[&str]| {
        let arguments = [&["plan", "5", "--rate", "100000000", "--memory", "8G", "--json"], more];
        sakmak_with(directory.path(), &arguments.concat()).json()
    };
    let (solved, packed) = (plan(&[]), plan(&["--packed"]));
    let number = |plan: &serde_json::Value, name: &str| plan[name].as_u64().unwrap();
    assert!(number(&packed, "disk") < number(&solved, "disk") / 2);
    assert!(number(&packed, "disk") < 6 << 30);
    let stages = packed["stages"].as_array().unwrap();
    let sum = |name: &str| stages.iter().map(|stage| stage[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!((stages.len(), sum("tables"), sum("slots")), (3, 145, number(&packed, "slots")));
    let most = |name: &str| stages.iter().map(|stage| stage[name].as_u64().unwrap()).max();
    assert_eq!(most("disk"), packed["disk"].as_u64());
    assert_eq!(most("memory"), packed["memory"].as_u64());
    let text = ["plan", "5", "--packed", "--rate", "100000000"];
    let text = sakmak_with(directory.path(), &text).printed();
    assert!(text.contains("men  tables"), "{text}");
}

#[test]
fn census_files_stand_in_for_solved_tables() {
    let solved = generated(&["KSMvK", "KNvKM", "KNvKM.makruk"]);
    let packed = directory();
    let names = ["KSMvK", "KNvKM", "KNvKM.makruk"];
    let generate = [&["generate", "--packed", "--census"], &names[..]].concat();
    sakmak_with(packed.path(), &generate).printed();
    let census = packed.path().join("KSMvK.dtm.census.json");
    let stats = |tables: &std::path::Path| {
        sakmak_with(tables, &["stats", "KSMvK", "KNvKM", "--json"]).printed()
    };
    assert_eq!(stats(packed.path()), stats(solved.path()));
    let atlas = directory();
    sakmak(["report".as_ref(), "--tables".as_ref(), packed.path(), "-o".as_ref(), atlas.path()])
        .printed();
    let page = std::fs::read_to_string(atlas.path().join("KSMvK.html")).unwrap();
    assert!(page.contains("Longest wins"));
    std::fs::write(&census, "{}").unwrap();
    let run = sakmak_with(packed.path(), &["stats", "KSMvK"]);
    let error = run.complaint(1);
    assert!(error.contains("KSMvK.dtm.census.json") && error.contains("--census"), "{error}");
}

/// What an earlier run left in the scratch folder is named, removed and made again if it is damaged.
#[test]
fn damaged_scratch_files_are_removed_and_made_again() {
    let arguments = ["generate", "KMMvK", "--packed"];
    let expected = packed(&["KMMvK"]);
    let solved = generated(&["KRvK", "KMvK"]);
    let whole = std::fs::read(solved.path().join("KMvK.dtm.smt")).unwrap();
    let flipped = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        bytes
    };
    let length = whole.len();
    for (damage, bytes) in [
        ("empty", Vec::new()),
        ("cut", whole[..length / 2].to_vec()),
        ("cut at its end", whole[..length - 1].to_vec()),
        ("longer", [&whole[..], &whole[..9]].concat()),
        ("header", flipped(9)),
        ("early block", flipped(length / 5)),
        ("block", flipped(length / 2)),
        ("late block", flipped(length - 100)),
        ("end", flipped(length - 1)),
        ("other bytes", vec![0x5a; length]),
        ("other table", std::fs::read(solved.path().join("KRvK.dtm.smt")).unwrap()),
    ] {
        let tables = directory();
        let scratch = tables.path().join(".scratch");
        std::fs::create_dir(&scratch).unwrap();
        std::fs::write(scratch.join("KMvK.dtm.smt"), bytes).unwrap();
        let printed = sakmak_with(tables.path(), &arguments).printed();
        let line = "KMvK: the solved file left by an earlier run is removed and made again: ";
        // A checksum of the whole file is read by 'verify' only.
        assert!(printed.contains(line) || damage == "end", "{damage}: {printed}");
        assert!(printed.contains("KMvK.dtm.smt") || damage == "end", "{damage}: {printed}");
        assert!(files(tables.path()) == expected, "{damage}");
        assert!(!scratch.exists(), "{damage}");
    }
    // The same with the codes read from disk, and a plan, which removes nothing.
    let tables = directory();
    let scratch = tables.path().join(".scratch");
    std::fs::create_dir(&scratch).unwrap();
    std::fs::write(scratch.join("KMvK.dtm.smt"), flipped(length / 2)).unwrap();
    let plan = [&["plan"], &arguments[1..], &["--rate", "1000000"]].concat();
    sakmak_with(tables.path(), &plan).printed();
    assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 1);
    sakmak_with(tables.path(), &[&arguments[..], &["--spill"]].concat()).printed();
    assert!(files(tables.path()) == expected);
    // A damaged file among the tables themselves is not removed.
    let path = tables.path().join("KMvK.dtm.smt");
    std::fs::write(&path, flipped(length / 2)).unwrap();
    std::fs::remove_file(tables.path().join("KMMvK.dtm.smp")).unwrap();
    let run = sakmak_with(tables.path(), &arguments);
    assert!(run.complaint(1).contains("KMvK.dtm.smt"), "{run:?}");
    assert!(path.exists());
}
