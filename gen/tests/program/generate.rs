//! Making tables: which are made, which are skipped, and the same bytes every time.

use crate::sakmak::{command, directory, ended, files, sakmak, sakmak_with};
use sakmak_tables::material::Material;
use sakmak_tables::variants::MAKRUK;

#[test]
fn materials_come_with_all_they_lead_to() {
    let directory = directory();
    // The directory is created.
    let tables = directory.path().join("new/tables");
    let printed = sakmak_with(&tables, &["generate", "KPvK", "KRvK", "KMvK"]).printed();
    let said: Vec<&str> = printed.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(said, ["3", "KRvK", "KMvK", "KPvK", "3", "time:", "summed:"]);
    let names: Vec<String> = files(&tables).into_keys().collect();
    assert_eq!(names, ["KMvK.dtm.smt", "KPvK.dtm.smt", "KRvK.dtm.smt"]);
    sakmak(["verify".as_ref(), "--tables".as_ref(), &*tables]).printed();
}

#[test]
fn a_number_of_men_is_all_materials_up_to_it() {
    let directory = directory();
    sakmak_with(directory.path(), &["generate", "3"]).printed();
    let names = Material::all_of(3).into_iter().map(|material| format!("{material}.dtm.smt"));
    assert!(
        files(directory.path()).into_keys().eq(names.collect::<std::collections::BTreeSet<_>>())
    );
}

#[test]
fn either_game_makes_and_reads_the_same_files() {
    let directory = directory();
    let other = crate::sakmak::directory();
    sakmak_with(directory.path(), &["generate", "KPvK", "--variant", "ouk"]).printed();
    sakmak_with(other.path(), &["generate", "KPvK"]).printed();
    assert_eq!(files(directory.path()), files(other.path()));
    sakmak_with(directory.path(), &["verify", "KPvK", "--variant", "ouk"]).printed();
}

/// Together all kinds of pieces, on one side and on both.
const SOME: [&str; 3] = ["KRvKP", "KNPvK", "KSvKM"];

#[test]
fn threads_do_not_change_a_byte_and_finished_tables_stay() {
    let [one, two] = [1, 2].map(|threads: u16| {
        let directory = directory();
        let mut command = command([&["generate"], &SOME[..]].concat());
        command.arg("--threads").arg(threads.to_string()).arg("--tables").arg(directory.path());
        ended(command).printed();
        directory
    });
    let made = files(one.path());
    let needed = Material::closure(SOME.map(|name| name.parse().unwrap()), &MAKRUK.rules);
    assert_eq!(made.len(), needed.len());
    assert!(made == files(two.path()), "the bytes of one thread and two");

    let times = |path: &std::path::Path| -> Vec<std::time::SystemTime> {
        let entries = path.read_dir().unwrap().map(|entry| entry.unwrap().metadata().unwrap());
        entries.map(|metadata| metadata.modified().unwrap()).collect()
    };
    let before = times(one.path());
    let printed = sakmak_with(one.path(), &[&["generate"], &SOME[..]].concat()).printed();
    assert!(printed.starts_with("0 tables made (0 B), "), "{printed}");
    assert!(printed.contains(&format!(" {} existed", needed.len())), "{printed}");
    assert_eq!(printed.lines().count(), 1);
    assert_eq!(times(one.path()), before);
    assert!(made == files(one.path()), "the bytes after a second run");

    // A deleted table is made again with the same bytes.
    std::fs::remove_file(one.path().join("KNMvK.dtm.smt")).unwrap();
    let printed = sakmak_with(one.path(), &[&["generate"], &SOME[..]].concat()).printed();
    assert!(
        printed.starts_with("1 table to make: ") && printed.contains("1 table made"),
        "{printed}"
    );
    assert!(made == files(one.path()), "the bytes of a table made again");
}
