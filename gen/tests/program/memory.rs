//! The limit on memory, and plans.

use crate::sakmak::{directory, files, generated, sakmak_with};
use std::collections::BTreeSet;

#[test]
fn a_plan_says_what_there_is_and_what_is_needed() {
    let directory = generated(&["KRvK"]);
    let plan = |threads| {
        let plan =
            ["plan", "4", "--json", "--rate", "1000000", "--memory", "2G", "--threads", threads];
        sakmak_with(directory.path(), &plan).json()
    };
    // A small table has one thread; on many threads the largest is the last, alone.
    let on_many = plan("100");
    let plan = plan("1");
    let tables = plan["tables"].as_array().unwrap();
    assert_eq!((tables.len(), &plan["to_make"]), (35, &34.into()));
    let mut seen = BTreeSet::new();
    let (mut slots, mut seconds) = (0, 0.0);
    for table in tables {
        let name = table["table"].as_str().unwrap();
        assert_eq!(table["finished"], name == "KRvK");
        assert_eq!(table["on_disk"], false);
        // The order of the plan is one in which the tables can be made.
        let smaller = table["subtables"].as_array().unwrap();
        assert!(smaller.iter().all(|smaller| seen.contains(smaller.as_str().unwrap())), "{table}");
        assert_eq!(table["file_name"], format!("{name}.dtm.smt"));
        let bytes = |field: &str| table[field].as_u64().unwrap();
        assert_eq!(bytes("disk"), bytes("file") + bytes("scratch") + bytes("spilled"));
        if name != "KRvK" {
            slots += table["slots"].as_u64().unwrap();
            seconds += table["seconds"].as_f64().unwrap();
        }
        assert!(table["memory"].as_u64() <= plan["memory"].as_u64());
        assert!(seen.insert(name));
    }
    assert_eq!(plan["slots"], slots);
    assert_eq!(plan["slots_per_second"], 1_000_000);
    assert!((plan["seconds"].as_f64().unwrap() - seconds).abs() < 0.001);
    let largest = tables.iter().map(|table| table["slots"].as_u64().unwrap()).max().unwrap();
    let many = on_many["seconds"].as_f64().unwrap();
    assert!(many >= largest as f64 / 1e6 && many < seconds / 4.0, "{many} of {seconds}");
    assert_eq!((&plan["threads"], &on_many["threads"]), (&1.into(), &100.into()));
    assert_eq!(plan["memory_allowed"], 2u64 << 30);
    assert!(plan["problem"].is_null());
    assert_eq!(files(directory.path()).len(), 1);
}

#[test]
fn six_men_can_be_planned() {
    let directory = directory();
    let plan = |memory| {
        let arguments = ["plan", "KNMMMvK", "--json", "--rate", "1", "--memory", memory];
        sakmak_with(directory.path(), &arguments).json()
    };
    let last = |plan: &serde_json::Value| plan["tables"].as_array().unwrap().last().cloned();
    assert_eq!(last(&plan("16G")).unwrap()["on_disk"], false);
    assert_eq!(last(&plan("3G")).unwrap()["on_disk"], true);
    let problem = plan("200M")["problem"].to_string();
    assert!(problem.contains("KNMMMvK needs "), "{problem}");
}

#[test]
fn too_little_memory_is_refused_before_work_begins() {
    let directory = directory();
    let tables = directory.path().join("tables");
    let run = sakmak_with(&tables, &["generate", "KRMvKM", "--memory", "50M"]);
    let message = run.refusal(1);
    assert!(message.starts_with("KRMvKM needs "), "{message}");
    assert!(message.ends_with("the limit is 50.0 MiB"), "{message}");
    assert!(!tables.exists());
}

#[test]
fn a_part_on_disk_makes_the_same_files() {
    let some = ["KRvKM", "KPvKP"];
    let directory = directory();
    let expected = generated(&some);
    let printed =
        sakmak_with(directory.path(), &[&["generate", "--spill"], &some[..]].concat()).printed();
    assert!(printed.contains("KRvKM: partly on disk, because"), "{printed}");
    assert!(files(directory.path()) == files(expected.path()));
}

