//! Killed and stopped runs: finished tables stay, no partial file is left, and the same command resumes.

use crate::sakmak::{ProgramRun, command, directory, files, generated, sakmak, sakmak_with};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// All tables of three and four men.
const ALL: [&str; 2] = ["generate", "4"];
/// The number of kills after which a run may end.
const KILLS: usize = 8;
/// The average life of a run as a fraction of the time of an undisturbed run.
const LIVES: u32 = 12;

/// Numbers that look random: xorshift.
struct Random(u64);

impl Random {
    /// Random numbers from a seed, which is printed and may be given to repeat a test.
    fn seeded() -> Random {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
        let given = std::env::var("SAKMAK_SEED").ok().map(|seed| seed.parse().unwrap());
        let seed = given.unwrap_or_else(now);
        println!("SAKMAK_SEED={seed}");
        Random(seed | 1)
    }

    fn below(&mut self, limit: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_nanos(self.0 % limit.as_nanos() as u64)
    }
}

/// Runs a command and kills it after some time. Returns whether it had ended before.
fn ends_within(arguments: &[&str], tables: &Path, time: Duration) -> bool {
    let mut command = command(arguments);
    command.arg("--tables").arg(tables).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(time);
    let ended = child.try_wait().unwrap();
    // On Unix this is SIGKILL, which cannot be caught.
    let _ = child.kill();
    child.wait().unwrap();
    ended.inspect(|status| assert!(status.success(), "{status}")).is_some()
}

#[test]
#[ignore = "long: part of the full tests"]
fn a_run_killed_again_and_again_makes_the_tables_of_one_left_alone() {
    let start = Instant::now();
    let undisturbed = generated(&["4"]);
    let time = start.elapsed();
    let expected = files(undisturbed.path());

    let mut random = Random::seeded();
    let directory = directory();
    let mut kills = 0;
    while kills < KILLS && !ends_within(&ALL, directory.path(), random.below(time * 2 / LIVES)) {
        kills += 1;
        for (name, bytes) in files(directory.path()) {
            assert!(name.starts_with('.') || expected[&name] == bytes, "{name}, {kills} kills");
        }
    }
    println!("{kills} kills");
    sakmak_with(directory.path(), &ALL).printed();
    let made = files(directory.path());
    assert!(made.keys().eq(expected.keys()), "{:?}", made.keys());
    assert!(made == expected, "bytes after {kills} kills");
}

#[test]
fn packed_tables_survive_kills_and_no_scratch_file_is_left() {
    survives_kills(&["generate", "KPvKM", "KNMvK", "--packed"], "");
}

#[test]
fn tables_of_a_board_game_survive_kills() {
    survives_kills(&["generate", "KRPvKA", "KRHvK", "KPPvK", "--variant", "janggi"], "janggi");
}

#[test]
#[ignore = "long: part of the full tests"]
fn wdl_files_survive_kills() {
    survives_kills(&["generate", "KPvKM", "KNMvK", "--wdl"], "");
    survives_kills(&["generate", "KPvKM", "KNMvK", "--wdl", "--packed"], "");
}

#[test]
#[ignore = "long: part of the full tests"]
fn packed_tables_on_disk_survive_kills_and_no_scratch_file_is_left() {
    survives_kills(&["generate", "KPvKM", "KNMvK", "--packed", "--spill"], "");
}

/// Kills a command again and again that makes tables in this folder of a directory.
fn survives_kills(arguments: &[&str], folder: &str) {
    let undisturbed = directory();
    let start = Instant::now();
    sakmak_with(undisturbed.path(), arguments).printed();
    let time = start.elapsed();
    let expected = files(&undisturbed.path().join(folder));

    let mut random = Random::seeded();
    let directory = directory();
    let mut kills = 0;
    while kills < KILLS && !ends_within(arguments, directory.path(), random.below(time * 2 / LIVES))
    {
        kills += 1;
        for (name, bytes) in &expected {
            let found = std::fs::read(directory.path().join(folder).join(name));
            assert!(found.is_err() || found.is_ok_and(|found| found == *bytes), "{name}, {kills}");
        }
    }
    println!("{kills} kills");
    sakmak_with(directory.path(), arguments).printed();
    assert!(files(&directory.path().join(folder)) == expected, "bytes after {kills} kills");
}

