//! Pipes, directories, links and files of any length in the places of the files that this program reads:
//! every command answers soon, with one line.
#![cfg(unix)]

use crate::sakmak::{ProgramRun, command, directory, generated, sakmak_with};
use crate::served::Served;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Far longer than any answer takes, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(30);
/// The limit of the address space of a command, in KiB: more than any command needs for three men.
const MEMORY: &str = "6291456";
/// The apparent length of a sparse file.
const SPARSE: u64 = 1 << 40;

/// Something in the place of a file.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Odd {
    Pipe,
    Directory,
    DanglingLink,
    LinkLoop,
    /// The right bytes, and zeros up to a length that no disk has.
    Sparse,
    Truncated,
    Empty,
}

use Odd::*;

impl Odd {
    /// Puts it in the place of a file with these bytes.
    fn put(self, path: &Path, bytes: &[u8]) {
        match self {
            Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
            Directory => fs::create_dir(path).unwrap(),
            DanglingLink => symlink("nothing", path).unwrap(),
            LinkLoop => symlink(path, path).unwrap(),
            Sparse => {
                let mut file = File::create(path).unwrap();
                file.write_all(bytes).unwrap();
                file.set_len(SPARSE).unwrap();
            }
            Truncated => fs::write(path, &bytes[..bytes.len() / 2]).unwrap(),
            Empty => fs::write(path, "").unwrap(),
        }
    }
}

/// The files that are odd, by their paths in the directory of tables.
const FILES: [&str; 6] = [
    "KRvK.dtm.smt",
    "KNvK.dtm.smp",
    "KRRMvK.dtm.smp",
    "KSvK.makruk.smv",
    "KMvK.dtm.census.json",
    "janggi/KRvK.smg",
];

const ROOK: &str = "8/8/8/3k4/8/8/4R3/4K3 w";
const JANGGI: &str = "3k5/9/9/9/9/9/9/9/9/R3K4 w";
const GAME: &str = "[Variant \"makruk\"]\n[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\n\n1. Re3 *\n";

/// Commands, and the file that each must name unless it is a link to nothing. `OUT` is a directory for
/// output.
const COMMANDS: [(&[&str], Option<&str>); 33] = [
    (&["probe", ROOK], Some("KRvK.dtm.smt")),
    (&["probe", ROOK, "--json"], Some("KRvK.dtm.smt")),
    (&["verify", "KRvK"], Some("KRvK.dtm.smt")),
    (&["verify", "KRvK", "--sample", "9"], Some("KRvK.dtm.smt")),
    (&["stats", "KRvK"], Some("KRvK.dtm.smt")),
    (&["query", "KRvK", "win", "--count"], Some("KRvK.dtm.smt")),
    (&["generate", "KRvK"], Some("KRvK.dtm.smt")),
    (&["plan", "KRvK"], Some("KRvK.dtm.smt")),
    (&["pack", "KRvK"], Some("KRvK.dtm.smt")),
    (&["wdl", "KRvK"], Some("KRvK.dtm.smt")),
    (&["report", "KRvK", "-o", "OUT"], Some("KRvK.dtm.smt")),
    (&["check", "OUT/game.pgn"], None),
    (&["uci"], None),
    (&["probe", "8/8/8/3k4/8/8/4N3/4K3 w"], None),
    (&["verify", "KNvK"], Some("KNvK.dtm.smp")),
    (&["verify", "KNvK", "--sample", "9"], Some("KNvK.dtm.smp")),
    (&["generate", "KNvK", "--packed"], Some("KNvK.dtm.smp")),
    (&["plan", "KNvK", "--packed"], Some("KNvK.dtm.smp")),
    (&["pack", "KNvK"], None),
    (&["probe", "8/8/8/3k4/8/8/2R1RM2/4K3 w"], Some("KRRMvK.dtm.smp")),
    (&["site", "OUT/site", "--module", "OUT"], None),
    (&["verify", "KSvK"], None),
    (&["generate", "KSvK", "--wdl"], Some("KSvK.makruk.smv")),
    (&["plan", "KSvK", "--wdl"], Some("KSvK.makruk.smv")),
    (&["wdl", "KSvK"], None),
    (&["stats", "KMvK"], Some("KMvK.dtm.census.json")),
    (&["probe", JANGGI, "--variant", "janggi"], Some("janggi/KRvK.smg")),
    (&["verify", "KRvK", "--variant", "janggi"], Some("janggi/KRvK.smg")),
    (&["stats", "KRvK", "--variant", "janggi"], Some("janggi/KRvK.smg")),
    (&["query", "KRvK", "win", "--count", "--variant", "janggi"], Some("janggi/KRvK.smg")),
    (&["generate", "KRvK", "--variant", "janggi"], Some("janggi/KRvK.smg")),
    (&["plan", "KRvK", "--variant", "janggi"], Some("janggi/KRvK.smg")),
    (&["report", "KRvK", "-o", "OUT", "--variant", "janggi"], Some("janggi/KRvK.smg")),
];

