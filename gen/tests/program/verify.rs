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

const RECORD: &str = "verified.txt";

/// The materials verified in this run, and those verified before.
#[track_caller]
fn verified(directory: &Path, options: &[&str]) -> (Vec<String>, Vec<String>) {
    let tables = directory.to_str().unwrap();
    let printed = sakmak([&["verify", "--tables", tables], options].concat()).printed();
    let (before, now): (Vec<&str>, _) = printed
        .lines()
        .filter(|line| !line.contains(RECORD))
        .partition(|line| line.contains("verified before"));
    // What is taken from the record is not told as if it had been found now.
    let warned = printed.contains("before, by your records in verified.txt\n");
    assert_eq!(warned, !before.is_empty(), "{printed}");
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
    let directory = generated(&["KRvK", "KPvK", "KNvK"]);
    let directory = directory.path();
    let all = ["KRvK", "KNvK", "KMvK", "KPvK"];
    let (now, before) = verified(directory, &[]);
    assert_eq!((now, before.len()), (strings(&all), 0));
    let record = files(directory)[RECORD].clone();

    let (now, before) = verified(directory, &[]);
    assert_eq!((now.len(), before), (0, strings(&all)));
    let (now, before) = verified(directory, &["--again"]);
    assert_eq!((now.len(), before.len()), (4, 0));
    assert_eq!(files(directory)[RECORD], record);

    // The record of a run that was interrupted after the second table.
    let text = String::from_utf8(record.clone()).unwrap();
    let stopped: String = text.lines().take(6).map(|line| format!("{line}\n")).collect();
    std::fs::write(directory.join(RECORD), stopped).unwrap();
    let (now, before) = verified(directory, &[]);
    assert_eq!((now, before), (strings(&all[2..]), strings(&all[..2])));
    assert_eq!(files(directory)[RECORD], record);

    // A malformed record is ignored.
    std::fs::write(directory.join(RECORD), &record[..record.len() / 2]).unwrap();
    assert_eq!(verified(directory, &[]).0.len(), 4);
}

/// Verifies a directory as another user, with a state directory of this name.
fn verified_as(user: &Path, tables: &Path) -> ProgramRun {
    let mut command = command(["verify".as_ref(), "--tables".as_ref(), tables]);
    command.env("XDG_STATE_HOME", user);
    ended(command)
}

const NOT_YOURS: &str =
    "verified.txt has records that are not yours: their tables are verified again\n";

#[test]
fn a_record_that_came_with_a_table_is_not_believed() {
    let [tables, me, other] = [generated(&["KRvK"]), directory(), directory()];
    let verified_by = |user: &TempDir| verified_as(user.path(), tables.path()).printed();
    assert!(verified_by(&other).starts_with("KRvK     every value right, "));
    let again = verified_by(&me);
    assert!(again.starts_with(&format!("{NOT_YOURS}KRvK     every value right, ")), "{again}");
    assert!(verified_by(&me).starts_with("KRvK     every value verified before, "));

    // A wrong table with right checksums, and records that say that it was verified.
    let name: TableName = "KRvK".parse().unwrap();
    let table = TableStore::in_memory(&MAKRUK.rules).table(name).unwrap();
    let wrong = (0..table.index().slots()).step_by(8).fold((*table).clone(), |table, slot| {
        changed(&table, Address { side: Side::White, slot: Slot(slot) }, |code| (code + 1) % 8)
    });
    write(&wrong, &MAKRUK.rules, tables.path(), &WriteOptions::default()).unwrap();
    let store = TableStore::new(&MAKRUK.rules, tables.path());
    let checksum = store.file(name).unwrap().unwrap().checksum();
    let record = std::fs::read_to_string(tables.path().join(RECORD)).unwrap();
    let line = record.lines().last().unwrap();
    let (evidence, code) = line.split_once(" by ").unwrap();
    for code in ["", &format!(" by {code}"), &format!(" by {}", "0".repeat(code.len()))] {
        let forged = record.replace(line, &format!("KRvK {checksum:016x}{code}"));
        assert!(evidence.len() == "KRvK ".len() + 16 && forged != record);
        std::fs::write(tables.path().join(RECORD), &forged).unwrap();
        let run = verified_as(me.path(), tables.path());
        assert!(run.complaint(1).starts_with("KRvK: "), "{run:?}");
        assert_eq!(run.stdout, NOT_YOURS);
    }
}

#[test]
fn without_a_key_nothing_is_believed_or_recorded() {
    let tables = generated(&["KRvK"]);
    let file = tables.path().join("KRvK.dtm.smt");
    for _ in 0..2 {
        let run = verified_as(&file, tables.path());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.starts_with("KRvK     every value right, "), "{run:?}");
        assert!(run.complaint(0).ends_with("; verification continues without verified.txt"));
    }
    assert!(!tables.path().join(RECORD).exists());
}

#[test]
fn a_changed_table_and_those_that_lead_to_it_are_verified_anew() {
    let directory = generated(&["KRvK", "KPvK"]);
    let directory = directory.path();
    verified(directory, &[]);
    // The same values in another file.
    let met = TableStore::in_memory(&MAKRUK.rules).table("KMvK".parse().unwrap()).unwrap();
    let usual = WriteOptions::default();
    let options = WriteOptions { block_codes: 2 * usual.block_codes, ..usual };
    write(&*met, &MAKRUK.rules, directory, &options).unwrap();
    let (now, before) = verified(directory, &[]);
    assert_eq!((now, before), (strings(&["KMvK", "KPvK"]), strings(&["KRvK"])));

    // Changed bytes with an unchanged checksum are found.
    let path = directory.join("KRvK.dtm.smt");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let run = sakmak(["verify".as_ref(), "--tables".as_ref(), directory]);
    assert!(run.refusal(1).contains(path.to_str().unwrap()));
}

#[test]
fn counted_tables_are_verified_after_those_they_lead_to() {
    let directory = generated(&["KPvK.ouk", "KRvKP.makruk"]);
    let directory = directory.path();
    let mate = ["KRvK", "KMvK", "KPvK", "KRvKM", "KRvKP"];
    let counted = ["KPvK.makruk", "KPvK.ouk", "KRvKM.makruk", "KRvKP.makruk"];
    let names = [&mate[..], &counted].concat();
    let (now, _) = verified(directory, &[]);
    assert_eq!(
        now.iter().map(String::as_str).collect::<BTreeSet<_>>(),
        names.iter().copied().collect()
    );
    let place = |name: &str| now.iter().position(|other| other == name);
    assert!(place("KMvK") < place("KPvK.ouk") && place("KRvKM.makruk") < place("KRvKP.makruk"));
    let (again, before) = verified(directory, &[]);
    assert_eq!((again.len(), before.len()), (0, names.len()));
    let (sampled, _) = verified(directory, &["--sample", "500"]);
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
    assert_eq!(sample("7", "KRvKM"), "KRvKM    3000 random positions right, seed 7\n");
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
    assert_eq!(both.stdout, "KRvK     200 random positions right, seed 0\n");
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
