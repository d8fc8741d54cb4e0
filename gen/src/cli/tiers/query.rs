//! `sakmak query` for these games.

use crate::cli::arguments::{TablesArgument, ThreadsArgument};
use crate::cli::progress::Bars;
use crate::cli::query::listing::{FirstRecords, Listing, ListingArguments, column_parser};
use crate::cli::query::output::{CountRecord, CountedBy, MatchWriter, OutputFormat, OutputRecord};
use crate::cli::selection::is_like_materials;
use crate::cli::tiers::selection::{load, tiers_with_files};
use crate::cli::{CommandError, print};
use clap::Args;
use sakmak_analysis::query::OrderColumn;
use sakmak_analysis::tiers::{TierMatch, TierQuery, parse};
use sakmak_tiers::notation::Notation;
use sakmak_tiers::probe::Directory;
use sakmak_tiers::table::Tables;
use serde::Serialize;
use std::ops::ControlFlow;

/// The usage: several materials come before the condition.
const USAGE: &str = "sakmak query [OPTIONS] --variant <NAME> <MATERIAL|MEN>... <CONDITION>...";

/// The help after the options.
const AFTER: &str = "\
Conditions, combined with and, or, not and parentheses:
  side=white
      White is to move; White is the stronger side of the material
  winner=white
      White can force a win
  win, draw, loss
      result for the side to move
  mate
      the side to move has lost
  dtm<=20
      the winner's moves to the end: = != < <= > >=; false for draws
  moves=1
      the number of legal moves, passes included
  check
      the side to move is in check; in Janggi only
  mutual_zugzwang
      whoever is to move has a worse result than if the other side were to move; zugzwang for \
short; only where a side has to move
  only_move, quiet
      one of several moves keeps the result; a move that takes nothing keeps it
  H on d4, k=e9
      a white horse is on d4, the black general on e9; letters are those of materials, capital \
ones for White, small ones for Black; white.H means H
  P on edge|rank 6-8
      a white soldier is in one of the regions: squares, rank 1-3, file a, corner, edge, centre
  all P on rank 7-10
      all white soldiers are in the region
  one_in(64)
      a fixed selection of one position in so many, with its mirror images, for an estimate

Of positions that are mirror images of one another, one is listed: the first that meets the \
condition. --count prints the number of positions of the whole board and the number of distinct ones, \
which is the number of lines.

Examples:
  sakmak query KRHvKA 'side=white and draw' --count --variant janggi
  sakmak query KPPvK 'win and only_move' --longest 10 --variant janggi
  sakmak query KMMvKM mutual_zugzwang --csv --variant rek";

/// The columns of an order: no moves are counted.
const COLUMNS: [OrderColumn; 2] = [OrderColumn::Result, OrderColumn::DistanceToMate];

/// The help of `--longest`: these games end in other ways than mate too.
const LONGEST: &str =
    "List the N positions with the most moves to the end, at most 1,000,000, the longest first";

/// The materials and condition of a query.
#[derive(Args)]
#[command(after_help = AFTER, override_usage = USAGE)]
#[command(mut_arg("order", |order| order.value_parser(column_parser(&COLUMNS))))]
#[command(mut_arg("longest", |longest| longest.help(LONGEST)))]
pub struct QueryArguments {
    /// Materials such as KRHvKAA or KMMvKM, or a number: all materials of up to that many men
    #[arg(value_name = "MATERIAL|MEN")]
    material: String,
    /// Condition, in one or several words, after the other materials
    #[arg(required = true, value_name = "CONDITION")]
    condition: Vec<String>,
    #[command(flatten)]
    directory: TablesArgument,
    #[command(flatten)]
    pub threads: ThreadsArgument,
    /// Variant
    #[arg(long, value_name = "NAME")]
    pub variant: String,
    #[command(flatten)]
    listing: ListingArguments,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Print comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// One match.
#[derive(Serialize)]
struct TierRecord {
    fen: String,
    /// The mover's result.
    result: &'static str,
    /// The winner's moves to the end.
    dtm: Option<u32>,
    material: String,
}

impl OutputRecord for TierRecord {
    const COLUMNS: &[&str] = &["fen", "result", "dtm", "material"];

