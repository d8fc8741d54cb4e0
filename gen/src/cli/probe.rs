//! `sakmak probe`: looks up positions.

pub mod batch;
mod boards;
mod call;
mod count_words;
pub mod epd;
mod prober;
mod text;

use crate::cli::arguments::{AccessArgument, RulesArguments, STANDARD_INPUT, TablesArgument};
use crate::cli::{CommandError, print_json, print_styled, tablebase};
use call::CallArguments;
use clap::Args;
use epd::Epd;
use prober::{Prober, counted_position};
use sakmak_probe::json::{AnswerJson, json_line};
use sakmak_probe::variant::Variant;
use std::cell::Cell;

/// The help after the options.
const AFTER: &str = "\
The FEN is that of Fairy-Stockfish: board, side to move, castling (-), count limit, count, move \
number. Fields after the side to move may be omitted; M~ is a promoted met. In kar-ouk the checks left \
precede the count: 1+1.

Limit and count are plies, twice the moves: '88 40' means 20 called of 44. In Ouk, where the \
last number is not called, the limit is two plies less: '86 40'. --called 20 with a FEN without a \
count ('- 0') means the same. Without a count, a count that may run starts in the position.

Operations of EPD after the fields, such as 'bm Md2; id \"one\";', are kept in JSON; hmvc and fmvn are \
read as clock and number. On standard input lines that begin with # are skipped.

The result and the word beside each move take the running count and all later counts into \
account. 'draw (too late)' means that mate can be forced, but the count ends before it. Moves are \
sorted from best to worst. The mate beside a win or loss is the shortest that stays in time; beside \
a mate that comes too late it is the shortest with no count.

A table of at most four men that is missing is solved on the spot.

In Janggi, Rek and Min Rek Chanh nobody counts, and missing tables of up to 16 M slots are solved on the spot. The FEN ends with the side \
to move; numbers after it are not read.

  sakmak probe '8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21'
  sakmak probe '8/8/8/4k3/8/4K3/4S3/4M3 w' --called 20
  sakmak probe - --json < FENS        one line of JSON for each line of FEN
  sakmak probe '3k5/9/9/9/9/9/9/9/9/R3K4 w' --variant janggi";

/// The position to look up.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct ProbeArguments {
    /// Position as FEN or EPD; - reads one per line from standard input and needs --json
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    access: AccessArgument,
    #[command(flatten)]
    rules: RulesArguments,
    #[command(flatten)]
    call: CallArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Add the number of right moves to the JSON, and whether the solution of a win is unique
    #[arg(long, requires = "json")]
    solution: bool,
    /// Print the board as SVG, which needs no table: board games only
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

pub fn run(arguments: ProbeArguments) -> Result<(), CommandError> {
    let variant = match arguments.rules.variant() {
        Variant::Chess(variant) => variant,
        Variant::Board(game) => return game.visit(&arguments),
    };
    let counting_rule = arguments.rules.counting_rule(variant)?;
    let batch = arguments.fen == [STANDARD_INPUT];
    if batch && !arguments.json {
        return Err(batch::needs_json());
    }
    if batch && arguments.call.is_given() {
        let message = "--called is for one position: on standard input the FENs have the counts";
        return Err(CommandError::bad_input(message.to_string()));
    }
    let open = || -> Result<Prober, CommandError> {
        let directory = arguments.tables.readable()?;
        let tablebase = tablebase(&directory, arguments.access.access()?)?;
        let solution = arguments.solution;
        Ok(Prober { tablebase, directory, solution, named: Cell::new(0) })
    };
    if batch {
        let prober = open()?;
        return batch::run(|epd| {
            let answer = prober.answer(counted_position(counting_rule, &epd.fen)?)?;
            Ok(json_line(&epd.answer(AnswerJson::new(&answer)))?)
        });
    }
    // An error in the position is reported before an error in the directory.
    let text = arguments.fen.join(" ");
    let epd = Epd::read(&text);
    let mut asked = counted_position(counting_rule, &epd.fen)?;
    arguments.call.apply(&mut asked)?;
    let answer = open()?.answer(asked)?;
    match arguments.json {
        true => print_json(&epd.answer(AnswerJson::new(&answer))),
        false => print_styled(&text::text(&answer)),
    }
}
