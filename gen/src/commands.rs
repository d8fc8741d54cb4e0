//! The subcommands, a file each, and what they share.

mod board;
mod generate;
mod probe;
mod progress;
mod stats;
mod verify;

use clap::{Args, Subcommand};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::VariantError;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Make tables: those named and all they lead to.
    Generate(generate::Arguments),
    /// Ask about a position: verdict, count, moves, line.
    Probe(probe::Arguments),
    /// Check every stored value against its successors by plain move generation.
    Verify(verify::Arguments),
    /// Count a table: wins, losses, how long, how many in time.
    Stats(stats::Arguments),
}

impl Command {
    /// Does it.
    pub fn run(self) -> Result<(), Failure> {
        match self {
            Command::Generate(arguments) => generate::run(arguments),
            Command::Probe(arguments) => probe::run(arguments),
            Command::Verify(arguments) => verify::run(arguments),
            Command::Stats(arguments) => stats::run(arguments),
        }
    }
}

/// Why a command failed: one line for a person and an exit code.
#[derive(Debug)]
pub struct Failure {
    /// What to say; nothing where all was said.
    pub message: Option<String>,
    /// The exit code.
    pub code: u8,
}

impl Failure {
    /// What was asked for makes no sense.
    pub fn bad_input(error: impl Error) -> Failure {
        Failure { message: Some(error.to_string()), code: 2 }
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure { message: Some(error.to_string()), code: 1 }
    }
}

/// Where the tables are when nothing is said.
const DEFAULT_DIRECTORY: &str = "sakmak-tables";

/// Where the tables are.
#[derive(Args)]
pub struct TablesArgument {
    /// The directory of the tables [default: sakmak-tables]
    #[arg(long = "tables", value_name = "DIR", env = "SAKMAK_TABLES")]
    directory: Option<PathBuf>,
}

impl TablesArgument {
    /// The directory, there or not.
    pub fn directory(&self) -> PathBuf {
        self.directory.clone().unwrap_or_else(|| PathBuf::from(DEFAULT_DIRECTORY))
    }

    /// The directory to read from: one that was named must be there.
    pub fn readable(&self) -> Result<PathBuf, Failure> {
        let directory = self.directory();
        if self.directory.is_some() && !directory.is_dir() {
            let message = format!("no directory of tables at {}", directory.display());
            return Err(Failure { message: Some(message), code: 2 });
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
    pub fn apply(&self) -> Result<(), Failure> {
        let threads = self.threads.map_or(0, usize::from);
        Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?)
    }
}

/// The variant of this name, for the command line.
pub fn variant_named(name: &str) -> Result<&'static Variant, VariantError> {
    Variant::named(name)
}

/// Prints to standard output; a reader that has gone away is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Err(Failure { message: None, code: 0 })
        }
        other => Ok(other?),
    }
}
