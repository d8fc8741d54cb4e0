//! The verdicts of all slots with one king at home on one square.

use crate::output::wdl::allowed::{Allowed, CATEGORIES};
use crate::output::wdl::grades::{Grades, NO_GRADE};
use crate::planes::legal_rows::{LegalRow, LegalRows};
use crate::slots::codes::TablePair;
use crate::system::ByteSize;
use sakmak_tables::board::square::{SQUARES, Square};
use sakmak_tables::board::symmetry::Symmetry;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::wdl::SHEET;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::index::{Group, Index, MAX_OTHERS, Slot};
use sakmak_tables::rules::Rules;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::tiles::king_tile::{FixedKing, KingTiles};
use std::io;

/// What sections are made from.
pub struct Sections<'a> {
    source: TablePair<'a>,
    rows: LegalRows,
    counting_rule: &'static CountingRule,
}

/// The verdicts of a home.
pub struct Section {
    /// By runner, then king tile: [`sakmak_tables::counting::Category::index`], or
    /// [`NO_GRADE`] where no legal position is.
    grades: Vec<u8>,
    king_tiles: usize,
}

/// A table that makes no verdicts.
#[derive(Debug, thiserror::Error)]
pub enum SectionError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Its two distances do not go together.
    #[error("the tables contradict each other at slot {} with {} to move", slot.0, side.name())]
    Contradiction {
        /// The side to move.
        side: Side,
        /// The slot.
        slot: Slot,
    },
}

/// Where the slots of a king pair go among the king tiles of their home.
struct Destinations {
    /// By the slot without the last group.
    outer: Vec<usize>,
    /// By the combination of the last group.
    last: Vec<usize>,
}

impl<'a> Sections<'a> {
    /// Sections of these tables.
    pub fn new(
        source: TablePair<'a>,
        rules: &Rules,
        counting_rule: &'static CountingRule,
    ) -> Sections<'a> {
        let rows = LegalRows::new(source.mate.index().clone(), rules);
        Sections { source, rows, counting_rule }
    }

    /// The index of the tables.
    pub fn index(&self) -> &Index {
        self.rows.index()
    }

    /// Bytes of memory one section takes while it is made.
    fn bytes(&self) -> u64 {
        let codes = 4 * self.index().slots_per_pair();
        SQUARES as u64 * self.index().slots_per_pair() + codes
    }

    /// How many sections may be in memory at once.
    pub fn at_a_time(&self, memory: ByteSize) -> usize {
        usize::try_from(memory.0 / self.bytes().max(1)).unwrap_or(usize::MAX).max(1)
    }

    /// The verdicts of a home with a side to move.
    ///
    /// # Errors
    ///
    /// When the tables cannot be read, or say of a legal position what cannot be.
    pub fn section(
        &self,
        king_tiles: &KingTiles,
        side: Side,
        home: usize,
    ) -> Result<Section, SectionError> {
        let index = self.index();
        let per_home = king_tiles.per_home() as usize;
        let mut grades = vec![NO_GRADE; SQUARES * per_home];
        let Some(by_code) = Grades::new(self.source, self.counting_rule, side) else {
            return Ok(Section { grades, king_tiles: per_home });
        };
        let mut known: Vec<Option<Destinations>> = Symmetry::all().map(|_| None).collect();
        for number in 0..index.kings().len() {
            let pair = KingPair(number as u16);
            let kings = index.kings().kings(pair);
            let (at_home, running) = (kings[(!king_tiles.runner()).index()], king_tiles.runner());
            let found = king_tiles.homes().symmetry(at_home, kings[running.index()]);
            let FixedKing { home: of, runner, symmetry } = found;
            if usize::from(of) != home {
                continue;
            }
            let destinations = known[symmetry.index()]
                .get_or_insert_with(|| Destinations::new(index, king_tiles, symmetry));
            let row = grades.get_mut(runner.index() * per_home..).unwrap_or_default();
            self.fill(pair, side, &by_code, destinations, row)?;
        }
        Ok(Section { grades, king_tiles: per_home })
    }

    /// Puts the grades of a king pair in their places.
    fn fill(
        &self,
        pair: KingPair,
        side: Side,
        by_code: &Grades,
        destinations: &Destinations,
        row: &mut [u8],
    ) -> Result<(), SectionError> {
        let per_pair = self.index().slots_per_pair();
        let first = u64::from(pair.0) * per_pair;
        let mate = self.source.mate.window(side, first..first + per_pair)?;
        let counted = self.source.counted.map(|codes| codes.window(side, first..first + per_pair));
        let counted = counted.transpose()?;
        let counted: &[u8] = counted.as_deref().unwrap_or(&mate);
        let last = destinations.last.len();
        let mut wrong = None;
        self.rows.of_pair(pair, side, |LegalRow { slots, legal }| {
            if legal == 0 {
                return;
            }
            let (outer, inner) = (slots.start / last, slots.start % last);
            let base = destinations.outer[outer];
            for (bit, (slot, to)) in slots.zip(&destinations.last[inner..]).enumerate() {
                if legal >> bit & 1 != 0 {
                    let grade = by_code.grade(&mate, counted, slot);
                    if grade == NO_GRADE {
                        wrong.get_or_insert(slot);
                    }
                    row[base + to] = grade;
                }
            }
        });
        match wrong {
            None => Ok(()),
            Some(slot) => {
                Err(SectionError::Contradiction { side, slot: Slot(first + slot as u64) })
            }
        }
    }
}

