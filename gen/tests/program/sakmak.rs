//! Runs the program and inspects its output.

use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The result of a run.
#[derive(Debug)]
pub struct ProgramRun {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The state directory of a command, which [`ended`] replaces by a fresh one.
const STATE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");

/// The program with these arguments, in a directory without tables.
pub fn command<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sakmak"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env("XDG_STATE_HOME", STATE)
        .env_remove("SAKMAK_TABLES")
        .env_remove("SAKMAK_ACCESS")
        .env("SAKMAK_PROGRESS", "0")
        // A terminal of a CI service is taken to have colours.
        .env_remove("CI")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR")
        .env_remove("CLICOLOR_FORCE");
    command
}

/// Runs the program.
pub fn sakmak<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> ProgramRun {
    ended(command(arguments))
}

/// Runs a subcommand with a directory of tables.
pub fn sakmak_with(tables: &Path, arguments: &[&str]) -> ProgramRun {
    let mut command = command(arguments);
    command.arg("--tables").arg(tables);
    ended(command)
}

/// Runs with standard output and error on a terminal, and returns what the terminal gets.
#[cfg(unix)]
pub fn on_a_terminal(mut command: Command) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::Read;

    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let line = std::fs::File::options().read(true).write(true).open(name).unwrap();
    command.stdin(line.try_clone().unwrap()).stdout(line.try_clone().unwrap()).stderr(line);
    let mut child = command.spawn().unwrap();
    // The command holds the other end of the terminal, whose last close ends the reading.
    drop(command);
    let (mut shown, mut block) = (Vec::new(), [0; 4096]);
    let mut terminal = std::fs::File::from(terminal);
    while let Ok(read @ 1..) = terminal.read(&mut block) {
        shown.extend(&block[..read]);
    }
    assert!(child.wait().unwrap().code().is_some());
    String::from_utf8(shown).unwrap()
}

/// Runs any command to its end. Without a state directory of its own it gets a fresh one.
pub fn ended(mut command: Command) -> ProgramRun {
    let fresh = directory();
    if command
        .get_envs()
        .any(|(name, state)| name == "XDG_STATE_HOME" && state.is_some_and(|state| state == STATE))
    {
        command.env("XDG_STATE_HOME", fresh.path());
    }
    ProgramRun::from(command.output().unwrap())
}

impl From<Output> for ProgramRun {
    fn from(Output { status, stdout, stderr }: Output) -> ProgramRun {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        ProgramRun { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }
}

impl ProgramRun {
    /// The output of a run that succeeded without messages.
    #[track_caller]
    pub fn printed(self) -> String {
        assert_eq!((self.code, &*self.stderr), (Some(0), ""), "{self:?}");
        self.stdout
    }

    /// The output as JSON.
    #[track_caller]
    pub fn json(self) -> Json {
        serde_json::from_str(&self.printed()).unwrap()
    }

    /// The message of a run that failed with this exit code: one line, and no panic.
    #[track_caller]
    pub fn complaint(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{self:?}");
        let message = self.stderr.strip_suffix('\n').and_then(|line| line.strip_prefix("sakmak: "));
        let message = message.unwrap_or_else(|| panic!("{self:?}"));
        assert!(!message.is_empty() && !message.contains(['\n', '\r']), "{self:?}");
        assert!(!message.contains("panicked"), "{self:?}");
        message
    }

    /// The message of a run that failed without output.
    #[track_caller]
    pub fn refusal(&self, code: i32) -> &str {
        assert_eq!(self.stdout, "", "{self:?}");
        self.complaint(code)
    }
}

/// An empty directory.
pub fn directory() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// A directory with these tables and all that they lead to.
pub fn generated(materials: &[&str]) -> TempDir {
    let directory = directory();
    sakmak_with(directory.path(), &[&["generate"], materials].concat()).printed();
    directory
}

/// The files of a directory by name, hidden files included.
pub fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(directory).unwrap().map(Result::unwrap);
    let file = |entry: std::fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

/// The keys of a JSON object.
#[track_caller]
pub fn keys(object: &Json) -> BTreeSet<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}
