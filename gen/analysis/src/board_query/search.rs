//! Queries of a solved table: counts, lists, the first matches in an order, samples.

use crate::board_query::facts::{Facts, by_value, images, wdl};
use crate::board_query::language::BoardCondition;
use crate::query::{Expression, MatchCount, MatchOrder, MatchRank, OrderColumn};
use rayon::prelude::*;
use sakmak_boards::codes::Codes;
use sakmak_boards::notation::Notation;
use sakmak_boards::solvable::SolvableGame;
use sakmak_boards::value::Value;
use sakmak_solve::boards::tables::{Table, Tables};
use sakmak_tables::distance::Wdl;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

/// Slots in one unit of work.
const RUN: u64 = 1 << 13;
/// Units of work for each thread between two points where all threads wait for one another: some
/// 100 megabytes of matches in 64 threads at most.
const RUNS_AT_ONCE: usize = 2;

/// A query without a table.
#[derive(Debug, thiserror::Error)]
pub enum BoardQueryError {
    /// The material is not among the tables.
    #[error("no table of {0}")]
    NoTable(String),
    /// A value after a move is missing.
    #[error("a position after a move from {0} has no value")]
    NoValue(String),
}

/// A position that meets a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardMatch<P> {
    /// The slot of the position.
    pub slot: u64,
    /// The first position of the slot that meets the condition.
    pub position: P,
    /// The value of the position.
    pub value: Value,
}

impl<P> BoardMatch<P> {
    /// The result for the side to move.
    pub fn result(&self) -> Wdl {
        // A match has a value.
        wdl(self.value).unwrap_or(Wdl::Draw)
    }

    /// The winner's moves to the end.
    pub fn moves(&self) -> Option<u32> {
        self.value.moves().map(u32::from)
    }
}

/// Matches with their ranks.
type RankedMatches<P> = Vec<(MatchRank, BoardMatch<P>)>;
/// The first matches so far, by rank and slot.
type FirstMatches<P> = BTreeMap<(MatchRank, u64), BoardMatch<P>>;

/// A search of a material for positions that meet a condition.
pub struct BoardQuery<'a, G: Notation + SolvableGame> {
    game: &'a G,
    material: G::Material,
    tables: &'a Tables<G>,
    table: &'a Table<G>,
    expression: &'a Expression<BoardCondition>,
}

impl<'a, G: Notation + SolvableGame> BoardQuery<'a, G> {
    /// Returns whether a query needs the subtables too.
    pub fn needs_subtables(expression: &Expression<BoardCondition>) -> bool {
        expression.has(&BoardCondition::needs_subtables)
    }

