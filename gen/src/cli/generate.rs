//! `sakmak generate`: makes tables.

use crate::cli::Failure;
use crate::cli::making::{Lines, Making};
use crate::cli::selection::{Asked, BatchArguments};
use clap::Args;
use sakmak_gen::build::batch::Batch;
use sakmak_gen::output::solved::WriteOptions;

/// What to make and where.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    batch: BatchArguments,
    /// The level of compression: higher is smaller and slower
    #[arg(long, default_value_t = WriteOptions::default().level, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
}

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let options = WriteOptions { level: arguments.level, ..WriteOptions::default() };
    let Asked { names, rules, directory, settings } = arguments.batch.asked(options)?;
    let batch = Batch { rules, directory: &directory, settings };
    let shown = Making::new(&directory, Lines::Output);
    batch.run(names, &shown)?;
    shown.end()
}
