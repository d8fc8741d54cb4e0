//! Killed runs: finished tables stay, no partial file is left, and the same command resumes.

use crate::sakmak::{command, directory, files, generated, sakmak_with};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// All tables of three and four men.
const ALL: [&str; 2] = ["generate", "4"];
/// The number of kills after which a run may end.
const KILLS: usize = 20;
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

/// Runs the command and kills it after some time. Returns whether it had ended before.
fn ends_within(tables: &Path, time: Duration) -> bool {
    let mut command = command(ALL);
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
fn a_run_killed_again_and_again_makes_the_tables_of_one_left_alone() {
    let start = Instant::now();
    let undisturbed = generated(&["4"]);
    let time = start.elapsed();
    let expected = files(undisturbed.path());

    let mut random = Random::seeded();
    let directory = directory();
    let mut kills = 0;
    while kills < KILLS && !ends_within(directory.path(), random.below(time * 2 / LIVES)) {
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
fn a_finished_table_without_its_lock_taken_away_is_tidied() {
    let directory = generated(&["KRvK"]);
    let expected = files(directory.path());
    for name in [".KRvK.dtm.smt.lock", ".KRvK.dtm.smt.abc.tmp", ".KNvK.dtm.smt.abc.tmp"] {
        std::fs::write(directory.path().join(name), "half").unwrap();
    }
    sakmak_with(directory.path(), &["generate", "KRvK"]).printed();
    assert_eq!(files(directory.path()), expected);
}
