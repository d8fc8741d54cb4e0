//! `sakmak wdl`, and `sakmak verify` of what it makes.

use crate::sakmak::{sakmak, sakmak_with};

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
fn wrong_categories_behind_a_right_checksum_are_found() {
    let directory = tempfile::tempdir().unwrap();
    sakmak_with(directory.path(), &["generate", "KRvK"]).printed();
    sakmak(["wdl".as_ref(), "--tables".as_ref(), directory.path()]).printed();
    let path = directory.path().join("KRvK.makruk.smv");
    let mut bytes = std::fs::read(&path).unwrap();
    let covered = bytes.len() - 8;
    // A bit of the last pattern words or runs of the side that moves last.
    let mut found = 0;
    for at in (covered - 400..covered).step_by(40) {
        bytes[at] ^= 1;
        let checksum = xxhash_rust::xxh3::xxh3_64(&bytes[..covered]).to_le_bytes();
        bytes[covered..].copy_from_slice(&checksum);
        std::fs::write(&path, &bytes).unwrap();
        let run = sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]);
        found += u32::from(run.code == Some(1) && run.stderr.contains("KRvK.makruk.smv"));
        bytes[at] ^= 1;
    }
    // Some bits concern illegal positions only.
    assert!(found > 2, "{found}");
}

#[test]
fn a_directory_without_tables_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let run = sakmak(["wdl".as_ref(), "--tables".as_ref(), directory.path()]);
    assert!(run.refusal(1).contains("no tables in"));
}
