//! `sakmak generate`: makes tables.

use crate::cli::CommandError;
use crate::cli::batch_progress::{Stream, BatchProgress};
use crate::cli::selection::{BatchRequest, BatchArguments};
use clap::Args;
use sakmak_gen::build::batch::Batch;
use sakmak_gen::output::solved::WriteOptions;

/// What to make and where.
#[derive(Args)]
pub struct GenerateArguments {
    #[command(flatten)]
    batch: BatchArguments,
    /// The level of compression: higher is smaller and slower
    #[arg(long, default_value_t = WriteOptions::default().level, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
}

pub fn run(arguments: GenerateArguments) -> Result<(), CommandError> {
    let options = WriteOptions { level: arguments.level, ..WriteOptions::default() };
    let BatchRequest { names, rules, directory, demands } = arguments.batch.asked(options)?;
    let batch = Batch { rules, directory: &directory, demands };
    let shown = BatchProgress::new(&directory, Stream::Output);
    batch.run(names, &shown)?;
    shown.end()
}
