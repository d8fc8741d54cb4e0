//! Disks that are full and directories that cannot be written to.

use crate::sakmak::{directory, files, sakmak, sakmak_with};

#[test]
fn a_directory_under_a_file_is_refused() {
    let directory = directory();
    let file = directory.path().join("file");
    std::fs::write(&file, "no directory").unwrap();
    for tables in [file.join("x"), file.clone()] {
        let run = sakmak_with(&tables, &["generate", "KRvK"]);
        let message = run.refusal(1);
        assert!(message.contains("cannot write tables to"), "{message}");
        assert!(message.contains(tables.to_str().unwrap()), "{message}");
    }
    assert_eq!(files(directory.path()).len(), 1);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "no directory");
}

#[cfg(unix)]
#[test]
fn a_directory_without_the_right_to_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let directory = directory();
    std::fs::set_permissions(directory.path(), PermissionsExt::from_mode(0o555)).unwrap();
    if std::fs::write(directory.path().join("trial"), "").is_ok() {
        return; // Some users may write anywhere.
    }
    let run = sakmak_with(directory.path(), &["generate", "KRvK"]);
    assert!(run.refusal(1).contains("cannot write tables to"), "{run:?}");
    assert!(files(directory.path()).is_empty());
}

/// A limit on the length of files stands for a full disk: a write past it fails.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_finished_tables_and_nothing_else() {
    use crate::sakmak::ended;
    use std::process::Command;

    let directory = directory();
    // Blocks of 512 or 1024 bytes, as the shell likes: more than KRvK takes and less than
    // KRNvK.
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_sakmak"), "generate", "KRNvK"]);
    command.arg("--tables").arg(directory.path());
    let run = ended(command);
    let message = run.complaint(1);
    let name = directory.path().join("KRNvK.dtm.smt");
    assert!(message.starts_with(&format!("cannot write {}: ", name.display())), "{message}");
    // What was finished was said and is there; of what was not, nothing.
    let said: Vec<&str> = run.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(said, ["KRvK", "KNvK"]);
    let left = files(directory.path());
    assert_eq!(left.keys().collect::<Vec<_>>(), ["KNvK.dtm.smt", "KRvK.dtm.smt"]);
    sakmak(["verify".as_ref(), directory.path()]).printed();
    // With room again the rest is made.
    sakmak_with(directory.path(), &["generate", "KRNvK"]).printed();
    let left = files(directory.path());
    let expected = ["KNvK.dtm.smt", "KRNvK.dtm.smt", "KRvK.dtm.smt", "verified.txt"];
    assert_eq!(left.keys().collect::<Vec<_>>(), expected);
}
