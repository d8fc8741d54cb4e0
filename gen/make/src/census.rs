//! Counts the positions of a table by value. Fast, for tables of any size.
//!
//! Counts are of positions of the whole board: like pieces are interchangeable, mirror images are
//! counted separately. A slot represents as many positions as its king pair has images. So the
//! legal slots of a pair are counted by code, and the counts are multiplied once:
//!
//! ```text
//! for each king pair, all threads at work:
//!     for each plane of it: the legal slots, 64 to a word
//!         for each row: count its codes where the word has a bit
//!     multiply the counts by the images of the pair
//! ```
//!
//! Codes are read window by window; the table need not be in memory.

mod bins;

pub mod file;

use bins::Bins;
use rayon::prelude::*;
use sakmak_solve::planes::legal_rows::{LegalRow, LegalRows};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::index::Slot;
use sakmak_tables::index::address::Address;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::material::Material;
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::Coding;
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::values::table::Table;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

/// The number of positions by distance.
pub type Histogram = BTreeMap<Moves, u64>;

/// The positions of a table with one side to move, by the mover's value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Draws.
    pub draws: u64,
    /// Wins of the mover.
    pub wins: DistanceCounts,
    /// Losses of the mover.
    pub losses: DistanceCounts,
}

/// Positions that one side wins, by its moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DistanceCounts {
    /// The number of positions by distance.
    pub histogram: Histogram,
    /// The first slot of each distance.
    pub first: BTreeMap<Moves, Slot>,
}

impl DistanceCounts {
    /// Counts of zero positions.
    pub const EMPTY: DistanceCounts =
        DistanceCounts { histogram: BTreeMap::new(), first: BTreeMap::new() };

    /// Returns the longest distance and its first slot, or `None` if there are no positions.
    pub fn longest(&self) -> Option<(Moves, Slot)> {
        self.longest_within(None)
    }

    /// Returns the longest distance of at most `most` moves, if given, and its first slot. Returns
    /// `None` if there is none.
    pub fn longest_within(&self, most: Option<Moves>) -> Option<(Moves, Slot)> {
        let last = match most {
            Some(most) => self.first.range(..=most).next_back(),
            None => self.first.last_key_value(),
        };
        last.map(|(&moves, &slot)| (moves, slot))
    }

    /// Returns the number of positions.
    pub fn count(&self) -> u64 {
        self.histogram.values().sum()
    }

    /// Returns the number of positions with a distance of at most `most` moves, if given.
    pub fn within(&self, most: Option<Moves>) -> u64 {
        match most {
            Some(most) => self.histogram.range(..=most).map(|(_, count)| count).sum(),
            None => self.count(),
        }
    }
}

/// A table that cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum CensusError {
    /// A legal position has no value.
    #[error("the table of {material} has no value at slot {} with {} to move", address.slot.0, address.side.name())]
    NoValue {
        /// The material of the table.
        material: Material,
        /// The slot and side to move.
        address: Address,
    },
    /// The codes cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Slots in one unit of work, at least a king pair: a fraction of a core's cache.
const RUN: u64 = 1 << 19;

impl Census {
    /// A census of zero positions.
    pub const EMPTY: Census =
        Census { draws: 0, wins: DistanceCounts::EMPTY, losses: DistanceCounts::EMPTY };

    /// Counts the positions of a table, by [`Side::index`] of the side to move; `None` for a
    /// side to move that the table does not hold.
    ///
    /// `progress` is called from all threads with the number of slots just done. The sum is the
    /// number of slots of the index for each side to move that the table holds.
    ///
    /// # Errors
    ///
    /// If codes cannot be read, or a legal position has no value. The error names the first
    /// such slot, White to move before Black.
    pub fn of(
        codes: &dyn TableCodes,
        rules: &Rules,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<[Option<Census>; 2], CensusError> {
        let rows = LegalRows::new(codes.index().clone(), rules);
        let mut censuses = [None, None];
        for &side in Table::sides(codes.index()) {
            let coding = codes.coding(side).unwrap_or_default();
            let side_census = SideCensus { codes, coding, rows: &rows, side };
            censuses[side.index()] = Some(side_census.census(progress)?);
        }
        Ok(censuses)
    }
}

/// A table and the side to move to count.
#[derive(Clone, Copy)]
struct SideCensus<'a> {
    codes: &'a dyn TableCodes,
    coding: Coding,
    rows: &'a LegalRows,
    side: Side,
}

/// Counts of some king pairs, indexed by code. The last entry counts all codes without a value.
struct CodeCounts {
    /// Positions of the whole board.
    positions: Vec<u64>,
    /// The first king pair with the code.
    first: Vec<Option<KingPair>>,
}

impl CodeCounts {
    fn new(coding: Coding) -> CodeCounts {
        let bins = coding.codes() as usize + 1;
        CodeCounts { positions: vec![0; bins], first: vec![None; bins] }
    }

    /// Returns the sum of two counts; the pairs of `other` come later.
    fn and(mut self, other: CodeCounts) -> CodeCounts {
        for (positions, more) in self.positions.iter_mut().zip(other.positions) {
            *positions += more;
        }
        for (first, other) in self.first.iter_mut().zip(other.first) {
            *first = first.or(other);
        }
        self
    }
}

