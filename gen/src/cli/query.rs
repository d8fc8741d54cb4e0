//! `sakmak query`: searches for positions that meet a condition.

mod output;

use crate::cli::arguments::{AccessArgument, TablesArgument, ThreadsArgument, counting_parser};
use crate::cli::progress::Bars;
use crate::cli::{CommandError, print, with_table};
use clap::Args;
use output::{MatchWriter, OutputFormat};
use sakmak_gen::analysis::query::{Query, QueryError, QueryMatch, parse};
use sakmak_gen::slots::codes::TablePair;
use sakmak_gen::store::{TableStore, TableStoreError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::variants::{self, MAKRUK};
use std::ops::ControlFlow;

/// The largest sample.
const MAX_SAMPLE: u64 = 1_000_000;

/// What comes after the options in the help.
const AFTER: &str = "\
Conditions, combined with and, or, not and parentheses:
  side=white          White is to move; White is the first side of the material
  winner=white        White can force mate, with no count
  win, draw, loss     result for the side to move, with no count
  mate                the side to move is mated
  in_time, too_late   mate can be forced, and comes in time or too late
  category=cursed-win category under the count: win, cursed-win, draw,
                      blessed-loss, loss
  dtm<=20             the winner's moves to mate: = != < <= > >=; false for
                      draws
  counted>40          the winner's moves needed of the count, to mate or to the
                      next count
  check               the side to move is in check
  zugzwang            the side to move would have a better result, with no
                      count, if the other side were to move
  S on d4, k=a8       a white khon is on d4, the black king on a8; capital
                      letters are white pieces, small letters black ones;
                      white.S means S
  M on edge|rank 6-8  a white met is in one of the regions: squares, rank 1-3,
                      file a, corner, edge, centre, light, dark (a1 is dark)
  all M on light      all white mets are in the region
  same_colour(S,m)    all these pieces are on squares of one colour

A count starts in each position, unless --left gives the moves left on the clock.

A line of output has five fields, separated by tabs: FEN, result with no count (win, draw or \
loss for the side to move), moves to mate, category under the count, moves needed of the count; \
- for a field without a value. Of positions that are images of one another under a symmetry of \
the board, one is listed: the first image that meets the condition. --count prints the number of \
positions of the whole board, and the number of slots, which is the number of lines.

  sakmak query KSMvK too_late --count
  sakmak query KSMvK 'side=white and win and not in_time' --limit 20
  sakmak query KRvKM 'zugzwang and m on edge' --csv";

/// The material and condition of a query.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct QueryArguments {
    /// Material such as KSMvK
    #[arg(value_name = "MATERIAL")]
    material: String,
    /// Condition, in one or several words
    #[arg(required = true, value_name = "CONDITION")]
    condition: Vec<String>,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    access: AccessArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Counting rule that decides what is in time [default: makruk]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Option<&'static CountingRule>,
    /// The winner's moves left on the clock [default: those of a count that starts in the
    /// position]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(..=1024))]
    left: Option<u16>,
    /// List at most N positions
    #[arg(long, value_name = "N", conflicts_with_all = ["count", "sample"])]
    limit: Option<u64>,
    /// List N random positions, at most 1,000,000, each equally likely
    #[arg(long, value_name = "N", conflicts_with = "count",
        value_parser = clap::value_parser!(u64).range(1..=MAX_SAMPLE))]
    sample: Option<u64>,
    /// Seed of the sample: the same seed draws the same positions [default: 0]
    #[arg(long, value_name = "N", requires = "sample")]
    seed: Option<u64>,
    /// Print only the number of positions
    #[arg(long)]
    count: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Print comma-separated values with a header line
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub fn run(arguments: QueryArguments) -> Result<(), CommandError> {
    let material: Material = arguments.material.parse().map_err(CommandError::bad_input)?;
    let material = with_table(material)?;
    let condition = arguments.condition.join(" ");
    let expression = parse(&condition, material).map_err(CommandError::bad_input)?;
    let directory = arguments.tables.readable()?;
    arguments.threads.apply()?;
    let counting_rule = arguments.counting.unwrap_or(MAKRUK.counting());
    let store = TableStore::new(&variants::counted_by(counting_rule).rules, &directory)
        .with_access(arguments.access.access()?);
    let mate = store.codes(TableName::to_mate(material))?;
    let name = TableName::answering(material, Metric::Counted(counting_rule));
    let needed = expression.needs_counted() || arguments.counting.is_some();
    let counted = match name.metric {
        Metric::DistanceToMate => None,
        // --count prints no category: the table is read only if the condition needs it.
        _ if !needed && arguments.count => None,
        _ => match store.codes(name) {
            Err(TableStoreError::Missing { .. }) if !needed => None,
            codes => Some(codes?),
        },
    };
    let source = TablePair { mate: &*mate, counted: counted.as_deref() };
    let left = arguments.left.map(|left| Moves(left.into()));
    let query =
        Query::new(&expression, source, counting_rule, left).map_err(|error| match error {
            QueryError::TooMuchLeft { .. } | QueryError::NoCount { .. } => {
                CommandError::bad_input(error)
            }
            _ => error.into(),
        })?;

    let format = match (arguments.json, arguments.csv) {
        (true, _) => OutputFormat::Json,
        (_, true) => OutputFormat::Csv,
        _ => OutputFormat::Text,
    };
    let output =
        MatchWriter { query: &query, variant: variants::counted_by(counting_rule), format };
    let bars = Bars::new();
    let bar = bars.slots(&material.to_string(), query.slots());
    let progress = |slots| bar.inc(slots);
    if arguments.count {
        let count = query.count(&progress)?;
        bar.finish_and_clear();
        return print(&output.count(&condition, counting_rule, count)?);
    }
    bars.print(&output.head())?;
    let mut printed = Ok(());
    if let Some(most) = arguments.sample {
        let seed = arguments.seed.unwrap_or(0);
        let matches = query.sample(most as usize, seed, &progress)?;
        bar.finish_and_clear();
        return output.print(&matches, &bars).map(|_| ());
    }
    let mut left = arguments.limit.unwrap_or(u64::MAX);
    let reader = |matches: &[QueryMatch]| {
        let printable = matches.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        left -= printable as u64;
        match output.print(matches.get(..printable).unwrap_or_default(), &bars) {
            Ok(ControlFlow::Continue(())) if left > 0 => ControlFlow::Continue(()),
            Ok(_) => ControlFlow::Break(()),
            Err(failure) => {
                printed = Err(failure);
                ControlFlow::Break(())
            }
        }
    };
    if arguments.limit != Some(0) {
        query.each(reader, &progress)?;
    }
    bar.finish_and_clear();
    printed
}
