//! The subcommands, a file each, and what they share.

mod board;
mod counting;
mod batch_progress;
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
pub mod stats;
pub mod verify;
pub mod wdl;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use sakmak_gen::solver::{SolveError, Solver};
use sakmak_gen::store::table_store::ON_THE_SPOT;
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::{CountingRule, CountingRuleError};
use sakmak_tables::material::Material;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::VariantError;
use serde::Serialize;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a command failed: one line for a person and an exit code.
#[derive(Debug)]
pub struct CommandError {
    /// What to say.
    pub message: String,
    /// The exit code.
    pub code: u8,
}

impl CommandError {
    /// What was asked for makes no sense.
    pub fn bad_input(error: impl Error) -> CommandError {
        CommandError { message: error.to_string(), code: 2 }
    }
}

impl<E: Error> From<E> for CommandError {
    fn from(error: E) -> CommandError {
        CommandError { message: error.to_string(), code: 1 }
    }
}

/// Where the tables are when nothing is said.
const DEFAULT_DIRECTORY: &str = "sakmak-tables";

/// Where the tables are.
#[derive(Args)]
pub struct TablesArgument {
    /// The directory of the tables [default: sakmak-tables]
    #[arg(long = "tables", value_name = "DIR", env = "SAKMAK_TABLES",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    directory: Option<PathBuf>,
}

impl TablesArgument {
    /// The directory that was named; an empty name is none.
    fn named(&self) -> Option<&PathBuf> {
        self.directory.as_ref().filter(|directory| !directory.as_os_str().is_empty())
    }

    /// The directory, there or not.
    pub fn directory(&self) -> PathBuf {
        self.named().cloned().unwrap_or_else(|| PathBuf::from(DEFAULT_DIRECTORY))
    }

    /// The directory to read from: one that was named must be there.
    pub fn readable(&self) -> Result<PathBuf, CommandError> {
        let directory = self.directory();
        if self.named().is_some() && !directory.is_dir() {
            let message = format!("no directory of tables at {}", directory.display());
            return Err(CommandError { message, code: 2 });
        }
        Ok(directory)
    }
}

/// How many threads work.
#[derive(Args)]
pub struct ThreadsArgument {
    /// Threads at work [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgument {
    /// Makes all that follows use so many threads.
    pub fn apply(&self) -> Result<(), CommandError> {
        let threads = self.threads.map_or(0, usize::from);
        Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?)
    }
}

/// The variant of this name, for the command line.
pub fn variant_named(name: &str) -> Result<&'static Variant, VariantError> {
    Variant::named(name)
}

/// The way of counting of this name, for the command line.
pub fn counting_named(name: &str) -> Result<&'static CountingRule, CountingRuleError> {
    CountingRule::named(name)
}

/// The tables of a directory, there or not, and those small enough to be solved on the spot.
pub fn tablebase(directory: &Path) -> Result<Tablebase, ProbeError> {
    let mut tablebase = Tablebase::new().with_solver(ON_THE_SPOT, |name, rules, smaller| {
        Ok(Solver::default().solve(name, rules, smaller)?)
    });
    if directory.is_dir() {
        tablebase.add_directory(directory)?;
    }
    Ok(tablebase)
}

/// The material, which must be one that has a table.
pub fn with_table(material: Material) -> Result<Material, CommandError> {
    match material == Material::BARE_KINGS {
        true => Err(CommandError::bad_input(SolveError::BareKings(material))),
        false => Ok(material),
    }
}

/// Prints to standard output; a reader that has gone away is no failure.
pub fn print(text: &str) -> Result<(), CommandError> {
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
    print(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// The text with its first letter a capital one.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
