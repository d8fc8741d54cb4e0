//! The subcommands, one file each, and their common functions.

mod batch_arguments;
mod batch_progress;
mod duration;
pub mod families;
mod memory;
mod paragraph;
mod part_file;
mod progress;
mod records;
mod selection;
mod styled_text;

pub mod arguments;
pub mod check;
pub mod completions;
pub mod fetch;
pub mod generate;
pub mod label;
pub mod man;
pub mod pack;
pub mod plain_lines;
pub mod plan;
pub mod probe;
pub mod query;
pub mod report;
pub mod serve;
pub mod signals;
pub mod site;
pub mod stats;
pub mod uci;
pub mod usage_error;
pub mod verify;
pub mod wdl;

use sakmak_make::store::{ON_THE_SPOT, solve_on_the_spot};
use sakmak_make::system::atomic_file::prepare_directory;
use sakmak_make::system::directory;
use sakmak_probe::json::pretty_json;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Access, ProbeError};
use sakmak_tables::rules::piece::Side;
use serde::Serialize;
use std::error::Error;
use std::fs::DirEntry;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
pub use styled_text::{StyledText, Tone, escaped};

/// The failure of a subcommand: a message in one line and an exit code.
#[derive(Debug)]
pub struct CommandError {
    /// The message.
    pub message: String,
    /// The exit code.
    pub code: u8,
}

impl CommandError {
    /// Returns an error in the arguments or the input.
    pub fn bad_input(message: impl ToString) -> CommandError {
        CommandError { message: message.to_string(), code: 2 }
    }

    /// Work that failed.
    pub fn failure(message: impl ToString) -> CommandError {
        CommandError { message: message.to_string(), code: 1 }
    }
}

impl<E: Error> From<E> for CommandError {
    fn from(error: E) -> CommandError {
        CommandError::failure(error)
    }
}

/// Returns the sorted names of the files in a directory.
pub fn file_names(directory: &Path) -> Result<Vec<String>, CommandError> {
    let read = || -> io::Result<Vec<String>> {
        let name = |entry: io::Result<DirEntry>| Ok(entry?.file_name().to_string_lossy().into());
        std::fs::read_dir(directory)?.map(name).collect()
    };
    let mut names = read().map_err(|error| {
        let directory = directory.display();
        CommandError::failure(format!("cannot read the directory {directory}: {error}"))
    })?;
    names.sort();
    Ok(names)
}

/// Creates a directory for output if it does not exist, and checks before any work that it can be
/// written to.
pub fn make_directory(directory: &Path) -> Result<(), CommandError> {
    prepare_directory(directory).map_err(|error| unwritable(directory, &error))
}

/// Returns the error of a directory that cannot be created or written to.
fn unwritable(directory: &Path, error: &io::Error) -> CommandError {
    let directory = directory.display();
    CommandError::failure(format!("cannot write to the directory {directory}: {error}"))
}

/// Checks before any work that output files can be written: their directory, which is created if
/// missing, is writable, and none of the files is a directory.
pub fn check_outputs(
    directory: &Path,
    names: impl IntoIterator<Item = String>,
) -> Result<(), CommandError> {
    let mut names = names.into_iter().peekable();
    match names.peek() {
        Some(_) => make_directory(directory)?,
        // Nothing is written, but what an earlier process wrote is synced.
        None => directory::make(directory).map_err(|error| unwritable(directory, &error))?,
    }
    let mut paths = names.map(|name| directory.join(name));
    paths.find(|path| path.is_dir()).map_or(Ok(()), |path| {
        let path = path.display();
        Err(CommandError::failure(format!("cannot write {path}: it is a directory")))
    })
}

/// Opens the tables of a directory, which may not exist, and adds solving on the spot.
pub fn tablebase(directory: &Path, access: Access) -> Result<Tablebase, ProbeError> {
    let directories = directory.is_dir().then(|| directory.to_path_buf());
    tablebase_of(directories.as_slice(), access)
}

/// Opens the tables of several directories, and adds solving on the spot.
pub fn tablebase_of(directories: &[PathBuf], access: Access) -> Result<Tablebase, ProbeError> {
    Ok(solve_on_the_spot(files_of(directories, access)?, ON_THE_SPOT))
}

/// Opens the tables of several directories.
pub fn files_of(directories: &[PathBuf], access: Access) -> Result<Tablebase, ProbeError> {
    let mut tablebase = Tablebase::new().with_access(access);
    directories.iter().try_for_each(|directory| tablebase.add_directory(directory))?;
    Ok(tablebase)
}

/// Lists the refused files of a tablebase on standard error, except the first `named` files.
/// Returns the number of refused files.
pub fn warn_of_refused_files(tables: &Tablebase, named: usize) -> usize {
    let refused = tables.refused_files();
    for error in refused.iter().skip(named) {
        let warning = format!("warning: {error}; another file is used instead");
        eprint(&message(Tone::Doubtful, &warning));
    }
    refused.len()
}

/// Prints text to standard output.
pub fn print(text: &str) -> Result<(), CommandError> {
    print_styled(&StyledText::from(text))
}

/// Prints text to standard output, with colours if it is a terminal that has them. A closed pipe is
/// not an error.
pub fn print_styled(text: &StyledText) -> Result<(), CommandError> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.to_terminal().as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CommandError::failure(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints text to standard error. A closed standard error is not a failure.
pub fn eprint(text: &StyledText) {
    let _ = anstream::stderr().lock().write_all(text.to_terminal().as_bytes());
}

/// Returns a line about the program itself after its name: an error or a warning.
pub fn message(tone: Tone, message: &str) -> StyledText {
    let mut line = StyledText::new();
    line.push(tone, "sakmak:");
    // Names and arguments in the message may contain line breaks.
    line += &format!(" {}\n", escaped(message));
    line
}

/// Prints JSON to standard output.
pub fn print_json(value: &impl Serialize) -> Result<(), CommandError> {
    print(&(pretty_json(value)? + "\n"))
}

/// Returns `White` or `Black`.
pub fn named(side: Side) -> String {
    capitalised(side.name())
}

/// Returns the text with a capital first letter.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
