//! Verification: again, resumed after an interruption, and by samples.

use crate::forged::changed;
use crate::sakmak::{ProgramRun, command, directory, ended, files, generated, sakmak, sakmak_with};
use sakmak_make::output::solved::{WriteOptions, write};
use sakmak_make::store::TableStore;
use sakmak_tables::format::name::TableName;
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Values;
use sakmak_tables::values::table::Table;
use sakmak_tables::variants::MAKRUK;
use std::collections::BTreeSet;
use std::path::Path;
use tempfile::TempDir;

/// The file of the records in a user's state directory.
const RECORD: &str = "sakmak/verified.txt";

/// Verifies a directory as the user with this state directory.
fn verified_as(user: &Path, tables: &Path, options: &[&str]) -> ProgramRun {
    let mut command = command(["verify".as_ref(), "--tables".as_ref(), tables]);
    command.args(options).env("XDG_STATE_HOME", user);
    ended(command)
}

/// The materials verified in this run, and those verified before.
#[track_caller]
fn verified(user: &TempDir, tables: &Path, options: &[&str]) -> (Vec<String>, Vec<String>) {
    let printed = verified_as(user.path(), tables, options).printed();
    let (before, now): (Vec<&str>, _) = printed
        .lines()
        .filter(|line| !line.contains("by your records"))
        .partition(|line| line.contains("verified before"));
    // What is taken from the record is not told as if it had been found now.
    let told = printed.contains(" verified before, by your records\n");
    assert_eq!(told, !before.is_empty(), "{printed}");
    let names = |lines: Vec<&str>| -> Vec<String> {
        lines.iter().map(|line| line.split(' ').next().unwrap_or_default().to_string()).collect()
    };
    (names(now), names(before))
}

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn a_run_goes_on_behind_the_last_table_put_down() {
    let (tables, user) = (generated(&["KRvK", "KPvK", "KNvK"]), directory());
    let tables = tables.path();
    let all = ["KRvK", "KNvK", "KMvK", "KPvK"];
    let written = files(tables);
    let (now, before) = verified(&user, tables, &[]);
    assert_eq!((now, before.len()), (strings(&all), 0));
    let path = user.path().join(RECORD);
    let record = || std::fs::read_to_string(&path).unwrap();
    let text = record();

    let (now, before) = verified(&user, tables, &[]);
    assert_eq!((now.len(), before), (0, strings(&all)));
    let (now, before) = verified(&user, tables, &["--again"]);
    assert_eq!((now.len(), before.len()), (4, 0));
    assert_eq!(record(), text);

    // The record of a run that was interrupted after the second table.
    let done = |line: &&str| ["verifier ", "KRvK ", "KNvK "].iter().any(|of| line.starts_with(of));
    let stopped: String = text.lines().filter(done).map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, stopped).unwrap();
    let (now, before) = verified(&user, tables, &[]);
    assert_eq!((now, before), (strings(&all[2..]), strings(&all[..2])));
    assert_eq!(record(), text);

    // A record that is cut short is not believed.
    std::fs::write(&path, &text[..text.len() / 2]).unwrap();
    assert!(!verified(&user, tables, &[]).0.is_empty());
    assert_eq!(files(tables), written);
}

#[test]
fn a_record_counts_for_its_user_and_none_that_came_with_tables() {
    let [tables, me, other] = [generated(&["KRvK"]), directory(), directory()];
    let names = strings(&["KRvK"]);
    assert_eq!(verified(&other, tables.path(), &[]), (names.clone(), Vec::new()));
    assert_eq!(verified(&me, tables.path(), &[]), (names.clone(), Vec::new()));
    assert_eq!(verified(&me, tables.path(), &[]), (Vec::new(), names.clone()));
    // The same file in another directory.
    let copies = generated(&["KRvK"]);
    assert_eq!(verified(&me, copies.path(), &[]), (Vec::new(), names));

    // A wrong table with right checksums, and records beside it that say that it was verified.
    let name: TableName = "KRvK".parse().unwrap();
    let table = TableStore::in_memory(&MAKRUK.rules).table(name).unwrap();
    let wrong = (0..table.index().slots()).step_by(8).fold((*table).clone(), |table, slot| {
        changed(&table, Address { side: Side::White, slot: Slot(slot) }, |code| (code + 1) % 8)
    });
    write(&wrong, &MAKRUK.rules, tables.path(), &WriteOptions::default()).unwrap();
    let store = TableStore::new(&MAKRUK.rules, tables.path());
    let checksum = store.file(name).unwrap().unwrap().checksum();
    let forged = format!("verifier 1\nKRvK {checksum:016x}\n");
    for place in ["verified.txt", RECORD, ".local/state/sakmak/verified.txt"] {
        let path = tables.path().join(place);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &forged).unwrap();
    }
    let run = verified_as(me.path(), tables.path(), &[]);
    assert!(run.refusal(1).starts_with("KRvK: "), "{run:?}");
}

