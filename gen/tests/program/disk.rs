//! Disks that are full and directories that cannot be written to.

use crate::sakmak::{directory, files, sakmak, sakmak_with};

#[test]
fn a_directory_under_a_file_is_refused() {
    let directory = directory();
    let file = directory.path().join("file");
    std::fs::write(&file, "no directory").unwrap();
    for tables in [file.join("x"), file.clone()] {
        let run = sakmak_with(&tables, &["generate", "KRvK"]);
        let message = run.refusal(2);
        assert!(message.starts_with("cannot read the directory of tables "), "{message}");
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

/// The exit code of a failed write past the limit of file sizes: 128 + SIGXFSZ.
#[cfg(unix)]
const FILE_SIZE: i32 = 128 + 25;

/// A limit on the length of files stands for a full disk: a write past it fails.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_finished_tables_and_nothing_else() {
    use crate::sakmak::ended;
    use std::process::Command;

    let directory = directory();
    // Blocks of 512 or 1024 bytes, as the shell likes: more than KRvK takes and less than
    // KRNvK.
    let script = "ulimit -f 100; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_sakmak"), "generate", "KRNvK"]);
    command.arg("--tables").arg(directory.path());
    let run = ended(command);
    let message = run.complaint(FILE_SIZE);
    let name = directory.path().join("KRNvK.dtm.smt");
    assert!(message.starts_with(&format!("cannot write {}: ", name.display())), "{message}");
    // Finished tables are reported and exist; unfinished ones leave no file.
    let said: Vec<&str> = run.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(said, ["3", "KRvK", "KNvK"]);
    let left = files(directory.path());
    assert_eq!(left.keys().collect::<Vec<_>>(), ["KNvK.dtm.smt", "KRvK.dtm.smt"]);
    sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]).printed();
    // With enough room the rest is made.
    sakmak_with(directory.path(), &["generate", "KRNvK"]).printed();
    let left = files(directory.path());
    let expected = ["KNvK.dtm.smt", "KRNvK.dtm.smt", "KRvK.dtm.smt"];
    assert_eq!(left.keys().collect::<Vec<_>>(), expected);
}

/// The same while layers are written to disk, before the file of the table exists.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_with_layers_names_the_table() {
    use crate::sakmak::{ended, generated};
    use std::process::Command;

    let directory = generated(&["KRvK", "KNvK"]);
    let before = files(directory.path());
    let script = "ulimit -f 100; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_sakmak"), "generate", "KRNvK"]);
    command.arg("--spill").arg("--tables").arg(directory.path());
    let run = ended(command);
    let message = run.complaint(FILE_SIZE);
    let place = directory.path().display();
    let expected = format!("cannot make KRNvK in {place}: not enough memory or disk to solve: ");
    assert!(message.starts_with(&expected), "{message}");
    assert_eq!(files(directory.path()), before);
}

/// The directory is moved away while tables are made. Permissions do not stop a privileged user, so
/// a file takes its place, or nothing does.
#[cfg(unix)]
#[test]
#[ignore = "long: part of the full tests"]
fn a_directory_that_can_no_longer_be_used_is_named_with_the_table() {
    use crate::sakmak::command;
    use std::process::Stdio;

    for is_replaced in [true, false] {
        let place = directory();
        let (tables, away) = (place.path().join("tables"), place.path().join("away"));
        let mut command = command(["generate", "4"]);
        command.arg("--tables").arg(&tables).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        while !tables.join("KSvK.dtm.smt").exists() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        std::fs::rename(&tables, &away).unwrap();
        if is_replaced {
            std::fs::write(&tables, "").unwrap();
        }
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{message}");
        assert!(message.starts_with("sakmak: cannot "), "{message}");
        assert!(message.contains("K") && message.contains(tables.to_str().unwrap()), "{message}");
        // Finished tables are right, and the same command resumes.
        if is_replaced {
            std::fs::remove_file(&tables).unwrap();
        }
        std::fs::rename(&away, &tables).unwrap();
        sakmak_with(&tables, &["generate", "3"]).printed();
        let left = files(&tables);
        assert!(left.keys().all(|name| !name.starts_with('.')), "{:?}", left.keys());
        sakmak(["verify".as_ref(), "--tables".as_ref(), &*tables]).printed();
    }
}

/// The plan tells the most disk that is needed, and `generate` begins only if there is as much.
#[test]
fn what_does_not_fit_on_the_disk_is_refused_whatever_its_name() {
    let place = directory();
    for arguments in [
        &["KRvKN"][..],
        &["KRvKN.makruk"],
        &["KRvKN.makruk-mate"],
        &["KRvKN", "--counting", "ouk"],
        &["KRvKN", "--packed"],
        &["KPvKM", "--spill"],
        &["KRMvKM.makruk"],
        &["4"],
    ] {
        let tables = place.path().join("tables");
        let plan = [&["plan"], arguments, &["--rate", "1000000", "--json"]].concat();
        let needed = sakmak_with(&tables, &plan).json()["disk"].as_u64().unwrap();
        let with = |disk: u64| {
            let limit = disk.to_string();
            let command = [arguments, &["--disk", &limit]].concat();
            let plan = [&["plan"], &command[..], &["--rate", "1000000", "--json"]].concat();
            sakmak_with(&tables, &plan).json()["problem"].clone()
        };
        let problem = with(needed - 1);
        let limit = (needed - 1).to_string();
        let run = sakmak_with(&tables, &[&["generate"], arguments, &["--disk", &limit]].concat());
        let message = run.refusal(1);
        assert!(message.starts_with("not enough disk for K"), "{message}");
        assert_eq!(problem, message);
        assert!(!tables.exists(), "{arguments:?}");
        assert!(with(needed).is_null(), "{arguments:?}");
    }
}