impl Section {
    /// The runner's squares with which a king tile is a legal position, and their grades.
    pub fn king_tile(&self, king_tile: u64) -> impl Iterator<Item = (Square, usize)> + '_ {
        let grade = move |runner: Square| {
            let at = runner.index() * self.king_tiles + king_tile as usize;
            let grade = usize::from(self.grades.get(at).copied().unwrap_or(NO_GRADE));
            (grade < CATEGORIES).then_some((runner, grade))
        };
        Square::all().filter_map(grade)
    }

    /// What the king tiles of a sheet may be.
    pub fn sheet(&self, sheet: u64) -> Vec<Allowed> {
        let first = (sheet * SHEET) as usize;
        let end = (first + SHEET as usize).min(self.king_tiles);
        let mut seen = [[0u64; CATEGORIES + 1]; SHEET as usize];
        for runner in 0..SQUARES {
            let grades = &self.grades[runner * self.king_tiles..][first..end];
            for (seen, &grade) in seen.iter_mut().zip(grades) {
                seen[usize::from(grade).min(CATEGORIES)] |= 1 << runner;
            }
        }
        let allowed = |seen: &[u64; CATEGORIES + 1]| {
            Allowed(std::array::from_fn(|category| seen[category] | seen[CATEGORIES]))
        };
        seen[..end - first].iter().map(allowed).collect()
    }
}

impl Destinations {
    fn new(index: &Index, king_tiles: &KingTiles, symmetry: Symmetry) -> Destinations {
        let of_group = |number: usize, group: &Group| {
            let stride = king_tiles.stride(number).unwrap_or(0) as usize;
            let turned = |rank: u64| {
                let mut squares = [Square::wrapping(0); MAX_OTHERS];
                let squares = &mut squares[..group.count];
                group.unrank(rank, squares);
                group.rank(squares, symmetry).unwrap_or(0) as usize * stride
            };
            (0..group.combinations()).map(turned).collect::<Vec<usize>>()
        };
        let mut groups: Vec<Vec<usize>> =
            index.groups().iter().enumerate().map(|(n, group)| of_group(n, group)).collect();
        let last = groups.pop().unwrap_or_else(|| vec![0]);
        let outer = groups.iter().fold(vec![0], |outer, group| {
            let with = |&place: &usize| group.iter().map(move |more| place + more);
            outer.iter().flat_map(with).collect()
        });
        Destinations { outer, last }
    }
}
