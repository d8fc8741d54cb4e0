//! `sakmak label`: writes the results of positions into files of training data and of games.
//!
//! ```text
//! read blocks of whole lines that can be labelled apart            blocks
//! label the blocks in parallel, one line or game after another     labeller, labels
//! write them in order, after the lines of an earlier run           output
//! ```

mod blocks;
mod format;
mod labeller;
mod labels;
mod output;

use crate::cli::arguments::{
    CountingName, SourceArguments, chess_variant_parser, counting_parser, counting_rule,
};
use crate::cli::progress::{Bars, Meter};
use crate::cli::{CommandError, StyledText, eprint, files_of, print, signals};
use blocks::Blocks;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use format::{Format, UnknownFormat};
use indicatif::HumanCount;
use labeller::Labeller;
use labels::{LabelContent, Tally};
use output::LabelledFile;
use rayon::prelude::*;
use sakmak_tables::variant::Variant;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Blocks of the input in memory for each thread.
const BLOCKS: usize = 8;

/// The help after the options.
const AFTER: &str = "\
A label belongs to the side to move. category is its category under the count. score is --win-score \
for a win, minus that for a loss, and 0 for a draw; a win or a loss that comes too late for the count \
is a draw. With --distance, dtm is the number of plies to mate with no count, negative for the side \
that is mated; a draw has none, or null in JSON. With --only, only is true if exactly one legal move \
keeps the result under the count and another is legal.

  epd    a FEN or a line of EPD gets operations: category win; score 10000;
  plain  of variant-nnue-tools, blocks of fen, move, score, ply, result and e:
         the score is replaced, and the result by 1, 0 or -1; the rest stays
  json   an object with a field fen on each line gets fields
  pgn    the first move and all positions after moves get comments:
         {[%category win] [%score 10000]}

Labels of an earlier run are replaced. Everything else is copied, so the output has the lines of the \
input: lines that cannot be read, and positions without a table. At the end both are counted, \
and the first of each is named. Missing tables are not solved. The WDL file alone is read where it suffices.

An interrupted run names the lines written. --from-line continues it: with -o the lines before that line \
are those of PATH.part; without -o, append the output.

  sakmak label games.plain -o labelled.plain
  sakmak label - --distance < positions.fen > labelled.epd";

/// The positions to label.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct LabelArguments {
    /// File of positions or games, or - for standard input
    #[arg(value_name = "FILE")]
    input: PathBuf,
    #[command(flatten)]
    source: SourceArguments,
    /// Variant, of games without a Variant tag [default: makruk; of games the variant of their
    /// letters or moves]
    #[arg(long, value_name = "NAME", value_parser = chess_variant_parser())]
    variant: Option<&'static Variant>,
    /// Counting rule, of games of its variant; with --variant also none: nobody counts [default:
    /// the usual rule]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Option<CountingName>,
    /// Format of the file [default: by the end of its name, .plain, .json, .jsonl or .pgn; else
    /// epd]
    #[arg(long, value_name = "NAME", value_parser = format_parser())]
    format: Option<Format>,
    /// Add the distance to mate
    #[arg(long)]
    distance: bool,
    /// Add whether exactly one move keeps the result
    #[arg(long)]
    only: bool,
    /// Score of a win
    #[arg(long, value_name = "N", default_value_t = 10_000,
        value_parser = clap::value_parser!(i32).range(1..=32_000))]
    win_score: i32,
    /// First line to label, to continue an interrupted run
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..))]
    from_line: u64,
    /// Output: file, named PATH.part until it is complete [default: standard output]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// Returns a parser of the names of formats.
fn format_parser() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(Format::name);
    PossibleValuesParser::new(names)
        .try_map(|name| Format::named(&name).ok_or(UnknownFormat { name }))
}

pub fn run(arguments: LabelArguments) -> Result<(), CommandError> {
    let counting_rule = counting_rule(arguments.variant, arguments.counting)?;
    let format = arguments.format.unwrap_or_else(|| Format::of(&arguments.input));
    let directory = arguments.source.tables.readable()?;
    let tables = files_of(&[directory], arguments.source.access.access()?)?;
    arguments.source.threads.apply()?;
    let LabelArguments { distance, only, win_score, .. } = arguments;
    let content = LabelContent { distance, only, win_score };
    let labeller = Labeller { tables, counting_rule, content, format };
    let mut blocks = Blocks::open(&arguments.input, format)?;
    let lines = arguments.from_line - 1;
    blocks.skip(lines)?;
    let is_printed = arguments.output.is_none();
    let output = LabelledFile::create(arguments.output, lines)?;
    let output = Arc::new(Mutex::new(output));
    let written = Arc::clone(&output);
    // The lock is never released, so that nothing is written after the line that is named.
    signals::listen(move |signal| signals::end(signal, &locked(&written).kept()))?;
    let bars = Bars::new();
    let meter = match blocks.length() {
        Some(length) => bars.meter("label", length, "bytes"),
        None => bars.spinner("label", "bytes"),
    };
    let labelled = labelled(&labeller, &mut blocks, &output, &meter);
    meter.finish();
    let tally = labelled.map_err(|CommandError { message, code }| {
        let message = message + &locked(&output).kept();
        CommandError { message, code }
    })?;
    locked(&output).commit()?;
    super::warn_of_refused_files(&labeller.tables, 0);
    let summary = tally.summary();
    match tally.is_whole() {
        false => Err(CommandError::failure(summary)),
        true if is_printed => {
            eprint(&StyledText::from(&*(summary + "\n")));
            Ok(())
        }
        true => print(&(summary + "\n")),
    }
}

fn locked(output: &Mutex<LabelledFile>) -> MutexGuard<'_, LabelledFile> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes the labelled input. Ends early if the reader of the output has gone.
fn labelled(
    labeller: &Labeller,
    blocks: &mut Blocks,
    output: &Mutex<LabelledFile>,
    meter: &Meter,
) -> Result<Tally, CommandError> {
    let mut tally = Tally::default();
    loop {
        let batch = blocks.batch(BLOCKS * rayon::current_num_threads())?;
        if batch.is_empty() {
            return Ok(tally);
        }
        let labelled: Vec<_> = batch.par_iter().map(|block| labeller.block(block)).collect();
        for (block, labelled) in batch.iter().zip(labelled) {
            tally.add(labelled.tally);
            match locked(output).write(&labelled.text, block.lines) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(tally),
                written => written.map_err(|error| {
                    CommandError::failure(format!("cannot write the output: {error}"))
                })?,
            }
            meter.add(block.text.len() as u64);
        }
        meter.set_message(&format!("{} labels", HumanCount(tally.labelled())));
        meter.advance(0);
    }
}
