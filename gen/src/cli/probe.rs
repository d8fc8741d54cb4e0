//! `sakmak probe`: answers about positions.

mod asked;
mod batch;
mod json;
mod text;

use crate::cli::counting::{CountedOtherwise, asked};
use crate::cli::{CommandError, TablesArgument, print, print_json};
use asked::{Prober, position};
use clap::Args;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::variant::Variant;

/// What stands for positions on standard input.
const STANDARD_INPUT: &str = "-";

/// Which position.
#[derive(Args)]
pub struct ProbeArguments {
    /// The position, the fields after the side to move may be left out; - with --json: one
    /// position a line from standard input, one line of JSON for each
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    counting: CountingArgument,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Which game, and how it is counted.
#[derive(Args)]
struct CountingArgument {
    /// The way of counting, and with it the game: makruk, makruk-khon-first, ouk or
    /// ouk-traditional [default: makruk]
    #[arg(long, value_name = "COUNTING", value_parser = crate::cli::counting_named)]
    counting: Option<&'static CountingRule>,
    /// The game, counted in its usual way: makruk or ouk
    #[arg(long, value_parser = crate::cli::variant_named)]
    variant: Option<&'static Variant>,
}

impl CountingArgument {
    /// The way of counting.
    fn counting_rule(&self) -> Result<&'static CountingRule, CountedOtherwise> {
        let asked = asked(self.variant, self.counting)?;
        Ok(asked.unwrap_or(Variant::all()[0].counting()))
    }
}

pub fn run(arguments: ProbeArguments) -> Result<(), CommandError> {
    let counting_rule = arguments.counting.counting_rule().map_err(CommandError::bad_input)?;
    let batch = arguments.fen == [STANDARD_INPUT];
    if batch && !arguments.json {
        let message = "positions from standard input are answered in JSON: add --json";
        return Err(CommandError { message: message.to_string(), code: 2 });
    }
    let open = || -> Result<Prober, CommandError> {
        let directory = arguments.tables.readable()?;
        Ok(Prober { counting_rule, tablebase: crate::cli::tablebase(&directory)?, directory })
    };
    if batch {
        return batch::run(&open()?);
    }
    // A position that cannot be is complained of before a directory that is not there.
    let position = position(counting_rule, &arguments.fen.join(" "))?;
    let answer = open()?.answer(&position)?;
    match arguments.json {
        true => print_json(&json::AnswerJson::new(&position, &answer)),
        false => print(&text::text(&position, &answer)),
    }
}