/// What the code of the program takes in a release. Compiled for tests it lies in more pages.
#[cfg(target_os = "linux")]
const CODE: u64 = 12 << 20;

/// Makes tables in this directory; returns what is printed and the peak of memory: [`CODE`], and what
/// is not of a file, as Linux counts it.
#[cfg(target_os = "linux")]
fn peak(directory: &std::path::Path, arguments: &[&str]) -> (String, u64) {
    use std::io::Read;

    let mut command = crate::sakmak::command([&["generate"], arguments].concat());
    command.arg("--tables").arg(directory).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let of = |kind: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(kind));
            line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).unwrap_or(0)
        };
        most = most.max(CODE + ((of("RssAnon:") + of("RssShmem:")) << 10));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let mut printed = String::new();
    child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
    assert!(child.wait().unwrap().success(), "{printed}");
    (printed, most)
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_that_was_planned_is_not_exceeded() {
    for arguments in [&["KSvKM", "KSPvK", "KPvKP"][..], &["KRHvKA", "--variant", "janggi"]] {
        let directory = directory();
        let plan = [&["plan", "--json", "--rate", "1"], arguments].concat();
        let planned = sakmak_with(directory.path(), &plan).json()["memory"].as_u64().unwrap();
        let limit = format!("{planned}B");
        let (_, most) = peak(directory.path(), &[&["--memory", &limit], arguments].concat());
        assert!(most > 0 && most <= planned, "{most} bytes of {planned}");
    }
}

/// Five men: all in memory, and a part on disk.
#[cfg(target_os = "linux")]
#[test]
fn plans_of_memory_are_close_and_the_files_do_not_depend_on_it() {
    const NAME: &str = "KMMMvK";
    let smaller = generated(&["KMMvK"]);
    let plan = ["plan", NAME, "--json", "--rate", "1"];
    let plan = sakmak_with(smaller.path(), &plan).json();
    let table = plan["tables"].as_array().unwrap().last().cloned().unwrap();
    let [all, least] = ["memory_all", "memory_least"].map(|key| table[key].as_u64().unwrap());
    let mut all_files = Vec::new();
    for (memory, is_on_disk) in [(all, false), ((all + least) / 2, true)] {
        let directory = directory();
        for (name, bytes) in files(smaller.path()) {
            std::fs::write(directory.path().join(name), bytes).unwrap();
        }
        let (printed, most) = peak(directory.path(), &[NAME, "--memory", &format!("{memory}B")]);
        assert_eq!(printed.contains("partly on disk"), is_on_disk, "{printed}");
        assert!(most <= memory && memory < 2 * most, "{most} of {memory}");
        all_files.push(files(directory.path()));
    }
    assert!(all_files[0] == all_files[1]);
}