    fn cells(&self) -> Vec<Option<String>> {
        let TierRecord { fen, result, dtm, material } = self;
        let dtm = dtm.map(|moves| moves.to_string());
        vec![Some(fen.clone()), Some((*result).to_string()), dtm, Some(material.clone())]
    }
}

pub fn run<G: Notation>(game: &G, arguments: &QueryArguments) -> Result<(), CommandError> {
    let more = arguments.condition.iter().take_while(|text| is_like_materials(text)).count();
    let (more, condition) = arguments.condition.split_at(more);
    if condition.is_empty() {
        let name = game.name();
        return Err(CommandError::bad_input(format!(
            "missing: <CONDITION>, such as 'win'; see 'sakmak query --help --variant {name}'"
        )));
    }
    let condition = condition.join(" ");
    let listing = arguments.listing.listing()?;
    let directory = Directory::new(game, &arguments.directory.readable()?);
    let texts = [std::slice::from_ref(&arguments.material), more].concat();
    let parsed = |tier| Ok((tier, parse(&condition, game, tier).map_err(CommandError::bad_input)?));
    let tiers = tiers_with_files(game, &texts, &directory)?;
    let expressions = tiers.into_iter().map(parsed).collect::<Result<Vec<_>, CommandError>>()?;
    let bars = Bars::new();
    let writer =
        MatchWriter { format: OutputFormat::of(arguments.json, arguments.csv), bars: &bars };
    let mut counts = Vec::new();
    let mut printable = match listing {
        Listing::Each { limit } => limit,
        _ => u64::MAX,
    };
    let mut first = match listing {
        Listing::First(first) => Some(FirstRecords::new(first)),
        _ => None,
    };
    let mut tables = Tables::default();
    for (place, (tier, expression)) in expressions.iter().enumerate() {
        let smaller = TierQuery::<G>::needs_smaller(expression);
        let mut needed = if smaller { game.smaller(*tier) } else { Vec::new() };
        needed.push(*tier);
        load(game, &directory, &mut tables, &needed)?;
        let query = TierQuery::new(game, *tier, &tables, expression)?;
        let record = |found: &TierMatch<G::Position>| TierRecord {
            fen: game.fen(&found.position),
            result: found.result().name(),
            dtm: found.moves(),
            material: tier.to_string(),
        };
        if place == 0 && matches!(listing, Listing::Each { .. }) {
            bars.print(&writer.format.head::<TierRecord>())?;
        }
        let meter = bars.slots(&tier.to_string(), query.slots());
        let progress = |slots| meter.advance(slots);
        if let Some(first) = &mut first {
            let found = query.first(first.most(), first.order(), &progress)?;
            first.add(place, found.iter().map(|(rank, found)| (*rank, record(found))));
        } else if listing == Listing::Count {
            let by = CountedBy::Variant(game.name());
            counts.push(CountRecord::new(tier, by, query.count(&progress)?));
        } else if printable > 0 {
            let mut printed = Ok(());
            query.each(
                |matches| {
                    let some = matches.len().min(usize::try_from(printable).unwrap_or(usize::MAX));
                    printable -= some as u64;
                    match writer.print(&matches.iter().take(some).map(record).collect::<Vec<_>>()) {
                        Ok(ControlFlow::Continue(())) if printable > 0 => {
                            return ControlFlow::Continue(());
                        }
                        Ok(_) => printable = 0,
                        Err(failure) => printed = Err(failure),
                    }
                    ControlFlow::Break(())
                },
                &progress,
            )?;
            printed?;
        }
        meter.finish();
        if printable == 0 {
            return Ok(());
        }
    }
    match first {
        Some(first) => {
            let records = first.into_records()?;
            bars.print(&writer.format.head::<TierRecord>())?;
            writer.print(&records).map(|_| ())
        }
        None if listing == Listing::Count => {
            print(&CountRecord::all(&counts, &condition, writer.format)?)
        }
        None => Ok(()),
    }
}
