//! `sakmak query` for these games.

use crate::cli::CommandError;
use crate::cli::arguments::{TablesArgument, ThreadsArgument};
use crate::cli::progress::Bars;
use crate::cli::query::listing::{ListingArguments, column_parser};
use crate::cli::query::matches::{MatchOutput, materials_and_condition};
use crate::cli::query::output::{CountRecord, CountedBy, FormatArguments, OutputRecord};
use crate::cli::tiers::selection::{load, tiers_with_files};
use clap::Args;
use sakmak_analysis::query::OrderColumn;
use sakmak_analysis::tiers::{TierMatch, TierQuery, parse};
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_probe::Tablebase;
use sakmak_probe::boards::directory::Directory;
use sakmak_solve::boards::tables::Tables;
use serde::Serialize;
use std::collections::BTreeSet;

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
    #[command(flatten)]
    format: FormatArguments,
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

pub fn run<G: Notation + SolvableGame>(
    game: &G,
    arguments: &QueryArguments,
) -> Result<(), CommandError> {
    let QueryArguments { material, condition, .. } = arguments;
    let help = format!("sakmak query --help --variant {}", game.name());
    let (texts, condition) = materials_and_condition(material, condition, &help)?;
    let listing = arguments.listing.listing()?;
    let tablebase = Tablebase::of_directory(&arguments.directory.readable()?);
    let directory = Directory::new(game, &tablebase);
    let parsed = |tier| Ok((tier, parse(&condition, game, tier).map_err(CommandError::bad_input)?));
    let tiers = tiers_with_files(&texts, &directory)?;
    let expressions = tiers.into_iter().map(parsed).collect::<Result<Vec<_>, CommandError>>()?;
    let needed = |tier, expression: &_| {
        let smaller = TierQuery::<G>::needs_smaller(expression);
        let mut needed = if smaller { game.subtables(tier) } else { Vec::new() };
        needed.push(tier);
        needed
    };
    let read = expressions.iter().flat_map(|(tier, expression)| needed(*tier, expression));
    directory.require(read.collect::<BTreeSet<_>>())?;
    let bars = Bars::new();
    let mut output = MatchOutput::new(listing, arguments.format.format(), &bars);
    let mut tables = Tables::default();
    for (place, (tier, expression)) in expressions.iter().enumerate() {
        load(&directory, &mut tables, &needed(*tier, expression))?;
        let query = TierQuery::new(game, *tier, &tables, expression)?;
        let record = |found: &TierMatch<G::Position>| {
            Some(TierRecord {
                fen: game.fen(&found.position),
                result: found.result().name(),
                dtm: found.moves(),
                material: tier.to_string(),
            })
        };
        output.begin()?;
        let meter = bars.slots(&tier.to_string(), query.slots());
        let progress = |slots| meter.advance(slots);
        let by = CountedBy::Variant(game.name());
        let flow = output.take(
            place,
            &record,
            || Ok(CountRecord::new(tier, by, query.count(&progress)?)),
            |first| Ok(query.first(first.most(), first.order(), &progress)?),
            |reader| Ok(query.each(reader, &progress)?),
        )?;
        meter.finish();
        if flow.is_break() {
            break;
        }
    }
    output.end(&condition)
}