/// Tables are made side by side, in the memory of two, and reported in the order of the plan.
#[cfg(target_os = "linux")]
#[test]
fn several_tables_at_once_keep_within_the_memory() {
    let arguments = ["KRvKM", "KSvKM", "KNMvK", "KPvKP"];
    let tables = directory();
    let plan = [&["plan", "--json", "--rate", "1"], &arguments[..]].concat();
    let plan = sakmak_with(tables.path(), &plan).json();
    let limit = 2 * plan["memory"].as_u64().unwrap();
    let is_claim = |name: &str| name.ends_with(".lock");
    let claims = || {
        let entries = std::fs::read_dir(tables.path()).unwrap().flatten();
        entries.filter(|entry| entry.file_name().to_str().is_some_and(is_claim)).count()
    };
    let (limit_text, mut most_claims) = (format!("{limit}B"), 0);
    let options = [&["--threads", "2", "--memory", &limit_text], &arguments[..]].concat();
    let (printed, most) = std::thread::scope(|scope| {
        let run = scope.spawn(|| peak(tables.path(), &options));
        while !run.is_finished() {
            most_claims = most_claims.max(claims());
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        run.join().unwrap()
    });
    assert!(most <= limit, "{most} of {limit}");
    assert!(most_claims > 1, "one table at a time");
    let planned = plan["tables"].as_array().unwrap().iter();
    let planned: Vec<&str> = planned.map(|table| table["table"].as_str().unwrap()).collect();
    let printed = printed.lines().map(|line| line.split(' ').next().unwrap());
    let printed: Vec<&str> = printed.filter(|word| word.starts_with('K')).collect();
    assert_eq!(printed, planned);
}

/// Five men, packed: all in memory, and with so little that the codes are never in memory together.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "long: part of the full tests"]
fn packed_files_do_not_depend_on_memory_and_the_least_is_enough() {
    const NAME: &str = "KMMMvK";
    let smaller = generated(&["KMMvK"]);
    let packed = |arguments: &[&str]| {
        let directory = directory();
        for (name, bytes) in files(smaller.path()) {
            std::fs::write(directory.path().join(name), bytes).unwrap();
        }
        let (printed, most) = peak(directory.path(), &[&[NAME, "--packed"], arguments].concat());
        (files(directory.path()), printed, most)
    };
    let plan = ["plan", NAME, "--packed", "--json", "--rate", "1"];
    let plan = sakmak_with(smaller.path(), &plan).json();
    let table = plan["tables"].as_array().unwrap().last().cloned().unwrap();
    let [all, least] = ["memory_all", "memory_least"].map(|key| table[key].as_u64().unwrap());
    assert!(least < all, "{least} of {all}");
    let (expected, ..) = packed(&[]);
    let (found, printed, most) = packed(&["--memory", &format!("{least}B")]);
    assert!(printed.contains("partly on disk"), "{printed}");
    assert!(most <= least && least < 2 * most, "{most} of {least}");
    assert!(found == expected);
}

/// A control group with memory limits, removed when dropped.
#[cfg(target_os = "linux")]
struct ControlGroup {
    path: std::path::PathBuf,
    limit: &'static str,
}

#[cfg(target_os = "linux")]
impl ControlGroup {
    /// A new group in that of this process; `None` if it may not make one that limits memory.
    fn new() -> Option<ControlGroup> {
        let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
        let of = |prefix: &str| groups.lines().find_map(|line| line.split_once(prefix));
        let (root, path, limit) = match of(":memory:") {
            Some((_, path)) => ("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"),
            None => ("/sys/fs/cgroup", of("0::")?.1, "memory.max"),
        };
        let name = format!("sakmak-test-{}", std::process::id());
        let group = ControlGroup { path: format!("{root}{path}/{name}").into(), limit };
        std::fs::create_dir(&group.path).ok()?;
        group.path.join(limit).exists().then_some(group)
    }

    /// The memory that a plan made in this group, or in a group below it, may use.
    fn allowed(&self, below: &str) -> u64 {
        let path = self.path.join(below);
        let script = "echo $$ > \"$0\" && exec \"$@\"";
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script]).arg(path.join("cgroup.procs"));
        command.args([env!("CARGO_BIN_EXE_sakmak"), "plan", "3", "--json", "--rate", "1"]);
        command.arg("--tables").arg(directory().path());
        crate::sakmak::ended(command).json()["memory_allowed"].as_u64().unwrap()
    }
}

#[cfg(target_os = "linux")]
impl Drop for ControlGroup {
    fn drop(&mut self) {
        for path in [&self.path.join("inner"), &self.path] {
            let _ = std::fs::remove_dir(path);
        }
    }
}

/// Only where this process may make such groups, as root in a container often may.
#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_a_control_group_holds_in_it_and_below_it() {
    const LIMIT: u64 = 400 << 20;
    let Some(group) = ControlGroup::new() else {
        println!("no control group can be made here");
        return;
    };
    let set = |path: &std::path::Path, limit: u64| {
        std::fs::write(path.join(group.limit), limit.to_string()).unwrap();
    };
    set(&group.path, LIMIT);
    let allowed = group.allowed("");
    assert!(allowed <= LIMIT && allowed > LIMIT / 2, "{allowed}");
    let inner = group.path.join("inner");
    std::fs::create_dir(&inner).unwrap();
    if inner.join(group.limit).exists() {
        assert!(group.allowed("inner") <= LIMIT);
        set(&inner, LIMIT / 2);
        assert!(group.allowed("inner") <= LIMIT / 2);
    }
}