#[test]
fn without_a_state_directory_nothing_is_recorded() {
    let tables = generated(&["KRvK"]);
    let file = tables.path().join("KRvK.dtm.smt");
    for _ in 0..2 {
        let run = verified_as(&file, tables.path(), &[]);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.starts_with("KRvK     every value correct, "), "{run:?}");
        assert!(run.complaint(0).ends_with("; verification continues without records"));
    }
    assert_eq!(files(tables.path()).len(), 1);
}

/// Each verifies other tables and records them.
#[test]
fn several_processes_lose_no_record() {
    let (tables, user) = (generated(&["KRvK", "KPvK", "KNvK", "KSvK"]), directory());
    let children = ["KRvK", "KPvK", "KNvK", "KSvK"].map(|name| {
        let mut command = command(["verify", name, "--tables"]);
        command.arg(tables.path()).env("XDG_STATE_HOME", user.path());
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    });
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let (now, before) = verified(&user, tables.path(), &["KRvK", "KPvK", "KNvK", "KSvK"]);
    assert_eq!((now.len(), before.len()), (0, 4));
}

#[test]
fn a_changed_table_and_those_that_lead_to_it_are_verified_anew() {
    let (tables, user) = (generated(&["KRvK", "KPvK"]), directory());
    let directory = tables.path();
    verified(&user, directory, &[]);
    // The same values in another file.
    let met = TableStore::in_memory(&MAKRUK.rules).table("KMvK".parse().unwrap()).unwrap();
    let usual = WriteOptions::default();
    let options = WriteOptions { block_codes: 2 * usual.block_codes, ..usual };
    write(&*met, &MAKRUK.rules, directory, &options).unwrap();
    let (now, before) = verified(&user, directory, &[]);
    assert_eq!((now, before), (strings(&["KMvK", "KPvK"]), strings(&["KRvK"])));

    // Changed bytes with an unchanged checksum are found.
    let path = directory.join("KRvK.dtm.smt");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let run = verified_as(user.path(), directory, &[]);
    assert!(run.refusal(1).contains(path.to_str().unwrap()));
}

#[test]
fn counted_tables_are_verified_after_those_they_lead_to() {
    let (tables, user) = (generated(&["KPvK.ouk", "KRvKP.makruk"]), directory());
    let directory = tables.path();
    let mate = ["KRvK", "KMvK", "KPvK", "KRvKM", "KRvKP"];
    let counted = ["KPvK.makruk", "KPvK.ouk", "KRvKM.makruk", "KRvKP.makruk"];
    let names = [&mate[..], &counted].concat();
    let (now, _) = verified(&user, directory, &[]);
    assert_eq!(
        now.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        names.iter().copied().collect()
    );
    let place = |name: &str| now.iter().position(|other| other == name);
    assert!(place("KMvK") < place("KPvK.ouk") && place("KRvKM.makruk") < place("KRvKP.makruk"));
    let (again, before) = verified(&user, directory, &[]);
    assert_eq!((again.len(), before.len()), (0, names.len()));
    let (sampled, _) = verified(&user, directory, &["--sample", "500"]);
    assert_eq!(sampled, now);

    // Every eighth value of Black, the runner, is wrong.
    let name: TableName = "KRvKP.makruk".parse().unwrap();
    let table = TableStore::in_memory(&MAKRUK.rules).table(name).unwrap();
    let [white, black] = Side::BOTH.map(|side| table.values(side).unwrap());
    let mut codes = black.codes().to_vec();
    codes.iter_mut().step_by(8).for_each(|code| *code = (*code + 1) % 8);
    let black = Values::new(black.coding(), codes);
    let wrong = Table::new(table.index().clone(), white.clone(), Some(black));
    let options = WriteOptions { metric: name.metric, ..WriteOptions::default() };
    write(&wrong, &MAKRUK.rules, directory, &options).unwrap();
    for sample in [&[][..], &["--sample", "300"]] {
        let run = sakmak_with(directory, &[&["verify", "KRvKP.makruk"], sample].concat());
        assert!(run.refusal(1).starts_with("KRvKP.makruk: "), "{run:?}");
        assert!(run.refusal(1).contains(", but its successors give "), "{run:?}");
    }
}