    /// A query of a material among some tables.
    ///
    /// # Errors
    ///
    /// If the material is not among them.
    pub fn new(
        game: &'a G,
        material: G::Material,
        tables: &'a Tables<G>,
        expression: &'a Expression<BoardCondition>,
    ) -> Result<BoardQuery<'a, G>, BoardQueryError> {
        let table =
            tables.get(material).ok_or_else(|| BoardQueryError::NoTable(material.to_string()))?;
        Ok(BoardQuery { game, material, tables, table, expression })
    }

    /// The number of slots that the query reads.
    pub fn slots(&self) -> u64 {
        self.codes().slots()
    }

    fn codes(&self) -> &Codes {
        &self.table.codes
    }

    /// Counts the positions that meet the condition. `progress` is called from all threads with the
    /// number of slots just done.
    ///
    /// # Errors
    ///
    /// If a value after a move is missing.
    pub fn count(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<MatchCount, BoardQueryError> {
        let counted = self.runs().into_par_iter().map(|slots| {
            let mut counted = MatchCount::default();
            self.run(slots, progress, |_, positions| {
                counted.distinct += 1;
                for position in positions {
                    counted.positions[self.game.mover(position)] += 1;
                }
            })?;
            Ok(counted)
        });
        counted.try_reduce(MatchCount::default, |one, other| {
            let positions = [0, 1].map(|side| one.positions[side] + other.positions[side]);
            Ok(MatchCount { positions, distinct: one.distinct + other.distinct })
        })
    }

    /// Passes the matches to a reader in batches, in slot order, until the reader breaks off.
    ///
    /// # Errors
    ///
    /// See [`BoardQuery::count`].
    pub fn each(
        &self,
        mut reader: impl FnMut(&[BoardMatch<G::Position>]) -> ControlFlow<()>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), BoardQueryError> {
        for runs in self.runs().chunks(RUNS_AT_ONCE * rayon::current_num_threads()) {
            let found = runs.par_iter().map(|slots| {
                let mut matches = Vec::new();
                self.run(slots.clone(), progress, |found, _| matches.push(found))?;
                Ok(matches)
            });
            for matches in found.collect::<Result<Vec<_>, BoardQueryError>>()? {
                if !matches.is_empty() && reader(&matches).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The first `most` matches in an order, or all if there are fewer, with their ranks. Matches of one
    /// rank are in the order of their slots; so are random matches, whatever their ranks.
    ///
    /// # Errors
    ///
    /// See [`BoardQuery::count`].
    pub fn first(
        &self,
        most: usize,
        order: MatchOrder,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<RankedMatches<G::Position>, BoardQueryError> {
        let order = order.within(self.material);
        let mut first = FirstMatches::new();
        for runs in self.runs().chunks(RUNS_AT_ONCE * rayon::current_num_threads()) {
            let found = runs.par_iter().map(|slots| {
                let mut lowest = FirstMatches::new();
                self.run(slots.clone(), progress, |found, _| {
                    let cell = |column| match column {
                        OrderColumn::Result => Some(found.result().index() as u64),
                        OrderColumn::DistanceToMate => found.moves().map(u64::from),
                        OrderColumn::Category | OrderColumn::Counted => None,
                    };
                    lowest.insert((order.rank_of([0, found.slot], cell), found.slot), found);
                    if lowest.len() > most {
                        lowest.pop_last();
                    }
                })?;
                Ok(lowest)
            });
            for lowest in found.collect::<Result<Vec<_>, BoardQueryError>>()? {
                first.extend(lowest);
            }
            while first.len() > most {
                first.pop_last();
            }
        }
        let mut first: Vec<_> = first.into_iter().map(|((rank, _), found)| (rank, found)).collect();
        if matches!(order, MatchOrder::Random { .. }) {
            first.sort_by_key(|(_, found)| found.slot);
        }
        Ok(first)
    }

    fn runs(&self) -> Vec<Range<u64>> {
        let starts = (0..self.slots()).step_by(RUN as usize);
        starts.map(|start| start..self.slots().min(start + RUN)).collect()
    }

    /// Calls `each` with the matches of some slots, and with the positions of the slot that meet the
    /// condition.
    fn run(
        &self,
        slots: Range<u64>,
        progress: &dyn Fn(u64),
        mut each: impl FnMut(BoardMatch<G::Position>, &[G::Position]),
    ) -> Result<(), BoardQueryError> {
        let done = slots.end - slots.start;
        // Whether a value can meet the condition, by its code.
        let mut possible: Vec<Option<bool>> = Vec::new();
        for slot in slots {
            let value = self.codes().value(slot).unwrap_or(Value::Illegal);
            if value == Value::Illegal {
                continue;
            }
            let code = usize::from(value.code());
            if possible.len() <= code {
                possible.resize(code + 1, None);
            }
            let by_value = || {
                let known = self.expression.known(&|condition| by_value(condition, value));
                known != Some(false)
            };
            if !*possible[code].get_or_insert_with(by_value) {
                continue;
            }
            let Some(position) = self.game.unrank(&self.table.layout, slot) else { continue };
            let facts = Facts::new(self.game, self.tables, slot, position, value);
            let holds = |image: &G::Position| {
                self.expression.holds(&|condition| facts.is(condition, image))
            };
            let mut met = images(self.game, &position);
            met.retain(holds);
            if facts.is_missing.get() {
                return Err(BoardQueryError::NoValue(self.game.fen(&position)));
            }
            if let Some(&first) = met.first() {
                each(BoardMatch { slot, position: first, value }, &met);
            }
        }
        progress(done);
        Ok(())
    }
}
