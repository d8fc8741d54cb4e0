//! `sakmak generate`: solves tables and writes them to files.

pub mod boards;

use crate::cli::batch_arguments::{BatchArguments, BatchRequest};
use crate::cli::batch_progress::{BatchProgress, Stream};
use crate::cli::memory::within_machine;
use crate::cli::{CommandError, print};
use clap::Args;
use sakmak_make::batch::plan::Batch;
use sakmak_make::batch::settings::BatchSettings;
use sakmak_make::output::solved::WriteOptions;
use sakmak_probe::variant::Variant;

/// The help after the options.
const AFTER: &str = "\
Makes the tables of the named materials and all tables that they depend on by captures and \
promotions. Tables that already exist are kept. An interrupted run resumes when the same command is run \
again. Several processes may work in one directory; each table is made by one of them.

Janggi, Rek and Min Rek Chanh have one table for each material, such as KRHvKAA, without counted \
distances, packed files and WDL files.

  sakmak generate 4                        all tables of three and four men
  sakmak generate KRvKN --counting makruk  a material with its counted distances
  sakmak generate 5 --memory 16G           all tables up to five men, in 16 GiB
  sakmak generate 5 --packed               packed tables, a fifth of the space
  sakmak generate 5 --wdl                  tables, and WDL files for engines
  sakmak generate 4 --variant janggi       all tables of Janggi up to four men";

/// The tables to make.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct GenerateArguments {
    #[command(flatten)]
    batch: BatchArguments,
    /// Compression level of zstd, -50 to 22: higher is smaller and slower; 0 means 3
    #[arg(long, value_name = "N", default_value_t = WriteOptions::default().level, allow_negative_numbers = true, value_parser = clap::value_parser!(i32).range(-50..=22))]
    level: i32,
}

pub fn run(arguments: GenerateArguments) -> Result<(), CommandError> {
    let variant = match arguments.batch.variant.variant() {
        Variant::Chess(variant) => variant,
        Variant::Board(game) => return game.visit(&arguments),
    };
    let options = WriteOptions { level: arguments.level, ..WriteOptions::default() };
    let request = arguments.batch.request(variant, options)?;
    let BatchRequest { names, rules, directory, settings, left_out } = request;
    let settings = BatchSettings { memory: within_machine(settings.memory), ..settings };
    let batch = Batch { rules, directory: &directory, settings };
    let progress = BatchProgress::new(&directory, Stream::Output);
    batch.run(names, &progress)?;
    progress.end()?;
    let line = left_out.and_then(|counts| counts.line(&directory));
    line.map_or(Ok(()), |line| print(&line))
}