#[test]
#[ignore = "long: part of the full tests"]
fn a_table_killed_while_it_is_packed_is_not_solved_again() {
    let arguments = ["generate", "KSPvK", "--packed", "--spill"];
    let (undisturbed, tables) = (directory(), directory());
    sakmak_with(undisturbed.path(), &arguments).printed();
    let expected = files(undisturbed.path());

    let scratch = tables.path().join(".scratch");
    let layers = scratch.join("KSPvK.dtm.layers");
    let mut command = command(arguments);
    command.arg("--tables").arg(tables.path()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    while !layers.exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended before the layers were saved");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut saved = std::fs::read(&layers).unwrap();

    let plan = ["plan", "KSPvK", "--packed", "--json", "--rate", "1"];
    let plan = sakmak_with(tables.path(), &plan).json();
    let planned = plan["tables"].as_array().unwrap().last().unwrap();
    assert_eq!((&planned["table"], &planned["solved"]), (&"KSPvK".into(), &true.into()));
    let printed = sakmak_with(tables.path(), &arguments).printed();
    assert!(printed.contains("KSPvK: solved by an earlier run\n"), "{printed}");
    assert!(files(tables.path()) == expected);
    assert!(!scratch.exists());

    std::fs::remove_file(tables.path().join("KSPvK.dtm.smp")).unwrap();
    std::fs::create_dir(&scratch).unwrap();
    let middle = saved.len() / 2;
    saved[middle] ^= 1;
    std::fs::write(&layers, saved).unwrap();
    let printed = sakmak_with(tables.path(), &arguments).printed();
    let line = "KSPvK: the layers saved by an earlier run are removed: they are damaged\n";
    assert!(printed.contains(line), "{printed}");
    assert!(files(tables.path()) == expected);
    assert!(!scratch.exists());
}

#[test]
fn a_finished_table_without_its_lock_taken_away_is_tidied() {
    let directory = generated(&["KRvK"]);
    let expected = files(directory.path());
    for name in [".KRvK.dtm.smt.lock", ".KRvK.dtm.smt.abc.tmp", ".KNvK.dtm.smt.abc.tmp"] {
        std::fs::write(directory.path().join(name), "half").unwrap();
    }
    sakmak_with(directory.path(), &["generate", "KRvK"]).printed();
    assert_eq!(files(directory.path()), expected);
}

/// Sends a signal once the program is at work on a file, and returns the run.
#[cfg(unix)]
fn signalled(mut command: std::process::Command, tables: &Path, signal: &str) -> ProgramRun {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let at_work = || {
        let mut entries = std::fs::read_dir(tables).unwrap();
        entries.any(|entry| entry.unwrap().file_name().to_str().unwrap().starts_with('.'))
    };
    while !at_work() {
        assert!(child.try_wait().unwrap().is_none(), "ended before the signal");
        std::thread::sleep(Duration::from_millis(1));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    ProgramRun::from(child.wait_with_output().unwrap())
}

#[cfg(unix)]
#[test]
fn a_run_that_is_terminated_tells_so_in_a_line_and_leaves_no_partial_file() {
    let directory = generated(&["KRvK", "KNvK"]);
    let finished = files(directory.path());
    let mut command = command(["generate", "KSMvKM"]);
    command.arg("--tables").arg(directory.path());
    let run = signalled(command, directory.path(), "-TERM");
    let message = "stopped by SIGTERM; finished tables are kept, and the same command resumes";
    assert_eq!(run.complaint(128 + 15), message);
    let left = files(directory.path());
    assert!(left.keys().all(|name| !name.starts_with('.')), "{:?}", left.keys());
    assert!(finished.iter().all(|(name, bytes)| left[name] == *bytes));
    sakmak(["verify".as_ref(), "--tables".as_ref(), directory.path()]).printed();
}

/// As under `nohup`.
#[cfg(target_os = "linux")]
#[test]
fn an_ignored_hangup_stays_ignored() {
    let directory = directory();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_sakmak")]);
    command.args(["generate", "KRNvK", "--tables"]).arg(directory.path());
    let run = signalled(command, directory.path(), "-HUP");
    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{run:?}");
}

#[test]
fn what_a_killed_pack_left_is_removed_by_the_next() {
    let directory = generated(&["KRvK"]);
    let left = directory.path().join(".KRvK.dtm.smp.abc.tmp");
    std::fs::write(&left, "half").unwrap();
    sakmak_with(directory.path(), &["pack", "KRvK"]).printed();
    assert!(!left.exists());
}
