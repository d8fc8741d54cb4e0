//! `sakmak query`: positions that meet a condition.

mod output;

use crate::cli::progress::Bars;
use crate::cli::{Failure, TablesArgument, ThreadsArgument, print, with_table};
use clap::Args;
use output::{Format, Output};
use sakmak_gen::analysis::query::{Hit, Search, SearchError, parse};
use sakmak_gen::slots::codes::TablePair;
use sakmak_gen::store::{TableStore, TableStoreError};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::variants::{self, MAKRUK};
use std::ops::ControlFlow;

/// The most positions drawn at random.
const MOST_DRAWN: u64 = 1_000_000;

/// The language, and what is printed.
const AFTER: &str = "\
Conditions, joined by and, or, not and parentheses:
  side=white                white is to move; white is the material's first side
  winner=white              white forces mate, nothing being counted
  win, draw, loss           the mover's result, nothing being counted
  mate                      the mover is mated
  in_time, too_late         mate is forced, and the count leaves moves enough, or not
  category=cursed-win       the mover's grade under the count: win, cursed-win, draw,
                            blessed-loss, loss
  dtm<=20                   the attacker's moves to mate: = != < <= > >=; a draw has none
  counted>40                its moves of the count, to mate or to a better count
  check                     the mover is in check
  zugzwang                  the mover would have a better result, nothing being counted,
                            if the other side were to move
  S on d4, k=a8             a khon of white's is on d4, the black king on a8: capital
                            letters are white's men, small ones black's; white.S is S
  M on edge|rank 6-8        on any of: squares, rank 1-3, file a, corner, edge, centre,
                            light, dark (a1 is)
  all M on light            each of them is
  same_colour(S,m)          all these men are on squares of one colour

The count starts in each position unless --left says what is left of it. Positions that are \
turned images of one another are listed as one, the first image that meets the condition. \
A line has, with tabs between: FEN, result, moves to mate, grade under the count, moves of \
the count; - for what there is not. --count tells positions of the whole board, no symmetry \
folded, and slots, the lines there would be.

  sakmak query KSMvK too_late --count                lost to the clock
  sakmak query KSMvK 'side=white and win and not in_time' --limit 20
  sakmak query KRvKM 'zugzwang and m on edge' --csv";

/// What to find, and how to tell it.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// A material such as KSMvK
    material: String,
    /// The condition
    #[arg(required = true)]
    condition: Vec<String>,
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The way of counting that says what is in time: makruk, makruk-khon-first, ouk or
    /// ouk-traditional [default: makruk]
    #[arg(long, value_parser = crate::cli::counting_named)]
    counting: Option<&'static CountingRule>,
    /// The attacker's moves left on the clock [default: those of a count that starts in the
    /// position]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(..=1024))]
    left: Option<u16>,
    /// List so many at most, the first
    #[arg(long, value_name = "N", conflicts_with_all = ["count", "sample"])]
    limit: Option<u64>,
    /// Draw so many at random, each as likely as any other
    #[arg(long, value_name = "N", conflicts_with = "count",
        value_parser = clap::value_parser!(u64).range(1..=MOST_DRAWN))]
    sample: Option<u64>,
    /// What the drawing begins with [default: 0]
    #[arg(long, value_name = "NUMBER", requires = "sample")]
    seed: Option<u64>,
    /// Tell only how many there are
    #[arg(long)]
    count: bool,
    /// Print JSON, an object in a line for each
    #[arg(long)]
    json: bool,
    /// Print comma-separated values with a head line
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let material: Material = arguments.material.parse().map_err(Failure::bad_input)?;
    let material = with_table(material)?;
    let condition = arguments.condition.join(" ");
    let expression = parse(&condition, material).map_err(Failure::bad_input)?;
    let directory = arguments.tables.readable()?;
    arguments.threads.apply()?;
    let counting_rule = arguments.counting.unwrap_or(MAKRUK.counting());
    let store = TableStore::new(&variants::counted_by(counting_rule).rules, &directory);
    let mate = store.codes(TableName::to_mate(material))?;
    let name = TableName::answering(material, Metric::Counted(counting_rule));
    let needed = expression.needs_counted() || arguments.counting.is_some();
    let counted = match name.metric {
        Metric::DistanceToMate => None,
        // A count needs no more than what is asked for.
        Metric::Counted(_) if !needed && arguments.count => None,
        Metric::Counted(_) => match store.codes(name) {
            Err(TableStoreError::Missing { .. }) if !needed => None,
            codes => Some(codes?),
        },
    };
    let source = TablePair { mate: &*mate, counted: counted.as_deref() };
    let left = arguments.left.map(|left| Moves(left.into()));
    let search =
        Search::new(&expression, source, counting_rule, left).map_err(|error| match error {
            SearchError::TooMuchLeft { .. } | SearchError::NothingCounted { .. } => {
                Failure::bad_input(error)
            }
            _ => error.into(),
        })?;

    let format = match (arguments.json, arguments.csv) {
        (true, _) => Format::Json,
        (_, true) => Format::Csv,
        _ => Format::Text,
    };
    let output = Output { search: &search, variant: variants::counted_by(counting_rule), format };
    let bars = Bars::new();
    let bar = bars.slots(&material.to_string(), search.slots());
    let progress = |slots| bar.inc(slots);
    if arguments.count {
        let count = search.count(&progress)?;
        bar.finish_and_clear();
        return print(&output.count(&condition, counting_rule, count)?);
    }
    bars.print(&output.head())?;
    let mut printed = Ok(());
    if let Some(most) = arguments.sample {
        let seed = arguments.seed.unwrap_or(0);
        let hits = search.sample(most as usize, seed, &progress)?;
        bar.finish_and_clear();
        return output.print(&hits, &bars).map(|_| ());
    }
    let mut left = arguments.limit.unwrap_or(u64::MAX);
    let reader = |hits: &[Hit]| {
        let wanted = hits.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        left -= wanted as u64;
        match output.print(hits.get(..wanted).unwrap_or_default(), &bars) {
            Ok(ControlFlow::Continue(())) if left > 0 => ControlFlow::Continue(()),
            Ok(_) => ControlFlow::Break(()),
            Err(failure) => {
                printed = Err(failure);
                ControlFlow::Break(())
            }
        }
    };
    if arguments.limit != Some(0) {
        search.each(reader, &progress)?;
    }
    bar.finish_and_clear();
    printed
}