#[test]
fn a_sample_is_counted_the_same_every_time_and_writes_nothing() {
    let directory = generated(&["KRvKM"]);
    let before = files(directory.path());
    let sample = |seed: &str, name: &str| {
        let arguments = ["verify", name, "--sample", "3000", "--seed", seed];
        sakmak_with(directory.path(), &arguments).printed()
    };
    assert_eq!(sample("7", "KRvKM"), "KRvKM    3000 random positions correct, seed 7\n");
    assert_eq!(sample("7", "KRvKM"), sample("7", "KRvKM"));
    let all = sample("0", "4");
    assert_eq!(all.lines().count(), 3);
    assert_eq!(files(directory.path()), before);
}

#[test]
fn a_sample_finds_wrong_values_it_meets() {
    let table = TableStore::in_memory(&MAKRUK.rules).table("KRvK".parse().unwrap()).unwrap();
    // Every eighth value is wrong, whichever side a packed file keeps.
    let wrong = (0..table.index().slots()).step_by(8).fold((*table).clone(), |table, slot| {
        Side::BOTH.into_iter().fold(table, |table, side| {
            changed(&table, Address { side, slot: Slot(slot) }, |code| (code + 1) % 8)
        })
    });
    let directory = directory();
    write(&wrong, &MAKRUK.rules, directory.path(), &WriteOptions::default()).unwrap();
    let run = sakmak_with(directory.path(), &["verify", "KRvK", "--sample", "200"]);
    assert!(run.refusal(1).contains(", but its successors give "));
    let again = sakmak_with(directory.path(), &["verify", "KRvK", "--sample", "200"]);
    assert_eq!(again.refusal(1), run.refusal(1));
    // The same values in a packed file, from which each block is decoded once.
    sakmak_with(directory.path(), &["pack", "KRvK"]).printed();
    std::fs::remove_file(directory.path().join("KRvK.dtm.smt")).unwrap();
    let packed = sakmak_with(directory.path(), &["verify", "KRvK", "--sample", "200"]);
    assert!(packed.refusal(1).contains(", but its successors give "), "{packed:?}");
    // A solved file with the right values does not stand in for the packed one.
    write(&*table, &MAKRUK.rules, directory.path(), &WriteOptions::default()).unwrap();
    let both = sakmak_with(directory.path(), &["verify", "KRvK", "--sample", "200"]);
    assert_eq!(both.stderr, packed.stderr);
    assert_eq!(both.stdout, "KRvK     200 random positions correct, seed 0\n");
    // A seed needs a sample.
    let run = sakmak_with(directory.path(), &["verify", "KRvK", "--seed", "1"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_directory_need_not_be_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let tables = generated(&["KNvK"]);
    let link = tables.path().with_extension(OsStr::from_bytes(b"\xe0\xb8"));
    std::os::unix::fs::symlink(tables.path(), &link).unwrap();
    let run = sakmak([OsStr::new("verify"), OsStr::new("--tables"), link.as_os_str()]);
    std::fs::remove_file(&link).unwrap();
    assert!(run.printed().starts_with("KNvK "));
    sakmak([OsStr::new("verify"), OsStr::new("--tables"), link.as_os_str()]).refusal(2);
}
