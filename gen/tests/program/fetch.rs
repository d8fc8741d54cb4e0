//! A published set of tables.

use crate::sakmak::{directory, sakmak, sakmak_with};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The names in a directory, in order.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Lists the files of a folder that is to be published.
fn list(title: &str, folder: &Path) {
    let lists = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/release/lists.py");
    let listed = Command::new("python3").args([lists, title]).arg(folder).output().unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
}

#[test]
fn the_set_for_engines_is_fetched_whole_or_by_material() {
    let place = directory();
    let [set, tables, some] = ["set", "tables", "some"].map(|name| place.path().join(name));
    sakmak_with(&set, &["generate", "KRvKM", "KMvKM", "--engine-set"]).printed();
    let made = names(&set);
    // Mates in time are no part of it, nor is a table that another one decides.
    assert!(
        made.contains(&"KRvKM.dtm.smp".to_string())
            && made.contains(&"KRvKM.makruk.smp".to_string())
    );
    assert!(made.iter().all(|name| name.ends_with(".smp") || name.ends_with(".smv")), "{made:?}");
    list("three men", &set);
    let fetch = |into: &Path, materials: &[&str]| {
        let source = set.to_str().unwrap();
        sakmak_with(into, &[&["fetch", source], materials].concat())
    };
    let all = format!("{} files fetched, ", made.len());
    assert!(fetch(&tables, &[]).printed().starts_with(&all));
    assert_eq!(names(&tables), made);
    assert!(fetch(&tables, &[]).printed().starts_with("0 files fetched, 0 B; "));
    sakmak_with(&tables, &["verify"]).printed();
    // A material comes with what its look-ups need, and nothing else.
    fetch(&some, &["KRvKM"]).printed();
    let wanted: Vec<String> =
        made.iter().filter(|name| !name.starts_with("KMvKM")).cloned().collect();
    assert_eq!(names(&some), wanted);
    let error = fetch(&some, &["KNvKN"]).refusal(2).to_string();
    assert!(error.contains("no table of KNvKN of makruk in 'three men'"), "{error}");
    // Never over another file.
    fs::write(some.join("KRvKM.dtm.smp"), "mine").unwrap();
    let error = fetch(&some, &[]).refusal(1).to_string();
    assert!(error.contains("KRvKM.dtm.smp exists and differs"), "{error}");
    assert_eq!(fs::read(some.join("KRvKM.dtm.smp")).unwrap(), b"mine");
    let nothing = place.path().join("nothing");
    let error = sakmak(["fetch", nothing.to_str().unwrap()]).refusal(1).to_string();
    assert!(error.contains("set.json"), "{error}");
}

#[test]
fn materials_are_those_of_a_variant() {
    let place = directory();
    let [set, some] = ["set", "some"].map(|name| place.path().join(name));
    let asean = ["KPvK", "--variant", "asean"];
    sakmak_with(&set, &[&["generate", "--packed"][..], &asean].concat()).printed();
    list("a set", &set);
    let fetch = |materials: &[&str]| {
        sakmak_with(&some, &[&["fetch", set.to_str().unwrap()], materials].concat())
    };
    let error = fetch(&["KPvK"]).refusal(2).to_string();
    assert!(error.contains("no table of KPvK of makruk in 'a set'"), "{error}");
    // A pawn becomes any of four pieces there.
    fetch(&asean).printed();
    assert_eq!(names(&some.join("asean")), names(&set.join("asean")));
    assert_eq!(names(&some.join("asean")).len(), 5);
}

#[test]
fn lists_leave_out_themselves_and_no_other_file() {
    let folder = directory();
    let inner = folder.path().join("three-men");
    fs::create_dir(&inner).unwrap();
    list("three men", &inner);
    list("all", folder.path());
    list("all", folder.path());
    let sums = fs::read_to_string(folder.path().join("SHA256SUMS")).unwrap();
    let listed = |name: &str| sums.lines().any(|line| line.ends_with(&format!("  {name}")));
    assert!(listed("three-men/SHA256SUMS") && listed("three-men/set.json"), "{sums}");
    assert!(!listed("SHA256SUMS") && !listed("set.json"), "{sums}");
}
