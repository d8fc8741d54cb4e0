//! The order of matches: by a column of the output, or random.

use crate::query::image::QueryMatch;
use sakmak_tables::counting::Category;
use sakmak_tables::distance::Value;
use sakmak_tables::index::address::Address;
use std::fmt::Display;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A column of the output that matches can be ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrderColumn {
    /// The mover's result with no count, the worst first.
    Result,
    /// The attacker's moves to mate.
    DistanceToMate,
    /// The mover's category under the count, the worst first.
    Category,
    /// The attacker's moves needed of the count.
    Counted,
}

impl OrderColumn {
    /// All columns, in the order of the output.
    pub const ALL: [OrderColumn; 4] = [
        OrderColumn::Result,
        OrderColumn::DistanceToMate,
        OrderColumn::Category,
        OrderColumn::Counted,
    ];

    /// The name of the column.
    pub const fn name(self) -> &'static str {
        match self {
            OrderColumn::Result => "result",
            OrderColumn::DistanceToMate => "dtm",
            OrderColumn::Category => "category",
            OrderColumn::Counted => "counted",
        }
    }

    /// Whether the table of counted distance has the column's values.
    pub(super) const fn needs_counted(self) -> bool {
        matches!(self, OrderColumn::Category | OrderColumn::Counted)
    }

    /// The cell of a match as a number; `None` for an empty cell.
    fn cell(self, found: &QueryMatch, category: Option<Category>) -> Option<u64> {
        let moves = |value: Value| value.moves().map(|moves| moves.0.into());
        match self {
            OrderColumn::Result => Some(found.mate.wdl().index() as u64),
            OrderColumn::DistanceToMate => moves(found.mate),
            OrderColumn::Category => category.map(|category| category.index() as u64),
            OrderColumn::Counted => found.counted.and_then(moves),
        }
    }
}

/// The order of matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchOrder {
    /// The order by a column; matches with an empty cell come last.
    By {
        /// The column.
        column: OrderColumn,
        /// Whether the greatest cell comes first.
        descending: bool,
    },
    /// Random: the rank of a match depends on its material, its slot and the seed.
    Random {
        /// The seed.
        seed: u64,
    },
}

/// The rank of a match in an order; the lowest rank comes first. Ranks of matches of several
/// materials can be compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MatchRank(u64);

impl MatchRank {
    /// The rank of matches with an empty cell.
    const EMPTY: MatchRank = MatchRank(u64::MAX);

    /// Whether the cell of the match is empty.
    pub fn is_empty(self) -> bool {
        self == MatchRank::EMPTY
    }
}

impl MatchOrder {
    /// The order within the matches of one material.
    pub(crate) fn within(self, material: impl Display) -> MatchOrder {
        match self {
            MatchOrder::By { .. } => self,
            MatchOrder::Random { seed } => {
                let seed = xxh3_64_with_seed(material.to_string().as_bytes(), seed);
                MatchOrder::Random { seed }
            }
        }
    }

    /// The rank of a match with this category; the order comes from [`MatchOrder::within`].
    pub(super) fn rank(self, found: &QueryMatch, category: Option<Category>) -> MatchRank {
        let Address { side, slot } = found.address;
        self.rank_of([side.index() as u64, slot.0], |column| column.cell(found, category))
    }

    /// The rank of a match at an address, with these cells; the order comes from
    /// [`MatchOrder::within`].
    pub(crate) fn rank_of(
        self,
        [side, slot]: [u64; 2],
        cell: impl FnOnce(OrderColumn) -> Option<u64>,
    ) -> MatchRank {
        match self {
            MatchOrder::By { column, descending } => {
                let rank = |cell| if descending { u64::MAX - 1 - cell } else { cell };
                cell(column).map_or(MatchRank::EMPTY, |cell| MatchRank(rank(cell)))
            }
            MatchOrder::Random { seed } => {
                let mut bytes = [0; 9];
                bytes[..8].copy_from_slice(&slot.to_le_bytes());
                bytes[8] = side as u8;
                MatchRank(xxh3_64_with_seed(&bytes, seed))
            }
        }
    }
}