impl SideCensus<'_> {
    fn census(self, progress: &(dyn Fn(u64) + Sync)) -> Result<Census, CensusError> {
        let per_pair = self.rows.index().slots_per_pair();
        let pairs = self.rows.index().kings().len() as u64;
        let run = (RUN / per_pair).max(1);
        let tallies: Vec<io::Result<CodeCounts>> = (0..pairs.div_ceil(run))
            .into_par_iter()
            .map(|number| {
                let pairs = number * run..((number + 1) * run).min(pairs);
                let tally = self.tally(pairs.clone());
                progress((pairs.end - pairs.start) * per_pair);
                tally
            })
            .collect();
        let none = CodeCounts::new(self.coding);
        let tally =
            tallies.into_iter().try_fold(none, |all, more| more.map(|more| all.and(more)))?;
        self.by_value(&tally)
    }

    /// Counts the positions of some king pairs.
    fn tally(self, pairs: Range<u64>) -> io::Result<CodeCounts> {
        let index = self.rows.index();
        let mut tally = CodeCounts::new(self.coding);
        let mut bins = Bins::new(self.coding);
        let per_pair = index.slots_per_pair();
        let window = self.codes.window(self.side, pairs.start * per_pair..pairs.end * per_pair)?;
        let bytes = per_pair as usize * self.coding.width();
        if window.len() as u64 != (pairs.end - pairs.start) * bytes as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for (number, pair) in pairs.map(|pair| KingPair(pair as u16)).enumerate() {
            let codes = window.get(number * bytes..(number + 1) * bytes);
            self.count_pair(pair, codes.unwrap_or_default(), &mut bins);
            let images = index.kings().images(pair);
            bins.drain(self.coding, |code, slots| {
                tally.positions[code] += slots * images;
                tally.first[code].get_or_insert(pair);
            });
        }
        Ok(tally)
    }

    /// Counts the legal slots of a king pair.
    fn count_pair(self, pair: KingPair, codes: &[u8], bins: &mut Bins) {
        let width = self.coding.width();
        self.rows.of_pair(pair, self.side, |LegalRow { slots, legal }| {
            if legal != 0 {
                let codes = codes.get(slots.start * width..slots.end * width);
                bins.count(codes.unwrap_or_default(), legal);
            }
        });
    }

    /// Returns the census by value, from the counts by code.
    fn by_value(self, tally: &CodeCounts) -> Result<Census, CensusError> {
        let mut census = Census::default();
        for (code, &positions) in tally.positions.iter().enumerate().filter(|(_, n)| **n > 0) {
            let value = u16::try_from(code).ok().and_then(|code| self.coding.decode(code));
            match value {
                Some(Value::Draw) => census.draws += positions,
                Some(Value::Win(moves)) => {
                    census.wins.histogram.insert(moves, positions);
                }
                Some(Value::Loss(moves)) => {
                    census.losses.histogram.insert(moves, positions);
                }
                None => {
                    let slot = match tally.first.get(code).copied().flatten() {
                        Some(pair) => self.first_slots_of(pair)?.get(&code).copied(),
                        None => None,
                    };
                    let slot = slot.unwrap_or(Slot(0));
                    let address = Address { side: self.side, slot };
                    let material = self.rows.index().material();
                    return Err(CensusError::NoValue { material, address });
                }
            }
        }
        self.first_slots(tally, &mut census)?;
        Ok(census)
    }

    /// Adds the first legal slot of each distance to the census.
    fn first_slots(self, tally: &CodeCounts, census: &mut Census) -> io::Result<()> {
        // Most distances occur first in one of a few pairs; each pair is read once.
        let mut codes_of: BTreeMap<KingPair, Vec<usize>> = BTreeMap::new();
        for (code, pair) in tally.first.iter().enumerate() {
            if let Some(pair) = *pair {
                codes_of.entry(pair).or_default().push(code);
            }
        }
        let found: Vec<io::Result<Vec<(usize, Slot)>>> = codes_of
            .into_par_iter()
            .map(|(pair, codes)| {
                let slots = self.first_slots_of(pair)?;
                let slot = |code| slots.get(&code).map(|&slot| (code, slot));
                Ok(codes.into_iter().filter_map(slot).collect())
            })
            .collect();
        for found in found {
            for (code, slot) in found? {
                let value = u16::try_from(code).ok().and_then(|code| self.coding.decode(code));
                match value {
                    Some(Value::Win(moves)) => census.wins.first.insert(moves, slot),
                    Some(Value::Loss(moves)) => census.losses.first.insert(moves, slot),
                    Some(Value::Draw) | None => None,
                };
            }
        }
        Ok(())
    }

    /// Returns the first legal slot of a king pair with each code. The number of codes is the key
    /// for all codes without a value.
    fn first_slots_of(self, pair: KingPair) -> io::Result<BTreeMap<usize, Slot>> {
        let per_pair = self.rows.index().slots_per_pair();
        let first = u64::from(pair.0) * per_pair;
        let window = self.codes.window(self.side, first..first + per_pair)?;
        let mut found: Vec<Option<Slot>> = vec![None; self.coding.codes() as usize + 1];
        self.rows.of_pair(pair, self.side, |LegalRow { slots, legal }| {
            for slot in slots.clone().filter(|&slot| legal >> (slot - slots.start) & 1 != 0) {
                let read = self.coding.read(&window, slot).map_or(usize::MAX, usize::from);
                let code = read.min(self.coding.codes() as usize);
                found[code].get_or_insert(Slot(first + slot as u64));
            }
        });
        let found = found.into_iter().enumerate();
        Ok(found.filter_map(|(code, slot)| Some((code, slot?))).collect())
    }
}

#[cfg(test)]
mod tests;