/// Runs a command that is killed if it does not end.
#[track_caller]
fn ended_soon(tables: &Path, out: &Path, arguments: &[&str]) -> ProgramRun {
    let out = out.to_str().unwrap();
    let words: Vec<String> = arguments.iter().map(|word| word.replace("OUT", out)).collect();
    let program = command(words);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "ulimit -v \"$0\"; exec \"$@\"", MEMORY])
        .arg(program.get_program())
        .args(program.get_args())
        .arg("--tables")
        .arg(tables)
        .env("XDG_STATE_HOME", out)
        .env("SAKMAK_PROGRESS", "0")
        .env_remove("CI")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = limited.spawn().unwrap();
    let position = format!("position fen {ROOK}\ngo depth 2\nquit\n");
    // A command that reads nothing may have ended.
    let _ = child.stdin.take().unwrap().write_all(position.as_bytes());
    let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let text = |mut stream: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        })
    };
    let (stdout, stderr) = (text(Box::new(stdout)), text(Box::new(stderr)));
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let code = child.wait().unwrap().code();
    ProgramRun { code, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

/// A directory with all files right.
fn right() -> tempfile::TempDir {
    let tables = generated(&["KRvK"]);
    let run = |arguments: &[&str]| sakmak_with(tables.path(), arguments).printed();
    run(&["generate", "KNvK", "--packed"]);
    run(&["generate", "KMvK", "--packed", "--census"]);
    run(&["wdl", "KSvK"]);
    run(&["generate", "KRvK", "--variant", "janggi"]);
    // The head of a file of five men is refused for its material.
    fs::copy(tables.path().join("KNvK.dtm.smp"), tables.path().join("KRRMvK.dtm.smp")).unwrap();
    tables
}

#[test]
fn every_command_ends_with_one_line_whatever_is_in_the_place_of_its_files() {
    let tables = right();
    let good = FILES.map(|name| fs::read(tables.path().join(name)).unwrap());
    // In the place of a link to nothing commands make files, which answer what comes after it.
    for odd in [Pipe, Directory, LinkLoop, Sparse, Truncated, Empty, DanglingLink] {
        for (arguments, named) in COMMANDS {
            // A command may have replaced the file of another one.
            for (name, bytes) in FILES.iter().zip(&good) {
                let path = tables.path().join(name);
                let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
                odd.put(&path, bytes);
            }
            let out = directory();
            fs::write(out.path().join("game.pgn"), GAME).unwrap();
            let run = ended_soon(tables.path(), out.path(), arguments);
            let context = format!("{odd:?} {arguments:?}: {run:?}");
            assert!(matches!(run.code, Some(0..=2)), "{context}");
            assert!(run.stderr.lines().all(|line| line.starts_with("sakmak: ")), "{context}");
            assert!(run.code == Some(0) || run.stderr.lines().count() == 1, "{context}");
            if let Some(name) = named.filter(|_| odd != DanglingLink) {
                assert_eq!(run.code, Some(1), "{context}");
                assert!(
                    run.stderr.contains(tables.path().join(name).to_str().unwrap()),
                    "{context}"
                );
            }
        }
    }
}

#[test]
fn the_service_answers_and_ends_whatever_is_in_the_place_of_its_files() {
    let tables = right();
    let good = FILES.map(|name| fs::read(tables.path().join(name)).unwrap());
    for odd in [Pipe, Directory, LinkLoop, Sparse, Empty] {
        for (name, bytes) in FILES.iter().zip(&good) {
            let path = tables.path().join(name);
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
            odd.put(&path, bytes);
        }
        let mut service = Served::start(&["--tables", tables.path().to_str().unwrap()]);
        let start = Instant::now();
        // More requests than cores: none waits for a file.
        for _ in 0..8 {
            let refused = service.get(&format!("/janggi?fen={}", JANGGI.replace(' ', "_")));
            assert_eq!(refused.json(500)["error"]["code"], "bad_table", "{odd:?}");
        }
        for path in ["/makruk?fen=8/8/8/3k4/8/8/4S3/4K3_w", "/healthz"] {
            assert_eq!(service.get(path).status, 200, "{odd:?}: {path}");
        }
        for fen in [ROOK, "8/8/8/3k4/8/8/4N3/4K3 w", "8/8/8/3k4/8/8/2R1RM2/4K3 w"] {
            let answer = service.get(&format!("/makruk?fen={}", fen.replace(' ', "_")));
            assert_eq!(answer.json(500)["error"]["code"], "bad_table", "{odd:?}: {fen}");
        }
        assert!(start.elapsed() < PATIENCE, "{odd:?}");
        let process = service.process();
        let id = process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        let start = Instant::now();
        while process.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < PATIENCE, "{odd:?}: the service does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut log = String::new();
        process.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        assert!(log.contains(tables.path().join("janggi/KRvK.smg").to_str().unwrap()), "{log}");
    }
}
