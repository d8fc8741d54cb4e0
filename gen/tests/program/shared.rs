//! Several processes in one directory.

use crate::sakmak::{ProgramRun, command, directory, files, generated};
use std::collections::BTreeSet;
use std::process::Stdio;

/// Materials with enough tables that neither process makes all of them.
const SOME: [&str; 5] = ["KRvKP", "KNPvK", "KSPvK", "KSvKM", "KPvKP"];

#[test]
fn two_processes_make_each_table_once() {
    assert_made_once_by_two(&SOME, "");
    assert_made_once_by_two(&["KRPvKA", "KRHvK", "KPPvK", "--variant", "janggi"], "janggi");
}

/// Asserts that two processes make each table of a selection once. The files are in this folder of
/// the directory of tables.
fn assert_made_once_by_two(selection: &[&str], folder: &str) {
    let alone = generated(selection);
    let together = directory();
    let start = || {
        let mut command = command([&["generate"], selection].concat());
        command.arg("--tables").arg(together.path());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let made = [start(), start()].map(|child| {
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        let printed = ProgramRun { code: output.status.code(), stdout, stderr }.printed();
        let first = |line: &str| line.split(' ').next().unwrap().to_string();
        printed.lines().map(first).filter(|word| word.starts_with('K')).collect::<BTreeSet<_>>()
    });
    let expected = files(&alone.path().join(folder));
    assert!(made[0].is_disjoint(&made[1]), "{made:?}");
    assert_eq!(made[0].len() + made[1].len(), expected.len(), "{made:?}");
    assert!(files(&together.path().join(folder)) == expected, "the bytes of one process and two");
}

#[cfg(unix)]
#[test]
fn a_table_another_process_has_claimed_is_waited_for() {
    use crate::sakmak::sakmak_with;
    use std::time::Duration;

    let directory = directory();
    let expected = generated(&["KPvK"]);
    let lock = std::fs::File::create(directory.path().join(".KMvK.dtm.smt.lock")).unwrap();
    lock.lock().unwrap();
    let table = "KMvK.dtm.smt";
    let run = std::thread::scope(|scope| {
        let run = scope.spawn(|| sakmak_with(directory.path(), &["generate", "KPvK"]));
        std::thread::sleep(Duration::from_millis(300));
        assert!(!run.is_finished());
        assert_eq!(files(directory.path()).keys().collect::<Vec<_>>(), [".KMvK.dtm.smt.lock"]);
        // The other process has ended.
        std::fs::copy(expected.path().join(table), directory.path().join(table)).unwrap();
        drop(lock);
        run.join().unwrap()
    });
    let printed = run.printed();
    assert!(printed.contains("1 table made"), "{printed}");
    assert!(printed.contains("1 by other processes, 0 existed"), "{printed}");
    assert_eq!(files(directory.path()), files(expected.path()));
}
