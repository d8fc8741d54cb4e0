//! The selection and the order of the matches that are listed.

use crate::cli::CommandError;
use crate::cli::query::output::MatchRecord;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sakmak_analysis::query::{MatchOrder, MatchRank, OrderColumn};
use sakmak_tables::distance::Moves;

/// Maximum matches of an order or a sample: all these matches are in memory together.
const MAX_ORDERED: u64 = 1_000_000;

/// The options of a list.
#[derive(Args)]
pub struct ListingArguments {
    /// List at most N positions
    #[arg(long, value_name = "N", conflicts_with_all = ["count", "sample", "longest"])]
    first: Option<u64>,
    /// List positions in the order of a column, the least first; at most 1,000,000
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["count", "sample", "longest"],
        value_parser = column_parser())]
    pub order: Option<OrderColumn>,
    /// With --order: the greatest first
    #[arg(long, requires = "order")]
    descending: bool,
    /// List the N positions with the most moves to mate, at most 1,000,000, the longest first
    #[arg(long, value_name = "N", conflicts_with_all = ["count", "sample"],
        value_parser = clap::value_parser!(u64).range(1..=MAX_ORDERED))]
    longest: Option<u64>,
    /// Sample: N random positions, at most 1,000,000, each equally likely
    #[arg(long, value_name = "N", conflicts_with = "count",
        value_parser = clap::value_parser!(u64).range(1..=MAX_ORDERED))]
    sample: Option<u64>,
    /// Seed of the sample: the same seed draws the same positions [default: 0]
    #[arg(long, value_name = "N", requires = "sample")]
    seed: Option<u64>,
    /// Print only the number of positions
    #[arg(long)]
    pub count: bool,
}

/// Returns a parser for the names of columns.
fn column_parser() -> impl TypedValueParser<Value = OrderColumn> {
    let names = OrderColumn::ALL.map(OrderColumn::name);
    PossibleValuesParser::new(names).map(|name| {
        let named = OrderColumn::ALL.into_iter().find(|column| column.name() == name);
        // The parser accepts no other name.
        named.unwrap_or(OrderColumn::DistanceToMate)
    })
}

/// The selection of the matches that are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// No list: matches are counted.
    Count,
    /// All matches in the order of the tables, up to a limit.
    Each {
        /// The limit.
        limit: u64,
    },
    /// The first ones in an order.
    First(FirstOf),
}

/// The first matches in an order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FirstOf {
    order: MatchOrder,
    /// Maximum number of matches.
    most: usize,
    /// More matches than the limit are an error.
    all: bool,
    /// Matches with an empty cell in the column of the order are left out.
    without_empty: bool,
}

/// A list that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ListingError {
    #[error("--first {0} is more than --order can list: at most {MAX_ORDERED}")]
    Limit(u64),
    #[error(
        "more than {MAX_ORDERED} positions to order: add --first N, or list them without --order"
    )]
    TooMany,
}

impl ListingArguments {
    /// Returns the list that the options ask for.
    pub fn listing(&self) -> Result<Listing, CommandError> {
        let ListingArguments { first: limit, order, descending, longest, sample, seed, count } =
            *self;
        let by = |column, descending| MatchOrder::By { column, descending };
        let first = |order, most: u64| FirstOf {
            order,
            most: most as usize,
            all: false,
            without_empty: false,
        };
        Ok(match (count, longest, sample, order) {
            (true, ..) => Listing::Count,
            (_, Some(most), ..) => Listing::First(FirstOf {
                without_empty: true,
                ..first(by(OrderColumn::DistanceToMate, true), most)
            }),
            (_, _, Some(most), _) => {
                Listing::First(first(MatchOrder::Random { seed: seed.unwrap_or(0) }, most))
            }
            (.., Some(column)) => match limit {
                Some(limit) if limit > MAX_ORDERED => {
                    return Err(CommandError::bad_input(ListingError::Limit(limit)));
                }
                Some(limit) => Listing::First(first(by(column, descending), limit)),
                None => Listing::First(FirstOf {
                    all: true,
                    ..first(by(column, descending), MAX_ORDERED)
                }),
            },
            _ => Listing::Each { limit: limit.unwrap_or(u64::MAX) },
        })
    }
}

/// The first matches of several materials in an order.
pub struct FirstRecords<R> {
    first: FirstOf,
    records: Vec<RankedRecord<R>>,
}

/// A match with its rank and its index in the order of the tables.
struct RankedRecord<R> {
    rank: MatchRank,
    place: (usize, usize),
    record: R,
}

impl FirstRecords<MatchRecord> {
    /// Returns the fewest moves to mate of a match that could still be listed, if the longest mates
    /// are listed.
    pub fn least(&self) -> Option<Moves> {
        let last = self.records.last().filter(|_| self.records.len() >= self.most());
        self.is_of_longest().then(|| Moves(last.and_then(|last| last.record.moves()).unwrap_or(0)))
    }
}

impl<R> FirstRecords<R> {
    /// Returns an empty list.
    pub fn new(first: FirstOf) -> FirstRecords<R> {
        FirstRecords { first, records: Vec::new() }
    }

    /// Returns the order.
    pub fn order(&self) -> MatchOrder {
        self.first.order
    }

    /// Returns the number of matches of a material that are needed.
    pub fn most(&self) -> usize {
        // One match too many shows that more matches exist.
        self.first.most + usize::from(self.first.all)
    }

    /// Returns whether only the matches with the most moves to mate are listed.
    pub fn is_of_longest(&self) -> bool {
        self.first.without_empty
    }

    /// Adds the first matches of the material at an index in the order of the materials.
    pub fn add(&mut self, material: usize, found: impl Iterator<Item = (MatchRank, R)>) {
        let without_empty = self.first.without_empty;
        let found = found.filter(|(rank, _)| !(without_empty && rank.is_empty()));
        self.records.extend(found.enumerate().map(|(place, (rank, record))| RankedRecord {
            rank,
            place: (material, place),
            record,
        }));
        self.records.sort_by_key(|found| (found.rank, found.place));
        self.records.truncate(self.most());
    }

    /// Returns the matches in the order of the list.
    pub fn into_records(mut self) -> Result<Vec<R>, CommandError> {
        if self.first.all && self.records.len() > self.first.most {
            return Err(CommandError::bad_input(ListingError::TooMany));
        }
        if matches!(self.first.order, MatchOrder::Random { .. }) {
            self.records.sort_by_key(|found| found.place);
        }
        Ok(self.records.into_iter().map(|found| found.record).collect())
    }
}
