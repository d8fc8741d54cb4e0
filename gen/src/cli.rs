//! The subcommands, one file each, and what they share.

mod arguments;
mod batch_progress;
mod json;
mod meter;
mod progress;
mod selection;

pub mod check;
pub mod generate;
pub mod pack;
pub mod plan;
pub mod probe;
pub mod query;
pub mod report;
pub mod signals;
pub mod stats;
pub mod verify;
pub mod wdl;

use crate::cli::json::pretty_json;
use sakmak_gen::solver::{SolveError, Solver};
use sakmak_gen::store::ON_THE_SPOT;
use sakmak_probe::tablebase::Tablebase;
use sakmak_probe::{Access, ProbeError};
use sakmak_tables::material::Material;
use serde::Serialize;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

/// The failure of a subcommand: a message in one line and an exit code.
#[derive(Debug)]
pub struct CommandError {
    /// The message.
    pub message: String,
    /// The exit code.
    pub code: u8,
}

impl CommandError {
    /// An error in the arguments or the input.
    pub fn bad_input(error: impl Error) -> CommandError {
        CommandError { message: error.to_string(), code: 2 }
    }
}

impl<E: Error> From<E> for CommandError {
    fn from(error: E) -> CommandError {
        CommandError { message: error.to_string(), code: 1 }
    }
}

/// The tables of a directory, which may not exist, and those small enough to be solved on the
/// spot.
pub fn tablebase(directory: &Path, access: Access) -> Result<Tablebase, ProbeError> {
    let tablebase = Tablebase::new().with_access(access);
    let mut tablebase = tablebase.with_solver(ON_THE_SPOT, |name, rules, smaller| {
        Ok(Solver::default().solve(name, rules, smaller)?)
    });
    if directory.is_dir() {
        tablebase.add_directory(directory)?;
    }
    Ok(tablebase)
}

/// Returns the material, or an error if it has no table.
pub fn with_table(material: Material) -> Result<Material, CommandError> {
    match material == Material::BARE_KINGS {
        true => Err(CommandError::bad_input(SolveError::BareKings(material))),
        false => Ok(material),
    }
}

/// The text with control characters escaped, so that text from a file cannot control a terminal.
pub fn escaped(text: &str) -> String {
    escaped_except(text, &[])
}

/// As [`escaped`], without some control characters.
fn escaped_except(text: &str, kept: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_control() && !kept.contains(&letter) {
            true => escaped.extend(letter.escape_default()),
            false => escaped.push(letter),
        }
    }
    escaped
}

/// Prints lines and tabs to standard output, with other control characters escaped. A closed pipe
/// is not an error.
pub fn print(text: &str) -> Result<(), CommandError> {
    let text = escaped_except(text, &['\n', '\t']);
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let message = format!("cannot write to standard output: {error}");
            Err(CommandError { message, code: 1 })
        }
        _ => Ok(()),
    }
}

/// Prints JSON to standard output.
pub fn print_json(value: &impl Serialize) -> Result<(), CommandError> {
    print(&(pretty_json(value)? + "\n"))
}

/// The text with a capital first letter.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
